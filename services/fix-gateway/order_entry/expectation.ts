/**
 * What order entry would have accepted instead of what it refuses: the middle of a refusal's Text(58). Owns a phrase for
 * every reason that needs no book. Slow path. Pure.
 */
import type { Command } from "../../../shared/codec/wire/mod.ts";
import { decimalText, qtyText } from "../../../shared/protocol/execution.ts";
import {
  charOfCode,
  CommandKind,
  type Instrument,
  MAX_PRICE_TICKS,
  Reason,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import { combinationOf, holds, ORD_TYPES, timesInForceOf } from "./combinations.ts";
import { CHECKED_VALUES, EMPTY_GROUP_TAGS } from "./field_rules.ts";
import { MAX_SMP_ID } from "./order_terms.ts";

/** The last day and instant that an expiry can be: see isExpiry. */
const [LAST_DAY, LAST_TIME] = ["22550604", "22550605-23:47:34.740991"];

/** Reasons that order entry refuses for; the others need a book. */
export type EntryReason =
  | typeof Reason.UnknownSymbol
  | typeof Reason.UnknownOrder
  | typeof Reason.OrdTypeUnsupported
  | typeof Reason.TimeInForceUnsupported
  | typeof Reason.FieldUnsupported
  | typeof Reason.PriceMissing
  | typeof Reason.PriceForbidden
  | typeof Reason.PriceNotPositive
  | typeof Reason.PriceOffTick
  | typeof Reason.PriceOverLimit
  | typeof Reason.StopPxMissing
  | typeof Reason.StopPxForbidden
  | typeof Reason.StopPxNotPositive
  | typeof Reason.StopPxOffTick
  | typeof Reason.QtyNotPositive
  | typeof Reason.QtyOffLot
  | typeof Reason.QtyOverLimit
  | typeof Reason.MaxFloorForbidden
  | typeof Reason.MaxFloorInvalid
  | typeof Reason.MinQtyForbidden
  | typeof Reason.MinQtyInvalid
  | typeof Reason.ExecInstForbidden
  | typeof Reason.ExpireForbidden
  | typeof Reason.ExpireMissing
  | typeof Reason.ExpirePast;

/**
 * What would have been accepted instead in field `tag`. `asked` is the command as far as it was understood, before it
 * became a RefuseOrder; `instrument` is null only for UnknownSymbol.
 */
export function expectationOf(
  reason: EntryReason,
  asked: Command,
  tag: number,
  instrument: Instrument | null,
): string {
  switch (reason) {
    case Reason.UnknownSymbol:
      return "a listed symbol";
    case Reason.UnknownOrder:
      return "an order of this venue";
    case Reason.OrdTypeUnsupported:
      return listOf(ORD_TYPES);
    case Reason.TimeInForceUnsupported:
      return `${timesInForce(asked)} with OrdType(40) ${character(asked.ordType)}`;
    case Reason.FieldUnsupported:
      return expectationOfField(tag);
    case Reason.PriceMissing:
    case Reason.StopPxMissing:
      return `a value with OrdType(40) ${character(asked.ordType)}`;
    case Reason.PriceForbidden:
    case Reason.StopPxForbidden:
      return `none with OrdType(40) ${character(asked.ordType)}`;
    case Reason.PriceNotPositive:
    case Reason.QtyNotPositive:
      return "a value above 0";
    case Reason.PriceOffTick:
    case Reason.StopPxOffTick:
      return `a multiple of ${instrument?.tick ?? "the tick"}`;
    case Reason.PriceOverLimit:
      return instrument === null ? "less" : `at most ${maxPriceText(instrument)}`;
    case Reason.StopPxNotPositive:
      return instrument === null ? "a value above 0" : `a value above 0, at most ${maxPriceText(instrument)}`;
    case Reason.QtyOffLot:
      return `a multiple of ${instrument?.lot ?? "the lot"}`;
    case Reason.QtyOverLimit:
      return instrument === null ? "less" : `at most ${qtyText(instrument.maxOrderQtyLots, instrument)}`;
    case Reason.MinQtyForbidden:
      if (asked.kind === CommandKind.ReplaceOrder) return "none in a replacement";
    // falls through
    case Reason.MaxFloorForbidden:
      return `none in an order of OrdType(40) ${character(asked.ordType)} and TimeInForce(59) ${
        character(asked.timeInForce)
      }`;
    case Reason.MaxFloorInvalid:
    case Reason.MinQtyInvalid:
      return `a multiple of ${instrument?.lot ?? "the lot"} above 0, at most OrderQty(38)`;
    case Reason.ExecInstForbidden:
      return expectationOfExecInst(asked);
    case Reason.ExpireForbidden:
      return expectationOfExpiry(asked);
    case Reason.ExpireMissing:
      return "a time, or a day in ExpireDate(432), with TimeInForce(59) 6";
    case Reason.ExpirePast:
      return tag === 432
        ? `a day that is not over, at most ${LAST_DAY}`
        : `a time that is to come, at most ${LAST_TIME}`;
  }
}

/** MinQty in a replacement, and what an order's own combination does not go with. */
function expectationOfExecInst(asked: Command): string {
  const { ordType, timeInForce } = asked;
  const combination = combinationOf(ordType);
  if (combination === undefined || holds(combination.postOnly, timeInForce)) {
    return "6 alone, and no MinQty(110)";
  }
  return `none in an order of OrdType(40) ${character(ordType)} and TimeInForce(59) ${
    character(timeInForce)
  }`;
}

function expectationOfExpiry({ timeInForce }: Command): string {
  return timeInForce === TimeInForce.GoodTillDate
    ? "none beside ExpireDate(432)"
    : `none with TimeInForce(59) ${character(timeInForce)}`;
}

function timesInForce(asked: Command): string {
  const combination = combinationOf(asked.ordType);
  const allowed = combination === undefined ? 0 : timesInForceOf(combination, asked.kind);
  return listOf(Object.values(TimeInForce).filter((code) => holds(allowed, code)));
}

/** The largest price that ticks and units both hold. */
/** The highest price of an instrument. */
export function maxPriceText(instrument: Instrument): string {
  const { tickUnits, priceScale } = instrument;
  const ticks = Math.min(MAX_PRICE_TICKS, Math.floor(Number.MAX_SAFE_INTEGER / tickUnits));
  return decimalText(ticks * tickUnits, priceScale);
}

function expectationOfField(tag: number): string {
  if (tag === 54) return "1 or 2";
  if (tag === 7928) return `a whole number from 1 to ${MAX_SMP_ID}`;
  if (tag === 8000) return "O, N, B, D or X";
  if (EMPTY_GROUP_TAGS.includes(tag)) return "no entries";
  return CHECKED_VALUES.get(tag)?.join(" or ") ?? "no such field";
}

/** `1, 2 or K`. */
function listOf(codes: readonly number[]): string {
  const characters = codes.map(character);
  const last = characters.pop() ?? "nothing";
  return characters.length === 0 ? last : `${characters.join(", ")} or ${last}`;
}

function character(code: number): string {
  return String.fromCharCode(charOfCode(code));
}
