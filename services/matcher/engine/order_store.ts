/**
 * The records of all orders, open and remembered, 64 bytes each. Owns allocation of slots; knows nothing of books or
 * ClOrdIDs. Pure.
 */
import { OrdStatus } from "../../../shared/protocol/mod.ts";
import type { Memory } from "./memory.ts";

/**
 * Where each field of an order record is, in 32-bit words. Users take these apart in their own module's scope: V8 folds
 * a module's own constants into the code, but loads imported ones each time (a fifth of bench/micro/book.ts).
 */
export const ORDER_LAYOUT = {
  /** 32-bit words per order record; words 0 and 1 hold the OrderID as a double. */
  ORDER_WORDS: 16,
  /** Price, ticks; 0 for a market order. */
  ORDER_PRICE: 2,
  /** OrderQty, lots. */
  ORDER_QTY: 3,
  /** CumQty, lots. Invariant: 0 ≤ CumQty ≤ OrderQty. */
  ORDER_CUM: 4,
  /** Low 32 bits of the sum of LastPx × LastQty. */
  ORDER_NOTIONAL_LOW: 5,
  /** High 32 bits of the same. */
  ORDER_NOTIONAL_HIGH: 6,
  /** Next younger order at the level, or the next free slot. */
  ORDER_NEXT: 7,
  /** Next older order at the level. */
  ORDER_PREV: 8,
  /** Level that the order rests at; 0 when it does not rest. */
  ORDER_LEVEL: 9,
  /** Entry of the ClOrdID that the order goes by now, or went by last. */
  ORDER_ENTRY: 10,
  /** Session id, low 16 bits; firm id, high 16 bits. */
  ORDER_OWNER: 11,
  /** Next order of the same OrderID bucket. */
  ORDER_CHAIN: 12,
  /** Record of what only some orders have (order_extra.ts), 0 for none. */
  ORDER_EXTRA: 13,
  /** Instrument id, 16 bits; Side << 16, 2 bits; OrdType << 18, 6 bits; TimeInForce << 24, 6 bits. */
  ORDER_TERMS: 14,
  /** OrdStatus, low 4 bits; above, how many ClOrdID entries name the order: ≥ 1 while it is known by name. */
  ORDER_STATUS: 15,
  /** What {@link ORDER_STATUS} grows by per ClOrdID entry. */
  ORDER_REF: 16,
} as const;

const {
  ORDER_WORDS,
  ORDER_QTY,
  ORDER_CUM,
  ORDER_NOTIONAL_LOW,
  ORDER_NOTIONAL_HIGH,
  ORDER_NEXT,
  ORDER_OWNER,
  ORDER_TERMS,
  ORDER_STATUS,
} = ORDER_LAYOUT;
const { Filled, PartiallyFilled } = OrdStatus;
const STATUS_BITS = 15;
/** What a double is multiplied with to give its bits from 32 upwards. */
const WORD_SHARE = 1 / 2 ** 32;

/** {@link ORDER_TERMS} of its parts. */
export function packTerms(instrument: number, side: number, ordType: number, timeInForce: number): number {
  return instrument | side << 16 | ordType << 18 | timeInForce << 24;
}

/** The instrument in packed terms. */
export function instrumentOf(terms: number): number {
  return terms & 0xffff;
}

/** Side(54) in packed terms. */
export function sideOf(terms: number): number {
  return terms >> 16 & 3;
}

/** OrdType(40) in packed terms. */
export function ordTypeOf(terms: number): number {
  return terms >> 18 & 63;
}

/** TimeInForce(59) in packed terms. */
export function timeInForceOf(terms: number): number {
  return terms >> 24 & 63;
}

/** OrdStatus in the word {@link ORDER_STATUS}. */
export function statusOf(word: number): number {
  return word & STATUS_BITS;
}

/** Gives an order another OrdStatus. */
export function setStatus(words: Int32Array, order: number, status: number): void {
  words[order + ORDER_STATUS | 0] = words[order + ORDER_STATUS | 0] & ~STATUS_BITS | status;
}

/** LeavesQty of an open order, lots. */
export function leavesOf(words: Int32Array, order: number): number {
  return words[order + ORDER_QTY | 0] - words[order + ORDER_CUM | 0] | 0;
}

