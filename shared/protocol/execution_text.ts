/**
 * Text(58) of an order event: what was refused and what would have been taken, or what the venue did to an order unasked.
 * One place, so that the FIX report and the drop copy cannot disagree. Refuses to judge: the event has the reason. Slow
 * path. Pure.
 */
import type { Event } from "../codec/wire/event.ts";
import { priceText, qtyText, StatusDetail, utcTimestampText } from "./execution.ts";
import type { Instrument } from "./instruments.ts";
import { orderField, orderName, stateOf, verbOf } from "./execution_words.ts";
import { charOfCode, EventKind, ExecInst, OrdType, TimeInForce } from "./kinds.ts";
import { MAX_CL_ORD_ID_BYTES } from "./limits.ts";
import { Reason } from "./reasons.ts";

/**
 * The sentence, naming tag and value: the event's own text when the gateway wrote one, else made from kind and reason.
 * `instrument` is the event's, null when the venue lists no such symbol. Empty when there is nothing to say.
 */
export function reasonText(event: Event, instrument: Instrument | null): string {
  if (event.text.length > 0) return event.text.toString();
  switch (event.kind as EventKind) {
    case EventKind.OrderTriggered:
      return triggeredText(event, instrument);
    case EventKind.OrderAccepted:
    case EventKind.OrderExecuted:
    case EventKind.OrderReplaced:
    case EventKind.OrderExpired:
    case EventKind.LevelChanged:
    case EventKind.PhaseChanged:
    case EventKind.AuctionIndicated:
    case EventKind.AlgorithmChanged:
      return "";
    case EventKind.OrderCanceled:
    case EventKind.OrderRestated:
    case EventKind.OrderRejected:
    case EventKind.CancelRejected:
    case EventKind.ReplaceRejected:
    case EventKind.OrderStatusReported:
    case EventKind.MassCancelReported:
    case EventKind.QuoteAcknowledged:
    case EventKind.QuotesCanceled:
      return TEXTS[event.reason as Reason](toldBy(event, instrument));
  }
}

function triggeredText(event: Event, instrument: Instrument | null): string {
  if (event.timeInForce === TimeInForce.AtTheClose) {
    return 'Activated: the closing auction has begun, for which TimeInForce(59) "7" waits';
  }
  return `Triggered: a trade reached StopPx(99) "${termText(event.stopPxTicks, instrument, priceText)}"`;
}

