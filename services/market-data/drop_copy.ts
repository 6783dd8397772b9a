/**
 * From order events to drop-copy records: one for every ExecutionReport(8) and OrderCancelReject(9) that a session is
 * sent, with the same figures. Pure. Source: FIX 4.4 Vol. 4, ExecutionReport, OrderCancelReject.
 */
import type { Event } from "../../shared/codec/wire/mod.ts";
import {
  avgPxText,
  execIdText,
  execTypeOf,
  ordStatusText,
  priceText,
  qtyText,
  reasonText,
  tradeIdText,
} from "../../shared/protocol/execution.ts";
import {
  type CancelRejectCopy,
  type DropCopyMessage,
  type ExecutionReportCopy,
  isoTimeText,
} from "../../shared/protocol/market_data.ts";
import {
  cxlRejReason,
  EventKind,
  type FixSession,
  formatExecId,
  formatOrderId,
  type Instrument,
  ordRejReason,
  OrdStatus,
  OrdType,
  type Reason,
} from "../../shared/protocol/mod.ts";
import type { EventPosition } from "./trades.ts";

/**
 * The copy of what `session` is sent about an event; null for events that no session hears of. `instrument` is null
 * when the venue lists no such symbol. Fields that the FIX report leaves out are absent.
 */
export function dropCopyOf(
  event: Event,
  at: EventPosition,
  session: FixSession,
  instrument: Instrument | null,
): DropCopyMessage | null {
  if (event.kind === EventKind.LevelChanged) return null;
  const execType = execTypeOf(event);
  if (execType === null) return cancelRejectOf(event, at, session, instrument);
  const isTrade = event.kind === EventKind.OrderExecuted;
  const isReject = event.kind === EventKind.OrderRejected;
  const copy: Writable<ExecutionReportCopy> = {
    kind: "execution-report",
    ...commonOf(event, at, session),
    execId: execIdText(execType, at.shard, at.cmdSeq, at.eventIndex),
    execType,
    symbol: instrument?.symbol ?? event.symbol.toString(),
    side: String(event.side),
    orderQty: lots(event.orderQtyLots, instrument),
    cumQty: lots(event.cumQtyLots, instrument),
    leavesQty: lots(event.leavesQtyLots, instrument),
    avgPx: instrument === null
      ? "0"
      : avgPxText(event.notionalHigh, event.notionalLow, event.cumQtyLots, instrument),
  };
  if (event.ordType !== 0) {
    copy.ordType = String(event.ordType);
    copy.timeInForce = String(event.timeInForce);
  }
  if (event.ordType === OrdType.Limit && event.priceTicks !== 0 && instrument !== null) {
    copy.price = priceText(event.priceTicks, instrument);
  }
  if (isTrade && instrument !== null) {
    copy.secondaryExecId = tradeIdText(at.shard, at.cmdSeq, event.tradeIndex);
    copy.lastQty = qtyText(event.lastQtyLots, instrument);
    copy.lastPx = priceText(event.lastPxTicks, instrument);
    copy.lastLiquidityInd = String(event.liquidity);
  }
  if (isReject) copy.ordRejReason = ordRejReason(event.reason as Reason);
  const text = reasonText(event, instrument);
  if (text !== "") copy.text = text;
  return copy;
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
  const text = reasonText(event, instrument);
  if (text !== "") copy.text = text;
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
  | "origClOrdId"
  | "ordStatus"
  | "transactTime"
  | "cmdSeq"
>;

function commonOf(event: Event, at: EventPosition, session: FixSession): Common {
  const common: Writable<Common> = {
    copyId: formatExecId(at.shard, at.cmdSeq, at.eventIndex),
    session: session.senderCompId,
    firm: session.firm.name,
    orderId: formatOrderId(at.shard, event.orderId),
    clOrdId: event.clOrdId.toString(),
    // An order that the venue does not know is Rejected (FIX 4.4 Vol. 4, OrderCancelReject).
    ordStatus: ordStatusText(event.orderId === 0 ? OrdStatus.Rejected : event.ordStatus),
    transactTime: isoTimeText(at.timestampUs),
    cmdSeq: at.cmdSeq,
  };
  if (event.origClOrdId.length > 0) common.origClOrdId = event.origClOrdId.toString();
  return common;
}

function lots(qtyLots: number, instrument: Instrument | null): string {
  return instrument === null ? String(qtyLots) : qtyText(qtyLots, instrument);
}
