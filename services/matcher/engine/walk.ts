/**
 * The open orders of an instrument in the order in which mass actions take them: buys best price first, oldest first;
 * sells likewise; stop buys, stop sells, what is triggered first first; orders parked for the close. Owns a list of them
 * that is filled before anything happens to one. Pure.
 */
import { Side } from "../../../shared/protocol/mod.ts";
import { bookOf, LEVEL_LAYOUT, type LevelStore } from "./level_store.ts";
import type { Memory } from "./memory.ts";
import { ORDER_LAYOUT, sideOf } from "./order_store.ts";

const { LEVEL_HEAD, LEVEL_NEXT } = LEVEL_LAYOUT;
const { ORDER_NEXT, ORDER_TERMS } = ORDER_LAYOUT;
const { Buy, Sell } = Side;

/** A list of orders, one instrument's at a time. */
export class Walk {
  /** Orders in the list. */
  count = 0;
  readonly #words: Int32Array;
  readonly #levels: LevelStore;
  readonly #list: number;

  /** What a walk takes of the memory for `capacity` open orders. */
  static words(capacity: number): number {
    return capacity;
  }

  /** Room for `capacity` open orders. */
  constructor(memory: Memory, levels: LevelStore, capacity: number) {
    this.#words = memory.words;
    this.#levels = levels;
    this.#list = memory.take(Walk.words(capacity));
  }

  /** The order at `index`, 0 … count - 1. Only valid as long as it is open. */
  at(index: number): number {
    return this.#words[this.#list + index | 0];
  }

  /** Lists what is in an instrument's books; returns {@link count}. */
  books(instrument: number): number {
    this.count = 0;
    this.#add(bookOf(instrument, Buy), 0);
    this.#add(bookOf(instrument, Sell), 0);
    return this.count;
  }

  /** Lists all open orders of a side (0: both) of an instrument; returns {@link count}. */
  all(instrument: number, side: number): number {
    this.count = 0;
    if (side !== Sell) this.#add(bookOf(instrument, Buy), 0);
    if (side !== Buy) this.#add(bookOf(instrument, Sell), 0);
    if (side !== Sell) this.#add(this.#levels.stopBook(instrument, Buy), 0);
    if (side !== Buy) this.#add(this.#levels.stopBook(instrument, Sell), 0);
    return this.#add(this.#levels.parkedBook(instrument), side);
  }

  /** Lists an instrument's parked orders; returns {@link count}. */
  parked(instrument: number): number {
    this.count = 0;
    return this.#add(this.#levels.parkedBook(instrument), 0);
  }

  #add(book: number, side: number): number {
    const words = this.#words;
    for (let level = this.#levels.best(book); level !== 0; level = words[level + LEVEL_NEXT | 0]) {
      for (let order = words[level + LEVEL_HEAD | 0]; order !== 0; order = words[order + ORDER_NEXT | 0]) {
        if (side !== 0 && sideOf(words[order + ORDER_TERMS | 0]) !== side) continue;
        words[this.#list + this.count++ | 0] = order;
      }
    }
    return this.count;
  }
}
