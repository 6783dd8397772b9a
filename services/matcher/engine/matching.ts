/**
 * An aggressor against the other side of its book: which levels it reaches, and the fills there. Owns no state beyond
 * scratch space; leaves the aggressor's remainder to the caller. Pure. docs/matching.md, "Matching".
 */
import { MAX_PRICE_TICKS, OrdStatus, OrdType, Side } from "../../../shared/protocol/mod.ts";
import { Allocation } from "./allocation.ts";
import type { InstrumentTable } from "./instrument_table.ts";
import { bookOf, LEVEL_LAYOUT, type LevelStore } from "./level_store.ts";
import { instrumentOf, ORDER_LAYOUT, ordTypeOf, sideOf } from "./order_store.ts";
import type { OrderRegistry } from "./registry.ts";
import type { Reporter } from "./reporter.ts";

const { ORDER_WORDS, ORDER_PRICE, ORDER_QTY, ORDER_CUM, ORDER_NEXT, ORDER_LEVEL, ORDER_TERMS, ORDER_STATUS } =
  ORDER_LAYOUT;
const { LEVEL_WORDS, LEVEL_PRICE, LEVEL_HEAD, LEVEL_NEXT } = LEVEL_LAYOUT;
const { Filled } = OrdStatus;
const { Limit } = OrdType;
const { Buy, Sell } = Side;

/** Matches orders. */
export class Matching {
  readonly #instruments: InstrumentTable;
  readonly #registry: OrderRegistry;
  readonly #orders: Int32Array;
  readonly #levels: LevelStore;
  readonly #levelWords: Int32Array;
  readonly #levelDoubles: Float64Array;
  readonly #reporter: Reporter;
  readonly #allocation: Allocation;

  /** `maxOpenOrders` bounds how many orders one level can hold. */
  constructor(
    instruments: InstrumentTable,
    registry: OrderRegistry,
    levels: LevelStore,
    reporter: Reporter,
    maxOpenOrders: number,
  ) {
    this.#instruments = instruments;
    this.#registry = registry;
    this.#orders = registry.orders.words;
    this.#levels = levels;
    this.#levelWords = levels.words;
    this.#levelDoubles = levels.doubles;
    this.#reporter = reporter;
    this.#allocation = new Allocation(maxOpenOrders);
  }

  /** Whether the book could fill the whole order at once. */
  canFill(order: number): boolean {
    const orders = this.#orders;
    const levels = this.#levels;
    const base = order * ORDER_WORDS;
    const isBuy = sideOf(orders[base + ORDER_TERMS]) === Buy;
    const limit = limitOf(orders, base, isBuy);
    let wanted = orders[base + ORDER_QTY] - orders[base + ORDER_CUM];
    let level = levels.best[otherBook(orders, base, isBuy)];
    while (level !== 0 && wanted > 0) {
      const price = this.#levelWords[level * LEVEL_WORDS + LEVEL_PRICE];
      if (isBuy ? price > limit : price < limit) return false;
      wanted -= this.#levelDoubles[level * 8];
      level = this.#levelWords[level * LEVEL_WORDS + LEVEL_NEXT];
    }
    return wanted <= 0;
  }

  /** Trades an order that rests nowhere as far as its price and the other side allow. */
  match(aggressor: number): void {
    const orders = this.#orders;
    const levels = this.#levels;
    const base = aggressor * ORDER_WORDS;
    const isBuy = sideOf(orders[base + ORDER_TERMS]) === Buy;
    const limit = limitOf(orders, base, isBuy);
    const instrument = instrumentOf(orders[base + ORDER_TERMS]);
    const fifoOnly = this.#instruments.fifoOnly[instrument] === 1;
    let level = levels.best[otherBook(orders, base, isBuy)];
    while (level !== 0) {
      const price = this.#levelWords[level * LEVEL_WORDS + LEVEL_PRICE];
      if (isBuy ? price > limit : price < limit) return;
      const left = orders[base + ORDER_QTY] - orders[base + ORDER_CUM];
      if (fifoOnly || left >= this.#levelDoubles[level * 8]) this.#takeOldest(aggressor, level, price);
      else this.#allocate(aggressor, level, price, instrument);
      if (orders[base + ORDER_STATUS] === Filled) return;
      level = this.#levelWords[level * LEVEL_WORDS + LEVEL_NEXT];
    }
  }

  /** Time priority, straight from the queue; also what every algorithm amounts to when the whole level goes. */
  #takeOldest(aggressor: number, level: number, price: number): void {
    const registry = this.#registry;
    const store = registry.orders;
    const orders = this.#orders;
    const base = aggressor * ORDER_WORDS;
    const wanted = orders[base + ORDER_QTY] - orders[base + ORDER_CUM];
    let left = wanted;
    let gone = 0;
    let resting = this.#levelWords[level * LEVEL_WORDS + LEVEL_HEAD];
    do {
      const record = resting * ORDER_WORDS;
      const next = orders[record + ORDER_NEXT];
      const open = orders[record + ORDER_QTY] - orders[record + ORDER_CUM];
      const qty = open < left ? open : left;
      left -= qty;
      store.fill(aggressor, price, qty);
      store.fill(resting, price, qty);
      this.#reporter.trade(aggressor, resting, price, qty);
      if (qty !== open) break;
      orders[record + ORDER_LEVEL] = 0;
      registry.retire(resting);
      gone++;
      resting = next;
    } while (resting !== 0 && left > 0);
    this.#levels.takeFront(level, resting, gone, wanted - left);
  }

  /** Shares the aggressor out by the instrument's steps; trades go in time priority. */
  #allocate(aggressor: number, level: number, price: number, instrument: number): void {
    const orders = this.#orders;
    const allocation = this.#allocation;
    const base = aggressor * ORDER_WORDS;
    allocation.begin(
      orders[base + ORDER_QTY] - orders[base + ORDER_CUM],
      this.#instruments.proRataMin[instrument],
    );
    let resting = this.#levelWords[level * LEVEL_WORDS + LEVEL_HEAD];
    while (resting !== 0) {
      const record = resting * ORDER_WORDS;
      allocation.add(resting, orders[record + ORDER_QTY] - orders[record + ORDER_CUM]);
      resting = orders[record + ORDER_NEXT];
    }
    for (const step of this.#instruments.steps[instrument]) step(allocation);
    if (allocation.left !== 0) throw new Error(`Cannot allocate: ${allocation.left} lots were left over`);
    for (let i = 0; i < allocation.count; i++) {
      const qty = allocation.taken[i];
      if (qty > 0) this.#trade(aggressor, allocation.order[i], level, price, qty);
    }
  }

  #trade(aggressor: number, resting: number, level: number, price: number, qty: number): void {
    const registry = this.#registry;
    const orders = registry.orders;
    orders.fill(aggressor, price, qty);
    orders.fill(resting, price, qty);
    this.#levels.reduce(level, qty);
    const done = orders.words[resting * ORDER_WORDS + ORDER_STATUS] === Filled;
    if (done) this.#levels.remove(resting);
    this.#reporter.trade(aggressor, resting, price, qty);
    if (done) registry.retire(resting);
  }
}

function otherBook(orders: Int32Array, base: number, isBuy: boolean): number {
  return bookOf(instrumentOf(orders[base + ORDER_TERMS]), isBuy ? Sell : Buy);
}

/** The worst price that the order accepts. */
function limitOf(orders: Int32Array, base: number, isBuy: boolean): number {
  if (ordTypeOf(orders[base + ORDER_TERMS]) === Limit) return orders[base + ORDER_PRICE];
  return isBuy ? MAX_PRICE_TICKS : 1;
}
