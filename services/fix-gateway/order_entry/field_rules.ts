/**
 * What each field of an order message means to this venue: read, noted, or refused. Owns the promise that no field is
 * accepted and then ignored when it would change the outcome: what no list below names is refused. Refuses to judge
 * the values of the fields that are read; translate.ts does. Pure. docs/fix.md, "Fields that are read", prints
 * the same lists, and a test compares them. Source: FIX 4.4 Vol. 4, messages D, F, G and H; component blocks.
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";

/** How a field is treated. `Refused` is 0, so that a tag in no list is refused. */
export const FieldRule = {
  /** The order is refused, naming tag and value. */
  Refused: 0,
  /** Accepted: it describes the client or its own records, and no outcome here depends on it. */
  Noted: 1,
  /** translate.ts acts on it. */
  Read: 2,
  /** Accepted with the values of {@link CHECKED_VALUES}, which ask for what happens anyway; else refused. */
  Checked: 3,
  /** A group that is accepted only when it is empty (its count is 0). */
  EmptyGroup: 4,
  /** Routing through a third party, which this venue does not do: the whole message is refused. */
  Routing: 5,
} as const;
export type FieldRule = typeof FieldRule[keyof typeof FieldRule];

/** Fields of header, body and trailer that the session layer or translate.ts acts on. */
const READ_TAGS: readonly number[] = [
  ...[8, 9, 10, 34, 35, 43, 49, 52, 56, 97, 122],
  ...[11, 37, 38, 40, 41, 44, 54, 55, 59, 790],
  ...[1, 18, 99, 110, 111, 126, 432],
];

/** User-defined fields that this venue gives a meaning (shared/codec/fix/venue_extension.ts); translate.ts acts on them. */
const OWN_TAGS: readonly number[] = [7928, 8000];

/** Fields that describe the sender, its customer, its records or the instrument that Symbol(55) already names. */
export const NOTED_TAGS: readonly number[] = [
  // Header and trailer: who at the client sent it, and how the bytes are to be read.
  ...[50, 57, 89, 93, 142, 143, 347, 369],
  // The client's own references, and what its account is.
  ...[526, 581, 583, 660],
  // Parties: whose order it is on the client's side.
  ...[447, 448, 452, 453, 523, 802, 803],
  // Descriptions of the instrument.
  ...[15, 106, 107, 140, 167, 207, 348, 349, 350, 351, 460, 461],
  // When and why, for records and regulation.
  ...[58, 60, 114, 229, 354, 355, 376, 377, 528, 529, 582],
];

/** Values of a field that ask for nothing but what this venue does anyway. */
export const CHECKED_VALUES: ReadonlyMap<number, readonly string[]> = new Map([
  [21, ["1", "2"]],
  [63, ["0"]],
  [81, ["0"]],
  [121, ["N"]],
  [423, ["2"]],
  [427, ["0"]],
  [544, ["1"]],
  [589, ["0"]],
  [590, ["0"]],
  [591, ["0"]],
  [775, ["0"]],
  [854, ["0"]],
]);

/** NoXxx fields: a count of zero is as good as absent (FIX 4.4 session test case 21). */
export const EMPTY_GROUP_TAGS: readonly number[] = [78, 232, 386, 454, 711, 864];

/** Routing fields: third-party routing and hops. */
export const ROUTING_TAGS: readonly number[] = [115, 116, 128, 129, 144, 145, 627, 628, 629, 630];

const RULES = rulesByTag();

/** User-defined tags (FIX 4.4 Vol. 1): a session lets them pass only where its settings or dictionary say so. */
const FIRST_USER_TAG = 5000;
const LAST_USER_TAG = 9999;

/**
 * The rule of a tag; {@link FieldRule.Refused} for one that no list names. User-defined ones but for {@link OWN_TAGS} are
 * the client's own: the venue has said that it lets them pass unread.
 */
export function ruleOf(tag: number): FieldRule {
  if (tag >= FIRST_USER_TAG && tag <= LAST_USER_TAG) {
    return OWN_TAGS.includes(tag) ? FieldRule.Read : FieldRule.Noted;
  }
  return tag > 0 && tag < RULES.length ? RULES[tag] as FieldRule : FieldRule.Refused;
}

/** Whether field `index` of a message, whose rule is Checked or EmptyGroup, holds a value that is accepted. */
export function isAcceptedValue(message: FixMessage, index: number): boolean {
  const start = message.valueStart[index];
  const length = message.valueEnd[index] - start;
  if (ruleOf(message.tags[index]) === FieldRule.EmptyGroup) {
    for (let i = 0; i < length; i++) if (message.buffer[start + i] !== 48) return false;
    return length > 0;
  }
  if (length !== 1) return false;
  const values = CHECKED_VALUES.get(message.tags[index]);
  if (values === undefined) return false;
  for (let i = 0; i < values.length; i++) {
    if (values[i].charCodeAt(0) === message.buffer[start]) return true;
  }
  return false;
}

function rulesByTag(): Uint8Array {
  const rules = new Uint8Array(1024);
  for (const tag of READ_TAGS) rules[tag] = FieldRule.Read;
  for (const tag of NOTED_TAGS) rules[tag] = FieldRule.Noted;
  for (const tag of CHECKED_VALUES.keys()) rules[tag] = FieldRule.Checked;
  for (const tag of EMPTY_GROUP_TAGS) rules[tag] = FieldRule.EmptyGroup;
  for (const tag of ROUTING_TAGS) rules[tag] = FieldRule.Routing;
  return rules;
}
