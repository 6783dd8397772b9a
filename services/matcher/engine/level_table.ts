/**
 * The price levels of all books and their order from best to worst, without the orders at them. Owns levels' records,
 * which books there are, and what a command has touched. Pure.
 *
 * Beside its two books an instrument has two of stops, by the price that triggers them, and one of parked orders, which
 * are nobody else's business: no LevelChanged tells of them.
 *
 * A level that a command empties stays until `settle`, so that each touched level is reported once, with its last
 * figures, in the order in which the command first touched them.
 */
import { MAX_PRICE_TICKS, Side } from "../../../shared/protocol/mod.ts";
import { LEVEL_LAYOUT } from "./level_layout.ts";
import type { Memory } from "./memory.ts";
import { PriceTrie } from "./price_trie.ts";

const {
  LEVEL_WORDS,
  LEVEL_PRICE,
  LEVEL_HEAD,
  LEVEL_TAIL,
  LEVEL_COUNT,
  LEVEL_COUNT_BEFORE,
  LEVEL_PREV,
  LEVEL_NEXT,
  LEVEL_BOOK,
} = LEVEL_LAYOUT;
const { Buy, Sell } = Side;
/** Of {@link LEVEL_LAYOUT}: the quantity hidden, in doubles. */
const HIDDEN = 7;
/** Books per instrument: two, two of stops, parked orders, and one that stays empty. */
const BOOKS = 6;

/** The book of an instrument's side. */
export function bookOf(instrumentId: number, side: number): number {
  return instrumentId * 2 + side - Buy;
}

/** Called per changed level. */
export interface LevelListener {
  /** A level's final figures; `orders` 0 when it is gone. */
  levelChanged(instrumentId: number, side: number, priceTicks: number, qtyLots: number, orders: number): void;
}

/** Levels of every book. What changes the figures of one has to {@link touch} it first. */
export class LevelTable {
  /** Levels in use. */
  levelCount = 0;
  /** Levels that the command has touched so far. */
  touchedCount = 0;
  /** First book of stops; the books before it are the ones that people see. */
  protected readonly stopBooks: number;
  protected readonly words: Int32Array;
  protected readonly doubles: Float64Array;
  readonly #trie: PriceTrie;
  /** Best level of each book, 0 when empty. */
  readonly #best: number;
  /** Levels that the command has touched, in that order. */
  readonly #touched: number;
  #free = 0;
  #fresh: number;

  /** What a table takes of the memory; see the constructor. */
  static words(maxInstrumentId: number, maxLevels: number): readonly number[] {
    const books = (maxInstrumentId + 1) * BOOKS;
    return [maxLevels * LEVEL_WORDS, books, maxLevels, ...PriceTrie.words(books, maxLevels)];
  }

  /** Levels for instrument ids up to `maxInstrumentId` and at most `maxLevels` prices with orders or left by a command. */
  constructor(memory: Memory, maxInstrumentId: number, maxLevels: number) {
    const books = (maxInstrumentId + 1) * BOOKS;
    this.words = memory.words;
    this.doubles = memory.doubles;
    this.stopBooks = books / 3;
    this.#fresh = memory.take(maxLevels * LEVEL_WORDS);
    this.#best = memory.take(books);
    this.#touched = memory.take(maxLevels);
    this.#trie = new PriceTrie(memory, books, maxLevels);
  }

