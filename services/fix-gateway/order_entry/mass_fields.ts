/**
 * What each field of a message that is about several orders or quotes means to this venue: read, noted, accepted with
 * one value, or refused; and the faults that all such messages share. Owns the promise that none is accepted and then
 * ignored when it would change the outcome: what no list names is refused. Slow path. Pure.
 * docs/fix.md prints the same lists, and a test compares them. Source: FIX 4.4 Vol. 3 and 4.
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import {
  CommandFlag,
  type FixSession,
  MAX_CL_ORD_ID_BYTES,
  MAX_SYMBOL_BYTES,
  type SessionRole,
} from "../../../shared/protocol/mod.ts";
import { businessReject, BusinessRejectReason, type BusinessRejectTranslation } from "./business_reject.ts";
import { ROUTING_TAGS } from "./field_rules.ts";

/** Header and trailer fields that the session layer acts on, or that say how bytes are to be read. */
const ENVELOPE_TAGS = [
  ...[8, 9, 10, 34, 35, 43, 49, 52, 56, 97, 122],
  ...[50, 57, 89, 93, 142, 143, 347, 369],
];
/** Fields in which the client describes things to itself. */
export const DESCRIPTION_TAGS: readonly number[] = [58, 354, 355];
/** Fields that describe the instrument that Symbol(55) names. */
export const INSTRUMENT_TAGS: readonly number[] = [
  ...[15, 106, 107, 167, 207, 348, 349, 350, 351, 460, 461],
];
/** Whose quotes they are on the client's side. */
export const PARTY_TAGS: readonly number[] = [1, 447, 448, 452, 453, 523, 581, 660, 802, 803];

/** User-defined tags: a session lets them pass only where its settings or dictionary say so, and then unread. */
const FIRST_USER_TAG = 5000;
const LAST_USER_TAG = 9999;

const REFUSED = 0;
const PASSED = 1;
const CHECKED = 2;
const ROUTING = 3;
/** Tags below have their rule in a table; all of FIX 4.4's do. */
const TABLE_TAGS = 1024;

/** How one kind of message is read. Immutable. */
export class FieldPlan {
  /** The field that identifies the message: BusinessRejectRefID(379) of a reject. */
  readonly idTag: number;
  /** Fields that translation acts on. */
  readonly read: readonly number[];
  /** Fields that no outcome depends on. */
  readonly noted: readonly number[];
  /** Fields with the values that ask for what happens anyway. */
  readonly checked: ReadonlyMap<number, readonly string[]>;
  readonly #rules = new Uint8Array(TABLE_TAGS);

  constructor(
    idTag: number,
    read: readonly number[],
    noted: readonly number[],
    checked: readonly (readonly [tag: number, values: readonly string[]])[] = [],
  ) {
    this.idTag = idTag;
    this.read = read;
    this.noted = noted;
    this.checked = new Map(checked);
    for (const tag of ROUTING_TAGS) this.#rules[tag] = ROUTING;
    for (const tag of [...ENVELOPE_TAGS, ...read, ...noted]) {
      if (tag < TABLE_TAGS) this.#rules[tag] = PASSED;
    }
    for (const tag of this.checked.keys()) this.#rules[tag] = CHECKED;
  }

  /** Judges every field of a validated message. */
  faultsOf(message: FixMessage): FieldFaults {
    let routing = -1;
    let unsupported = -1;
    for (let i = 0; i < message.fieldCount; i++) {
      const tag = message.tags[i];
      const rule = tag > 0 && tag < TABLE_TAGS ? this.#rules[tag] : this.#ruleOfHigh(tag);
      if (rule === PASSED) continue;
      if (rule === ROUTING) routing = routing < 0 ? i : routing;
      else if (
        unsupported < 0 && (rule === REFUSED || !this.checked.get(tag)!.includes(textAt(message, i)))
      ) {
        unsupported = i;
      }
    }
    return { routing, unsupported };
  }

  /** What would have been accepted in field `tag` instead. */
  expectationOf(tag: number): string {
    return this.checked.get(tag)?.join(" or ") ?? "no such field";
  }

  #ruleOfHigh(tag: number): number {
    return tag >= FIRST_USER_TAG && tag <= LAST_USER_TAG || this.read.includes(tag) ? PASSED : REFUSED;
  }
}

/** Fields that a message must not have here. Indices; -1 for none. */
export interface FieldFaults {
  /** First field that asks for third-party routing. */
  readonly routing: number;
  /** First field, in message order, that this venue does not support. */
  readonly unsupported: number;
}

/**
 * What keeps a message from being dealt with: a session's role that is none of `roles`, third-party routing, and
 * identifiers that no answer could repeat. Null when nothing does.
 */
export function faultOfEnvelope(
  message: FixMessage,
  session: FixSession,
  plan: FieldPlan,
  { routing }: FieldFaults,
  roles: readonly SessionRole[],
): BusinessRejectTranslation | null {
  const reject = (reason: BusinessRejectReason, index: number, tag: number, expected: string) =>
    businessReject(message, reason, index, tag, expected, plan.idTag);
  if (!roles.includes(session.role)) {
    const expected = `no such message on a ${session.role} session`;
    return reject(BusinessRejectReason.NotAuthorized, message.find(35), 35, expected);
  }
  if (routing >= 0) {
    const reason = message.tags[routing] === 128
      ? BusinessRejectReason.DeliverToFirmNotAvailable
      : BusinessRejectReason.NotAuthorized;
    return reject(reason, routing, 0, "no third-party routing");
  }
  const id = message.find(plan.idTag);
  if (id < 0) {
    const reason = BusinessRejectReason.ConditionallyRequiredFieldMissing;
    return reject(reason, -1, plan.idTag, "an identifier");
  }
  if (lengthAt(message, id) > MAX_CL_ORD_ID_BYTES) {
    return reject(BusinessRejectReason.Other, id, 0, `at most ${MAX_CL_ORD_ID_BYTES} bytes`);
  }
  for (let at = message.find(55); at >= 0; at = message.find(55, at + 1)) {
    if (lengthAt(message, at) <= MAX_SYMBOL_BYTES) continue;
    return reject(BusinessRejectReason.UnknownSecurity, at, 0, `at most ${MAX_SYMBOL_BYTES} bytes`);
  }
  return null;
}

/** CommandFlag bits of the header. */
export function flagsOf(message: FixMessage): number {
  return (message.charCode(43) === 89 ? CommandFlag.PossDup : 0) |
    (message.charCode(97) === 89 ? CommandFlag.PossResend : 0);
}

/** A field's value as text. */
export function textAt(message: FixMessage, index: number): string {
  let text = "";
  for (let i = message.valueStart[index]; i < message.valueEnd[index]; i++) {
    text += String.fromCharCode(message.buffer[i]);
  }
  return text;
}

/** Bytes of a field's value. */
export function lengthAt(message: FixMessage, index: number): number {
  return message.valueEnd[index] - message.valueStart[index];
}
