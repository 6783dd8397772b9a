/**
 * What an order event says in FIX words: ExecType(150), ExecRestatementReason(378), ExecID(17), AvgPx(6) and decimal
 * text; its Text(58) is execution_text.ts's. One place, so that the FIX report and the drop copy cannot disagree. Refuses
 * to lay out a message: that is the gateway's and the market-data service's. Pure.
 * Source: FIX 4.4 Vol. 4, ExecutionReport; Appendix D, order state changes.
 */
import type { Event } from "../codec/wire/event.ts";
import { formatExecId } from "./ids.ts";
import type { Instrument } from "./instruments.ts";
import { EventKind } from "./kinds.ts";
import { Reason } from "./reasons.ts";

/** ExecType(150) as its FIX character: the ones this venue reports. */
export type ExecType = "0" | "4" | "5" | "8" | "C" | "D" | "F" | "I";

/**
 * ExecType(150) of the ExecutionReport that an event leads to; null when it leads to none (CancelRejected and
 * ReplaceRejected are OrderCancelReject, answers to mass requests and quotes are messages of their own, the others are
 * market data). A refused OrderStatusRequest is answered with `I` and OrdStatus Rejected. FIX 4.4 has no type for a
 * triggered stop (`L` came with FIX 5.0), so that it is a restatement: the order's OrdType changes unasked.
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

/** ExecRestatementReason(378) codes that this venue gives. */
export const RestatementReason = { Repricing: 3, PartialDecline: 5, MarketOption: 8, Other: 99 } as const;

/** ExecRestatementReason(378) of a restatement or an unasked cancel; 0 for an event that has none. */
export function restatementReasonOf(event: Event): number {
  switch (event.kind as EventKind) {
    case EventKind.OrderTriggered:
      return RestatementReason.Other;
    case EventKind.OrderRestated:
      return event.reason === Reason.SelfMatchPrevented
        ? RestatementReason.PartialDecline
        : RestatementReason.Repricing;
    case EventKind.OrderCanceled: {
      const unasked = event.reason === Reason.SelfMatchPrevented ||
        event.reason === Reason.MassCanceled && event.msgSeqNum === 0;
      return unasked ? RestatementReason.MarketOption : 0;
    }
    default:
      return 0;
  }
}

/** What an OrderRejected or OrderStatusReported answers: `Event.detail`. */
export const StatusDetail = { None: 0, Status: 1, MassStatus: 2 } as const;

/** LastRptRequested(912): whether an answer to a mass status request is the last one. */
export function isLastReport(event: Event): boolean {
  return event.index === event.total;
}

/** UTCTimestamp text, milliseconds, of `us` (µs since 1970, safe integer ≥ 0); what is finer is cut off. */
export function utcTimestampText(us: number): string {
  const iso = new Date(Math.floor(us / 1000)).toISOString();
  return `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 10)}-${iso.slice(11, 23)}`;
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
const AVG_PX_DECIMALS = 8;

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
