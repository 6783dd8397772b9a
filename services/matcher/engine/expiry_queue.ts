/**
 * Which open order expires next: a heap of good-till-date orders by time, then OrderID. Owns the heap and EXTRA_QUEUED
 * of its orders. Pure.
 */
import type { Memory } from "./memory.ts";
import { EXTRA_LAYOUT } from "./order_extra.ts";
import { ORDER_LAYOUT } from "./order_store.ts";

const { ORDER_EXTRA } = ORDER_LAYOUT;
const { EXTRA_QUEUED } = EXTRA_LAYOUT;

/** Orders with an expiry. */
export class ExpiryQueue {
  /** Orders in the queue. */
  count = 0;
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  /** The heap's first place, which is 1. */
  readonly #heap: number;

  /** What a queue takes of the memory for `capacity` orders. */
  static words(capacity: number): number {
    return capacity + 1;
  }

  /** Room for `capacity` orders. */
  constructor(memory: Memory, capacity: number) {
    this.#words = memory.words;
    this.#doubles = memory.doubles;
    this.#heap = memory.take(ExpiryQueue.words(capacity));
  }

  /** The order that expires next, 0 when none does. */
  get first(): number {
    return this.count === 0 ? 0 : this.#words[this.#heap + 1 | 0];
  }

  /** When an order of the queue expires, µs since 1970. */
  timeOf(order: number): number {
    return this.#doubles[this.#words[order + ORDER_EXTRA | 0] >> 1];
  }

  /** Brings the queue in line with the order's expiry, which is there, was changed or is 0 now. */
  update(order: number): void {
    const words = this.#words;
    const extra = words[order + ORDER_EXTRA | 0];
    if (extra === 0) return;
    const place = words[extra + EXTRA_QUEUED | 0];
    if (this.#doubles[extra >> 1] === 0) {
      if (place !== 0) this.remove(order);
    } else if (place === 0) {
      this.#rise(order, ++this.count);
    } else {
      this.#rise(order, place);
      this.#sink(order, words[extra + EXTRA_QUEUED | 0]);
    }
  }

  /** Takes an order out, when it is in. */
  remove(order: number): void {
    const words = this.#words;
    const extra = words[order + ORDER_EXTRA | 0];
    const place = words[extra + EXTRA_QUEUED | 0];
    if (place === 0) return;
    words[extra + EXTRA_QUEUED | 0] = 0;
    const last = words[this.#heap + this.count | 0];
    this.count--;
    if (last === order) return;
    this.#rise(last, place);
    this.#sink(last, words[words[last + ORDER_EXTRA | 0] + EXTRA_QUEUED | 0]);
  }

  /** Puts an order at a place or above it. */
  #rise(order: number, from: number): void {
    let place = from;
    while (place > 1) {
      const above = this.#words[this.#heap + (place >> 1) | 0];
      if (!this.#isBefore(order, above)) break;
      this.#put(above, place);
      place >>= 1;
    }
    this.#put(order, place);
  }

  /** Puts an order at a place or below it. */
  #sink(order: number, from: number): void {
    const words = this.#words;
    const heap = this.#heap;
    let place = from;
    for (let child = place * 2; child <= this.count; child = place * 2) {
      const right = child + 1;
      if (right <= this.count && this.#isBefore(words[heap + right | 0], words[heap + child | 0])) {
        child = right;
      }
      if (!this.#isBefore(words[heap + child | 0], order)) break;
      this.#put(words[heap + child | 0], place);
      place = child;
    }
    this.#put(order, place);
  }

  #put(order: number, place: number): void {
    this.#words[this.#heap + place | 0] = order;
    this.#words[this.#words[order + ORDER_EXTRA | 0] + EXTRA_QUEUED | 0] = place;
  }

  #isBefore(a: number, b: number): boolean {
    const timeA = this.timeOf(a);
    const timeB = this.timeOf(b);
    return timeA < timeB || timeA === timeB && this.#doubles[a >> 1] < this.#doubles[b >> 1];
  }
}