  /** The best level of a book, or 0; {@link LEVEL_LAYOUT} has its fields, LEVEL_NEXT leads to the next worse. */
  best(book: number): number {
    return this.words[this.#best + book | 0];
  }

  /** The best level of a book that holds an order, or 0: unlike {@link best} in the middle of a command. */
  bestHeld(book: number): number {
    const words = this.words;
    let level = words[this.#best + book | 0];
    while (level !== 0 && words[level + LEVEL_COUNT | 0] === 0) level = words[level + LEVEL_NEXT | 0];
    return level;
  }

  /** The book of the stops of a side: what is triggered first comes first. */
  stopBook(instrumentId: number, side: number): number {
    return this.stopBooks + bookOf(instrumentId, Buy + Sell - side) | 0;
  }

  /** The book of the orders that wait for the closing auction; all at one price. */
  parkedBook(instrumentId: number): number {
    return this.stopBooks * 2 + bookOf(instrumentId, Buy) | 0;
  }

  /** The instrument of the level that the command touched as number `index`. */
  touchedInstrument(index: number): number {
    return this.words[this.words[this.#touched + index | 0] + LEVEL_BOOK | 0] >> 1;
  }

  /**
   * Ends a command: reports each touched level whose figures changed, and drops those that are empty. Throws when
   * orders and quantity disagree about that: a bug.
   */
  settle(listener: LevelListener): void {
    const words = this.words;
    const count = this.touchedCount;
    for (let i = 0; i < count; i++) {
      const level = words[this.#touched + i | 0];
      const orders = words[level + LEVEL_COUNT | 0];
      const qty = this.doubles[level >> 1];
      const book = words[level + LEVEL_BOOK | 0];
      const price = words[level + LEVEL_PRICE | 0];
      if ((orders === 0) !== (qty === 0)) {
        throw new Error(`Cannot go on: level ${price} has ${orders} orders and ${qty} lots`);
      }
      const changed = orders !== words[level + LEVEL_COUNT_BEFORE | 0] ||
        qty !== this.doubles[(level >> 1) + 1 | 0];
      if (changed) {
        listener.levelChanged(book >> 1, (book & 1) + Buy, price, qty, orders);
      }
      words[level + LEVEL_COUNT_BEFORE | 0] = -1;
      if (orders === 0) this.drop(level, book);
    }
    this.touchedCount = 0;
  }

  /** Whether an instrument's best buy reaches its best sell: never true between commands. */
  isCrossed(instrumentId: number): boolean {
    const words = this.words;
    const buy = words[this.#best + bookOf(instrumentId, Buy) | 0];
    const sell = words[this.#best + bookOf(instrumentId, Sell) | 0];
    if (buy === 0 || sell === 0) return false;
    return words[buy + LEVEL_PRICE | 0] >= words[sell + LEVEL_PRICE | 0];
  }

  /** The level at a price, made when there is none. */
  protected at(book: number, priceTicks: number): number {
    const words = this.words;
    const best = words[this.#best + book | 0];
    if (best !== 0 && words[best + LEVEL_PRICE | 0] === priceTicks) return best;
    const trie = this.#trie;
    const key = keyOf(book, priceTicks);
    const found = trie.find(book, key);
    if (found !== 0) return found;
    let level = this.#free;
    if (level !== 0) {
      this.#free = words[level + LEVEL_NEXT | 0];
    } else {
      level = this.#fresh;
      this.#fresh = level + LEVEL_WORDS;
    }
    this.levelCount = this.levelCount + 1 | 0;
    const neighbour = trie.insert(key, level);
    let prev = 0;
    let next = 0;
    if (neighbour !== 0) {
      if (trie.neighbourIsBefore) {
        prev = neighbour;
        next = words[neighbour + LEVEL_NEXT | 0];
      } else {
        next = neighbour;
        prev = words[neighbour + LEVEL_PREV | 0];
      }
    }
    if (prev === 0) words[this.#best + book | 0] = level;
    else words[prev + LEVEL_NEXT | 0] = level;
    if (next !== 0) words[next + LEVEL_PREV | 0] = level;
    this.doubles[level >> 1] = 0;
    this.doubles[(level >> 1) + HIDDEN | 0] = 0;
    words[level + LEVEL_PRICE | 0] = priceTicks;
    words[level + LEVEL_HEAD | 0] = 0;
    words[level + LEVEL_TAIL | 0] = 0;
    words[level + LEVEL_COUNT | 0] = 0;
    words[level + LEVEL_COUNT_BEFORE | 0] = -1;
    words[level + LEVEL_PREV | 0] = prev;
    words[level + LEVEL_NEXT | 0] = next;
    words[level + LEVEL_BOOK | 0] = book;
    return level;
  }

  /** Says that the command changes a level. */
  protected touch(level: number): void {
    const words = this.words;
    if (words[level + LEVEL_COUNT_BEFORE | 0] >= 0) return;
    words[level + LEVEL_COUNT_BEFORE | 0] = words[level + LEVEL_COUNT | 0];
    this.doubles[(level >> 1) + 1 | 0] = this.doubles[level >> 1];
    words[this.#touched + this.touchedCount | 0] = level;
    this.touchedCount = this.touchedCount + 1 | 0;
  }

  /** Drops a level that holds nothing. */
  protected drop(level: number, book: number): void {
    const words = this.words;
    const prev = words[level + LEVEL_PREV | 0];
    const next = words[level + LEVEL_NEXT | 0];
    if (prev === 0) words[this.#best + book | 0] = next;
    else words[prev + LEVEL_NEXT | 0] = next;
    if (next !== 0) words[next + LEVEL_PREV | 0] = prev;
    this.#trie.remove(book, level);
    words[level + LEVEL_NEXT | 0] = this.#free;
    this.#free = level;
    this.levelCount = this.levelCount - 1 | 0;
  }
}

/** Keys grow from the best price to the worst: buys (even books) count downwards. */
function keyOf(book: number, priceTicks: number): number {
  return (book & 1) === 0 ? MAX_PRICE_TICKS - priceTicks : priceTicks;
}
