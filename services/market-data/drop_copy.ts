/**
 * From order events to drop-copy records: one for every ExecutionReport(8) and OrderCancelReject(9) that a session is
 * sent, with the same figures. Pure. Source: FIX 4.4 Vol. 4, ExecutionReport, OrderCancelReject.
 */
import type { Event } from "../../shared/codec/wire/mod.ts";
import {
  avgPxText,
  execIdText,
  type ExecType,
  execTypeOf,
  isLastReport,
  priceText,
  qtyText,
  restatementReasonOf,
  StatusDetail,
  tradeIdText,
} from "../../shared/protocol/execution.ts";
import { reasonText } from "../../shared/protocol/execution_text.ts";
import {
  type CancelRejectCopy,
  type DropCopyMessage,
  type ExecutionReportCopy,
  isoTimeText,
} from "../../shared/protocol/market_data.ts";
import {
  charOfCode,
  cxlRejReason,
  EventKind,
  type EventPosition,
  ExecInst,
  type FixSession,
  formatExecId,
  formatOrderId,
  type Instrument,
  ordRejReason,
  type Reason,
} from "../../shared/protocol/mod.ts";

/**
 * The copy of what `session` is sent about an event; null for events that are no order's. `instrument` is null when
 * there is none or the venue lists no such symbol. Fields that the FIX report leaves out are absent.
 */
export function dropCopyOf(
  event: Event,
  at: EventPosition,
  session: FixSession,
  instrument: Instrument | null,
): DropCopyMessage | null {
  const execType = execTypeOf(event);
  const isCancelReject = event.kind === EventKind.CancelRejected || event.kind === EventKind.ReplaceRejected;
  if (execType === null) return isCancelReject ? cancelRejectOf(event, at, session, instrument) : null;
  const copy: Writable<ExecutionReportCopy> = {
    kind: "execution-report",
    ...commonOf(event, at, session),
    execId: execIdText(execType, at.shard, at.cmdSeq, at.eventIndex),
    execType,
    symbol: instrument?.symbol ?? (event.symbol.length === 0 ? "[N/A]" : event.symbol.toString()),
    side: event.side === 0 ? "7" : codeText(event.side),
    leavesQty: lots(event.leavesQtyLots, instrument),
    cumQty: lots(event.cumQtyLots, instrument),
    avgPx: instrument === null
      ? "0"
      : avgPxText(event.notionalHigh, event.notionalLow, event.cumQtyLots, instrument),
  };
  if (event.kind === EventKind.OrderExecuted) {
    copy.secondaryExecId = tradeIdText(at.shard, at.cmdSeq, event.tradeIndex);
  }
  putRequest(copy, event, execType);
  if (event.kind === EventKind.OrderRejected) copy.ordRejReason = ordRejReason(event.reason as Reason);
  const restatement = restatementReasonOf(event);
  if (restatement !== 0) copy.execRestatementReason = restatement;
  if (instrument !== null) putTerms(copy, event, instrument);
  if (event.liquidity > 0) copy.lastLiquidityInd = String(event.liquidity);
  putText(copy, event, instrument);
  return copy;
}

/** The request that the report answers. */
function putRequest(copy: Writable<ExecutionReportCopy>, event: Event, execType: ExecType): void {
  if (event.detail === StatusDetail.MassStatus && execType === "I") {
    copy.massStatusReqId = event.origClOrdId.toString();
    copy.totNumReports = event.total;
    copy.lastRptRequested = isLastReport(event) ? "Y" : "N";
  } else if (event.origClOrdId.length > 0) {
    copy[execType === "I" ? "ordStatusReqId" : "origClOrdId"] = event.origClOrdId.toString();
  }
}

/** What the order asks for and what this execution did. */
function putTerms(copy: Writable<ExecutionReportCopy>, event: Event, instrument: Instrument): void {
  if (event.orderQtyLots > 0) copy.orderQty = qtyText(event.orderQtyLots, instrument);
  if (event.ordType > 0) {
    copy.ordType = codeText(event.ordType);
    if (event.priceTicks > 0) copy.price = priceText(event.priceTicks, instrument);
    if (event.stopPxTicks > 0) copy.stopPx = priceText(event.stopPxTicks, instrument);
    copy.timeInForce = codeText(event.timeInForce);
    if (event.expireUs > 0) copy.expireTime = isoTimeText(event.expireUs);
    if ((event.execInst & ExecInst.PostOnly) !== 0) copy.execInst = "6";
  }
  if (event.maxFloorLots > 0) copy.maxFloor = qtyText(event.maxFloorLots, instrument);
  if (event.kind === EventKind.OrderExecuted) {
    copy.lastQty = qtyText(event.lastQtyLots, instrument);
    copy.lastPx = priceText(event.lastPxTicks, instrument);
  }
}

function cancelRejectOf(
  event: Event,
  at: EventPosition,
  session: FixSession,
  instrument: Instrument | null,
): CancelRejectCopy {
  const copy: Writable<CancelRejectCopy> = {
    kind: "cancel-reject",
    ...commonOf(event, at, session),
    cxlRejResponseTo: event.kind === EventKind.CancelRejected ? "1" : "2",
    cxlRejReason: cxlRejReason(event.reason as Reason),
  };
  if (event.origClOrdId.length > 0) copy.origClOrdId = event.origClOrdId.toString();
  putText(copy, event, instrument);
  return copy;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Common = Pick<
  DropCopyMessage,
  | "copyId"
  | "session"
  | "firm"
  | "orderId"
  | "clOrdId"
  | "ordStatus"
  | "transactTime"
  | "cmdSeq"
>;

function commonOf(event: Event, at: EventPosition, session: FixSession): Common {
  return {
    copyId: formatExecId(at.shard, at.cmdSeq, at.eventIndex),
    session: session.senderCompId,
    firm: session.firm.name,
    orderId: formatOrderId(at.shard, event.orderId),
    ...(event.clOrdId.length === 0 ? {} : { clOrdId: event.clOrdId.toString() }),
    ordStatus: codeText(event.ordStatus),
    transactTime: isoTimeText(at.timestampUs),
    cmdSeq: at.cmdSeq,
  };
}

function putText(copy: Writable<DropCopyMessage>, event: Event, instrument: Instrument | null): void {
  const text = reasonText(event, instrument);
  if (text !== "") copy.text = text;
}

/** The FIX character of an enumeration's code. */
function codeText(code: number): string {
  return String.fromCharCode(charOfCode(code));
}

function lots(qtyLots: number, instrument: Instrument | null): string {
  return instrument === null ? String(qtyLots) : qtyText(qtyLots, instrument);
}
