/**
 * A FIX order message → a command for the stream. Owns every rule that needs no book: what is supported, required,
 * on tick, on lot and within limits. Refuses to answer the client: what cannot enter the stream comes back as a
 * business reject, everything else, refused or not, as a command. Pure. Allocates nothing unless it refuses.
 * Source: FIX 4.4 Vol. 4, messages D, F, G and H; Vol. 1, BusinessMessageReject; docs/fix.md.
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { Venue } from "../../../shared/config/venue.ts";
import {
  codeOfChar,
  CommandFlag,
  CommandKind,
  type Firm,
  type FixSession,
  type Instrument,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import { orderIdOfBytes } from "./amounts.ts";
import {
  type BusinessRejectTranslation,
  faultOfIdentity,
  faultOfMsgType,
  faultOfRole,
} from "./business_reject.ts";
import { type EntryReason, expectationOf } from "./expectation.ts";
import { OrderFields } from "./order_fields.ts";
import { faultOfType, putOwner, putTerms } from "./order_terms.ts";
import { sentence, verbOf } from "./refusal.ts";
import { SymbolTable } from "./symbol_table.ts";

/** The command is filled; `instrument` says which subject it goes to, null the subject of no listed symbol. */
export interface CommandTranslation {
  readonly kind: "command";
  readonly instrument: Instrument | null;
}

/** What became of a message. */
export type Translation = CommandTranslation | BusinessRejectTranslation;

/**
 * Translates one application message that the session layer has validated against the FIX 4.4 dictionary. `into` is
 * overwritten whole; its slices borrow from the message's buffer. A message that breaks a business rule becomes a
 * RefuseOrder with reason and text, so that its answer gets identifiers from the stream.
 */
export function translate(
  message: FixMessage,
  session: FixSession,
  venue: Venue,
  into: Command,
): Translation {
  const kind = commandKindOf(message.msgType);
  if (kind === null) return faultOfMsgType(message);
  if (session.role !== "trading") return faultOfRole(message, session);
  fields.locate(message);
  const reject = faultOfIdentity(message, fields);
  if (reject !== null) return reject;
  const found = symbolsOf(venue).find(
    message.buffer,
    message.valueStart[fields.symbol],
    message.valueEnd[fields.symbol],
  ) ?? UNLISTED;
  into.reset();
  into.kind = kind;
  into.sessionId = session.id;
  into.firmId = session.firm.id;
  putIdentity(message, kind, found.instrument, into);
  const reason = found.instrument === null
    ? Reason.UnknownSymbol
    : putRequest(message, kind, found.instrument, session.firm, into);
  if (reason !== Reason.None) refuse(message, kind, reason as EntryReason, found.instrument, into);
  return found;
}

const UNLISTED: CommandTranslation = { kind: "command", instrument: null };

/** Scratch of the message in hand: every call of {@link translate} overwrites it before reading it. */
const fields = new OrderFields();

/** Symbol tables of the venues seen, so that a venue's is built once. */
const symbolTables = new WeakMap<Venue, SymbolTable<CommandTranslation>>();
let lastVenue: Venue | null = null;
let lastTable = new SymbolTable<CommandTranslation>([]);

function symbolsOf(venue: Venue): SymbolTable<CommandTranslation> {
  if (venue === lastVenue) return lastTable;
  let table = symbolTables.get(venue);
  if (table === undefined) {
    table = new SymbolTable(
      venue.instruments.map((instrument) => [instrument.symbol, { kind: "command", instrument }]),
    );
    symbolTables.set(venue, table);
  }
  lastVenue = venue;
  return lastTable = table;
}

function commandKindOf(msgType: string): CommandKind | null {
  switch (msgType) {
    case "D":
      return CommandKind.NewOrder;
    case "F":
      return CommandKind.CancelOrder;
    case "G":
      return CommandKind.ReplaceOrder;
    case "H":
      return CommandKind.RequestStatus;
    default:
      return null;
  }
}

/** Identifiers and flags: all that the answer to a refused message must repeat. */
function putIdentity(
  message: FixMessage,
  kind: CommandKind,
  instrument: Instrument | null,
  into: Command,
): void {
  const { buffer, valueStart, valueEnd } = message;
  const { clOrdId, symbol } = fields;
  const origClOrdId = kind === CommandKind.RequestStatus ? fields.ordStatusReqId : fields.origClOrdId;
  into.msgSeqNum = message.int(34);
  into.clOrdId.set(buffer, valueStart[clOrdId], valueEnd[clOrdId] - valueStart[clOrdId]);
  if (origClOrdId >= 0) {
    into.origClOrdId.set(buffer, valueStart[origClOrdId], valueEnd[origClOrdId] - valueStart[origClOrdId]);
  }
  if (instrument === null) {
    into.symbol.set(buffer, valueStart[symbol], valueEnd[symbol] - valueStart[symbol]);
  } else {
    into.instrumentId = instrument.id;
  }
  if (isYes(message, fields.possDup)) into.flags |= CommandFlag.PossDup;
  if (isYes(message, fields.possResend)) into.flags |= CommandFlag.PossResend;
  into.side = codeOf(message, fields.side);
  if (kind !== CommandKind.NewOrder && kind !== CommandKind.ReplaceOrder) return;
  into.ordType = codeOf(message, fields.ordType);
  into.timeInForce = fields.timeInForce < 0 ? TimeInForce.Day : codeOf(message, fields.timeInForce);
}

