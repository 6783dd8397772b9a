/**
 * An order event → the body of the ExecutionReport(8) or OrderCancelReject(9) that tells its session. Owns which
 * fields a report carries, in the order of FIX 4.4's own definition. Refuses to number, address or send it. Pure.
 * Source: FIX 4.4 Vol. 4, ExecutionReport and OrderCancelReject; docs/fix.md.
 */
import type { FixWriter } from "../../../shared/codec/fix/mod.ts";
import type { Event } from "../../../shared/codec/wire/mod.ts";
import type { Venue } from "../../../shared/config/venue.ts";
import {
  avgPxText,
  execIdText,
  type ExecType,
  execTypeOf,
  reasonText,
  tradeIdText,
} from "../../../shared/protocol/execution.ts";
import {
  charOfCode,
  cxlRejReason,
  EventKind,
  type EventPosition,
  formatOrderId,
  type Instrument,
  ordRejReason,
  type Reason,
} from "../../../shared/protocol/mod.ts";

/**
 * Writes the body for `event` (begin() already called) and returns its MsgType(35); null, with nothing written, for
 * an event that no session hears of. The instrument of the event must be one of the venue's, or 0.
 */
export function report(
  event: Event,
  position: EventPosition,
  venue: Venue,
  writer: FixWriter,
): "8" | "9" | null {
  if (event.kind === EventKind.LevelChanged) return null;
  const instrument = venue.instrumentById.get(event.instrumentId) ?? null;
  const execType = execTypeOf(event);
  if (execType === null) {
    putCancelReject(event, position, instrument, writer);
    return "9";
  }
  putExecutionReport(event, execType, position, instrument, writer);
  return "8";
}

function putExecutionReport(
  event: Event,
  execType: ExecType,
  position: EventPosition,
  instrument: Instrument | null,
  writer: FixWriter,
): void {
  const { shard, cmdSeq } = position;
  writer.text(37, formatOrderId(shard, event.orderId));
  if (event.tradeIndex > 0) writer.text(527, tradeIdText(shard, cmdSeq, event.tradeIndex));
  if (event.clOrdId.length > 0) writer.slice(11, event.clOrdId);
  if (event.origClOrdId.length > 0) writer.slice(execType === "I" ? 790 : 41, event.origClOrdId);
  writer.text(17, execIdText(execType, shard, cmdSeq, position.eventIndex));
  writer.charCode(150, execType.charCodeAt(0));
  writer.charCode(39, charOfCode(event.ordStatus));
  if (event.kind === EventKind.OrderRejected) writer.int(103, ordRejReason(event.reason as Reason));
  if (instrument === null) writer.slice(55, event.symbol);
  else writer.text(55, instrument.symbol);
  writer.charCode(54, charOfCode(event.side));
  if (instrument !== null) putTerms(event, instrument, writer);
  writer.decimal(151, event.leavesQtyLots * (instrument?.lotUnits ?? 1), instrument?.qtyScale ?? 0);
  writer.decimal(14, event.cumQtyLots * (instrument?.lotUnits ?? 1), instrument?.qtyScale ?? 0);
  if (instrument === null) writer.charCode(6, 48);
  else writer.text(6, avgPxText(event.notionalHigh, event.notionalLow, event.cumQtyLots, instrument));
  writer.utcTimestamp(60, Math.floor(position.timestampUs / 1000));
  putText(event, instrument, writer);
  if (event.liquidity > 0) writer.int(851, event.liquidity);
}

/** OrderQty to LastPx: what the order asks for and what this execution did. */
function putTerms(event: Event, instrument: Instrument, writer: FixWriter): void {
  const { priceScale, tickUnits, qtyScale, lotUnits } = instrument;
  if (event.orderQtyLots > 0) writer.decimal(38, event.orderQtyLots * lotUnits, qtyScale);
  if (event.ordType > 0) {
    writer.charCode(40, charOfCode(event.ordType));
    if (event.priceTicks > 0) writer.decimal(44, event.priceTicks * tickUnits, priceScale);
    writer.charCode(59, charOfCode(event.timeInForce));
  }
  if (event.kind === EventKind.OrderExecuted) {
    writer.decimal(32, event.lastQtyLots * lotUnits, qtyScale);
    writer.decimal(31, event.lastPxTicks * tickUnits, priceScale);
  }
}

function putCancelReject(
  event: Event,
  position: EventPosition,
  instrument: Instrument | null,
  writer: FixWriter,
): void {
  writer.text(37, formatOrderId(position.shard, event.orderId));
  writer.slice(11, event.clOrdId);
  writer.slice(41, event.origClOrdId);
  writer.charCode(39, charOfCode(event.ordStatus));
  writer.utcTimestamp(60, Math.floor(position.timestampUs / 1000));
  writer.charCode(434, event.kind === EventKind.CancelRejected ? 49 : 50);
  writer.int(102, cxlRejReason(event.reason as Reason));
  putText(event, instrument, writer);
}

function putText(event: Event, instrument: Instrument | null, writer: FixWriter): void {
  if (event.reason === 0 && event.text.length === 0) return;
  const text = reasonText(event, instrument);
  if (text !== "") writer.text(58, text);
}
