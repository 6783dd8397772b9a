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
  isLastReport,
  restatementReasonOf,
  StatusDetail,
  tradeIdText,
} from "../../../shared/protocol/execution.ts";
import { reasonText } from "../../../shared/protocol/execution_text.ts";
import {
  charOfCode,
  cxlRejReason,
  EventKind,
  type EventPosition,
  ExecInst,
  formatOrderId,
  type Instrument,
  ordRejReason,
  type Reason,
} from "../../../shared/protocol/mod.ts";

/**
 * Writes the body for `event` (begin() already called) and returns its MsgType(35); null, with nothing written, for
 * an event that is no order's. The instrument of the event must be one of the venue's, or 0.
 */
export function report(
  event: Event,
  position: EventPosition,
  venue: Venue,
  writer: FixWriter,
): "8" | "9" | null {
  const execType = execTypeOf(event);
  const isCancelReject = event.kind === EventKind.CancelRejected || event.kind === EventKind.ReplaceRejected;
  if (execType === null && !isCancelReject) return null;
  const instrument = venue.instrumentById.get(event.instrumentId) ?? null;
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
  if (event.kind === EventKind.OrderExecuted) writer.text(527, tradeIdText(shard, cmdSeq, event.tradeIndex));
  if (event.clOrdId.length > 0) writer.slice(11, event.clOrdId);
  putRequest(event, execType, writer);
  writer.text(17, execIdText(execType, shard, cmdSeq, position.eventIndex));
  writer.charCode(150, execType.charCodeAt(0));
  writer.charCode(39, charOfCode(event.ordStatus));
  if (event.kind === EventKind.OrderRejected) writer.int(103, ordRejReason(event.reason as Reason));
  const restatement = restatementReasonOf(event);
  if (restatement !== 0) writer.int(378, restatement);
  putInstrument(event, instrument, writer);
  writer.charCode(54, event.side === 0 ? UNDISCLOSED : charOfCode(event.side));
  if (instrument !== null) putTerms(event, instrument, writer);
  writer.decimal(151, event.leavesQtyLots * (instrument?.lotUnits ?? 1), instrument?.qtyScale ?? 0);
  writer.decimal(14, event.cumQtyLots * (instrument?.lotUnits ?? 1), instrument?.qtyScale ?? 0);
  if (instrument === null) writer.charCode(6, 48);
  else writer.text(6, avgPxText(event.notionalHigh, event.notionalLow, event.cumQtyLots, instrument));
  writer.utcTimestamp(60, Math.floor(position.timestampUs / 1000));
  if (event.maxFloorLots > 0 && instrument !== null) {
    writer.decimal(111, event.maxFloorLots * instrument.lotUnits, instrument.qtyScale);
  }
  putText(event, instrument, writer);
  if (event.liquidity > 0) writer.int(851, event.liquidity);
}

/** Side(54) of an answer about orders of both sides: FIX 4.4 requires the field, and this value says none. */
const UNDISCLOSED = 55;
/** Symbol(55) where there is none (FIX 4.4 Vol. 4, Instrument). */
const NO_SYMBOL = "[N/A]";

/** The request that the report answers, by the name that it was sent under. */
function putRequest(event: Event, execType: ExecType, writer: FixWriter): void {
  if (event.detail === StatusDetail.MassStatus && execType === "I") {
    writer.slice(584, event.origClOrdId);
    writer.int(911, event.total);
    writer.charCode(912, isLastReport(event) ? 89 : 78);
  } else if (event.origClOrdId.length > 0) {
    writer.slice(execType === "I" ? 790 : 41, event.origClOrdId);
  }
}

function putInstrument(event: Event, instrument: Instrument | null, writer: FixWriter): void {
  if (instrument !== null) writer.text(55, instrument.symbol);
  else if (event.symbol.length > 0) writer.slice(55, event.symbol);
  else writer.text(55, NO_SYMBOL);
}

/** OrderQty to LastPx: what the order asks for and what this execution did. */
function putTerms(event: Event, instrument: Instrument, writer: FixWriter): void {
  const { priceScale, tickUnits, qtyScale, lotUnits } = instrument;
  if (event.orderQtyLots > 0) writer.decimal(38, event.orderQtyLots * lotUnits, qtyScale);
  if (event.ordType > 0) {
    writer.charCode(40, charOfCode(event.ordType));
    if (event.priceTicks > 0) writer.decimal(44, event.priceTicks * tickUnits, priceScale);
    if (event.stopPxTicks > 0) writer.decimal(99, event.stopPxTicks * tickUnits, priceScale);
    writer.charCode(59, charOfCode(event.timeInForce));
    if (event.expireUs > 0) writer.utcTimestamp(126, Math.floor(event.expireUs / 1000));
    if ((event.execInst & ExecInst.PostOnly) !== 0) writer.charCode(18, 54);
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
  if (event.reason === 0 && event.text.length === 0 && event.kind !== EventKind.OrderTriggered) return;
  const text = reasonText(event, instrument);
  if (text !== "") writer.text(58, text);
}
