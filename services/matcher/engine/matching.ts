/**
 * An aggressor against the other side of its book: which levels it reaches, and the fills there. Owns no state beyond
 * scratch space; leaves the aggressor's remainder to the caller. Pure. docs/matching.md, "Matching".
 */
import { MAX_PRICE_TICKS, OrdStatus, OrdType, Side } from "../../../shared/protocol/mod.ts";
import { Allocation } from "./allocation.ts";
import type { InstrumentTable } from "./instrument_table.ts";
import { bookOf, LEVEL_LAYOUT, type LevelStore } from "./level_store.ts";
import type { Memory } from "./memory.ts";
import { fillOrder, instrumentOf, ORDER_LAYOUT, ordTypeOf, sideOf } from "./order_store.ts";
import type { OrderRegistry } from "./registry.ts";
import type { Reporter } from "./reporter.ts";

const { ORDER_PRICE, ORDER_QTY, ORDER_CUM, ORDER_NEXT, ORDER_LEVEL, ORDER_TERMS, ORDER_STATUS } =
  ORDER_LAYOUT;
const { LEVEL_PRICE, LEVEL_HEAD, LEVEL_NEXT } = LEVEL_LAYOUT;
const { Filled } = OrdStatus;
const { Limit } = OrdType;
const { Buy, Sell } = Side;

/** Matches orders. */
export class Matching {
  readonly #words: Int32Array;
  readonly #instruments: InstrumentTable;
  readonly #registry: OrderRegistry;
  readonly #levels: LevelStore;
  readonly #reporter: Reporter;
  readonly #allocation: Allocation;

  /** `maxOpenOrders` bounds how many orders one level can hold. */
  constructor(
    memory: Memory,
    instruments: InstrumentTable,
    registry: OrderRegistry,
    levels: LevelStore,
    reporter: Reporter,
    maxOpenOrders: number,
  ) {
    this.#words = memory.words;
    this.#instruments = instruments;
    this.#registry = registry;
    this.#levels = levels;
    this.#reporter = reporter;
    this.#allocation = new Allocation(maxOpenOrders);
  }

  /** Whether the book could fill the whole order at once. */
  canFill(order: number): boolean {
    const words = this.#words;
    const levels = this.#levels;
    const terms = words[order + ORDER_TERMS | 0];
    const isBuy = sideOf(terms) === Buy;
    const limit = limitOf(words, order, terms);
    let wanted = words[order + ORDER_QTY | 0] - words[order + ORDER_CUM | 0];
    let level = levels.best(bookOf(instrumentOf(terms), isBuy ? Sell : Buy));
    while (level !== 0 && wanted > 0) {
      const price = words[level + LEVEL_PRICE | 0];
      if (isBuy ? price > limit : price < limit) return false;
      wanted -= levels.qty(level);
      level = words[level + LEVEL_NEXT | 0];
    }
    return wanted <= 0;
  }

  /** Trades an order that rests nowhere as far as its price and the other side allow. */
  match(aggressor: number): void {
    const words = this.#words;
    const terms = words[aggressor + ORDER_TERMS | 0];
    const isBuy = sideOf(terms) === Buy;
    const limit = limitOf(words, aggressor, terms);
    const instrument = instrumentOf(terms);
    let level = this.#levels.best(bookOf(instrument, isBuy ? Sell : Buy));
    while (level !== 0) {
      const price = words[level + LEVEL_PRICE | 0];
      if (isBuy ? price > limit : price < limit) return;
      const left = words[aggressor + ORDER_QTY | 0] - words[aggressor + ORDER_CUM | 0];
      if (this.#instruments.fifoOnly[instrument] === 1 || left >= this.#levels.qty(level)) {
        this.#takeOldest(aggressor, level, price);
      } else {
        this.#allocate(aggressor, level, price, instrument);
      }
      if (words[aggressor + ORDER_STATUS | 0] === Filled) return;
      level = words[level + LEVEL_NEXT | 0];
    }
  }

  /** Time priority, straight from the queue; also what every algorithm amounts to when the whole level goes. */
  #takeOldest(aggressor: number, level: number, price: number): void {
    const words = this.#words;
    const wanted = words[aggressor + ORDER_QTY | 0] - words[aggressor + ORDER_CUM | 0];
    let left = wanted;
    let gone = 0;
    let resting = words[level + LEVEL_HEAD | 0];
    do {
      const next = words[resting + ORDER_NEXT | 0];
      const open = words[resting + ORDER_QTY | 0] - words[resting + ORDER_CUM | 0];
      const qty = open < left ? open : left;
      left -= qty;
      fillOrder(words, aggressor, price, qty);
      fillOrder(words, resting, price, qty);
      this.#reporter.trade(aggressor, resting, price, qty);
      if (qty !== open) break;
      words[resting + ORDER_LEVEL | 0] = 0;
      this.#registry.retire(resting);
      gone++;
      resting = next;
    } while (resting !== 0 && left > 0);
    this.#levels.takeFront(level, resting, gone, wanted - left);
  }

  /** Shares the aggressor out by the instrument's steps; trades go in time priority. */
  #allocate(aggressor: number, level: number, price: number, instrument: number): void {
    const words = this.#words;
    const allocation = this.#allocation;
    allocation.begin(
      words[aggressor + ORDER_QTY | 0] - words[aggressor + ORDER_CUM | 0],
      this.#instruments.rules[instrument],
    );
    let resting = words[level + LEVEL_HEAD | 0];
    while (resting !== 0) {
      allocation.add(resting, words[resting + ORDER_QTY | 0] - words[resting + ORDER_CUM | 0], -1);
      resting = words[resting + ORDER_NEXT | 0];
    }
    for (const step of this.#instruments.steps[instrument]) step(allocation);
    if (allocation.left !== 0) throw new Error(`Cannot allocate: ${allocation.left} lots were left over`);
    for (let i = 0; i < allocation.count; i++) {
      const qty = allocation.taken[i];
      if (qty > 0) this.#trade(aggressor, allocation.order[i], level, price, qty);
    }
  }

  #trade(aggressor: number, resting: number, level: number, price: number, qty: number): void {
    const words = this.#words;
    fillOrder(words, aggressor, price, qty);
    fillOrder(words, resting, price, qty);
    this.#levels.reduce(level, qty);
    const done = words[resting + ORDER_STATUS | 0] === Filled;
    if (done) this.#levels.remove(resting);
    this.#reporter.trade(aggressor, resting, price, qty);
    if (done) this.#registry.retire(resting);
  }
}

/** The worst price that the order accepts. */
function limitOf(words: Int32Array, order: number, terms: number): number {
  if (ordTypeOf(terms) === Limit) return words[order + ORDER_PRICE | 0];
  return sideOf(terms) === Buy ? MAX_PRICE_TICKS : 1;
}
