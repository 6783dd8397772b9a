/**
 * Owns the comparison of a received message with the one that a script expects, and the picture of how they
 * differ. Pure.
 *
 * Every field counts. BodyLength(9) and CheckSum(10) are verified by whoever framed the message;
 * BeginString(8), SenderCompID(49) and TargetCompID(56) are those of the run unless the script names them;
 * SendingTime(52) is near now.
 */
import { FIX44, FixMessage } from "../../shared/codec/fix/mod.ts";
import type { ExpectedField } from "./language.ts";

/** What a value may refer to. */
export interface Surroundings {
  /** Our CompID, the sender of what is received. */
  readonly venueCompId: string;
  /** The peer's CompID. */
  readonly peerCompId: string;
  /** Now, ms since 1970. */
  readonly nowMs: number;
  /** SendingTime(52) of each message received so far, by MsgSeqNum(34), first reception. */
  readonly sentTimes: ReadonlyMap<number, string>;
  /** Tags whose values are not compared, whether present or not. */
  readonly ignoredTags: ReadonlySet<number>;
  /** See FixMessage.dataLengthTags; FIX 4.4's when absent. */
  readonly dataLengthTags?: Uint16Array;
}

interface Field {
  readonly tag: number;
  readonly value: string;
}

interface Row {
  readonly tag: number;
  readonly expected: string | null;
  readonly got: string | null;
  readonly differs: boolean;
}

/** How far a time may be from the one expected: a loaded machine is slow, ms. */
const TIME_TOLERANCE_MS = 5000;
const ABSENT = "–";

/** Null when `bytes`, one framed message, is the expected one; else a table of both, a field per line. */
export function differenceOf(
  expected: readonly ExpectedField[],
  bytes: Uint8Array,
  ordered: boolean,
  surroundings: Surroundings,
): string | null {
  const { ignoredTags, dataLengthTags } = surroundings;
  const wanted = withDefaults(expected, surroundings).filter(({ tag }) => !ignoredTags.has(tag));
  const got = fieldsOf(bytes, dataLengthTags).filter(({ tag }) =>
    tag !== 9 && tag !== 10 && !ignoredTags.has(tag)
  );
  const rows = rowsOf(wanted, got, surroundings);
  if (rows.some((row) => row.differs)) return table(rows);
  const places = ordered ? orderOf(expected, got) : null;
  return places === null ? null : `${table(rows)}\n${places}`;
}

/** The fields of one framed message, in its order; see FixMessage.dataLengthTags. */
export function fieldsOf(bytes: Uint8Array, dataLengthTags?: Uint16Array): Field[] {
  const message = new FixMessage(4096);
  if (dataLengthTags !== undefined) message.dataLengthTags = dataLengthTags;
  message.parse(bytes, 0, bytes.length);
  const fields: Field[] = [];
  for (let i = 0; i < message.fieldCount; i++) {
    const value = bytes.subarray(message.valueStart[i], message.valueEnd[i]);
    fields.push({ tag: message.tags[i], value: visible(value) });
  }
  return fields;
}

/** Bytes with "|" for SOH. */
export function visible(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte === 1 ? "|" : String.fromCharCode(byte)).join("");
}

function withDefaults(expected: readonly ExpectedField[], surroundings: Surroundings): ExpectedField[] {
  const defaults: ExpectedField[] = [
    { tag: 8, value: "FIX.4.4" },
    { tag: 49, value: surroundings.venueCompId },
    { tag: 52, value: "<0>" },
    { tag: 56, value: surroundings.peerCompId },
  ];
  return [...defaults.filter(({ tag }) => !expected.some((field) => field.tag === tag)), ...expected];
}

/** The n-th field of a tag is compared with the n-th one of that tag. */
function rowsOf(wanted: readonly ExpectedField[], got: readonly Field[], surroundings: Surroundings): Row[] {
  const rest = [...got];
  const rows: Row[] = wanted.map(({ tag, value }) => {
    const at = rest.findIndex((field) => field.tag === tag);
    const actual = at < 0 ? null : rest.splice(at, 1)[0].value;
    const matches = actual !== null && valueMatches(value, actual, surroundings);
    return { tag, expected: value, got: actual, differs: !matches };
  });
  return rows.concat(rest.map(({ tag, value }) => ({ tag, expected: null, got: value, differs: true })));
}

function valueMatches(expected: string, actual: string, surroundings: Surroundings): boolean {
  if (expected === "*") return actual !== "";
  const sent = /^<sent (\d+)>$/.exec(expected);
  if (sent !== null) return surroundings.sentTimes.get(Number(sent[1])) === actual;
  const time = /^<(-?\d+(?:\.\d+)?)>$/.exec(expected);
  if (time === null) return expected === actual;
  const due = surroundings.nowMs + Number(time[1]) * 1000;
  return Math.abs(timeOf(actual) - due) <= TIME_TOLERANCE_MS;
}

function timeOf(text: string): number {
  const [, year, month, day, time] = /^(\d{4})(\d\d)(\d\d)-(\d\d:\d\d:\d\d(?:\.\d{3})?)$/.exec(text) ?? [];
  return time === undefined ? NaN : Date.parse(`${year}-${month}-${day}T${time}Z`);
}

/** Null when the received fields named by the script stand in its order. */
function orderOf(expected: readonly ExpectedField[], got: readonly Field[]): string | null {
  const named = new Set(expected.map(({ tag }) => tag));
  const order = got.filter(({ tag }) => named.has(tag)).map(({ tag }) => tag).join(" ");
  const wanted = expected.map(({ tag }) => tag).join(" ");
  return order === wanted ? null : `fields in another order: expected ${wanted}, got ${order}`;
}

function table(rows: readonly Row[]): string {
  const names = rows.map(({ tag }) => tagName(tag));
  const expected = rows.map((row) => row.expected ?? ABSENT);
  const nameWidth = Math.max(...names.map((name) => name.length));
  const width = Math.max("expected".length, ...expected.map((value) => value.length));
  const head = `    ${"".padEnd(nameWidth)}  ${"expected".padEnd(width)}  got`;
  const lines = rows.map((row, i) => {
    const mark = row.differs ? "  ! " : "    ";
    return `${mark}${names[i].padEnd(nameWidth)}  ${expected[i].padEnd(width)}  ${row.got ?? ABSENT}`;
  });
  return [head, ...lines].join("\n");
}

function tagName(tag: number): string {
  const field = FIX44.fields.get(tag);
  return field === undefined ? String(tag) : `${field.name}(${tag})`;
}
