/**
 * Price levels of all books: their queues of orders, their sums, and their order from best to worst. Owns levels and
 * an order's place in one; refuses to judge prices or to match. Pure. Level handle 0 is "no level".
 *
 * A level that a command empties stays until `settle`, so that each touched level is reported once, with its last
 * figures, in the order in which the command first touched them.
 */
import { MAX_PRICE_TICKS, Side } from "../../../shared/protocol/mod.ts";
import { LEVEL_LAYOUT } from "./level_layout.ts";
import { ORDER_LAYOUT, type OrderStore } from "./order_store.ts";
import { PriceTrie } from "./price_trie.ts";

export { LEVEL_LAYOUT } from "./level_layout.ts";

const { ORDER_WORDS, ORDER_QTY, ORDER_CUM, ORDER_NEXT, ORDER_PREV, ORDER_LEVEL } = ORDER_LAYOUT;
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
  /** The records, {@link LEVEL_WORDS} words each. */
  readonly words: Int32Array;
  /** The same memory: `doubles[n * 8]` is the sum of LeavesQty at level n, lots. */
  readonly doubles: Float64Array;
  /** Best level of each book, 0 when empty. */
  readonly best: Int32Array;
  /** Levels in use. */
  levelCount = 0;
  readonly #orders: Int32Array;
  readonly #trie: PriceTrie;
  readonly #touched: Int32Array;
  #touchedCount = 0;
  #free = 0;
  #fresh = 1;

  /** Levels for instrument ids up to `maxInstrumentId` and at most `maxLevels` prices with orders. */
  constructor(maxInstrumentId: number, maxLevels: number, orders: OrderStore) {
    const books = (maxInstrumentId + 1) * 2;
    this.words = new Int32Array((maxLevels + 1) * LEVEL_WORDS);
    this.doubles = new Float64Array(this.words.buffer);
    this.best = new Int32Array(books);
    this.#orders = orders.words;
    this.#trie = new PriceTrie(books, maxLevels, this.words);
    this.#touched = new Int32Array(maxLevels + 1);
  }

  /** Puts an order that rests nowhere behind the others at its price. */
  append(order: number, book: number, priceTicks: number): void {
    const orders = this.#orders;
    const words = this.words;
    const record = order * ORDER_WORDS;
    const level = this.#at(book, priceTicks);
    const base = level * LEVEL_WORDS;
    this.#touch(level);
    const tail = words[base + LEVEL_TAIL];
    if (tail === 0) words[base + LEVEL_HEAD] = order;
    else orders[tail * ORDER_WORDS + ORDER_NEXT] = order;
    words[base + LEVEL_TAIL] = order;
    words[base + LEVEL_COUNT]++;
    this.doubles[level * 8] += orders[record + ORDER_QTY] - orders[record + ORDER_CUM];
    orders[record + ORDER_NEXT] = 0;
    orders[record + ORDER_PREV] = tail;
    orders[record + ORDER_LEVEL] = level;
  }

  /** Takes a resting order out, together with what it still adds to the level: OrderQty - CumQty. */
  remove(order: number): void {
    const orders = this.#orders;
    const words = this.words;
    const record = order * ORDER_WORDS;
    const level = orders[record + ORDER_LEVEL];
    const base = level * LEVEL_WORDS;
    this.#touch(level);
    const next = orders[record + ORDER_NEXT];
    const prev = orders[record + ORDER_PREV];
    if (prev === 0) words[base + LEVEL_HEAD] = next;
    else orders[prev * ORDER_WORDS + ORDER_NEXT] = next;
    if (next === 0) words[base + LEVEL_TAIL] = prev;
    else orders[next * ORDER_WORDS + ORDER_PREV] = prev;
    words[base + LEVEL_COUNT]--;
    this.doubles[level * 8] -= orders[record + ORDER_QTY] - orders[record + ORDER_CUM];
    orders[record + ORDER_LEVEL] = 0;
  }

  /**
   * Takes the oldest orders out: what is left begins at `head` (0 when nothing is), `orders` fewer and `qtyLots` less,
   * partial fills of `head` included. The caller sees to ORDER_LEVEL of those that leave.
   */
  takeFront(level: number, head: number, orders: number, qtyLots: number): void {
    const words = this.words;
    const base = level * LEVEL_WORDS;
    this.#touch(level);
    this.doubles[level * 8] -= qtyLots;
    if (orders === 0) return;
    words[base + LEVEL_HEAD] = head;
    words[base + LEVEL_COUNT] -= orders;
    if (head === 0) words[base + LEVEL_TAIL] = 0;
    else this.#orders[head * ORDER_WORDS + ORDER_PREV] = 0;
  }

  /** Lowers a level's sum by `qtyLots` of an order that stays: a partial fill or a replace to less. */
  reduce(level: number, qtyLots: number): void {
    this.#touch(level);
    this.doubles[level * 8] -= qtyLots;
  }

  /**
   * Ends a command: reports each touched level whose figures changed, and drops those that are empty. Throws when
   * orders and quantity disagree about that: a bug.
   */
  settle(listener: LevelListener): void {
    const words = this.words;
    const count = this.#touchedCount;
    for (let i = 0; i < count; i++) {
      const level = this.#touched[i];
      const base = level * LEVEL_WORDS;
      const orders = words[base + LEVEL_COUNT];
      const qty = this.doubles[level * 8];
      const book = words[base + LEVEL_BOOK];
      const price = words[base + LEVEL_PRICE];
      if ((orders === 0) !== (qty === 0)) {
        throw new Error(`Cannot go on: level ${price} has ${orders} orders and ${qty} lots`);
      }
      if (orders !== words[base + LEVEL_COUNT_BEFORE] || qty !== this.doubles[level * 8 + 1]) {
        listener.levelChanged(book >> 1, (book & 1) + Buy, price, qty, orders);
      }
      words[base + LEVEL_COUNT_BEFORE] = -1;
      if (orders === 0) this.#drop(level, book);
    }
    this.#touchedCount = 0;
  }

  /** Whether an instrument's best buy reaches its best sell: never true between commands. */
  isCrossed(instrumentId: number): boolean {
    const buy = this.best[bookOf(instrumentId, Buy)];
    const sell = this.best[bookOf(instrumentId, Sell)];
    if (buy === 0 || sell === 0) return false;
    return this.words[buy * LEVEL_WORDS + LEVEL_PRICE] >= this.words[sell * LEVEL_WORDS + LEVEL_PRICE];
  }

  /** The level at a price, made when there is none. */
  #at(book: number, priceTicks: number): number {
    const best = this.best[book];
    const words = this.words;
    if (best !== 0 && words[best * LEVEL_WORDS + LEVEL_PRICE] === priceTicks) return best;
    const trie = this.#trie;
    const key = keyOf(book, priceTicks);
    const found = trie.find(book, key);
    if (found !== 0) return found;
    const level = this.#free !== 0 ? this.#free : this.#fresh++;
    const base = level * LEVEL_WORDS;
    if (level === this.#free) this.#free = words[base + LEVEL_NEXT];
    this.levelCount++;
    const neighbour = trie.insert(key, level);
    let prev = 0;
    let next = 0;
    if (neighbour !== 0) {
      if (trie.neighbourIsBefore) {
        prev = neighbour;
        next = words[neighbour * LEVEL_WORDS + LEVEL_NEXT];
      } else {
        next = neighbour;
        prev = words[neighbour * LEVEL_WORDS + LEVEL_PREV];
      }
    }
    if (prev === 0) this.best[book] = level;
    else words[prev * LEVEL_WORDS + LEVEL_NEXT] = level;
    if (next !== 0) words[next * LEVEL_WORDS + LEVEL_PREV] = level;
    this.doubles[level * 8] = 0;
    words[base + LEVEL_PRICE] = priceTicks;
    words[base + LEVEL_HEAD] = 0;
    words[base + LEVEL_TAIL] = 0;
    words[base + LEVEL_COUNT] = 0;
    words[base + LEVEL_COUNT_BEFORE] = -1;
    words[base + LEVEL_PREV] = prev;
    words[base + LEVEL_NEXT] = next;
    words[base + LEVEL_BOOK] = book;
    return level;
  }

  #touch(level: number): void {
    const base = level * LEVEL_WORDS;
    if (this.words[base + LEVEL_COUNT_BEFORE] >= 0) return;
    this.words[base + LEVEL_COUNT_BEFORE] = this.words[base + LEVEL_COUNT];
    this.doubles[level * 8 + 1] = this.doubles[level * 8];
    this.#touched[this.#touchedCount++] = level;
  }

  #drop(level: number, book: number): void {
    const words = this.words;
    const base = level * LEVEL_WORDS;
    const prev = words[base + LEVEL_PREV];
    const next = words[base + LEVEL_NEXT];
    if (prev === 0) this.best[book] = next;
    else words[prev * LEVEL_WORDS + LEVEL_NEXT] = next;
    if (next !== 0) words[next * LEVEL_WORDS + LEVEL_PREV] = prev;
    this.#trie.remove(book, level);
    words[base + LEVEL_NEXT] = this.#free;
    this.#free = level;
    this.levelCount--;
  }
}

/** Keys grow from the best price to the worst: buys (even books) count downwards. */
function keyOf(book: number, priceTicks: number): number {
  return (book & 1) === 0 ? MAX_PRICE_TICKS - priceTicks : priceTicks;
}