/** A pool of order records. */
export class OrderStore {
  /** Orders that may still trade or be cancelled. */
  openCount = 0;
  /** Slots in use, open or remembered. */
  usedCount = 0;
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  readonly #end: number;
  #free = 0;
  #fresh: number;

  /** What {@link OrderStore} takes of the memory for `capacity` orders. */
  static words(capacity: number): number {
    return capacity * ORDER_WORDS;
  }

  /** A pool of `capacity` orders. */
  constructor(memory: Memory, capacity: number) {
    this.#words = memory.words;
    this.#doubles = memory.doubles;
    this.#fresh = memory.take(OrderStore.words(capacity));
    this.#end = this.#fresh + OrderStore.words(capacity);
  }

  /** Takes a slot; the caller fills every word. Throws when none is left: the registry's limits make that a bug. */
  take(): number {
    this.usedCount = this.usedCount + 1 | 0;
    const free = this.#free;
    if (free !== 0) {
      this.#free = this.#words[free + ORDER_NEXT | 0];
      return free;
    }
    const fresh = this.#fresh;
    if (fresh >= this.#end) throw new Error("Cannot take an order slot: the pool is exhausted");
    this.#fresh = fresh + ORDER_WORDS | 0;
    return fresh;
  }

  /** Returns a slot. */
  release(order: number): void {
    const words = this.#words;
    this.usedCount = this.usedCount - 1 | 0;
    words[order] = 0;
    words[order + 1 | 0] = 0;
    words[order + ORDER_STATUS | 0] = 0;
    words[order + ORDER_NEXT | 0] = this.#free;
    this.#free = order;
  }

  orderId(order: number): number {
    return this.#doubles[order >> 1];
  }

  session(order: number): number {
    return this.#words[order + ORDER_OWNER | 0] & 0xffff;
  }

  firm(order: number): number {
    return this.#words[order + ORDER_OWNER | 0] >>> 16;
  }

  side(order: number): number {
    return sideOf(this.#words[order + ORDER_TERMS | 0]);
  }

  instrument(order: number): number {
    return instrumentOf(this.#words[order + ORDER_TERMS | 0]);
  }

  /** Whether the order may still trade, be replaced or be cancelled. */
  isOpen(order: number): boolean {
    return (this.#words[order + ORDER_STATUS | 0] & STATUS_BITS) <= PartiallyFilled;
  }
}

/**
 * Books a fill of both orders in the memory's words: CumQty, notional and OrdStatus, which becomes Filled when nothing is
 * left.
 */
export function fillBoth(
  words: Int32Array,
  one: number,
  other: number,
  priceTicks: number,
  qtyLots: number,
): void {
  const product = priceTicks * qtyLots;
  const low = Math.imul(priceTicks, qtyLots);
  let high = product * WORD_SHARE | 0;
  if (product >= 2 ** 53) {
    const upper = priceTicks * (qtyLots >>> 16);
    const sum = (upper & 0xffff) * 65536 + priceTicks * (qtyLots & 0xffff);
    high = Math.floor(upper / 65536) + Math.floor(sum / 2 ** 32) | 0;
  }
  fill(words, one, qtyLots, low, high);
  fill(words, other, qtyLots, low, high);
}

/** One of the two; `low` and `high` are the bits of LastPx × LastQty. */
function fill(words: Int32Array, order: number, qtyLots: number, low: number, high: number): void {
  const cum = words[order + ORDER_CUM | 0] + qtyLots | 0;
  words[order + ORDER_CUM | 0] = cum;
  const status = cum === words[order + ORDER_QTY | 0] ? Filled : PartiallyFilled;
  words[order + ORDER_STATUS | 0] = words[order + ORDER_STATUS | 0] & ~STATUS_BITS | status;
  const before = words[order + ORDER_NOTIONAL_LOW | 0];
  const sum = before + low | 0;
  const carry = (before & low | (before | low) & ~sum) >>> 31;
  words[order + ORDER_NOTIONAL_LOW | 0] = sum;
  words[order + ORDER_NOTIONAL_HIGH | 0] = words[order + ORDER_NOTIONAL_HIGH | 0] + high + carry | 0;
}
