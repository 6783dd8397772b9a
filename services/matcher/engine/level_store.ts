/**
 * Price levels of all books: their queues of orders, their sums, and their order from best to worst. Owns levels and
 * an order's place in one; refuses to judge prices or to match. Pure.
 *
 * A level that a command empties stays until `settle`, so that each touched level is reported once, with its last
 * figures, in the order in which the command first touched them.
 */
import { MAX_PRICE_TICKS, Side } from "../../../shared/protocol/mod.ts";
import { LEVEL_LAYOUT } from "./level_layout.ts";
import type { Memory } from "./memory.ts";
import { ORDER_LAYOUT } from "./order_store.ts";
import { PriceTrie } from "./price_trie.ts";

export { LEVEL_LAYOUT } from "./level_layout.ts";

const { ORDER_QTY, ORDER_CUM, ORDER_NEXT, ORDER_PREV, ORDER_LEVEL } = ORDER_LAYOUT;
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

/** The book of an instrument's side. */
export function bookOf(instrumentId: number, side: number): number {
  return instrumentId * 2 + side - Buy;
}

/** Called per changed level. */
export interface LevelListener {
  /** A level's final figures; `orders` 0 when it is gone. */
  levelChanged(instrumentId: number, side: number, priceTicks: number, qtyLots: number, orders: number): void;
}

/** Every book's levels. */
export class LevelStore {
  /** Levels in use. */
  levelCount = 0;
  readonly #words: Int32Array;
  /** `#doubles[level >> 1]` is the sum of LeavesQty at a level, lots. */
  readonly #doubles: Float64Array;
  readonly #trie: PriceTrie;
  /** Best level of each book, 0 when empty. */
  readonly #best: number;
  /** Levels that the command has touched, in that order. */
  readonly #touched: number;
  #touchedCount = 0;
  #free = 0;
  #fresh: number;

  /** What a store takes of the memory; see the constructor. */
  static words(maxInstrumentId: number, maxLevels: number): readonly number[] {
    const books = (maxInstrumentId + 1) * 2;
    return [maxLevels * LEVEL_WORDS, books, maxLevels, ...PriceTrie.words(books, maxLevels)];
  }

  /** Levels for instrument ids up to `maxInstrumentId` and at most `maxLevels` prices with orders. */
  constructor(memory: Memory, maxInstrumentId: number, maxLevels: number) {
    const books = (maxInstrumentId + 1) * 2;
    this.#words = memory.words;
    this.#doubles = memory.doubles;
    this.#fresh = memory.take(maxLevels * LEVEL_WORDS);
    this.#best = memory.take(books);
    this.#touched = memory.take(maxLevels);
    this.#trie = new PriceTrie(memory, books, maxLevels);
  }

  /** The best level of a book, or 0; {@link LEVEL_LAYOUT} has its fields, LEVEL_NEXT leads to the next worse. */
  best(book: number): number {
    return this.#words[this.#best + book | 0];
  }

  /** The sum of LeavesQty at a level, lots. */
  qty(level: number): number {
    return this.#doubles[level >> 1];
  }

  /** Puts an order that rests nowhere behind the others at its price. */
  append(order: number, book: number, priceTicks: number): void {
    const words = this.#words;
    const level = this.#at(book, priceTicks);
    this.#touch(level);
    const tail = words[level + LEVEL_TAIL | 0];
    if (tail === 0) words[level + LEVEL_HEAD | 0] = order;
    else words[tail + ORDER_NEXT | 0] = order;
    words[level + LEVEL_TAIL | 0] = order;
    words[level + LEVEL_COUNT | 0]++;
    this.#doubles[level >> 1] += words[order + ORDER_QTY | 0] - words[order + ORDER_CUM | 0];
    words[order + ORDER_NEXT | 0] = 0;
    words[order + ORDER_PREV | 0] = tail;
    words[order + ORDER_LEVEL | 0] = level;
  }

  /** Takes a resting order out, together with what it still adds to the level: OrderQty - CumQty. */
  remove(order: number): void {
    const words = this.#words;
    const level = words[order + ORDER_LEVEL | 0];
    this.#touch(level);
    const next = words[order + ORDER_NEXT | 0];
    const prev = words[order + ORDER_PREV | 0];
    if (prev === 0) words[level + LEVEL_HEAD | 0] = next;
    else words[prev + ORDER_NEXT | 0] = next;
    if (next === 0) words[level + LEVEL_TAIL | 0] = prev;
    else words[next + ORDER_PREV | 0] = prev;
    words[level + LEVEL_COUNT | 0]--;
    this.#doubles[level >> 1] -= words[order + ORDER_QTY | 0] - words[order + ORDER_CUM | 0];
    words[order + ORDER_LEVEL | 0] = 0;
  }

