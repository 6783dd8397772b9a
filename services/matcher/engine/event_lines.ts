/**
 * Events as lines of text, for people who read ledgers and verifications (test_ledger.ts has the language). Pure.
 *
 * Orders: `executed s1 A #1.0 buy 10@100 day Partial 4+6 last 4@100 trade 2 removed notional 400 m1`: CumQty +
 * LeavesQty; `ClOrdID<OrigClOrdID` (of a status, `<OrdStatusReqID`); what rests as a stop is `10@stop95` or
 * `10@stop95/94`, once triggered `10@mkt day stop=95`. `floor=3`, `until=9000`, `post` as in commands. Answers to mass
 * requests end in `index 1 total 3`, a refusal because a shard is full in `total 9`, how many orders may be open, one of a
 * phase in the MinQty that it does not take, one of a replacement in the code of the character of a refused OrdType or
 * TimeInForce, `total 51`.
 *
 * Instruments: `phase Continuous<PreOpen`, `phase VolatilityAuction<Continuous Volatility @120`, `indicated 10@100 surplus
 * -5`, `algorithm C`. Zero fields are left out; every other field of the event is there.
 */
import {
  charOfCode,
  EventKind,
  OrdStatus,
  OrdType,
  Phase,
  PhaseCause,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import type { Event } from "../../../shared/codec/wire/mod.ts";

/** Words of TimeInForce. */
export const TIMES: Readonly<Record<string, number>> = {
  day: TimeInForce.Day,
  gtc: TimeInForce.GoodTillCancel,
  opg: TimeInForce.AtTheOpening,
  ioc: TimeInForce.ImmediateOrCancel,
  fok: TimeInForce.FillOrKill,
  gtd: TimeInForce.GoodTillDate,
  cls: TimeInForce.AtTheClose,
};

const STATUS_NAMES: Readonly<Record<number, string>> = {
  [OrdStatus.New]: "New",
  [OrdStatus.PartiallyFilled]: "Partial",
  [OrdStatus.Filled]: "Filled",
  [OrdStatus.Canceled]: "Canceled",
  [OrdStatus.Rejected]: "Rejected",
  [OrdStatus.Expired]: "Expired",
};

const EVENT_NAMES: Readonly<Record<number, string>> = {
  [EventKind.OrderAccepted]: "accepted",
  [EventKind.OrderRejected]: "rejected",
  [EventKind.OrderExecuted]: "executed",
  [EventKind.OrderCanceled]: "canceled",
  [EventKind.OrderReplaced]: "replaced",
  [EventKind.OrderExpired]: "expired",
  [EventKind.CancelRejected]: "cancel-rejected",
  [EventKind.ReplaceRejected]: "replace-rejected",
  [EventKind.OrderStatusReported]: "status",
  [EventKind.OrderTriggered]: "triggered",
  [EventKind.OrderRestated]: "restated",
  [EventKind.MassCancelReported]: "mass-canceled",
  [EventKind.QuoteAcknowledged]: "quote-acknowledged",
  [EventKind.QuotesCanceled]: "quotes-canceled",
};

/** The line that says an event. */
export function formatEvent(event: Event): string {
  const instrument = event.instrumentId === 1 ? "" : ` i${event.instrumentId}`;
  switch (event.kind) {
    case EventKind.LevelChanged:
      return `level${instrument} ${
        sideName(event)
      } ${event.levelQtyLots}@${event.priceTicks} x${event.levelOrders}`;
    case EventKind.PhaseChanged: {
      const phases = `${nameOf(Phase, event.phase)}<${nameOf(Phase, event.previousPhase)}`;
      const cause = event.cause === PhaseCause.Command ? "" : ` ${nameOf(PhaseCause, event.cause)}`;
      return `phase${instrument} ${phases}${cause}${event.priceTicks === 0 ? "" : ` @${event.priceTicks}`}`;
    }
    case EventKind.AuctionIndicated:
      return `indicated${instrument} ${event.levelQtyLots}@${event.priceTicks} surplus ${event.surplusLots}`;
    case EventKind.AlgorithmChanged:
      return `algorithm${instrument} ${String.fromCharCode(charOfCode(event.algorithm))}`;
    case EventKind.MassCancelReported:
    case EventKind.QuoteAcknowledged:
    case EventKind.QuotesCanceled:
      return formatAnswer(event, instrument);
    default:
      return formatOrder(event, instrument);
  }
}

function formatOrder(event: Event, instrument: string): string {
  const kind = event.detail === 1 ? "(status)" : event.detail === 2 ? "(mass)" : "";
  let line = `${EVENT_NAMES[event.kind]}${kind}${recipient(event)}`;
  if (event.orderId !== 0) line += ` #${Math.floor(event.orderId / 4096)}.${event.orderId % 4096}`;
  line += `${instrument} ${sideName(event)}`;
  if (event.orderQtyLots !== 0) line += ` ${event.orderQtyLots}@${terms(event)}`;
  line += ` ${STATUS_NAMES[event.ordStatus]} ${event.cumQtyLots}+${event.leavesQtyLots}`;
  if (event.detail === 2 || event.total !== 0) {
    line += place(event);
  } else if (event.lastQtyLots !== 0) {
    line += ` last ${event.lastQtyLots}@${event.lastPxTicks} trade ${event.tradeIndex}`;
    line += event.liquidity === 1 ? " added" : event.liquidity === 2 ? " removed" : " none";
  }
  const notional = BigInt(event.notionalHigh) * 2n ** 32n + BigInt(event.notionalLow);
  if (notional !== 0n) line += ` notional ${notional}`;
  return line + origin(event);
}

/** An answer that is about no single order. */
function formatAnswer(event: Event, instrument: string): string {
  let line = `${EVENT_NAMES[event.kind]}${recipient(event)}${instrument}`;
  if (event.orderId !== 0) line += ` #${event.orderId}`;
  if (event.side !== 0) line += ` ${sideName(event)}`;
  line += place(event);
  if (event.detail !== 0) line += ` level=${event.detail}`;
  return line + origin(event);
}

function recipient(event: Event): string {
  const firm = event.firmId === Math.ceil(event.sessionId / 2) ? "" : ` f${event.firmId}`;
  const orig = event.origClOrdId.length > 0 ? `<${event.origClOrdId}` : "";
  return ` s${event.sessionId}${firm} ${event.clOrdId}${orig}`;
}

function terms(event: Event): string {
  const time = Object.keys(TIMES).find((key) => TIMES[key] === event.timeInForce) ??
    `tif=${event.timeInForce}`;
  const isStop = event.ordType === OrdType.Stop || event.ordType === OrdType.StopLimit;
  let line = `${isStop ? `stop${event.stopPxTicks}` : ""}`;
  if (event.ordType === OrdType.Market) line += "mkt";
  else if (event.ordType === OrdType.MarketToLimit) line += "mtl";
  else if (event.ordType === OrdType.StopLimit) line += `/${event.priceTicks}`;
  else if (!isStop) line += `${event.priceTicks}`;
  line += ` ${time}`;
  if (!isStop && event.stopPxTicks !== 0) line += ` stop=${event.stopPxTicks}`;
  if (event.maxFloorLots !== 0) line += ` floor=${event.maxFloorLots}`;
  if (event.expireUs !== 0) line += ` until=${event.expireUs}`;
  if (event.execInst !== 0) line += event.execInst === 1 ? " post" : ` exec=${event.execInst}`;
  return line;
}

function place(event: Event): string {
  const index = event.index === 0 ? "" : ` index ${event.index}`;
  return `${index} total ${event.total}`;
}

function origin(event: Event): string {
  let line = "";
  if (event.reason !== 0) line += ` ${nameOf(Reason, event.reason)}`;
  if (event.symbol.length > 0) line += ` symbol=${event.symbol}`;
  if (event.text.length > 0) line += ` text=${event.text}`;
  if (event.msgSeqNum !== 0) line += ` m${event.msgSeqNum}`;
  if (event.flags !== 0) line += ` flags=${event.flags}`;
  if (event.commandIndex !== 0) line += ` c${event.commandIndex}`;
  return line;
}

function sideName(event: Event): string {
  return event.side === Side.Buy ? "buy" : event.side === Side.Sell ? "sell" : `side ${event.side}`;
}

function nameOf(words: Readonly<Record<string, number>>, code: number): string {
  return Object.keys(words).find((word) => words[word] === code) ?? `${code}`;
}
