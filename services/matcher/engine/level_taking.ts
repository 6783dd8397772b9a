/**
 * What happens at one price level when more than plain time priority is at stake: icebergs, self-match prevention,
 * shares by an algorithm. Owns scratch space only; matching.ts says which levels. Pure. docs/matching.md, "Matching".
 */
import { OrdStatus } from "../../../shared/protocol/mod.ts";
import { Allocation, makerOf } from "./allocation.ts";
import { allocateTold } from "./allocation_told.ts";
import type { InstrumentTable } from "./instrument_table.ts";
import { LEVEL_LAYOUT, type LevelStore } from "./level_store.ts";
import type { MatchListener } from "./match_listener.ts";
import type { Memory } from "./memory.ts";
import { shownOf } from "./order_extra.ts";
import { fillBoth, leavesOf, ORDER_LAYOUT, statusOf } from "./order_store.ts";
import type { OrderRegistry } from "./registry.ts";
import type { Reporter } from "./reporter.ts";
import { conflicts, SelfMatch } from "./self_match.ts";

const { ORDER_NEXT, ORDER_OWNER, ORDER_STATUS } = ORDER_LAYOUT;
const { LEVEL_HEAD, LEVEL_COUNT, LEVEL_BOOK } = LEVEL_LAYOUT;
const { Filled } = OrdStatus;

/** Takes from levels. */
export class LevelTaking {
  /** Whether the level last taken from has traded. */
  traded = false;
  /** Told of every allocation by steps. */
  listener: MatchListener | null = null;
  readonly #words: Int32Array;
  readonly #instruments: InstrumentTable;
  readonly #registry: OrderRegistry;
  readonly #levels: LevelStore;
  readonly #reporter: Reporter;
  readonly #selfMatch: SelfMatch;
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
    this.#selfMatch = new SelfMatch(memory, levels, registry, reporter);
    this.#allocation = new Allocation(maxOpenOrders + 1);
  }

  /**
   * Trades an aggressor with self-match action `action` at a level of `instrument` as far as it goes; false when
   * self-match prevention has ended the aggressor.
   */
  take(aggressor: number, level: number, price: number, instrument: number, action: number): boolean {
    const words = this.#words;
    const fifo = this.#instruments.fifoOnly[instrument] === 1;
    this.traded = false;
    if (action !== 0 && !fifo) {
      if (!this.#selfMatch.preventAll(aggressor, level, action)) return false;
      if (words[level + LEVEL_COUNT | 0] === 0) return true;
    }
    const wholeLevel = this.#levels.qty(level) + this.#levels.hiddenQty(level);
    if (fifo || leavesOf(words, aggressor) >= wholeLevel) {
      return this.#takeQueue(aggressor, level, price, fifo ? action : 0);
    }
    let left = leavesOf(words, aggressor);
    while (left > 0) {
      this.#allocate(aggressor, level, price, instrument, left);
      left = leavesOf(words, aggressor);
    }
    return true;
  }

  /** The head of the queue again and again; icebergs come back at its tail. */
  #takeQueue(aggressor: number, level: number, price: number, action: number): boolean {
    const words = this.#words;
    let left = leavesOf(words, aggressor);
    let resting = words[level + LEVEL_HEAD | 0];
    while (resting !== 0 && left > 0) {
      if (action !== 0 && conflicts(words, aggressor, resting)) {
        if (!this.#selfMatch.prevent(aggressor, resting, action)) return false;
        left = leavesOf(words, aggressor);
      } else {
        const shown = shownOf(words, resting);
        const qty = shown < left ? shown : left;
        left -= qty;
        if (!this.#trade(aggressor, resting, price, qty) && qty === shown) this.#levels.replenish(resting);
      }
      resting = words[level + LEVEL_HEAD | 0];
    }
    return true;
  }

  /** Shares `left` out over what is shown, by the instrument's steps; trades go in time priority. */
  #allocate(aggressor: number, level: number, price: number, instrument: number, left: number): void {
    const allocation = this.#allocation;
    const shown = this.#levels.qty(level);
    this.#fill(level, instrument, left < shown ? left : shown);
    const steps = this.#instruments.steps[instrument];
    if (this.listener === null) { for (const step of steps) step(allocation); }
    else allocateTold(allocation, steps, this.listener);
    if (allocation.left !== 0) throw new Error(`Cannot allocate: ${allocation.left} lots were left over`);
    const { count, order, open, taken } = allocation;
    for (let i = 0; i < count; i++) {
      const qty = taken[i];
      if (qty === 0 || this.#trade(aggressor, order[i], price, qty)) order[i] = 0;
    }
    for (let i = 0; i < count; i++) {
      if (order[i] !== 0 && open[i] === 0) this.#levels.replenish(order[i]);
    }
  }

  /** Puts a level's orders before the steps. */
  #fill(level: number, instrument: number, qtyLots: number): void {
    const words = this.#words;
    const allocation = this.#allocation;
    const rules = this.#instruments.rules[instrument];
    const { order, open, taken, maker } = allocation;
    const top = this.#levels.top(words[level + LEVEL_BOOK | 0]);
    const hasMakers = rules.makerFirms.length > 0;
    allocation.begin(qtyLots, rules);
    let count = 0;
    let resting = words[level + LEVEL_HEAD | 0];
    for (; resting !== 0; resting = words[resting + ORDER_NEXT | 0]) {
      if (resting === top) allocation.top = count;
      order[count] = resting;
      open[count] = shownOf(words, resting);
      taken[count] = 0;
      if (hasMakers) maker[count] = makerOf(rules, words[resting + ORDER_OWNER | 0] >>> 16);
      count = count + 1 | 0;
    }
    allocation.count = count;
    allocation.openTotal = this.#levels.qty(level);
  }

  /** One trade; whether the resting order is done. */
  #trade(aggressor: number, resting: number, price: number, qty: number): boolean {
    const words = this.#words;
    this.traded = true;
    fillBoth(words, aggressor, resting, price, qty);
    this.#levels.reduce(resting, qty);
    const done = statusOf(words[resting + ORDER_STATUS | 0]) === Filled;
    if (done) this.#levels.remove(resting);
    this.#reporter.trade(aggressor, resting, price, qty);
    if (done) this.#registry.retire(resting);
    return done;
  }
}