  /**
   * Takes the oldest orders out: what is left begins at `head` (0 when nothing is), `orders` fewer and `qtyLots` less,
   * partial fills of `head` included. The caller sees to ORDER_LEVEL of those that leave.
   */
  takeFront(level: number, head: number, orders: number, qtyLots: number): void {
    const words = this.#words;
    this.#touch(level);
    this.#doubles[level >> 1] -= qtyLots;
    if (orders === 0) return;
    words[level + LEVEL_HEAD | 0] = head;
    words[level + LEVEL_COUNT | 0] -= orders;
    if (head === 0) words[level + LEVEL_TAIL | 0] = 0;
    else words[head + ORDER_PREV | 0] = 0;
  }

  /** Lowers a level's sum by `qtyLots` of an order that stays: a partial fill or a replace to less. */
  reduce(level: number, qtyLots: number): void {
    this.#touch(level);
    this.#doubles[level >> 1] -= qtyLots;
  }

  /**
   * Ends a command: reports each touched level whose figures changed, and drops those that are empty. Throws when
   * orders and quantity disagree about that: a bug.
   */
  settle(listener: LevelListener): void {
    const words = this.#words;
    const count = this.#touchedCount;
    for (let i = 0; i < count; i++) {
      const level = words[this.#touched + i | 0];
      const orders = words[level + LEVEL_COUNT | 0];
      const qty = this.#doubles[level >> 1];
      const book = words[level + LEVEL_BOOK | 0];
      const price = words[level + LEVEL_PRICE | 0];
      if ((orders === 0) !== (qty === 0)) {
        throw new Error(`Cannot go on: level ${price} has ${orders} orders and ${qty} lots`);
      }
      if (orders !== words[level + LEVEL_COUNT_BEFORE | 0] || qty !== this.#doubles[(level >> 1) + 1 | 0]) {
        listener.levelChanged(book >> 1, (book & 1) + Buy, price, qty, orders);
      }
      words[level + LEVEL_COUNT_BEFORE | 0] = -1;
      if (orders === 0) this.#drop(level, book);
    }
    this.#touchedCount = 0;
  }

  /** Whether an instrument's best buy reaches its best sell: never true between commands. */
  isCrossed(instrumentId: number): boolean {
    const words = this.#words;
    const buy = words[this.#best + bookOf(instrumentId, Buy) | 0];
    const sell = words[this.#best + bookOf(instrumentId, Sell) | 0];
    if (buy === 0 || sell === 0) return false;
    return words[buy + LEVEL_PRICE | 0] >= words[sell + LEVEL_PRICE | 0];
  }

  /** The level at a price, made when there is none. */
  #at(book: number, priceTicks: number): number {
    const words = this.#words;
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
    this.levelCount++;
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
    this.#doubles[level >> 1] = 0;
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

  #touch(level: number): void {
    const words = this.#words;
    if (words[level + LEVEL_COUNT_BEFORE | 0] >= 0) return;
    words[level + LEVEL_COUNT_BEFORE | 0] = words[level + LEVEL_COUNT | 0];
    this.#doubles[(level >> 1) + 1 | 0] = this.#doubles[level >> 1];
    words[this.#touched + this.#touchedCount++ | 0] = level;
  }

  #drop(level: number, book: number): void {
    const words = this.#words;
    const prev = words[level + LEVEL_PREV | 0];
    const next = words[level + LEVEL_NEXT | 0];
    if (prev === 0) words[this.#best + book | 0] = next;
    else words[prev + LEVEL_NEXT | 0] = next;
    if (next !== 0) words[next + LEVEL_PREV | 0] = prev;
    this.#trie.remove(book, level);
    words[level + LEVEL_NEXT | 0] = this.#free;
    this.#free = level;
    this.levelCount--;
  }
}

/** Keys grow from the best price to the worst: buys (even books) count downwards. */
function keyOf(book: number, priceTicks: number): number {
  return (book & 1) === 0 ? MAX_PRICE_TICKS - priceTicks : priceTicks;
}
