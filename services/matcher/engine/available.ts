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
const { CancelResting, None: NO_ACTION } = SmpAction;

/** Counts what an order would meet. */
export class Availability {
  readonly #words: Int32Array;
  readonly #instruments: InstrumentTable;
  readonly #states: InstrumentStates;
  readonly #levels: LevelStore;
  /** Whether the level last counted holds an order that ends the count. */
  #ends = false;

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
    let left = wantedLots;
    let level = this.#levels.bestHeld(bookOf(instrument, Buy + Sell - side));
    while (level !== 0 && left > 0) {
      const price = words[level + LEVEL_PRICE | 0];
      if (side === Buy ? price > limit || price < floor : price < limit || price > floor) return false;
      left -= this.#count(aggressor, level, action, this.#instruments.fifoOnly[instrument] === 1);
      if (this.#ends) break;
      level = words[level + LEVEL_NEXT | 0];
    }
    return left <= 0;
  }

  /** What the aggressor could trade at a level, lots. */
  #count(aggressor: number, level: number, action: number, fifo: boolean): number {
    const words = this.#words;
    const all = this.#levels.qty(level) + this.#levels.hiddenQty(level);
    this.#ends = false;
    if (action === NO_ACTION) return all;
    let left = all;
    let ahead = 0;
    let order = words[level + LEVEL_HEAD | 0];
    for (; order !== 0; order = words[order + ORDER_NEXT | 0]) {
      if (!conflicts(words, aggressor, order)) {
        ahead += shownOf(words, order);
      } else if (action === CancelResting) {
        left -= leavesOf(words, order);
      } else {
        this.#ends = true;
        return fifo ? ahead : 0;
      }
    }
    return left;
  }
}
