/**
 * The terms of a NewOrderSingle or OrderCancelReplaceRequest → fields of a command. Owns what each term may be and with
 * which others it goes, as far as no book is needed. Refuses to write texts: refusal.ts does. What is wrong is left 0, so
 * that the answer repeats only what was right. Pure. Allocates nothing.
 * Source: FIX 4.4 Vol. 4, messages D and G; docs/fix.md, "What goes together".
 */
import { type FixMessage, parseInteger } from "../../../shared/codec/fix/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import {
  ExecInst,
  type Firm,
  type Instrument,
  Reason,
  SmpAction,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import { accountOf, partLotsOf, priceTicksOf, qtyLotsOf, stopPxTicksOf } from "./amounts.ts";
import { type Combination, combinationOf, holds, timesInForceOf } from "./combinations.ts";
import { expireUsOfDate, expireUsOfTime, isExpiry } from "./expiry.ts";
import type { OrderFields } from "./order_fields.ts";

/** SelfMatchPreventionID(7928): 1 … this. */
export const MAX_SMP_ID = 2 ** 32 - 1;

/** ExecInst(18) as this venue takes it: the one value `6`. */
const POST_ONLY = 54;

/** Whether OrdType(40) and TimeInForce(59) of `into` are ones that go together, or the reason why not. */
export function faultOfType(kind: number, into: Command): Reason {
  const combination = combinationOf(into.ordType);
  if (combination === undefined) return Reason.OrdTypeUnsupported;
  return holds(timesInForceOf(combination, kind), into.timeInForce)
    ? Reason.None
    : Reason.TimeInForceUnsupported;
}

/**
 * Fills prices, quantities, conditions and expiry and returns the first reason to refuse them. `into.ordType` and
 * `into.timeInForce` are set, if to a combination that {@link faultOfType} refuses; then nothing is forbidden here.
 */
export function putTerms(
  message: FixMessage,
  fields: OrderFields,
  instrument: Instrument,
  isNew: boolean,
  into: Command,
): Reason {
  const { ordType, timeInForce } = into;
  const combination = combinationOf(ordType);
  const price = priceOf(message, fields.price, instrument, combination);
  const stopPx = stopPxOf(message, fields.stopPx, instrument, combination);
  const qty = qtyOf(message, fields.orderQty, instrument);
  const most = qty > 0 ? qty : instrument.maxOrderQtyLots;
  const mayFloor = combination === undefined || holds(combination.maxFloor, timeInForce);
  const maxFloor = fields.maxFloor < 0
    ? 0
    : mayFloor
    ? partOf(message, fields.maxFloor, instrument, most, Reason.MaxFloorInvalid)
    : -Reason.MaxFloorForbidden;
  const mayMinQty = combination === undefined || isNew && holds(combination.minQty, timeInForce);
  const minQty = fields.minQty < 0
    ? 0
    : mayMinQty
    ? partOf(message, fields.minQty, instrument, most, Reason.MinQtyInvalid)
    : -Reason.MinQtyForbidden;
  const execInst = execInstOf(message, fields, timeInForce, combination);
  const expireUs = expireUsOf(message, fields, timeInForce);
  into.priceTicks = taken(price);
  into.stopPxTicks = taken(stopPx);
  into.qtyLots = taken(qty);
  into.maxFloorLots = taken(maxFloor);
  into.minQtyLots = taken(minQty);
  into.execInst = taken(execInst);
  into.expireUs = taken(expireUs);
  if (price < 0) return -price as Reason;
  if (stopPx < 0) return -stopPx as Reason;
  if (qty < 0) return -qty as Reason;
  if (maxFloor < 0) return -maxFloor as Reason;
  if (minQty < 0) return -minQty as Reason;
  if (execInst < 0) return -execInst as Reason;
  if (expireUs < 0) return -expireUs as Reason;
  return Reason.None;
}

/**
 * Fills account and self-match prevention: of the message, else of the firm. Returns the index of the field that cannot
 * be taken, else -1.
 */
