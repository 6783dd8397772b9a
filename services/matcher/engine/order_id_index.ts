/**
 * OrderID → order slot: buckets of orders chained through their own records. Owns the buckets and ORDER_CHAIN. Pure.
 */
import { MAX_BATCH_COMMANDS, type OrderId } from "../../../shared/protocol/mod.ts";
import { ORDER_LAYOUT, type OrderStore } from "./order_store.ts";

const { ORDER_WORDS, ORDER_CHAIN } = ORDER_LAYOUT;

/** A message of CMD_s spans this many OrderIDs, inverted. */
const PER_MESSAGE = 1 / MAX_BATCH_COMMANDS;

/** The table grows with what is in it. */
const FIRST_BUCKETS = 4096;

/** Every order of the shard by its OrderID. */
export class OrderIdIndex {
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  /** First order of each bucket; a power of two of them, at least as many as orders. */
  #buckets = new Int32Array(FIRST_BUCKETS);
  #mask = FIRST_BUCKETS - 1;
  #count = 0;

  constructor(orders: OrderStore) {
    this.#words = orders.words;
    this.#doubles = orders.doubles;
  }

  /** The order's slot, or 0. */
  find(orderId: OrderId): number {
    const words = this.#words;
    const doubles = this.#doubles;
    let order = this.#buckets[hashOf(orderId) & this.#mask];
    while (order !== 0 && doubles[order * 8] !== orderId) order = words[order * ORDER_WORDS + ORDER_CHAIN];
    return order;
  }

  /** Adds an order by the OrderID in its record, which must be new. */
  add(order: number): void {
    if (++this.#count > this.#buckets.length) this.#grow();
    const words = this.#words;
    const doubles = this.#doubles;
    const base = order * ORDER_WORDS;
    const bucket = hashOf(doubles[order * 8]) & this.#mask;
    words[base + ORDER_CHAIN] = this.#buckets[bucket];
    this.#buckets[bucket] = order;
  }

  /** Takes an order out; its record must still hold its OrderID. */
  remove(order: number): void {
    const words = this.#words;
    const doubles = this.#doubles;
    const base = order * ORDER_WORDS;
    const bucket = hashOf(doubles[order * 8]) & this.#mask;
    this.#count--;
    const first = this.#buckets[bucket];
    if (first === order) {
      this.#buckets[bucket] = words[base + ORDER_CHAIN];
      return;
    }
    let before = first;
    while (words[before * ORDER_WORDS + ORDER_CHAIN] !== order) {
      before = words[before * ORDER_WORDS + ORDER_CHAIN];
    }
    words[before * ORDER_WORDS + ORDER_CHAIN] = words[base + ORDER_CHAIN];
  }

  #grow(): void {
    const old = this.#buckets;
    const words = this.#words;
    const doubles = this.#doubles;
    this.#buckets = new Int32Array(old.length * 2);
    this.#mask = old.length * 2 - 1;
    for (let first = 0; first < old.length; first++) {
      for (let order = old[first]; order !== 0;) {
        const base = order * ORDER_WORDS;
        const next = words[base + ORDER_CHAIN];
        const bucket = hashOf(doubles[order * 8]) & this.#mask;
        words[base + ORDER_CHAIN] = this.#buckets[bucket];
        this.#buckets[bucket] = order;
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
  const sequence = orderId * PER_MESSAGE | 0;
  return sequence + (Math.imul(orderId & MAX_BATCH_COMMANDS - 1, 0x9e3779b1) >>> 4) | 0;
}
