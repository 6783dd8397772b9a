/**
 * Fills an Event for what happens seldom: refusals, answers to requests about many orders, phases, auctions. For
 * reporter.ts, which hands them on. Pure.
 */
import {
  charOfCode,
  CommandKind,
  EventKind,
  OrdStatus,
  OrdType,
  Reason,
} from "../../../shared/protocol/mod.ts";
import type { ByteSlice, Command, Event } from "../../../shared/codec/wire/mod.ts";

const { AlgorithmChanged, AuctionIndicated, OrderRejected, PhaseChanged, ReplaceRejected } = EventKind;
const { OrdTypeUnsupported, PhaseForbids, StopTriggered, TimeInForceUnsupported } = Reason;
const { MassCancel, RefuseOrder } = CommandKind;
const { Rejected } = OrdStatus;

/** A refusal of a command that names no order: what was asked for, as it was. */
export function fillUnknown(event: Event, command: Command): void {
  clearEvent(event);
  event.ordStatus = Rejected;
  event.instrumentId = command.instrumentId;
  event.side = command.side;
  event.ordType = command.ordType;
  event.timeInForce = command.timeInForce;
  event.priceTicks = command.priceTicks;
  event.orderQtyLots = command.qtyLots;
  event.stopPxTicks = command.stopPxTicks;
  event.maxFloorLots = command.maxFloorLots;
  event.expireUs = command.expireUs;
  event.execInst = command.execInst;
}

/**
 * The term of a request that its refusal is about and the event has no place for: a new order's MinQty that the phase does
 * not take, in lots; of a replacement, whose event has the order's own terms, the character of its OrdType or
 * TimeInForce. 0 for none.
 */
export function refusedTerm(kind: EventKind, reason: number, command: Command): number {
  if (kind === OrderRejected && reason === PhaseForbids) return command.minQtyLots;
  if (kind !== ReplaceRejected) return 0;
  if (reason === TimeInForceUnsupported) return charOfCode(command.timeInForce);
  if (reason === OrdTypeUnsupported || reason === StopTriggered) return charOfCode(command.ordType);
  const isMarketToLimit = command.ordType === OrdType.MarketToLimit;
  return reason === PhaseForbids && isMarketToLimit ? charOfCode(command.ordType) : 0;
}

/** The recipient of an answer, its names and texts: whoever sent the command. */
export function fillOrigin(event: Event, command: Command, commandIndex: number): void {
  event.sessionId = command.sessionId;
  event.firmId = command.firmId;
  event.msgSeqNum = command.msgSeqNum;
  event.commandIndex = commandIndex;
  event.flags = command.flags;
  borrow(event.clOrdId, command.clOrdId);
  borrow(event.origClOrdId, command.origClOrdId);
  borrow(event.symbol, command.symbol);
  borrow(event.text, command.text);
}

/** An answer about many orders, or about a quote: `instrumentId` 0 for all. */
export function fillAnswer(
  event: Event,
  kind: EventKind,
  command: Command,
  commandIndex: number,
  reason: number,
  total: number,
): void {
  clearEvent(event);
  event.kind = kind;
  event.instrumentId = command.instrumentId;
  event.reason = reason;
  event.total = total;
  fillOrigin(event, command, commandIndex);
  const isRefusal = command.kind === RefuseOrder;
  if (kind === EventKind.MassCancelReported) event.side = command.side;
  if (isRefusal && command.refusedKind === MassCancel) event.ordType = command.ordType;
  if (isRefusal) return;
  event.symbol.clear();
  event.text.clear();
}

/** An instrument entered a phase. */
export function fillPhase(
  event: Event,
  instrumentId: number,
  phase: number,
  previousPhase: number,
  cause: number,
  priceTicks: number,
): void {
  clearEvent(event);
  event.kind = PhaseChanged;
  event.instrumentId = instrumentId;
  event.phase = phase;
  event.previousPhase = previousPhase;
  event.cause = cause;
  event.priceTicks = priceTicks;
}

/** What an auction would trade. */
export function fillIndication(
  event: Event,
  instrumentId: number,
  priceTicks: number,
  qtyLots: number,
  surplusLots: number,
): void {
  clearEvent(event);
  event.kind = AuctionIndicated;
  event.instrumentId = instrumentId;
  event.priceTicks = priceTicks;
  event.levelQtyLots = qtyLots;
  event.surplusLots = surplusLots;
}

/** An instrument is matched by another algorithm. */
export function fillAlgorithm(event: Event, instrumentId: number, algorithm: number): void {
  clearEvent(event);
  event.kind = AlgorithmChanged;
  event.instrumentId = instrumentId;
  event.algorithm = algorithm;
}

function borrow(into: ByteSlice, from: ByteSlice): void {
  into.set(from.buffer, from.start, from.length);
}

function clearEvent(event: Event): void {
  event.ordStatus =
    event.sessionId =
    event.firmId =
    event.instrumentId =
    event.orderId =
      0;
  event.side =
    event.ordType =
    event.timeInForce =
    event.liquidity =
    event.priceTicks =
      0;
  event.orderQtyLots = event.cumQtyLots = event.leavesQtyLots = 0;
  event.notionalHigh = event.notionalLow = 0;
  event.lastPxTicks =
    event.lastQtyLots =
    event.tradeIndex =
    event.reason =
    event.detail =
      0;
  event.stopPxTicks =
    event.maxFloorLots =
    event.expireUs =
    event.execInst =
      0;
  event.index = event.total = 0;
  event.phase =
    event.previousPhase =
    event.cause =
    event.surplusLots =
    event.algorithm =
      0;
  event.msgSeqNum =
    event.flags =
    event.commandIndex =
    event.levelQtyLots =
    event.levelOrders =
      0;
  event.clOrdId.clear();
  event.origClOrdId.clear();
  event.symbol.clear();
  event.text.clear();
}
