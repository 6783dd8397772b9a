/**
 * What an order event says in FIX words: ExecType(150), ExecID(17), AvgPx(6), Text(58) and decimal text. One place,
 * so that the FIX report and the drop copy cannot disagree. Refuses to lay out a message: that is the gateway's and
 * the market-data service's. Pure. Source: FIX 4.4 Vol. 4, ExecutionReport; Appendix D, order state changes.
 */
import type { Event } from "../codec/wire/event.ts";
import { formatExecId } from "./ids.ts";
import type { Instrument } from "./instruments.ts";
import { EventKind, OrdStatus, OrdType } from "./kinds.ts";
import { MAX_CL_ORD_ID_BYTES } from "./limits.ts";
import { Reason } from "./reasons.ts";

/** ExecType(150) as its FIX character: the ones this venue reports. */
export type ExecType = "0" | "4" | "5" | "8" | "C" | "D" | "F" | "I" | "L";

/**
 * ExecType(150) of the ExecutionReport that an event leads to; null when it leads to none (CancelRejected and
 * ReplaceRejected are OrderCancelReject, LevelChanged is market data). A refused OrderStatusRequest is answered with
 * `I` and OrdStatus Rejected.
 */
export function execTypeOf(event: Event): ExecType | null {
  switch (event.kind as EventKind) {
    case EventKind.OrderAccepted:
      return "0";
    case EventKind.OrderRejected:
      return event.detail === 0 ? "8" : "I";
    case EventKind.OrderExecuted:
      return "F";
    case EventKind.OrderCanceled:
      return "4";
    case EventKind.OrderReplaced:
      return "5";
    case EventKind.OrderExpired:
      return "C";
    case EventKind.OrderStatusReported:
      return "I";
    case EventKind.OrderTriggered:
      return "L";
    case EventKind.OrderRestated:
      return "D";
    case EventKind.CancelRejected:
    case EventKind.ReplaceRejected:
    case EventKind.MassCancelReported:
    case EventKind.QuoteAcknowledged:
    case EventKind.QuotesCanceled:
    case EventKind.LevelChanged:
    case EventKind.PhaseChanged:
    case EventKind.AuctionIndicated:
    case EventKind.AlgorithmChanged:
      return null;
  }
}

/** ExecID(17): `0` for ExecType `I` (FIX 4.4 Vol. 4), else derived from the event's place in the stream. */
export function execIdText(execType: ExecType, shard: number, cmdSeq: number, eventIndex: number): string {
  return execType === "I" ? "0" : formatExecId(shard, cmdSeq, eventIndex);
}

/**
 * SecondaryExecID(527): the trade's identifier, the same for both sides. `tradeIndex` is {@link Event.tradeIndex}
 * (≥ 1: the trade's first event + 1).
 */
export function tradeIdText(shard: number, cmdSeq: number, tradeIndex: number): string {
  return formatExecId(shard, cmdSeq, tradeIndex - 1);
}

/** Decimal text of `units` of 10^-scale (safe integer ≥ 0, scale 0 … 17): exact, trailing zeros trimmed, no exponent. */
export function decimalText(units: number, scale: number): string {
  return trimmed(String(units), scale);
}

/** Decimal text of a price in ticks. */
export function priceText(ticks: number, instrument: Instrument): string {
  return decimalText(ticks * instrument.tickUnits, instrument.priceScale);
}

/** Decimal text of a quantity in lots. */
export function qtyText(lots: number, instrument: Instrument): string {
  return decimalText(lots * instrument.lotUnits, instrument.qtyScale);
}

/** Decimals that {@link avgPxText} keeps (more when the instrument's prices have more). */
export const AVG_PX_DECIMALS = 8;

/**
 * AvgPx(6): notional / CumQty as decimal text, exact up to {@link AVG_PX_DECIMALS} decimals and rounded half up there,
 * trailing zeros trimmed. `notional` is high × 2^32 + low tick-lots. `0` when nothing was executed.
 */
export function avgPxText(
  notionalHigh: number,
  notionalLow: number,
  cumQtyLots: number,
  instrument: Instrument,
): string {
  if (cumQtyLots === 0) return "0";
  if (notionalHigh < 2 ** 21) {
    const notional = notionalHigh * 2 ** 32 + notionalLow;
    if (notional % cumQtyLots === 0) return priceText(notional / cumQtyLots, instrument);
  }
  const decimals = Math.max(AVG_PX_DECIMALS, instrument.priceScale);
  const notional = (BigInt(notionalHigh) << 32n) + BigInt(notionalLow);
  const numerator = notional * BigInt(instrument.tickUnits) * 10n ** BigInt(decimals - instrument.priceScale);
  const divisor = BigInt(cumQtyLots);
  return trimmed(String((2n * numerator + divisor) / (2n * divisor)), decimals);
}

/** Inserts the decimal point `scale` digits from the right and drops trailing zeros behind it. */
function trimmed(digits: string, scale: number): string {
  if (scale === 0) return digits;
  const padded = digits.padStart(scale + 1, "0");
  const point = padded.length - scale;
  let end = padded.length;
  while (end > point && padded.charCodeAt(end - 1) === 48) end--;
  return end === point ? padded.slice(0, point) : `${padded.slice(0, point)}.${padded.slice(point, end)}`;
}

/**
 * Text(58) of a refusal, naming tag and value: the event's own text when the gateway wrote one, else made from the
 * reason. `instrument` is the event's, null when the venue lists no such symbol. Empty when nothing was refused.
 */
