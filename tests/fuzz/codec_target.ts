/**
 * Aims at the codec: any bytes, cut anyhow, through framing, indexing, field access, groups, validation and
 * description. What has to hold is in {@link codecProblem}. Pure.
 */
import {
  describeMessage,
  type Dictionary,
  FIX44,
  FixMessage,
  Framer,
  FrameStatus,
  GroupCursor,
  parseDecimal,
  type Scope,
  validate,
} from "../../shared/codec/fix/mod.ts";
import { bytesOf, textOf } from "./bytes.ts";
import { counted, type Counter } from "./counted.ts";
import { fewest, fewestBytes } from "./minimise.ts";
import { mutate, pieces, sealed } from "./mutate.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { type Finding, shownBytes, type Target, thrown } from "./target.ts";

/** Small, so that its limits are met. */
export const MAX_MESSAGE_BYTES = 4096;
const MAX_FIELDS = 128;
/** Looks at bytes and fields per byte received, and per piece in which they come (a header is looked at again). */
const READS_PER_BYTE = 40;
const READS_PER_PIECE = 100;
/** What a message looks like: its front with BodyLength(9), its body, CheckSum(10). */
const FRAME = new RegExp("^(8=FIX[^~]*~9=(\\d+)~)(35=[^]+~)10=(\\d{3})~$".replaceAll("~", "\x01"));
/** A good message; many of them follow the damaged bytes. */
const SENTINEL = bytesOf(
  sealed(["35=0", "34=7", "49=TW", "52=20260105-08:00:00.000", "56=EXCH", "112=sentinel"]),
);

/** The codec as a target that starts from `corpus`. */
export function codecTarget(corpus: readonly string[]): Target {
  return {
    name: "codec",
    about: "framing, field index, groups, validation and description of damaged bytes, cut anyhow",
    smokeCases: 500,
    attempt: (seed) => attempt(seed, corpus),
  };
}

function attempt(seed: number, corpus: readonly string[]): Finding | null {
  const random = new SeededRandom(seed);
  let text = "";
  for (let i = random.below(6); i >= 0; i--) text += mutate(random, random.pick(corpus), corpus);
  const cut = pieces(random, bytesOf(text));
  const problem = codecProblem(cut);
  if (problem === null) return null;
  const few = fewest(cut, (parts) => codecProblem(parts) !== null);
  const least = few.map((part, index) =>
    fewestBytes(part, (bytes) => codecProblem(few.map((one, i) => i === index ? bytes : one)) !== null)
  );
  const told = codecProblem(least) ?? problem;
  return { seed, problem: told, input: least.map((part) => `piece: ${shownBytes(part)}`) };
}

/**
 * What does not hold of these pieces of a stream, or null:
 * nothing throws; each message is one (its length and sum are right); the same messages come out when the bytes come
 * all at once; work per byte and memory are bounded; framing finds the good messages again that follow.
 */
export function codecProblem(cut: readonly Uint8Array[]): string | null {
  try {
    const counter: Counter = { reads: 0 };
    const { frames, problem } = read(cut, counter);
    if (problem !== null) return problem;
    const length = cut.reduce((sum, part) => sum + part.length, 0);
    const most = READS_PER_BYTE * length + READS_PER_PIECE * (cut.length + 1);
    if (counter.reads > most) {
      return `${length} bytes in ${cut.length} pieces were looked at ${counter.reads} times`;
    }
    const whole = read([Uint8Array.from(cut.flatMap((part) => [...part]))], null);
    if (whole.problem !== null) return whole.problem;
    if (whole.frames.join("\n") !== frames.join("\n")) {
      return "other messages come out when the bytes come at once";
    }
    return recovers(cut) ? null : "framing does not find the good messages that follow";
  } catch (error) {
    return thrown(error);
  }
}