/** The sentence of each reason. */
const TEXTS: Readonly<Record<Reason, (told: Told) => string>> = {
  [Reason.None]: () => "",
  [Reason.UnknownSymbol]: (told) => cannot(told, "Symbol(55)", "a listed symbol", told.symbol),
  [Reason.DuplicateClOrdId]: (told) =>
    cannot(told, "ClOrdID(11)", "one not used before in this session", told.event.clOrdId.toString()),
  [Reason.UnknownOrder]: (told) =>
    told.event.detail === StatusDetail.MassStatus
      ? "Cannot report orders: expected an open order that the request is about, got none"
      : cannot(told, told.orderField, "an order of this session or firm", told.orderName),
  [Reason.ClOrdIdSuperseded]: (told) =>
    cannot(told, told.orderField, "the ClOrdID(11) that the order goes by now", told.orderName),
  [Reason.OrderIdContradicts]: ({ verb, orderField, orderName }) =>
    `Cannot ${verb} OrderID(37): expected that of the order that ${orderField} "${orderName}" names, got another one`,
  [Reason.TooLateToCancel]: (told) =>
    cannot(told, told.orderField, "an open order", told.orderName) + stateOf(told.event),
  [Reason.PriceOffTick]: (told) => cannot(told, "Price(44)", told.multipleOfTick, told.price),
  [Reason.PriceNotPositive]: (told) => cannot(told, "Price(44)", "a value above 0", told.price),
  [Reason.PriceOverLimit]: (told) => cannot(told, "Price(44)", "a value within the limit", told.price),
  [Reason.PriceMissing]: (told) => missing(told, "Price(44)", `a value for ${told.ordTypeField}`),
  [Reason.PriceForbidden]: (told) => cannot(told, "Price(44)", `none for ${told.ordTypeField}`, told.price),
  [Reason.QtyOffLot]: (told) =>
    cannot(told, "OrderQty(38)", `a multiple of ${told.instrument?.lot ?? "the lot"}`, told.qty),
  [Reason.QtyNotPositive]: (told) => cannot(told, "OrderQty(38)", "a value above 0", told.qty),
  [Reason.QtyOverLimit]: (told) => cannot(told, "OrderQty(38)", maxQty(told.instrument), told.qty),
  [Reason.SideChanged]: (told) => cannot(told, "Side(54)", "the order's side", sideSent(told.event)),
  [Reason.SymbolChanged]: (told) => cannot(told, "Symbol(55)", "the order's symbol", told.symbol),
  [Reason.OrdTypeUnsupported]: (told) =>
    cannot(told, "OrdType(40)", "1, 2, 3, 4 or K", told.ordType ?? told.asked),
  [Reason.TimeInForceUnsupported]: (told) =>
    cannot(told, "TimeInForce(59)", timeInForceOf(told), told.timeInForce ?? told.asked),
  [Reason.FieldUnsupported]: ({ verb }) =>
    `Cannot ${verb} the order: it holds a field that this venue does not support`,
  [Reason.ClOrdIdTooLong]: (told) =>
    cannot(told, "ClOrdID(11)", `1 to ${MAX_CL_ORD_ID_BYTES} bytes`, told.event.clOrdId.toString()),
  [Reason.BookFull]: ({ event, verb, symbol }) =>
    `Cannot ${verb} Symbol(55): expected room on its shard, got "${symbol}", where ${event.total} orders are open, ` +
    'as many as may be: cancel some, or send TimeInForce(59) "3" or "4"',
  [Reason.NotPermitted]: ({ verb }) => `Cannot ${verb} the order: this session may not`,
  [Reason.StopPxMissing]: (told) => missing(told, "StopPx(99)", `a value for ${told.ordTypeField}`),
  [Reason.StopPxForbidden]: (told) =>
    cannot(told, "StopPx(99)", `none for ${told.ordTypeField}`, told.stopPx),
  [Reason.StopPxNotPositive]: (told) =>
    cannot(told, "StopPx(99)", "a value above 0 within the limit", told.stopPx),
  [Reason.StopPxOffTick]: (told) => cannot(told, "StopPx(99)", told.multipleOfTick, told.stopPx),
  [Reason.MaxFloorForbidden]: (told) =>
    cannot(told, "MaxFloor(111)", `none with ${told.ordTypeField} and this TimeInForce(59)`, told.maxFloor),
  [Reason.MaxFloorInvalid]: (told) =>
    cannot(
      told,
      "MaxFloor(111)",
      "a value above 0, at most OrderQty(38) and at least a hundredth of it",
      told.maxFloor,
    ),
  [Reason.MinQtyForbidden]: (told) =>
    cannot(told, "MinQty(110)", `none with ${told.ordTypeField} and this TimeInForce(59)`, null),
  [Reason.MinQtyInvalid]: (told) =>
    cannot(told, "MinQty(110)", "a value above 0, at most OrderQty(38)", null),
  [Reason.ExecInstForbidden]: (told) =>
    cannot(
      told,
      "ExecInst(18)",
      "none with these OrdType(40), TimeInForce(59) and MinQty(110)",
      told.execInst,
    ),
  [Reason.ExpireForbidden]: (told) =>
    cannot(told, "ExpireTime(126)", "none with this TimeInForce(59)", told.expiry),
  [Reason.ExpireMissing]: (told) => missing(told, "ExpireTime(126)", 'a time for TimeInForce(59) "6"'),
  [Reason.ExpirePast]: (told) =>
    isEndOfDay(told.event.expireUs)
      ? cannot(told, "ExpireDate(432)", "a day that is not over", told.expiry?.slice(0, 8) ?? null)
      : cannot(told, "ExpireTime(126)", "a time that is to come", told.expiry),
  [Reason.PhaseForbids]: (told) =>
    cannot(
      told,
      "Symbol(55)",
      `an instrument in a trading phase that takes ${phaseTerm(told)}`,
      told.symbol,
    ) +
    ", whose phase now does not: TradingSessionStatusRequest(g), or deno task admin phases, tells which it is",
  [Reason.PostOnlyWouldTrade]: (told) =>
    cannot(told, "Price(44)", 'one at which ExecInst(18) "6" does not trade on arrival', told.price),
  [Reason.StopTriggered]: (told) =>
    cannot(told, "OrdType(40)", "no stop type for an order whose stop has been triggered", told.asked),
  [Reason.SelfMatchPrevented]: ({ event }) =>
    (event.kind === EventKind.OrderRestated ? "OrderQty(38) reduced" : "Canceled") +
    ": it would have traded with an order of the same firm and SelfMatchPreventionID(7928)",
  [Reason.MassCanceled]: () => "Canceled by a mass cancel for orders of its session, its firm or the venue",
  [Reason.PostOnlyRepriced]: (told) =>
    `Price(44) moved to "${priceNow(told)}": at the one sent the order would have traded on arrival, which ` +
    'ExecInst(18) "6" forbids',
  [Reason.LeftoverPriced]: (told) =>
    `Price(44) set to "${priceNow(told)}", the last trade's: what is left rests as a limit order`,
  [Reason.QuoteCrossed]: (told) => cannot(told, "BidPx(132)", "one below OfferPx(133)", null),
  [Reason.QuoteInvalid]: (told) =>
    cannot(told, "BidPx(132)", "price and size of a side both above 0, or neither", null),
};