export function reasonText(event: Event, instrument: Instrument | null): string {
  if (event.text.length > 0) return event.text.toString();
  if (event.reason === Reason.None) return "";
  const verb = verbOf(event);
  // A refused request for a known order comes with that order's figures, not with those that were asked for.
  const isOrders = event.orderId !== 0;
  const qty = isOrders ? null : termText(event.orderQtyLots, instrument, qtyText);
  const price = isOrders ? null : termText(event.priceTicks, instrument, priceText);
  const symbol = instrument?.symbol ?? event.symbol.toString();
  const cannot = (field: string, expected: string, got: string | null) =>
    `Cannot ${verb} ${field}: expected ${expected}` + (got === null ? "" : `, got "${got}"`);
  switch (event.reason as Reason) {
    case Reason.None:
      return "";
    case Reason.UnknownSymbol:
      return cannot("Symbol(55)", "a listed symbol", symbol);
    case Reason.DuplicateClOrdId:
      return cannot("ClOrdID(11)", "one not used before in this session", event.clOrdId.toString());
    case Reason.UnknownOrder:
      return cannot(orderField(event), "an order of this session or firm", orderName(event));
    case Reason.ClOrdIdSuperseded:
      return cannot(orderField(event), "the ClOrdID(11) that the order goes by now", orderName(event));
    case Reason.OrderIdContradicts:
      return `Cannot ${verb} OrderID(37): expected that of the order that ${orderField(event)} ` +
        `"${orderName(event)}" names, got another one`;
    case Reason.TooLateToCancel:
      return cannot(orderField(event), "an open order", orderName(event)) + stateOf(event);
    case Reason.PriceOffTick:
      return cannot("Price(44)", `a multiple of ${instrument?.tick ?? "the tick"}`, price);
    case Reason.PriceNotPositive:
      return cannot("Price(44)", "a value above 0", price);
    case Reason.PriceOverLimit:
      return cannot("Price(44)", "a value within the limit", price);
    case Reason.PriceMissing:
      return `Cannot ${verb} Price(44): expected a value for OrdType(40) "2", got none`;
    case Reason.PriceForbidden:
      return cannot("Price(44)", 'none for OrdType(40) "1"', price);
    case Reason.QtyOffLot:
      return cannot("OrderQty(38)", `a multiple of ${instrument?.lot ?? "the lot"}`, qty);
    case Reason.QtyNotPositive:
      return cannot("OrderQty(38)", "a value above 0", qty);
    case Reason.QtyOverLimit:
      return cannot("OrderQty(38)", maxQty(instrument), qty);
    case Reason.SideChanged:
      return cannot("Side(54)", "the order's side", String(isOrders ? other(event.side) : event.side));
    case Reason.SymbolChanged:
      return cannot("Symbol(55)", "the order's symbol", symbol);
    case Reason.OrdTypeChanged:
      return cannot("OrdType(40)", "the order's type", String(other(event.ordType)));
    case Reason.OrdTypeUnsupported:
      return cannot("OrdType(40)", `${OrdType.Market} or ${OrdType.Limit}`, String(event.ordType));
    case Reason.TimeInForceUnsupported:
      return event.kind === EventKind.ReplaceRejected
        ? cannot("TimeInForce(59)", "0", isOrders ? null : String(event.timeInForce))
        : cannot("TimeInForce(59)", "0, 3 or 4", String(event.timeInForce));
    case Reason.FieldUnsupported:
      return `Cannot ${verb} the order: it holds a field that this venue does not support`;
    case Reason.ClOrdIdTooLong:
      return cannot("ClOrdID(11)", `at most ${MAX_CL_ORD_ID_BYTES} bytes`, event.clOrdId.toString());
    case Reason.BookFull:
      return `Cannot ${verb} Symbol(55): expected room in its book, got "${symbol}", whose book is full`;
    case Reason.NotPermitted:
      return `Cannot ${verb} the order: this session may not`;
    default:
      return `Cannot ${verb} the order: reason ${event.reason}`;
  }
}

function termText(
  units: number,
  instrument: Instrument | null,
  format: (units: number, instrument: Instrument) => string,
): string {
  return instrument === null ? String(units) : format(units, instrument);
}

/** The other of the two codes of Side(54), or of OrdType(40): 1 and 2. */
function other(code: number): number {
  return 3 - code;
}

function verbOf(event: Event): string {
  if (event.kind === EventKind.CancelRejected) return "cancel";
  if (event.kind === EventKind.ReplaceRejected) return "replace";
  return event.detail === 1 ? "report" : "accept";
}

/** A status request names its order by ClOrdID(11), cancel and replace by OrigClOrdID(41). */
function orderField(event: Event): string {
  return event.kind === EventKind.OrderRejected ? "ClOrdID(11)" : "OrigClOrdID(41)";
}

function orderName(event: Event): string {
  return (event.kind === EventKind.OrderRejected ? event.clOrdId : event.origClOrdId).toString();
}

function stateOf(event: Event): string {
  switch (event.ordStatus) {
    case OrdStatus.Filled:
      return ", which is filled";
    case OrdStatus.Canceled:
      return ", which is canceled";
    case OrdStatus.Expired:
      return ", which has expired";
    case OrdStatus.Rejected:
      return ", which was rejected";
    default:
      return "";
  }
}

function maxQty(instrument: Instrument | null): string {
  return instrument === null
    ? "a value within the limit"
    : `at most ${qtyText(instrument.maxOrderQtyLots, instrument)}`;
}
