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
  type FixSession,
  type Instrument,
  OrdType,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import { orderIdOfBytes, priceTicksOf, qtyLotsOf } from "./amounts.ts";
import {
  type BusinessRejectTranslation,
  faultOfIdentity,
  faultOfRole,
  faultOfType,
} from "./business_reject.ts";
import { OrderFields } from "./order_fields.ts";
import { expectationOf, sentence, verbOf } from "./refusal.ts";
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
  if (kind === null) return faultOfType(message);
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
    : putTerms(message, kind, found.instrument, into);
  if (reason !== Reason.None) refuse(message, kind, reason, found.instrument, into);
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
function putTerms(message: FixMessage, kind: CommandKind, instrument: Instrument, into: Command): Reason {
  const isOrder = kind === CommandKind.NewOrder || kind === CommandKind.ReplaceOrder;
  const price = isOrder ? priceOf(message, instrument, into.ordType) : 0;
  const qty = isOrder ? qtyOf(message, instrument) : 0;
  const orderId = orderIdIn(message, instrument);
  if (price > 0) into.priceTicks = price;
  if (qty > 0) into.qtyLots = qty;
  if (orderId > 0) into.orderId = orderId;
  if (into.side !== Side.Buy && into.side !== Side.Sell) {
    fields.unsupported = fields.side;
    return Reason.FieldUnsupported;
  }
  if (isOrder) {
    if (into.ordType !== OrdType.Limit && into.ordType !== OrdType.Market) return Reason.OrdTypeUnsupported;
    if (!isSupportedTimeInForce(kind, into.timeInForce)) return Reason.TimeInForceUnsupported;
  }
  if (fields.unsupported >= 0) return Reason.FieldUnsupported;
  if (orderId < 0) return Reason.UnknownOrder;
  if (price < 0) return -price as Reason;
  if (qty < 0) return -qty as Reason;
  return Reason.None;
}

/** What rests is always a day order, so a replacement can be nothing else. */
function isSupportedTimeInForce(kind: CommandKind, timeInForce: number): boolean {
  if (timeInForce === TimeInForce.Day) return true;
  return kind === CommandKind.NewOrder &&
    (timeInForce === TimeInForce.ImmediateOrCancel || timeInForce === TimeInForce.FillOrKill);
}

/** Ticks; 0 for a market order; a negated reason. */
function priceOf(message: FixMessage, instrument: Instrument, ordType: number): number {
  const index = fields.price;
  if (ordType === OrdType.Market) return index < 0 ? 0 : -Reason.PriceForbidden;
  if (index < 0) return -Reason.PriceMissing;
  return priceTicksOf(message.buffer, message.valueStart[index], message.valueEnd[index], instrument);
}

/** Lots, or a negated reason. */
function qtyOf(message: FixMessage, instrument: Instrument): number {
  const index = fields.orderQty;
  if (index < 0) return -Reason.QtyNotPositive;
  return qtyLotsOf(message.buffer, message.valueStart[index], message.valueEnd[index], instrument);
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
  reason: Reason,
  instrument: Instrument | null,
  into: Command,
): void {
  const [index, tag] = culpritOf(reason);
  const expected = expectationOf(reason, kind, index < 0 ? tag : message.tags[index], instrument);
  into.kind = CommandKind.RefuseOrder;
  into.refusedKind = kind;
  into.reason = reason;
  into.text.setText(sentence(verbOf(kind), message, index, tag, expected));
}

/** The field that a reason is about: its index, -1 when absent, and its tag. */
function culpritOf(reason: Reason): [index: number, tag: number] {
  switch (reason) {
    case Reason.UnknownSymbol:
      return [fields.symbol, 55];
    case Reason.UnknownOrder:
      return [fields.orderId, 37];
    case Reason.OrdTypeUnsupported:
      return [fields.ordType, 40];
    case Reason.TimeInForceUnsupported:
      return [fields.timeInForce, 59];
    case Reason.QtyOffLot:
    case Reason.QtyNotPositive:
    case Reason.QtyOverLimit:
      return [fields.orderQty, 38];
    case Reason.FieldUnsupported:
      return [fields.unsupported, 0];
    default:
      return [fields.price, 44];
  }
}
