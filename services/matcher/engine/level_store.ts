/**
 * Where orders rest: the queues of all price levels, their sums, what icebergs show, and each side's top order. Owns an
 * order's place in a level; refuses to judge prices or to match. Pure.
 */
import { LEVEL_LAYOUT } from "./level_layout.ts";
import { LevelTable } from "./level_table.ts";
import type { Memory } from "./memory.ts";
import { EXTRA_LAYOUT } from "./order_extra.ts";
import { leavesOf, ORDER_LAYOUT } from "./order_store.ts";

export { LEVEL_LAYOUT } from "./level_layout.ts";
export { bookOf, type LevelListener } from "./level_table.ts";

const { ORDER_QTY, ORDER_CUM, ORDER_NEXT, ORDER_PREV, ORDER_LEVEL, ORDER_EXTRA } = ORDER_LAYOUT;
const { EXTRA_FLOOR, EXTRA_SHOWN } = EXTRA_LAYOUT;
const { LEVEL_HEAD, LEVEL_TAIL, LEVEL_COUNT, LEVEL_BOOK } = LEVEL_LAYOUT;
/** Of {@link LEVEL_LAYOUT}: the quantity hidden, in doubles. */
const HIDDEN = 7;

/** Every book's levels and queues. */
export class LevelStore extends LevelTable {
  /** Top order of each book, 0 for none. */
  readonly #tops: number;

  /** What a store takes of the memory; see the constructor. */
  static override words(maxInstrumentId: number, maxLevels: number): readonly number[] {
    return [...LevelTable.words(maxInstrumentId, maxLevels), (maxInstrumentId + 1) * 2];
  }

  /** See {@link LevelTable}. */
  constructor(memory: Memory, maxInstrumentId: number, maxLevels: number) {
    super(memory, maxInstrumentId, maxLevels);
    this.#tops = memory.take((maxInstrumentId + 1) * 2);
  }

  /** The quantity shown at a level, lots. */
  qty(level: number): number {
    return this.doubles[level >> 1];
  }

  /** The quantity that icebergs hide at a level, lots. */
  hiddenQty(level: number): number {
    return this.doubles[(level >> 1) + HIDDEN | 0];
  }

  /** Whether a level is in a book that people see; false for 0, which is none. */
  isSeen(level: number): boolean {
    return level !== 0 && this.words[level + LEVEL_BOOK | 0] < this.stopBooks;
  }

