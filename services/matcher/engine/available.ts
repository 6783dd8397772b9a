/**
 * Whether the other side could fill an order, in whole or to a minimum, as far as its price, the band and self-match
 * prevention let it. Changes nothing. Pure. docs/matching.md, "Matching in continuous trading".
 */
import { Side, SmpAction } from "../../../shared/protocol/mod.ts";
import type { InstrumentStates } from "./instrument_state.ts";
import type { InstrumentTable } from "./instrument_table.ts";
import { bookOf, LEVEL_LAYOUT, type LevelStore } from "./level_store.ts";
import { EXTRA_LAYOUT, shownOf, smpActionOf } from "./order_extra.ts";
import { instrumentOf, leavesOf, ORDER_LAYOUT, sideOf } from "./order_store.ts";
import { conflicts } from "./self_match.ts";

const { ORDER_NEXT, ORDER_EXTRA, ORDER_TERMS } = ORDER_LAYOUT;
const { EXTRA_FLAGS } = EXTRA_LAYOUT;
const { LEVEL_PRICE, LEVEL_HEAD, LEVEL_NEXT } = LEVEL_LAYOUT;
const { Buy, Sell } = Side;
const { CancelResting, Decrement, None: NO_ACTION } = SmpAction;

/** Counts what an order would meet. */
export class Availability {
  readonly #words: Int32Array;
  readonly #instruments: InstrumentTable;
  readonly #states: InstrumentStates;
  readonly #levels: LevelStore;
  /** What orders that must not be met may still take from the aggressor, lots; below 0 once it has to end short. */
  #spare = 0;

  constructor(
    words: Int32Array,
    instruments: InstrumentTable,
    states: InstrumentStates,
    levels: LevelStore,
  ) {
    this.#words = words;
    this.#instruments = instruments;
    this.#states = states;
    this.#levels = levels;
  }

  /** Whether the other side holds `wantedLots` for an order that trades no worse than `limitTicks`. */
  covers(aggressor: number, wantedLots: number, limitTicks: number): boolean {
    const words = this.#words;
    const terms = words[aggressor + ORDER_TERMS | 0];
    const instrument = instrumentOf(terms);
    const side = sideOf(terms);
    const extra = words[aggressor + ORDER_EXTRA | 0];
    const action = extra === 0 ? NO_ACTION : smpActionOf(words[extra + EXTRA_FLAGS | 0]);
    const band = this.#states.bandLimit(instrument, side);
    const limit = side === Buy ? Math.min(limitTicks, band) : Math.max(limitTicks, band);
    const floor = this.#states.bandLimit(instrument, Buy + Sell - side);
    const fifo = this.#instruments.fifoOnly[instrument] === 1;
    let missing = wantedLots;
    this.#spare = leavesOf(words, aggressor) - wantedLots;
    let level = this.#levels.bestHeld(bookOf(instrument, Buy + Sell - side));
    while (level !== 0) {
      const price = words[level + LEVEL_PRICE | 0];
      if (side === Buy ? price > limit || price < floor : price < limit || price > floor) return false;
      missing -= this.#count(aggressor, level, action, fifo, missing);
      if (missing <= 0) return true;
      if (this.#spare < 0) return false;
      level = words[level + LEVEL_NEXT | 0];
    }
    return false;
  }

  /**
   * What the aggressor, which misses `missing` lots, could trade at a level. By time, what icebergs hide comes behind every
   * order that stands there; otherwise all that must not be met is seen to first (level_taking.ts).
   */
  #count(aggressor: number, level: number, action: number, fifo: boolean, missing: number): number {
    const words = this.#words;
    let trades = this.#levels.qty(level) + this.#levels.hiddenQty(level);
    if (action === NO_ACTION) return trades;
    let ahead = 0;
    let order = words[level + LEVEL_HEAD | 0];
    for (; order !== 0; order = words[order + ORDER_NEXT | 0]) {
      if (!conflicts(words, aggressor, order)) {
        ahead += shownOf(words, order);
        if (fifo && ahead >= missing) return ahead;
        continue;
      }
      const own = leavesOf(words, order);
      trades -= own;
      if (action === CancelResting) continue;
      this.#spare = action === Decrement ? this.#spare - own : -1;
      if (this.#spare < 0) return 0;
    }
    return trades;
  }
}