/** Fills what the message asks for and returns the first reason to refuse it. */
function putRequest(
  message: FixMessage,
  kind: CommandKind,
  instrument: Instrument,
  firm: Firm,
  into: Command,
): Reason {
  const isOrder = kind === CommandKind.NewOrder || kind === CommandKind.ReplaceOrder;
  const terms = isOrder
    ? putTerms(message, fields, instrument, kind === CommandKind.NewOrder, into)
    : Reason.None;
  const wrongOwner = isOrder ? putOwner(message, fields, firm, into) : -1;
  const orderId = orderIdIn(message, instrument);
  if (orderId > 0) into.orderId = orderId;
  if (into.side !== Side.Buy && into.side !== Side.Sell) {
    fields.unsupported = fields.side;
    return Reason.FieldUnsupported;
  }
  const type = isOrder ? faultOfType(kind, into) : Reason.None;
  if (type !== Reason.None) return type;
  if (fields.unsupported >= 0) return Reason.FieldUnsupported;
  if (orderId < 0) return Reason.UnknownOrder;
  if (terms !== Reason.None || wrongOwner < 0) return terms;
  fields.unsupported = wrongOwner;
  return Reason.FieldUnsupported;
}

/** The order that OrderID(37) names; 0 for none, -1 for one that cannot be. */
function orderIdIn(message: FixMessage, instrument: Instrument): number {
  const index = fields.orderId;
  if (index < 0) return 0;
  return orderIdOfBytes(instrument.shard, message.buffer, message.valueStart[index], message.valueEnd[index]);
}

function isYes(message: FixMessage, index: number): boolean {
  return index >= 0 && message.buffer[message.valueStart[index]] === 89;
}

/** The number of a one-character value, 255 when it is none. */
function codeOf(message: FixMessage, index: number): number {
  if (message.valueEnd[index] - message.valueStart[index] !== 1) return 255;
  return codeOfChar(message.buffer[message.valueStart[index]]);
}

/** Turns the filled command into its refusal. */
function refuse(
  message: FixMessage,
  kind: CommandKind,
  reason: EntryReason,
  instrument: Instrument | null,
  into: Command,
): void {
  const [index, tag] = culpritOf(reason);
  const expected = expectationOf(reason, into, index < 0 ? tag : message.tags[index], instrument);
  into.kind = CommandKind.RefuseOrder;
  into.refusedKind = kind;
  into.reason = reason;
  into.text.setText(sentence(verbOf(kind), message, index, tag, expected));
}

/** The field that a reason is about: its index, -1 when absent, and its tag. */
function culpritOf(reason: EntryReason): [index: number, tag: number] {
  switch (reason) {
    case Reason.UnknownSymbol:
      return [fields.symbol, 55];
    case Reason.UnknownOrder:
      return [fields.orderId, 37];
    case Reason.OrdTypeUnsupported:
      return [fields.ordType, 40];
    case Reason.TimeInForceUnsupported:
      return [fields.timeInForce, 59];
    case Reason.PriceMissing:
    case Reason.PriceForbidden:
    case Reason.PriceNotPositive:
    case Reason.PriceOffTick:
    case Reason.PriceOverLimit:
      return [fields.price, 44];
    case Reason.StopPxMissing:
    case Reason.StopPxForbidden:
    case Reason.StopPxNotPositive:
    case Reason.StopPxOffTick:
      return [fields.stopPx, 99];
    case Reason.QtyOffLot:
    case Reason.QtyNotPositive:
    case Reason.QtyOverLimit:
      return [fields.orderQty, 38];
    case Reason.MaxFloorForbidden:
    case Reason.MaxFloorInvalid:
      return [fields.maxFloor, 111];
    case Reason.MinQtyForbidden:
    case Reason.MinQtyInvalid:
      return [fields.minQty, 110];
    case Reason.ExecInstForbidden:
      return [fields.execInst, 18];
    case Reason.ExpireForbidden:
    case Reason.ExpireMissing:
    case Reason.ExpirePast:
      return fields.expireTime < 0 && fields.expireDate >= 0
        ? [fields.expireDate, 432]
        : [fields.expireTime, 126];
    case Reason.FieldUnsupported:
      return [fields.unsupported, 0];
  }
}