  /** The top order of a book, 0 for none. */
  top(book: number): number {
    return this.words[this.#tops + book | 0];
  }

  /** Makes an order the top order of its book, or with 0 nobody. */
  setTop(book: number, order: number): void {
    this.words[this.#tops + book | 0] = order;
  }

  /** Puts an order that rests nowhere behind the others at its price; an iceberg shows what it may. */
  append(order: number, book: number, priceTicks: number): void {
    const words = this.words;
    const level = this.at(book, priceTicks);
    if (book < this.stopBooks) this.touch(level);
    words[level + LEVEL_COUNT | 0]++;
    const leaves = words[order + ORDER_QTY | 0] - words[order + ORDER_CUM | 0] | 0;
    if (words[order + ORDER_EXTRA | 0] === 0) this.doubles[level >> 1] += leaves;
    else this.#show(order, level, leaves, 0);
    this.#link(order, level);
  }

  /** Takes a resting order out, together with what it still adds to the level: OrderQty - CumQty. */
  remove(order: number): void {
    const words = this.words;
    const level = words[order + ORDER_LEVEL | 0];
    const book = words[level + LEVEL_BOOK | 0];
    if (book < this.stopBooks) this.touch(level);
    this.#unlink(order, level);
    words[level + LEVEL_COUNT | 0]--;
    const leaves = words[order + ORDER_QTY | 0] - words[order + ORDER_CUM | 0] | 0;
    const extra = words[order + ORDER_EXTRA | 0];
    if (extra !== 0 && words[extra + EXTRA_FLOOR | 0] !== 0) {
      const shown = words[extra + EXTRA_SHOWN | 0];
      this.doubles[level >> 1] -= shown;
      this.doubles[(level >> 1) + HIDDEN | 0] -= leaves - shown;
    } else {
      this.doubles[level >> 1] -= leaves;
    }
    words[order + ORDER_LEVEL | 0] = 0;
    if (book >= this.stopBooks && words[level + LEVEL_COUNT | 0] === 0) this.drop(level, book);
  }

  /**
   * Takes the oldest orders out: what is left begins at `head` (0 when nothing is), `orders` fewer and `qtyLots` less,
   * partial fills of `head` included. The caller sees to ORDER_LEVEL of those that leave, and to the top order.
   */
  takeFront(level: number, head: number, orders: number, qtyLots: number): void {
    const words = this.words;
    this.touch(level);
    this.doubles[level >> 1] -= qtyLots;
    if (orders === 0) return;
    words[level + LEVEL_HEAD | 0] = head;
    words[level + LEVEL_COUNT | 0] -= orders;
    if (head === 0) words[level + LEVEL_TAIL | 0] = 0;
    else words[head + ORDER_PREV | 0] = 0;
  }

  /**
   * Lowers a level's sums by what an order that stays has lost (already booked on it): `qtyLots` of what it shows, and
   * what it hides when that is not enough.
   */
  reduce(order: number, qtyLots: number): void {
    const words = this.words;
    const level = words[order + ORDER_LEVEL | 0];
    const extra = words[order + ORDER_EXTRA | 0];
    this.touch(level);
    if (extra === 0 || words[extra + EXTRA_FLOOR | 0] === 0) {
      this.doubles[level >> 1] -= qtyLots;
      return;
    }
    const shown = words[extra + EXTRA_SHOWN | 0];
    const fromShown = shown < qtyLots ? shown : qtyLots;
    words[extra + EXTRA_SHOWN | 0] = shown - fromShown;
    this.doubles[level >> 1] -= fromShown;
    this.doubles[(level >> 1) + HIDDEN | 0] -= qtyLots - fromShown;
  }

  /**
   * Lets an order that keeps its place show no more than `floor` (0: everything) and than it has left; before, it showed
   * `shown` of `leaves`.
   */
  reshow(order: number, floor: number, shown: number, leaves: number): void {
    const words = this.words;
    const level = words[order + ORDER_LEVEL | 0];
    if (words[level + LEVEL_BOOK | 0] < this.stopBooks) this.touch(level);
    const left = leavesOf(words, order);
    let shows = left < shown ? left : shown;
    if (floor !== 0) {
      if (floor < shows) shows = floor;
      words[words[order + ORDER_EXTRA | 0] + EXTRA_SHOWN | 0] = shows;
    }
    this.doubles[level >> 1] += shows - shown;
    this.doubles[(level >> 1) + HIDDEN | 0] += left - shows - (leaves - shown);
  }

  /** Lets an iceberg whose shown quantity is gone show anew, at the tail of its level. */
  replenish(order: number): void {
    const words = this.words;
    const level = words[order + ORDER_LEVEL | 0];
    const leaves = leavesOf(words, order);
    this.touch(level);
    this.#unlink(order, level);
    this.#show(order, level, leaves, leaves);
    this.#link(order, level);
  }

  /** Adds what an order has left to a level that counted `hidden` of it so far. */
  #show(order: number, level: number, leaves: number, hidden: number): void {
    const words = this.words;
    const extra = words[order + ORDER_EXTRA | 0];
    const floor = words[extra + EXTRA_FLOOR | 0];
    const shown = floor === 0 || leaves < floor ? leaves : floor;
    words[extra + EXTRA_SHOWN | 0] = shown;
    this.doubles[level >> 1] += shown;
    this.doubles[(level >> 1) + HIDDEN | 0] += leaves - shown - hidden;
  }

  #link(order: number, level: number): void {
    const words = this.words;
    const tail = words[level + LEVEL_TAIL | 0];
    if (tail === 0) words[level + LEVEL_HEAD | 0] = order;
    else words[tail + ORDER_NEXT | 0] = order;
    words[level + LEVEL_TAIL | 0] = order;
    words[order + ORDER_NEXT | 0] = 0;
    words[order + ORDER_PREV | 0] = tail;
    words[order + ORDER_LEVEL | 0] = level;
  }

  /** Takes an order out of its queue; it is no top order any more. */
  #unlink(order: number, level: number): void {
    const words = this.words;
    const next = words[order + ORDER_NEXT | 0];
    const prev = words[order + ORDER_PREV | 0];
    if (prev === 0) words[level + LEVEL_HEAD | 0] = next;
    else words[prev + ORDER_NEXT | 0] = next;
    if (next === 0) words[level + LEVEL_TAIL | 0] = prev;
    else words[next + ORDER_PREV | 0] = prev;
    const book = words[level + LEVEL_BOOK | 0];
    if (book < this.stopBooks && words[this.#tops + book | 0] === order) words[this.#tops + book | 0] = 0;
  }
}