/** Everything a receiver does with a stream. */
function read(
  cut: readonly Uint8Array[],
  counter: Counter | null,
): { frames: string[]; problem: string | null } {
  const framer = new Framer(MAX_MESSAGE_BYTES);
  const message = new FixMessage(MAX_FIELDS);
  if (counter !== null) Reflect.set(message, "tags", counted(message.tags, counter));
  const frames: string[] = [];
  let statuses = 0;
  let bytes = 0;
  let largest = 0;
  for (const part of cut) {
    framer.push(part);
    bytes += part.length;
    const plain = framer.buffer;
    if (counter !== null) framer.buffer = counted(plain, counter);
    for (let status = framer.next(); status !== FrameStatus.NeedMore; status = framer.next()) {
      if (++statuses > bytes) return { frames, problem: "framing goes on without end" };
      if (status !== FrameStatus.Frame) continue;
      const frame = plain.slice(framer.start, framer.end);
      const problem = frameProblem(frame) ?? useMessage(framer, message);
      if (problem !== null) return { frames, problem };
      frames.push(textOf(frame));
    }
    framer.buffer = plain;
    largest = Math.max(largest, part.length);
    const most = 4 * MAX_MESSAGE_BYTES + 2 * largest + 16_384;
    if (plain.length > most) return { frames, problem: `the framer holds ${plain.length} bytes` };
  }
  return { frames, problem: null };
}

/** A second opinion on what the framer calls a message. */
function frameProblem(frame: Uint8Array): string | null {
  const text = textOf(frame);
  const [whole, front, length, body, sum] = FRAME.exec(text) ?? [];
  if (whole === undefined) return `no message: ${text}`;
  if (Number(length) !== body.length) return `BodyLength(9) is wrong: ${text}`;
  let expected = 0;
  for (let i = 0; i < front.length + body.length; i++) expected += frame[i];
  return expected % 256 === Number(sum) ? null : `CheckSum(10) is wrong: ${text}`;
}

/** Reads the message in all ways that there are. */
function useMessage(framer: Framer, message: FixMessage): string | null {
  message.parse(framer.buffer, framer.start, framer.end);
  for (let i = 0; i < message.fieldCount; i++) {
    const start = message.valueStart[i];
    const end = message.valueEnd[i];
    if (!(framer.start <= start && start <= end && end < framer.end)) {
      return `field ${i} lies outside its message`;
    }
  }
  validate(message, FIX44, { allowUserDefined: false, maxGroupEntries: 16 });
  validate(message, FIX44, { allowUserDefined: true });
  for (const tag of [34, 38, 43, 44, 52, 60, 122]) {
    const at = message.find(tag);
    if (at < 0) continue;
    message.int(tag);
    message.charCode(tag);
    message.utcTimestampMs(tag);
    parseDecimal(framer.buffer, message.valueStart[at], message.valueEnd[at], 8);
  }
  walkGroups(message, FIX44);
  describeMessage(framer.buffer.slice(framer.start, framer.end), FIX44);
  return null;
}

function walkGroups(message: FixMessage, dictionary: Dictionary): void {
  const definition = dictionary.message(message.msgType);
  if (definition === undefined) return;
  for (const { field, group } of definition.body.members) {
    if (group !== null) walk(message, group, message.find(field.tag));
  }
}

function walk(message: FixMessage, group: Scope, countIndex: number): void {
  const cursor = new GroupCursor();
  cursor.open(message, group, countIndex);
  while (cursor.next()) {
    for (const { field, group: nested } of group.members) {
      const at = cursor.find(field.tag);
      if (nested !== null && at >= 0) walk(message, nested, at);
    }
  }
}

/** Whether, when more good bytes have followed than any message may have, the last good message is found. */
function recovers(cut: readonly Uint8Array[]): boolean {
  const framer = new Framer(MAX_MESSAGE_BYTES);
  for (const part of cut) {
    framer.push(part);
    while (framer.next() !== FrameStatus.NeedMore);
  }
  let found = false;
  for (let bytes = 0; bytes < MAX_MESSAGE_BYTES + 3 * SENTINEL.length; bytes += SENTINEL.length) {
    framer.push(SENTINEL);
    found = false;
    for (let status = framer.next(); status !== FrameStatus.NeedMore; status = framer.next()) {
      found = status === FrameStatus.Frame && framer.end - framer.start === SENTINEL.length;
    }
  }
  return found;
}
