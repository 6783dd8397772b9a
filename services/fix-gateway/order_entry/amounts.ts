/**
 * Price(44), StopPx(99), OrderQty(38), MaxFloor(111) and MinQty(110) bytes → ticks and lots, by exact integer
 * arithmetic; OrderID(37) and Account(1) bytes → numbers. Owns the business rules on a single amount: tick, lot, sign and
 * limit. Pure. Allocates nothing.
 */
import { DECIMAL_INEXACT, DECIMAL_TOO_LARGE, parseDecimal } from "../../../shared/codec/fix/decimal.ts";
import {
  type Instrument,
  MAX_BATCH_COMMANDS,
  MAX_PRICE_TICKS,
  MAX_SEQUENCE,
  type OrderId,
  orderIdOf,
  Reason,
} from "../../../shared/protocol/mod.ts";

const MINUS = 45;

/** Ticks (1 … 2^31-1) of a price, or the negated {@link Reason} why it is none. */
export function priceTicksOf(buffer: Uint8Array, start: number, end: number, instrument: Instrument): number {
  if (buffer[start] === MINUS) return -Reason.PriceNotPositive;
  const units = parseDecimal(buffer, start, end, instrument.priceScale);
  if (units === DECIMAL_INEXACT) return -Reason.PriceOffTick;
  if (units === DECIMAL_TOO_LARGE) return -Reason.PriceOverLimit;
  if (!(units > 0)) return -Reason.PriceNotPositive;
  if (units % instrument.tickUnits !== 0) return -Reason.PriceOffTick;
  const ticks = units / instrument.tickUnits;
  return ticks > MAX_PRICE_TICKS ? -Reason.PriceOverLimit : ticks;
}

/** Lots (1 … the instrument's limit) of a quantity, or the negated {@link Reason} why it is none. */
export function qtyLotsOf(buffer: Uint8Array, start: number, end: number, instrument: Instrument): number {
  if (buffer[start] === MINUS) return -Reason.QtyNotPositive;
  const units = parseDecimal(buffer, start, end, instrument.qtyScale);
  if (units === DECIMAL_INEXACT) return -Reason.QtyOffLot;
  if (units === DECIMAL_TOO_LARGE) return -Reason.QtyOverLimit;
  if (!(units > 0)) return -Reason.QtyNotPositive;
  if (units % instrument.lotUnits !== 0) return -Reason.QtyOffLot;
  const lots = units / instrument.lotUnits;
  return lots > instrument.maxOrderQtyLots ? -Reason.QtyOverLimit : lots;
}

/** Ticks (1 … 2^31-1) of a stop price, or the negated {@link Reason} why it is none. */
export function stopPxTicksOf(
  buffer: Uint8Array,
  start: number,
  end: number,
  instrument: Instrument,
): number {
  const ticks = priceTicksOf(buffer, start, end, instrument);
  if (ticks > 0) return ticks;
  return ticks === -Reason.PriceOffTick ? -Reason.StopPxOffTick : -Reason.StopPxNotPositive;
}

/** Lots (1 … `mostLots`) of a part of an order's quantity, or the negated `reason`. */
export function partLotsOf(
  buffer: Uint8Array,
  start: number,
  end: number,
  instrument: Instrument,
  mostLots: number,
  reason: Reason,
): number {
  const lots = qtyLotsOf(buffer, start, end, instrument);
  return lots > 0 && lots <= mostLots ? lots : -reason;
}

/** FNV-1a, 32 bits, of an account's bytes; never 0, which stands for no account. */
export function accountOf(buffer: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ buffer[i], 0x01000193);
  return hash >>> 0 || 1;
}

/**
 * The order that OrderID(37) bytes of this shard name; 0 for `NONE`, which is what this venue writes for no order;
 * -1 for anything that `formatOrderId` would not have written for an order of this shard.
 */
export function orderIdOfBytes(shard: number, buffer: Uint8Array, start: number, end: number): OrderId {
  if (isNone(buffer, start, end)) return 0;
  const first = buffer.indexOf(HYPHEN, start);
  const second = first < 0 ? -1 : buffer.indexOf(HYPHEN, first + 1);
  if (second < 0 || second >= end) return -1;
  if (naturalOf(buffer, start, first) !== shard) return -1;
  const sequence = naturalOf(buffer, first + 1, second);
  const index = naturalOf(buffer, second + 1, end);
  if (sequence < 1 || sequence > MAX_SEQUENCE || index < 0 || index >= MAX_BATCH_COMMANDS) return -1;
  return orderIdOf(sequence, index);
}

const HYPHEN = 45;
const NONE = [78, 79, 78, 69];

function isNone(buffer: Uint8Array, start: number, end: number): boolean {
  if (end - start !== NONE.length) return false;
  for (let i = 0; i < NONE.length; i++) if (buffer[start + i] !== NONE[i]) return false;
  return true;
}

/** The number that 1 … 13 digits without leading zeros spell, else -1. */
function naturalOf(buffer: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 1 || length > 13 || (length > 1 && buffer[start] === 48)) return -1;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = buffer[i] - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}