export function putOwner(message: FixMessage, fields: OrderFields, firm: Firm, into: Command): number {
  const { buffer, valueStart, valueEnd } = message;
  const { account, smpId, smpInstruction } = fields;
  if (account >= 0) into.account = accountOf(buffer, valueStart[account], valueEnd[account]);
  into.smpAction = firm.smpAction ?? SmpAction.None;
  let culprit = -1;
  if (smpId >= 0) {
    const id = parseInteger(buffer, valueStart[smpId], valueEnd[smpId]);
    if (id >= 1 && id <= MAX_SMP_ID) into.smpId = id;
    else culprit = smpId;
  }
  if (smpInstruction >= 0) {
    const action = valueEnd[smpInstruction] - valueStart[smpInstruction] === 1
      ? smpActionOf(buffer[valueStart[smpInstruction]])
      : -1;
    if (action >= 0) into.smpAction = action;
    else if (culprit < 0) culprit = smpInstruction;
  }
  return culprit;
}

/** The action of a SelfMatchPreventionInstruction(8000) character, -1 for none of them. */
function smpActionOf(charCode: number): number {
  switch (charCode) {
    case 79: // O
      return SmpAction.CancelResting;
    case 78: // N
      return SmpAction.CancelAggressor;
    case 66: // B
      return SmpAction.CancelBoth;
    case 68: // D
      return SmpAction.Decrement;
    case 88: // X
      return SmpAction.None;
    default:
      return -1;
  }
}

/** What counts of a value that may be a negated reason. */
function taken(value: number): number {
  return value > 0 ? value : 0;
}

/** Ticks; 0 for an order without a price; a negated reason. */
function priceOf(
  message: FixMessage,
  index: number,
  instrument: Instrument,
  combination: Combination | undefined,
): number {
  if (combination !== undefined && !combination.price) return index < 0 ? 0 : -Reason.PriceForbidden;
  if (index < 0) return -Reason.PriceMissing;
  return priceTicksOf(message.buffer, message.valueStart[index], message.valueEnd[index], instrument);
}

/** Ticks; 0 for an order that is no stop; a negated reason. */
function stopPxOf(
  message: FixMessage,
  index: number,
  instrument: Instrument,
  combination: Combination | undefined,
): number {
  if (combination?.stopPx === false && index >= 0) return -Reason.StopPxForbidden;
  if (index < 0) return combination?.stopPx === true ? -Reason.StopPxMissing : 0;
  return stopPxTicksOf(message.buffer, message.valueStart[index], message.valueEnd[index], instrument);
}

/** Lots, or a negated reason. */
function qtyOf(message: FixMessage, index: number, instrument: Instrument): number {
  if (index < 0) return -Reason.QtyNotPositive;
  return qtyLotsOf(message.buffer, message.valueStart[index], message.valueEnd[index], instrument);
}

function partOf(
  message: FixMessage,
  index: number,
  instrument: Instrument,
  mostLots: number,
  reason: Reason,
): number {
  const { buffer, valueStart, valueEnd } = message;
  return partLotsOf(buffer, valueStart[index], valueEnd[index], instrument, mostLots, reason);
}

/** ExecInst bits, 0 for none, or a negated reason. */
function execInstOf(
  message: FixMessage,
  fields: OrderFields,
  timeInForce: number,
  combination: Combination | undefined,
): number {
  const index = fields.execInst;
  if (index < 0) return 0;
  const { buffer, valueStart, valueEnd } = message;
  const isPostOnly = valueEnd[index] - valueStart[index] === 1 && buffer[valueStart[index]] === POST_ONLY;
  const mayPost = combination === undefined || holds(combination.postOnly, timeInForce) && fields.minQty < 0;
  return isPostOnly && mayPost ? ExecInst.PostOnly : -Reason.ExecInstForbidden;
}

/** Microseconds, 0 for an order that does not expire, or a negated reason. */
function expireUsOf(message: FixMessage, fields: OrderFields, timeInForce: number): number {
  const { buffer, valueStart, valueEnd } = message;
  const { expireDate, expireTime } = fields;
  if (expireDate < 0 && expireTime < 0) {
    return timeInForce === TimeInForce.GoodTillDate ? -Reason.ExpireMissing : 0;
  }
  if (timeInForce !== TimeInForce.GoodTillDate || expireDate >= 0 && expireTime >= 0) {
    return -Reason.ExpireForbidden;
  }
  const us = expireDate >= 0
    ? expireUsOfDate(buffer, valueStart[expireDate], valueEnd[expireDate])
    : expireUsOfTime(buffer, valueStart[expireTime], valueEnd[expireTime]);
  return isExpiry(us) ? us : -Reason.ExpirePast;
}
