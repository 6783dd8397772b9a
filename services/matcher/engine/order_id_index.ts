/**
 * OrderID → order slot: an open-addressing table with backward-shift deletion over the records of an OrderStore.
 * Pure. Orders of consecutive command messages lie side by side, which spares cache misses; the index inside a
 * message is spread by the golden ratio, so that full batches do not pile up in one place.
 */
import { MAX_BATCH_COMMANDS, type OrderId } from "../../../shared/protocol/mod.ts";
import type { OrderStore } from "./order_store.ts";

/** Every order of the shard by its OrderID. */
export class OrderIdIndex {
  readonly #orders: OrderStore;
  readonly #table: Int32Array;
  readonly #mask: number;
  readonly #shift: number;

  /** Room for `capacity` orders. */
  constructor(capacity: number, orders: OrderStore) {
    let bits = 4;
    while (2 ** bits < capacity * 2) bits++;
    this.#orders = orders;
    this.#table = new Int32Array(2 ** bits);
    this.#mask = 2 ** bits - 1;
    this.#shift = 32 - bits;
  }

  /** The order's slot, or 0. */
  find(orderId: OrderId): number {
    const table = this.#table;
    const ids = this.#orders.doubles;
    for (let slot = this.#home(orderId);; slot = slot + 1 & this.#mask) {
      const order = table[slot];
      if (order === 0 || ids[order * 8] === orderId) return order;
    }
  }

  /** Adds an order by the OrderID in its record, which must be new. */
  add(order: number): void {
    const table = this.#table;
    let slot = this.#home(this.#orders.doubles[order * 8]);
    while (table[slot] !== 0) slot = slot + 1 & this.#mask;
    table[slot] = order;
  }

  /** Takes an order out; its record must still hold its OrderID. */
  remove(order: number): void {
    const table = this.#table;
    const mask = this.#mask;
    const ids = this.#orders.doubles;
    let hole = this.#home(ids[order * 8]);
    while (table[hole] !== order) hole = hole + 1 & mask;
    for (let slot = hole + 1 & mask;; slot = slot + 1 & mask) {
      const mover = table[slot];
      if (mover === 0) break;
      const home = this.#home(ids[mover * 8]);
      if ((slot - home & mask) < (slot - hole & mask)) continue;
      table[hole] = mover;
      hole = slot;
    }
    table[hole] = 0;
  }

  #home(orderId: OrderId): number {
    const sequence = orderId / MAX_BATCH_COMMANDS | 0;
    const index = orderId & (MAX_BATCH_COMMANDS - 1);
    return sequence + (Math.imul(index, 0x9e3779b1) >>> this.#shift) & this.#mask;
  }
}
