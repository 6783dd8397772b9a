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
/** How many buckets an addition splits while the table grows: enough that it has grown before it has to again. */
const SPLIT_AT_ONCE = 4;
/** Of the limit of orders: none may be added without a split. */
const GROWING = -1;

/** Every order of the shard by its OrderID. */
export class OrderIdIndex {
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  /** First order of each bucket; a power of two of them. */
  readonly #buckets: number;
  #mask = FIRST_BUCKETS - 1;
  /** Buckets in use: all that #mask allows, fewer while the table grows, and then never less than half of them. */
  #used = FIRST_BUCKETS;
  /** Beyond this many buckets' worth of orders the table grows; {@link GROWING} while it does. */
  #limit = FIRST_BUCKETS;
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
    let order = words[this.#bucketOf(orderId)];
    while (order !== 0 && doubles[order >> 1] !== orderId) order = words[order + ORDER_CHAIN | 0];
    return order;
  }

  /** Adds an order by the OrderID in its record, which must be new. */
  add(order: number): void {
    this.#count = this.#count + 1 | 0;
    if ((this.#count * BUCKETS_PER_ORDER | 0) > this.#limit) this.#grow();
    const words = this.#words;
    const bucket = this.#bucketOf(this.#doubles[order >> 1]);
    words[order + ORDER_CHAIN | 0] = words[bucket];
    words[bucket] = order;
  }

  /** Takes an order out; its record must still hold its OrderID. */
  remove(order: number): void {
    const words = this.#words;
    const bucket = this.#bucketOf(this.#doubles[order >> 1]);
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

  /** The bucket of an OrderID. One that the growing table has not split yet holds its image's orders too. */
  #bucketOf(orderId: OrderId): number {
    const bucket = hashOf(orderId) & this.#mask;
    return this.#buckets + (bucket < this.#used ? bucket : bucket & this.#mask >>> 1) | 0;
  }

  /** Doubles the buckets, a few with each addition: each gives some of its orders to its image in the upper half. */
  #grow(): void {
    const words = this.#words;
    if (this.#limit !== GROWING) {
      this.#mask = this.#mask * 2 + 1;
      this.#limit = GROWING;
    }
    for (let i = 0; i < SPLIT_AT_ONCE; i++) {
      const bucket = this.#buckets + this.#used - (this.#mask + 1 >>> 1);
      this.#used = this.#used + 1 | 0;
      let order = words[bucket];
      words[bucket] = 0;
      while (order !== 0) {
        const next = words[order + ORDER_CHAIN | 0];
        const to = this.#bucketOf(this.#doubles[order >> 1]);
        words[order + ORDER_CHAIN | 0] = words[to];
        words[to] = order;
        order = next;
      }
    }
    if (this.#used > this.#mask) this.#limit = this.#used;
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
