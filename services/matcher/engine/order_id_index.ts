/**
 * OrderID → order slot: buckets of orders chained through their own records. Owns the buckets and ORDER_CHAIN. Pure.
 */
import { MAX_BATCH_COMMANDS, type OrderId } from "../../../shared/protocol/mod.ts";
import { type Memory, powerOfTwo } from "./memory.ts";
import { ORDER_LAYOUT } from "./order_store.ts";

const { ORDER_CHAIN } = ORDER_LAYOUT;
const MAX_INDEX = MAX_BATCH_COMMANDS - 1;
/** What an OrderID is multiplied with to give the sequence of its message. */
const MESSAGE_SHARE = 1 / MAX_BATCH_COMMANDS;

/** The table grows with what is in it. */
const FIRST_BUCKETS = 16_384;
/** At least this many buckets per order, so that removal seldom follows a chain. */
const BUCKETS_PER_ORDER = 2;

/** Every order of the shard by its OrderID. */
export class OrderIdIndex {
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  /** First order of each bucket; a power of two of them. */
  readonly #buckets: number;
  #mask = FIRST_BUCKETS - 1;
  #count = 0;

  /** What an index takes of the memory for `capacity` orders. */
  static words(capacity: number): number {
    return Math.max(FIRST_BUCKETS, powerOfTwo(capacity * BUCKETS_PER_ORDER));
  }

  /** An index of at most `capacity` orders. */
  constructor(memory: Memory, capacity: number) {
    this.#words = memory.words;
    this.#doubles = memory.doubles;
    this.#buckets = memory.take(OrderIdIndex.words(capacity));
  }

  /** The order's slot, or 0. */
  find(orderId: OrderId): number {
    const words = this.#words;
    const doubles = this.#doubles;
    let order = words[this.#buckets + (hashOf(orderId) & this.#mask) | 0];
    while (order !== 0 && doubles[order >> 1] !== orderId) order = words[order + ORDER_CHAIN | 0];
    return order;
  }

  /** Adds an order by the OrderID in its record, which must be new. */
  add(order: number): void {
    this.#count = this.#count + 1 | 0;
    if ((this.#count * BUCKETS_PER_ORDER | 0) > (this.#mask + 1 | 0)) this.#grow();
    const words = this.#words;
    const bucket = this.#buckets + (hashOf(this.#doubles[order >> 1]) & this.#mask) | 0;
    words[order + ORDER_CHAIN | 0] = words[bucket];
    words[bucket] = order;
  }

  /** Takes an order out; its record must still hold its OrderID. */
  remove(order: number): void {
    const words = this.#words;
    const bucket = this.#buckets + (hashOf(this.#doubles[order >> 1]) & this.#mask) | 0;
    this.#count = this.#count - 1 | 0;
    let before = words[bucket];
    if (before === order) {
      words[bucket] = words[order + ORDER_CHAIN | 0];
      return;
    }
    let next = words[before + ORDER_CHAIN | 0];
    while (next !== order) {
      before = next;
      next = words[before + ORDER_CHAIN | 0];
    }
    words[before + ORDER_CHAIN | 0] = words[order + ORDER_CHAIN | 0];
  }

  /** Doubles the buckets in place: each gives some of its orders to its image in the upper half. */
  #grow(): void {
    const words = this.#words;
    const old = this.#mask + 1;
    this.#mask = old * 2 - 1;
    for (let bucket = this.#buckets; bucket < this.#buckets + old; bucket++) {
      let order = words[bucket];
      words[bucket] = 0;
      while (order !== 0) {
        const next = words[order + ORDER_CHAIN | 0];
        const to = this.#buckets + (hashOf(this.#doubles[order >> 1]) & this.#mask) | 0;
        words[order + ORDER_CHAIN | 0] = words[to];
        words[to] = order;
        order = next;
      }
    }
  }
}

/**
 * Orders of one command index lie in a run of buckets, in the order of their messages: orders that come one after the
 * other share cache lines, whether messages hold one command or many.
 */
function hashOf(orderId: OrderId): number {
  const sequence = orderId * MESSAGE_SHARE | 0;
  return sequence + (Math.imul(orderId & MAX_INDEX, 0x9e3779b1) >>> 4) | 0;
}
