/**
 * Which orders there can be: the terms of new and replaced orders, alone and in their instrument's phase. The gateway
 * has checked much of this; the engine checks again, since a command may come from anywhere. Pure. Values in, Reason out;
 * nothing is thrown. docs/matching.md, "New order" and "Replace".
 */
import {
  CommandKind,
  ExecInst,
  MAX_ICEBERG_SLICES,
  OrdType,
  Phase,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import { priceFault, qtyFault, ticksFit } from "./field_checks.ts";
import { isCall, takesNew } from "./instrument_state.ts";
import type { InstrumentTable } from "./instrument_table.ts";

const { ReplaceOrder } = CommandKind;
const { PostOnly } = ExecInst;
const { Limit, Market, MarketToLimit, Stop, StopLimit } = OrdType;
const { ClosingAuction, Continuous, VolatilityAuction } = Phase;
const {
  ExecInstForbidden,
  ExpireForbidden,
  ExpireMissing,
  ExpirePast,
  FieldUnsupported,
  MaxFloorForbidden,
  MaxFloorInvalid,
  MinQtyForbidden,
  MinQtyInvalid,
  None: NO_REASON,
  OrdTypeUnsupported,
  PhaseForbids,
  PriceForbidden,
  StopPxForbidden,
  StopPxMissing,
  StopPxNotPositive,
  TimeInForceUnsupported,
  UnknownSymbol,
} = Reason;
const { Buy, Sell } = Side;
const { AtTheClose, AtTheOpening, Day, FillOrKill, GoodTillCancel, GoodTillDate, ImmediateOrCancel } =
  TimeInForce;

/** Times in force that may last and may be replaced by each other, a bit set. */
const LASTING = 1 << Day | 1 << GoodTillCancel | 1 << GoodTillDate;
/** Times in force that belong to one auction. */
const AUCTION = 1 << AtTheOpening | 1 << AtTheClose;
const AT_ONCE = 1 << ImmediateOrCancel | 1 << FillOrKill;

/** Whether an order is one that waits for a trigger. */
export function isStopType(ordType: number): boolean {
  return ordType === Stop || ordType === StopLimit;
}

/** Whether what is left of an order of this time in force may stay in a book. */
export function isLasting(timeInForce: number): boolean {
  return (1 << timeInForce & LASTING) !== 0;
}

/** Why a new order's terms are refused in `phase` at `nowUs`, or None. */
export function newOrderFault(
  command: Command,
  instruments: InstrumentTable,
  phase: number,
  nowUs: number,
): Reason {
  const { side } = command;
  if (!instruments.has(command.instrumentId)) return UnknownSymbol;
  if (side !== Buy && side !== Sell) return FieldUnsupported;
  const fault = combinationFault(command);
  if (fault !== NO_REASON) return fault;
  if (forbidsNew(command, phase)) return PhaseForbids;
  return figuresFault(command, instruments.maxOrderQty[command.instrumentId], nowUs);
}

/**
 * Why an order of `timeInForce` cannot be given a command's terms, or None; phase and identity are checked before, a stop
 * that was triggered too.
 */
export function replacedFault(
  command: Command,
  timeInForce: number,
  maxOrderQty: number,
  phase: number,
  nowUs: number,
): Reason {
  const fault = combinationFault(command);
  if (fault !== NO_REASON) return fault;
  const bothLast = isLasting(timeInForce) && isLasting(command.timeInForce);
  if (!bothLast && timeInForce !== command.timeInForce) return TimeInForceUnsupported;
  if (!bothLast && (1 << timeInForce & AUCTION) === 0) return TimeInForceUnsupported;
  const figures = figuresFault(command, maxOrderQty, nowUs);
  if (figures !== NO_REASON) return figures;
  return command.ordType === MarketToLimit && isCall(phase) ? PhaseForbids : NO_REASON;
}

/** Whether an order may stay in a book, wait for its trigger or for the close, and so needs room. */
export function mayRest(command: Command, phase: number): boolean {
  const { ordType, timeInForce } = command;
  if ((1 << timeInForce & AT_ONCE) !== 0) return false;
  return ordType !== Market || timeInForce === AtTheClose || phase !== Continuous;
}

/** Why OrdType and TimeInForce do not go together, or None. */
function combinationFault(command: Command): Reason {
  const { ordType, timeInForce } = command;
  const times = timesOf(ordType);
  if (times === 0) return OrdTypeUnsupported;
  return (timeInForce & 7) === timeInForce && (1 << timeInForce & times) !== 0
    ? NO_REASON
    : TimeInForceUnsupported;
}

function timesOf(ordType: number): number {
  switch (ordType) {
    case Limit:
      return LASTING | AUCTION | AT_ONCE;
    case Market:
      return 1 << Day | AUCTION | AT_ONCE;
    case MarketToLimit:
    case Stop:
    case StopLimit:
      return LASTING;
    default:
      return 0;
  }
}

function forbidsNew(command: Command, phase: number): boolean {
  const { ordType, timeInForce } = command;
  if (!takesNew(phase)) return true;
  if (!isCall(phase)) return timeInForce === AtTheOpening;
  if ((1 << timeInForce & AT_ONCE) !== 0 || ordType === MarketToLimit || command.minQtyLots > 0) return true;
  return timeInForce === AtTheOpening && (phase === VolatilityAuction || phase === ClosingAuction);
}

/** Why a figure does not go with OrdType and TimeInForce or makes no sense itself, or None. */
function figuresFault(command: Command, maxOrderQty: number, nowUs: number): Reason {
  const { ordType, timeInForce, qtyLots, stopPxTicks, execInst } = command;
  if (ordType === Limit || ordType === StopLimit) {
    const fault = priceFault(command.priceTicks);
    if (fault !== NO_REASON) return fault;
  } else if (command.priceTicks !== 0) {
    return PriceForbidden;
  }
  if (!isStopType(ordType)) {
    if (stopPxTicks !== 0) return StopPxForbidden;
  } else if (!ticksFit(stopPxTicks)) {
    return stopPxTicks === 0 ? StopPxMissing : StopPxNotPositive;
  }
  const fault = qtyFault(qtyLots, maxOrderQty);
  if (fault !== NO_REASON) return fault;
  const hides = command.maxFloorLots !== 0;
  const hasMinimum = command.minQtyLots !== 0;
  if (hides && !takesFloor(ordType, timeInForce)) return MaxFloorForbidden;
  if (hides && !isPart(command.maxFloorLots, qtyLots)) return MaxFloorInvalid;
  if (hides && command.maxFloorLots * MAX_ICEBERG_SLICES < qtyLots) return MaxFloorInvalid;
  if (hasMinimum && !takesMinimum(command)) return MinQtyForbidden;
  if (hasMinimum && !isPart(command.minQtyLots, qtyLots)) return MinQtyInvalid;
  const takesPostOnly = ordType === Limit && isLasting(timeInForce) && !hasMinimum;
  if (execInst !== 0 && (execInst !== PostOnly || !takesPostOnly)) return ExecInstForbidden;
  return expiryFault(command, nowUs);
}

function expiryFault({ timeInForce, expireUs }: Command, nowUs: number): Reason {
  if (timeInForce !== GoodTillDate) return expireUs === 0 ? NO_REASON : ExpireForbidden;
  if (expireUs === 0) return ExpireMissing;
  return Number.isSafeInteger(expireUs) && expireUs > nowUs ? NO_REASON : ExpirePast;
}

function takesFloor(ordType: number, timeInForce: number): boolean {
  return ordType === StopLimit || ordType === Limit && (1 << timeInForce & AT_ONCE) === 0;
}

/** MinQty is what an order demands on arrival: a replaced one does not arrive. */
function takesMinimum({ kind, ordType, timeInForce }: Command): boolean {
  if (kind === ReplaceOrder) return false;
  if (ordType === MarketToLimit) return true;
  if (ordType === Market) return timeInForce === Day || timeInForce === ImmediateOrCancel;
  return ordType === Limit && (isLasting(timeInForce) || timeInForce === ImmediateOrCancel);
}

function isPart(lots: number, qtyLots: number): boolean {
  return (lots | 0) === lots && lots >= 1 && lots <= qtyLots;
}