/** An event's reason and what it is about, in FIX words; null for what the event does not tell. */
interface Told {
  readonly event: Event;
  readonly instrument: Instrument | null;
  /** What the message asked the venue to do. */
  readonly verb: string;
  readonly symbol: string;
  /** The field by which the request named its order, and its value. */
  readonly orderField: string;
  readonly orderName: string;
  readonly price: string | null;
  readonly qty: string | null;
  readonly stopPx: string | null;
  readonly maxFloor: string | null;
  readonly execInst: string | null;
  readonly expiry: string | null;
  readonly ordType: string | null;
  readonly timeInForce: string | null;
  /** The character of what a replacement of a known order asked for and did not get. */
  readonly asked: string | null;
  readonly ordTypeField: string;
  readonly multipleOfTick: string;
}

/** A refused request for a known order comes with that order's figures, not with those that were asked for. */
function toldBy(event: Event, instrument: Instrument | null): Told {
  const known = event.orderId !== 0;
  const ordType = known ? null : characterOf(event.ordType);
  return {
    event,
    instrument,
    verb: verbOf(event),
    symbol: instrument?.symbol ?? event.symbol.toString(),
    orderField: orderField(event),
    orderName: orderName(event),
    price: known ? null : termText(event.priceTicks, instrument, priceText),
    qty: known ? null : termText(event.orderQtyLots, instrument, qtyText),
    stopPx: known ? null : termText(event.stopPxTicks, instrument, priceText),
    maxFloor: known ? null : termText(event.maxFloorLots, instrument, qtyText),
    execInst: !known && event.execInst === ExecInst.PostOnly ? "6" : null,
    expiry: isExpirySent(event) ? utcTimestampText(event.expireUs) : null,
    ordType,
    timeInForce: known ? null : characterOf(event.timeInForce),
    asked: event.kind === EventKind.ReplaceRejected && event.total > 0
      ? String.fromCharCode(event.total)
      : null,
    ordTypeField: ordType === null ? "this OrdType(40)" : `OrdType(40) "${ordType}"`,
    multipleOfTick: `a multiple of ${instrument?.tick ?? "the tick"}`,
  };
}

function cannot({ verb }: Told, field: string, expected: string, got: string | null): string {
  return `Cannot ${verb} ${field}: expected ${expected}` + (got === null ? "" : `, got "${got}"`);
}

function missing({ verb }: Told, field: string, expected: string): string {
  return `Cannot ${verb} ${field}: expected ${expected}, got none`;
}

/** A refusal without an order repeats the side as sent; one about an order has the order's, of which it was not. */
function sideSent({ orderId, side }: Event): string {
  return String(orderId === 0 ? side : 3 - side);
}

/** A refused replacement comes with the order's own TimeInForce. */
function timeInForceOf({ event, ordTypeField }: Told): string {
  if (event.kind !== EventKind.ReplaceRejected) return `one that goes with ${ordTypeField}`;
  const own = characterOf(event.timeInForce);
  const isFixed = event.timeInForce === TimeInForce.AtTheOpening ||
    event.timeInForce === TimeInForce.AtTheClose;
  return isFixed ? `the order's own "${own}"` : `0, 1 or 6 in the place of the order's "${own}"`;
}

/** A refused replacement has the time that was asked for where that is the reason, else the order's own. */
function isExpirySent({ orderId, expireUs, kind, reason }: Event): boolean {
  const isOwn = orderId !== 0 && (kind !== EventKind.ReplaceRejected || reason !== Reason.ExpirePast);
  return !isOwn && expireUs > 0;
}

/** An order's term that only some phases take, where it has one. */
function phaseTerm({ event, instrument, ordType, timeInForce, asked }: Told): string {
  if (asked !== null) return `OrdType(40) "${asked}"`;
  if (event.kind !== EventKind.OrderRejected || timeInForce === null) return "this";
  if (event.total > 0) return `MinQty(110) "${termText(event.total, instrument, qtyText)}"`;
  if (event.ordType === OrdType.MarketToLimit) return `OrdType(40) "${ordType}"`;
  return PHASE_BOUND.includes(event.timeInForce) ? `TimeInForce(59) "${timeInForce}"` : "this";
}

const PHASE_BOUND: readonly number[] = [
  TimeInForce.AtTheOpening,
  TimeInForce.ImmediateOrCancel,
  TimeInForce.FillOrKill,
];

const DAY_US = 86_400_000_000;

/** What ExpireDate(432) becomes: the last microsecond of its day. */
function isEndOfDay(expireUs: number): boolean {
  return expireUs % DAY_US === DAY_US - 1;
}

function termText(
  units: number,
  instrument: Instrument | null,
  format: (units: number, instrument: Instrument) => string,
): string {
  return instrument === null ? String(units) : format(units, instrument);
}

function priceNow({ event, instrument }: Told): string {
  return termText(event.priceTicks, instrument, priceText);
}

/** The FIX character of an enumeration's code. */
function characterOf(code: number): string {
  return String.fromCharCode(charOfCode(code));
}

function maxQty(instrument: Instrument | null): string {
  return instrument === null
    ? "a value within the limit"
    : `at most ${qtyText(instrument.maxOrderQtyLots, instrument)}`;
}
