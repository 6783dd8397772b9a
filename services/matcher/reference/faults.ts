/** The naive checks of a command's fields: first fault wins. Pure. Source: docs/matching.md, "New order". */
import {
  ExecInst,
  type Instrument,
  MAX_CL_ORD_ID_BYTES,
  MAX_ICEBERG_SLICES,
  MAX_PRICE_TICKS,
  OrdType,
  Phase,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import { isCallPhase, type RefMarket } from "./market.ts";
import { isLasting, isStop, type RefOrder } from "./order.ts";

const { Market, Limit, Stop, StopLimit, MarketToLimit } = OrdType;
const { Day, GoodTillCancel, AtTheOpening, ImmediateOrCancel, FillOrKill, GoodTillDate, AtTheClose } =
  TimeInForce;

/** Which TimeInForce goes with which OrdType. */
const TIMES: Readonly<Record<number, readonly number[]>> = {
  [Market]: [Day, ImmediateOrCancel, FillOrKill, AtTheOpening, AtTheClose],
  [Limit]: Object.values(TimeInForce),
  [Stop]: [Day, GoodTillCancel, GoodTillDate],
  [StopLimit]: [Day, GoodTillCancel, GoodTillDate],
  [MarketToLimit]: [Day, GoodTillCancel, GoodTillDate],
};

/** The first rule that is broken, in order, or None. */
export function first(...rules: readonly (readonly [boolean, Reason])[]): Reason {
  return rules.find(([broken]) => broken)?.[1] ?? Reason.None;
}

/** What is wrong with a ClOrdID(11), or None. */
export function clOrdIdFault(text: string): Reason {
  return first(
    [text.length > MAX_CL_ORD_ID_BYTES, Reason.ClOrdIdTooLong],
    [text.length === 0, Reason.FieldUnsupported],
  );
}

/** What is wrong with a new order by itself and in its market's phase, or None. */
export function newOrderFault(command: Command, market: RefMarket | undefined, nowUs: number): Reason {
  if (market === undefined) return Reason.UnknownSymbol;
  const sides: number[] = Object.values(Side);
  return first(
    [!sides.includes(command.side), Reason.FieldUnsupported],
    [TIMES[command.ordType] === undefined, Reason.OrdTypeUnsupported],
    [!TIMES[command.ordType]?.includes(command.timeInForce), Reason.TimeInForceUnsupported],
    [!takesNew(market.phase, command), Reason.PhaseForbids],
  ) || pricesFault(command) || qtyFault(command.qtyLots, market.instrument) || maxFloorFault(command) ||
    minQtyFault(command) || execInstFault(command) || expireFault(command, nowUs);
}

/** What is wrong with a replacement of `order`, or None. */
export function replaceFault(command: Command, order: RefOrder, market: RefMarket, nowUs: number): Reason {
  const { ordType, timeInForce } = command;
  const mayChangeTime = isLasting(order.timeInForce) && isLasting(timeInForce);
  return first(
    [TIMES[ordType] === undefined, Reason.OrdTypeUnsupported],
    [isStop(command) && order.triggered, Reason.StopTriggered],
    [timeInForce !== order.timeInForce && !mayChangeTime, Reason.TimeInForceUnsupported],
    [!TIMES[ordType]?.includes(timeInForce), Reason.TimeInForceUnsupported],
  ) || pricesFault(command) || qtyFault(command.qtyLots, market.instrument) || maxFloorFault(command) ||
    first([command.minQtyLots !== 0, Reason.MinQtyForbidden]) || execInstFault(command) ||
    expireFault(command, nowUs) ||
    first([isCallPhase(market.phase) && ordType === MarketToLimit, Reason.PhaseForbids]);
}

/** Whether a phase takes a new order. */
function takesNew(phase: number, { ordType, timeInForce, minQtyLots }: Command): boolean {
  const opening: number[] = [Phase.PreOpen, Phase.NoCancel, Phase.OpeningAuction];
  if (timeInForce === AtTheOpening && !opening.includes(phase)) return false;
  if (phase === Phase.Continuous) return true;
  const immediate = timeInForce === ImmediateOrCancel || timeInForce === FillOrKill;
  return isCallPhase(phase) && !immediate && ordType !== MarketToLimit && !(minQtyLots > 0);
}

function pricesFault(command: Command): Reason {
  const { ordType, priceTicks, stopPxTicks } = command;
  const hasPrice = ordType === Limit || ordType === StopLimit;
  const price = hasPrice ? priceFault(priceTicks) : first([priceTicks !== 0, Reason.PriceForbidden]);
  return price || (isStop(command)
    ? first(
      [stopPxTicks === 0, Reason.StopPxMissing],
      [!isWithin(stopPxTicks, MAX_PRICE_TICKS), Reason.StopPxNotPositive],
    )
    : first([stopPxTicks !== 0, Reason.StopPxForbidden]));
}

/** Whether a number is an integer from 1 to `most`. */
function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}

function priceFault(price: number): Reason {
  return first(
    [Number.isNaN(price) || price <= 0, Reason.PriceNotPositive],
    [price > MAX_PRICE_TICKS, Reason.PriceOverLimit],
    [!Number.isInteger(price), Reason.PriceOffTick],
  );
}

function qtyFault(qty: number, instrument: Instrument): Reason {
  return first(
    [Number.isNaN(qty) || qty <= 0, Reason.QtyNotPositive],
    [qty > instrument.maxOrderQtyLots, Reason.QtyOverLimit],
    [!Number.isInteger(qty), Reason.QtyOffLot],
  );
}

function maxFloorFault({ ordType, timeInForce, maxFloorLots, qtyLots }: Command): Reason {
  if (maxFloorLots === 0) return Reason.None;
  const immediate = timeInForce === ImmediateOrCancel || timeInForce === FillOrKill;
  const allowed = ordType === StopLimit || ordType === Limit && !immediate;
  return first(
    [!allowed, Reason.MaxFloorForbidden],
    [!isWithin(maxFloorLots, qtyLots), Reason.MaxFloorInvalid],
    [Math.ceil(qtyLots / maxFloorLots) > MAX_ICEBERG_SLICES, Reason.MaxFloorInvalid],
  );
}

function minQtyFault({ ordType, timeInForce, minQtyLots, qtyLots }: Command): Reason {
  if (minQtyLots === 0) return Reason.None;
  const immediate = timeInForce === ImmediateOrCancel;
  const allowed = ordType === Limit && (isLasting(timeInForce) || immediate) ||
    ordType === Market && (timeInForce === Day || immediate) ||
    ordType === MarketToLimit;
  return first(
    [!allowed, Reason.MinQtyForbidden],
    [!isWithin(minQtyLots, qtyLots), Reason.MinQtyInvalid],
  );
}

function execInstFault({ ordType, timeInForce, minQtyLots, execInst }: Command): Reason {
  if (execInst === 0) return Reason.None;
  const allowed = execInst === ExecInst.PostOnly && ordType === Limit && isLasting(timeInForce) &&
    minQtyLots === 0;
  return first([!allowed, Reason.ExecInstForbidden]);
}

function expireFault({ timeInForce, expireUs }: Command, nowUs: number): Reason {
  if (timeInForce !== GoodTillDate) return first([expireUs !== 0, Reason.ExpireForbidden]);
  return first(
    [expireUs === 0, Reason.ExpireMissing],
    [!Number.isSafeInteger(expireUs) || expireUs <= nowUs, Reason.ExpirePast],
  );
}
