/**
 * The levels of one instrument as the matcher reports them, whole depth, of which the best ten are published. Owns no
 * orders and no matching: a level is what the last LevelChanged said. Pure.
 */
import { priceText, qtyText } from "../../shared/protocol/execution.ts";
import { BOOK_LEVELS, type BookLevel } from "../../shared/protocol/market_data.ts";
import { type Instrument, MAX_PRICE_TICKS, Side } from "../../shared/protocol/mod.ts";

/** One side's levels, worst first, so that changes near the touch move little. */
class Ladder {
  readonly prices: number[] = [];
  readonly qtys: number[] = [];
  readonly orders: number[] = [];
  readonly #sign: number;

  /** `sign` 1: the highest price is best; -1: the lowest. */
  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  /** Sets a level; returns how many levels are better than it, Infinity when nothing changed. */
  set(priceTicks: number, qtyLots: number, orders: number): number {
    const at = this.#indexOf(priceTicks);
    const found = this.prices[at] === priceTicks;
    if (orders === 0) {
      if (!found) return Infinity;
      this.prices.splice(at, 1);
      this.qtys.splice(at, 1);
      this.orders.splice(at, 1);
      return this.prices.length - at;
    }
    if (found) {
      this.qtys[at] = qtyLots;
      this.orders[at] = orders;
    } else {
      this.prices.splice(at, 0, priceTicks);
      this.qtys.splice(at, 0, qtyLots);
      this.orders.splice(at, 0, orders);
    }
    return this.prices.length - 1 - at;
  }

  clear(): void {
    this.prices.length = this.qtys.length = this.orders.length = 0;
  }

  /** Index of the price, or of the place where it would be inserted. */
  #indexOf(priceTicks: number): number {
    const wanted = priceTicks * this.#sign;
    let low = 0;
    let high = this.prices.length;
    while (low < high) {
      const middle = low + high >>> 1;
      if (this.prices[middle] * this.#sign < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The whole depth of one instrument. */
export class DepthBook {
  readonly instrument: Instrument;
  /** Command sequence and stream time of the newest change, 0 before any. */
  cmdSeq = 0;
  timestampUs = 0;
  readonly #bids = new Ladder(1);
  readonly #asks = new Ladder(-1);

  constructor(instrument: Instrument) {
    this.instrument = instrument;
  }

  /** Forgets everything. */
  clear(): void {
    this.#bids.clear();
    this.#asks.clear();
    this.cmdSeq = this.timestampUs = 0;
  }

  /**
   * Makes the level at `priceTicks` hold `qtyLots` in `orders` orders; 0 orders removes it. Returns whether one of the
   * best ten levels of that side changed, which are the next ten when the first may not be shown.
   */
  set(side: number, priceTicks: number, qtyLots: number, orders: number): boolean {
    const ladder = side === Side.Buy ? this.#bids : this.#asks;
    const better = ladder.set(priceTicks, qtyLots, orders);
    return better < BOOK_LEVELS + (ladder.prices.at(-1) === unpricedOf(side) ? 1 : 0);
  }

  /**
   * The best levels of a side, best first, at most `count`; `pricedOnly`: without the level in which market orders wait
   * for an auction, which has no price of anybody's.
   */
  top(side: number, pricedOnly = false, count: number = BOOK_LEVELS): BookLevel[] {
    const { prices, qtys, orders } = side === Side.Buy ? this.#bids : this.#asks;
    const levels: BookLevel[] = [];
    const unpriced = unpricedOf(side);
    for (let i = prices.length - 1; i >= 0 && levels.length < count; i--) {
      if (pricedOnly && prices[i] === unpriced) continue;
      levels.push({
        price: priceText(prices[i], this.instrument),
        qty: qtyText(qtys[i], this.instrument),
        orders: orders[i],
      });
    }
    return levels;
  }
}

/** The price that stands for no price: that of the level in which market orders wait for an auction. */
function unpricedOf(side: number): number {
  return side === Side.Buy ? MAX_PRICE_TICKS : 1;
}
