/**
 * OrderMassCancelRequest(q) and OrderMassStatusRequest(AF) → commands. Owns which requests there are (one symbol, all),
 * whose orders they are about, and to which shards they go. What cannot enter the stream comes back as a business
 * reject, everything else, refused or not, as a command. Slow path. Pure.
 * Source: FIX 4.4 Vol. 4, messages q and AF; docs/fix.md, "Mass actions".
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { Venue } from "../../../shared/config/venue.ts";
import {
  codeOfChar,
  CommandKind,
  type FixSession,
  type Instrument,
  MassScope,
  Reason,
  type SessionRole,
  Side,
} from "../../../shared/protocol/mod.ts";
import type { BusinessRejectTranslation } from "./business_reject.ts";
import {
  DESCRIPTION_TAGS,
  faultOfEnvelope,
  FieldPlan,
  flagsOf,
  INSTRUMENT_TAGS,
  lengthAt,
  textAt,
} from "./mass_fields.ts";
import { sentence, verbOf } from "./refusal.ts";
import type { CommandTranslation } from "./translate.ts";

/** The command goes to each of `shards`, where it is neither moved past earlier nor behind later commands. */
export interface AcrossTranslation {
  readonly kind: "across";
  /** Ascending, at least one. */
  readonly shards: readonly number[];
}

/** What became of a message about several orders. */
export type MassTranslation = CommandTranslation | AcrossTranslation | BusinessRejectTranslation;

/** Extension of this venue: whose orders a request is about, `S` the session's own (default), `F` the firm's. */
const MASS_ACTION_SCOPE = 5530;

/** How OrderMassCancelRequest(q) is read. */
export const MASS_CANCEL_PLAN: FieldPlan = new FieldPlan(
  11,
  [11, 54, 55, 530, MASS_ACTION_SCOPE],
  [60, 526, ...DESCRIPTION_TAGS, ...INSTRUMENT_TAGS],
);
/** How OrderMassStatusRequest(AF) is read. */
export const MASS_STATUS_PLAN: FieldPlan = new FieldPlan(
  584,
  [54, 55, 584, 585, MASS_ACTION_SCOPE],
  [...DESCRIPTION_TAGS, ...INSTRUMENT_TAGS],
);
/** Roles of sessions that may send messages about orders and quotes. */
export const TRADERS: readonly SessionRole[] = ["trading"];

/** A field at fault: the reason, its index (-1 absent), its tag, and what was expected. */
type Fault = readonly [reason: Reason, index: number, tag: number, expected: string];

/**
 * Translates one q or AF that the session layer has validated. `into` is overwritten whole; its slices borrow from the
 * message's buffer. A request that breaks a rule becomes a RefuseOrder with reason and text.
 */
export function translateMass(
  message: FixMessage,
  session: FixSession,
  venue: Venue,
  into: Command,
): MassTranslation {
  const isCancel = message.msgType === "q";
  const plan = isCancel ? MASS_CANCEL_PLAN : MASS_STATUS_PLAN;
  const faults = plan.faultsOf(message);
  const reject = faultOfEnvelope(message, session, plan, faults, TRADERS);
  if (reject !== null) return reject;
  const kind = isCancel ? CommandKind.MassCancel : CommandKind.MassStatus;
  const typeTag = isCancel ? 530 : 585;
  const type = message.find(typeTag);
  const symbol = message.find(55);
  const instrument = symbol < 0 ? null : venue.instrumentBySymbol.get(textAt(message, symbol)) ?? null;
  putRequest(message, session, kind, instrument, into);
  message.slice(plan.idTag, into.clOrdId);
  const fault = faultOfType(message, type, typeTag, symbol, instrument) ??
    faultOfFilter(message) ?? unsupportedField(plan, message, faults.unsupported);
  if (fault === null) {
    return instrument === null ? { kind: "across", shards: venue.shards } : { kind: "command", instrument };
  }
  refuse(message, kind, fault, into);
  if (isCancel && lengthAt(message, type) === 1) {
    into.ordType = codeOfChar(message.buffer[message.valueStart[type]]);
  }
  return { kind: "command", instrument };
}

/** Fills what every command about several orders or quotes has; the identifier is the caller's. */
export function putRequest(
  message: FixMessage,
  session: FixSession,
  kind: CommandKind,
  instrument: Instrument | null,
  into: Command,
): void {
  into.reset();
  into.kind = kind;
  into.sessionId = session.id;
  into.firmId = session.firm.id;
  into.msgSeqNum = message.int(34);
  into.flags = flagsOf(message);
  const side = message.find(54);
  if (side >= 0 && lengthAt(message, side) === 1) {
    into.side = codeOfChar(message.buffer[message.valueStart[side]]);
  }
  if (instrument !== null) into.instrumentId = instrument.id;
  else message.slice(55, into.symbol);
  if (message.text(MASS_ACTION_SCOPE) === "F") into.scope = MassScope.Firm;
}

/** Turns the filled command into its refusal. */
export function refuse(message: FixMessage, kind: CommandKind, fault: Fault, into: Command): void {
  const [reason, index, tag, expected] = fault;
  into.kind = CommandKind.RefuseOrder;
  into.refusedKind = kind;
  into.reason = reason;
  into.text.setText(sentence(verbOf(kind), message, index, tag, expected));
}

/** A field that no list of the plan names; null for none. */
export function unsupportedField(plan: FieldPlan, message: FixMessage, index: number): Fault | null {
  if (index < 0) return null;
  const tag = message.tags[index];
  return [Reason.FieldUnsupported, index, tag, plan.expectationOf(tag)];
}

/** Type 1 names a listed symbol, type 7 none; there are no others. */
function faultOfType(
  message: FixMessage,
  type: number,
  typeTag: number,
  symbol: number,
  instrument: Instrument | null,
): Fault | null {
  const one = message.int(typeTag) === 1;
  if (!one && message.int(typeTag) !== 7) return [Reason.FieldUnsupported, type, typeTag, "1 or 7"];
  if (one && instrument === null) return [Reason.UnknownSymbol, symbol, 55, "a listed symbol"];
  if (one || symbol < 0) return null;
  const name = typeTag === 530 ? "MassCancelRequestType(530)" : "MassStatusReqType(585)";
  return [Reason.FieldUnsupported, symbol, 55, `none with ${name} 7`];
}

function faultOfFilter(message: FixMessage): Fault | null {
  const side = message.find(54);
  if (side >= 0) {
    const code = lengthAt(message, side) === 1 ? codeOfChar(message.buffer[message.valueStart[side]]) : 255;
    if (code !== Side.Buy && code !== Side.Sell) return [Reason.FieldUnsupported, side, 54, "1 or 2"];
  }
  const scope = message.find(MASS_ACTION_SCOPE);
  if (scope < 0 || ["S", "F"].includes(textAt(message, scope))) return null;
  return [Reason.FieldUnsupported, scope, MASS_ACTION_SCOPE, "S or F"];
}
