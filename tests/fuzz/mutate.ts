/**
 * Owns what is done to good messages: to their fields, mostly with a BodyLength and CheckSum that are right again, so
 * that the damage gets past the framing; to their bytes; and to the way in which they are cut. Messages are text of one
 * character per byte. Pure.
 */
import type { SeededRandom } from "../../shared/testing/seeded_random.ts";

const SOH = "\x01";

/** Values at which code that reads numbers, times and texts may break. */
const VALUES: readonly string[] = [
  "",
  "0",
  "-0",
  "-1",
  "+1",
  "00000000000000000001",
  "2147483647",
  "2147483648",
  "-2147483648",
  "4294967296",
  "9007199254740993",
  "999999999999999999999999999999",
  "1e9",
  "0x10",
  "NaN",
  "1.",
  ".5",
  "-.5",
  "0.000000000000000001",
  "99999999999999.99",
  "Y",
  "N",
  " ",
  "=",
  "a b",
  "\x00",
  "\xff",
  "20260230-25:61:61",
  "20260105-08:00:60.999",
  "00000000-00:00:00",
  "99991231-23:59:59.999999",
  "8=FIX.4.4",
];
const TAGS: readonly string[] = [
  "0",
  "-1",
  "8",
  "9",
  "10",
  "34",
  "35",
  "43",
  "52",
  "95",
  "96",
  "122",
  "212",
  "453",
  "555",
]
  .concat([
    "956",
    "957",
    "1023",
    "1024",
    "4999",
    "5000",
    "9999",
    "10000",
    "2147483647",
    "4294967330",
    "x",
    "",
    "035",
  ]);
const LENGTHS: readonly string[] = ["", "0", "1", "5", "-1", "999", "16383", "16384", "99999", "999999999"]
  .concat(["9999999999", "0000000001", "000000000064", "6 4"]);

/** The fields of a message, without its end; data fields with SOH in them come as several. */
export function fieldsOf(message: string): string[] {
  return message.split(SOH).slice(0, -1);
}

/** The fields as one message with BodyLength(9) and CheckSum(10) put right; fields 8, 9 and 10 need not be there. */
export function sealed(fields: readonly string[]): string {
  const begin = fields.find((field) => field.startsWith("8=")) ?? "8=FIX.4.4";
  const body = fields.filter((field) => !/^(8|9|10)=/.test(field)).map((field) => field + SOH).join("");
  return withCheckSum(`${begin}${SOH}9=${body.length}${SOH}${body}`);
}

/** A message without its last field, with CheckSum(10). */
function withCheckSum(front: string): string {
  let sum = 0;
  for (let i = 0; i < front.length; i++) sum += front.charCodeAt(i);
  return `${front}10=${String(sum % 256).padStart(3, "0")}${SOH}`;
}

/** Changes one to three things about the fields; `others` lend theirs. */
export function mutateFields(
  random: SeededRandom,
  fields: readonly string[],
  others: readonly string[],
): string[] {
  const changed = [...fields];
  for (let i = random.below(3); i >= 0; i--) mutateField(random, changed, others);
  return changed;
}

function mutateField(random: SeededRandom, fields: string[], others: readonly string[]): void {
  const at = random.below(fields.length);
  const [tag] = fields[at].split("=");
  const value = fields[at].slice(tag.length + 1);
  switch (random.below(10)) {
    case 0:
      return void fields.splice(at, fields.length > 1 ? 1 : 0);
    case 1:
      return void fields.splice(at, 0, fields[random.below(fields.length)]);
    case 2:
      return void fields.splice(at, 0, ...Array(1 + random.below(80)).fill(random.pick(fields)));
    case 3:
      return void (fields[at] = `${tag}=${random.pick(VALUES)}`);
    case 4:
      return void (fields[at] = `${random.pick(TAGS)}=${value}`);
    case 5:
      return void (fields[at] = `${tag}=${value.slice(0, random.below(value.length + 1))}`);
    case 6:
      return void (fields[at] = `${tag}=${value.repeat(1 + random.below(300))}`);
    case 7: {
      const other = fieldsOf(random.pick(others));
      const from = random.below(other.length);
      return void fields.splice(at, random.below(3), ...other.slice(from, from + 1 + random.below(12)));
    }
    case 8:
      return void fields.push(...fields.splice(at, 1 + random.below(3)));
    default:
      return void (fields[at] = random.pick([tag, `${tag}${value}`, `=${value}`, `${value}=${tag}`, ""]));
  }
}

/** A message with BodyLength(9) or CheckSum(10) that lies; the other one is right. */
export function lying(random: SeededRandom, message: string): string {
  const fields = fieldsOf(message);
  const at = random.oneIn(2) ? fields.length - 1 : fields.findIndex((field) => field.startsWith("9="));
  if (at === fields.length - 1) fields[at] = `10=${random.pick(VALUES)}`;
  else fields[at] = `9=${random.pick([...LENGTHS, String(message.length + random.below(9) - 20)])}`;
  const front = fields.slice(0, -1).map((field) => field + SOH).join("");
  return at === fields.length - 1 ? `${front}${fields[at]}${SOH}` : withCheckSum(front);
}

/** Damages bytes wherever they are: flips, losses, doublings, swaps, splices of another message. */
export function damage(random: SeededRandom, text: string, others: readonly string[]): string {
  const at = random.below(text.length + 1);
  const length = random.below(1 << random.below(10));
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + 1);
    case 1: {
      const flipped = (text.charCodeAt(at) || 0) ^ 1 << random.below(8);
      return text.slice(0, at) + String.fromCharCode(flipped) + text.slice(at + 1);
    }
    case 2:
      return text.slice(0, at) + text.slice(at + length);
    case 3:
      return text.slice(0, at + length) + text.slice(at);
    case 4:
      return text.slice(0, at);
    default: {
      const other = random.pick(others);
      return text.slice(0, at) + other.slice(random.below(other.length));
    }
  }
}

/** A message made from one of the corpus: as it is, or changed in one of the ways above. */
export function mutate(random: SeededRandom, message: string, corpus: readonly string[]): string {
  switch (random.below(8)) {
    case 0:
      return message;
    case 1:
      return lying(random, message);
    case 2:
      return damage(random, message, corpus);
    case 3:
      return damage(random, lying(random, sealed(mutateFields(random, fieldsOf(message), corpus))), corpus);
    default:
      return sealed(mutateFields(random, fieldsOf(message), corpus));
  }
}

/** The bytes in pieces: all at once, one at a time, or of all lengths. */
export function pieces(random: SeededRandom, bytes: Uint8Array): Uint8Array[] {
  const most = random.pick([bytes.length, 1, 2 + random.below(30), 1 + random.below(2000)]);
  const cut: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = random.oneIn(3) ? 1 + random.below(Math.max(1, most)) : Math.max(1, most);
    cut.push(bytes.slice(at, at + length));
    at += length;
  }
  return cut;
}
