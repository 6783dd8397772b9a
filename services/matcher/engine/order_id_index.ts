/**
 * OrderID → order slot: buckets of orders chained through their own records. Owns the buckets and ORDER_CHAIN. Pure.
 */
import type { OrderId } from "../../../shared/protocol/mod.ts";
import { ORDER_LAYOUT, type OrderStore } from "./order_store.ts";

const { ORDER_WORDS, ORDER_CHAIN } = ORDER_LAYOUT;

/** The table grows with what is in it. */
const FIRST_BUCKETS = 4096;

/** Every order of the shard by its OrderID. */
export class OrderIdIndex {
  readonly #orders: OrderStore;
  /** First order of each bucket; a power of two of them, at least as many as orders. */
  #buckets = new Int32Array(FIRST_BUCKETS);
  #mask = FIRST_BUCKETS - 1;
  #count = 0;
  /** An OrderID as a double and as its two words, which are what is hashed. */
  readonly #sought = new Float64Array(1);
  readonly #soughtWords = new Int32Array(this.#sought.buffer);

  constructor(orders: OrderStore) {
    this.#orders = orders;
  }

  /** The order's slot, or 0. */
  find(orderId: OrderId): number {
    const { words, doubles } = this.#orders;
    this.#sought[0] = orderId;
    let order = this.#buckets[hashOf(this.#soughtWords[0], this.#soughtWords[1]) & this.#mask];
    while (order !== 0 && doubles[order * 8] !== orderId) order = words[order * ORDER_WORDS + ORDER_CHAIN];
    return order;
  }

  /** Adds an order by the OrderID in its record, which must be new. */
  add(order: number): void {
    if (++this.#count > this.#buckets.length) this.#grow();
    const { words } = this.#orders;
    const base = order * ORDER_WORDS;
    const bucket = hashOf(words[base], words[base + 1]) & this.#mask;
    words[base + ORDER_CHAIN] = this.#buckets[bucket];
    this.#buckets[bucket] = order;
  }

  /** Takes an order out; its record must still hold its OrderID. */
  remove(order: number): void {
    const { words } = this.#orders;
    const base = order * ORDER_WORDS;
    const bucket = hashOf(words[base], words[base + 1]) & this.#mask;
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
    const { words } = this.#orders;
    this.#buckets = new Int32Array(old.length * 2);
    this.#mask = old.length * 2 - 1;
    for (let first = 0; first < old.length; first++) {
      for (let order = old[first]; order !== 0;) {
        const base = order * ORDER_WORDS;
        const next = words[base + ORDER_CHAIN];
        const bucket = hashOf(words[base], words[base + 1]) & this.#mask;
        words[base + ORDER_CHAIN] = this.#buckets[bucket];
        this.#buckets[bucket] = order;
        order = next;
      }
    }
  }
}

/** Of the two words of an OrderID's double. */
function hashOf(low: number, high: number): number {
  let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ hash >>> 15;
}
