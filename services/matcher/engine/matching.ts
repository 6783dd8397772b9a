/**
 * An aggressor against the other side of its book: which levels it reaches, and plain time priority there; level_taking.ts
 * has the rest. Leaves the aggressor's remainder to the caller. Pure. docs/matching.md, "Matching".
 */
import { MAX_PRICE_TICKS, OrdStatus, OrdType, Side } from "../../../shared/protocol/mod.ts";
import { Availability } from "./available.ts";
import type { InstrumentStates } from "./instrument_state.ts";
import type { InstrumentTable } from "./instrument_table.ts";
import { LevelTaking } from "./level_taking.ts";
import { bookOf, LEVEL_LAYOUT, type LevelStore } from "./level_store.ts";
import type { MatchListener } from "./match_listener.ts";
import type { Memory } from "./memory.ts";
import { EXTRA_LAYOUT, showLess, smpActionOf } from "./order_extra.ts";
import { fillBoth, instrumentOf, ORDER_LAYOUT, ordTypeOf, sideOf } from "./order_store.ts";
import type { OrderRegistry } from "./registry.ts";
import type { Reporter } from "./reporter.ts";

const {
  ORDER_PRICE,
  ORDER_QTY,
  ORDER_CUM,
  ORDER_NEXT,
  ORDER_LEVEL,
  ORDER_EXTRA,
  ORDER_TERMS,
  ORDER_STATUS,
} = ORDER_LAYOUT;
const { LEVEL_PRICE, LEVEL_HEAD, LEVEL_COUNT, LEVEL_NEXT, LEVEL_BOOK } = LEVEL_LAYOUT;
const { EXTRA_FLAGS } = EXTRA_LAYOUT;
const { Limit } = OrdType;
const { Buy, Sell } = Side;

/** What became of an aggressor. */
export const Outcome = {
  /** It has something left. */
  Left: 0,
  /** It is filled; the caller has to retire it. */
  Filled: 1,
  /** Self-match prevention has ended it, and it is retired. */
  Gone: 2,
} as const;
export type Outcome = typeof Outcome[keyof typeof Outcome];

const { Left, Filled, Gone } = Outcome;
const FILLED = OrdStatus.Filled;
/** OrdStatus in ORDER_STATUS. */
const STATUS_BITS = 15;

/** Matches orders. */
export class Matching {
  readonly #words: Int32Array;
  readonly #instruments: InstrumentTable;
  readonly #states: InstrumentStates;
  readonly #registry: OrderRegistry;
  readonly #levels: LevelStore;
  readonly #reporter: Reporter;
  readonly #taking: LevelTaking;
  readonly #availability: Availability;

  /** `maxOpenOrders` bounds how many orders one level can hold. */
  constructor(
    memory: Memory,
    instruments: InstrumentTable,
    states: InstrumentStates,
    registry: OrderRegistry,
    levels: LevelStore,
    reporter: Reporter,
    maxOpenOrders: number,
  ) {
    this.#words = memory.words;
    this.#instruments = instruments;
    this.#states = states;
    this.#registry = registry;
    this.#levels = levels;
    this.#reporter = reporter;
    this.#availability = new Availability(memory.words, instruments, states, levels);
    this.#taking = new LevelTaking(memory, instruments, registry, levels, reporter, maxOpenOrders);
  }

  /** Who is told how executions come about; null for nobody. */
  get listener(): MatchListener | null {
    return this.#taking.listener;
  }
  set listener(listener: MatchListener | null) {
    this.#taking.listener = listener;
  }

  /** Whether the book could fill `wantedLots` of the order at once. */
  canFill(order: number, wantedLots: number): boolean {
    const terms = this.#words[order + ORDER_TERMS | 0];
    return this.#availability.covers(order, wantedLots, this.#limitOf(order, terms));
  }

  /** Trades an order that rests nowhere as far as its price, protection, the band and the other side allow. */
  match(aggressor: number): Outcome {
    const words = this.#words;
    const levels = this.#levels;
    const terms = words[aggressor + ORDER_TERMS | 0];
    const isBuy = sideOf(terms) === Buy;
    const instrument = instrumentOf(terms);
    let level = levels.best(bookOf(instrument, isBuy ? Sell : Buy));
    if (level === 0) return Left;
    const limit = this.#limitOf(aggressor, terms);
    const extra = words[aggressor + ORDER_EXTRA | 0];
    const action = extra === 0 ? 0 : smpActionOf(words[extra + EXTRA_FLAGS | 0]);
    const fifo = this.#instruments.fifoOnly[instrument] === 1;
    const { listener } = this.#taking;
    const hasBand = this.#instruments.bandTicks[instrument] !== 0;
    do {
      const price = words[level + LEVEL_PRICE | 0];
      if (isBuy ? price > limit : price < limit) return Left;
      if (words[level + LEVEL_COUNT | 0] !== 0) {
        if (hasBand && this.#states.interrupts(instrument, price)) return Left;
        if (listener !== null) listener.levelReached(aggressor, level);
        const left = words[aggressor + ORDER_QTY | 0] - words[aggressor + ORDER_CUM | 0];
        if (action === 0 && levels.hiddenQty(level) === 0 && (fifo || left >= levels.qty(level))) {
          this.#takeOldest(aggressor, level, price, left);
        } else if (!this.#taking.take(aggressor, level, price, instrument, action)) {
          if (this.#taking.traded) this.#states.traded(instrument, price);
          return Gone;
        } else if (!this.#taking.traded) {
          level = words[level + LEVEL_NEXT | 0];
          continue;
        }
        if (hasBand) this.#states.traded(instrument, price);
        else this.#states.lastPx[instrument] = price;
        if ((words[aggressor + ORDER_STATUS | 0] & STATUS_BITS) === FILLED) return Filled;
      }
      level = words[level + LEVEL_NEXT | 0];
    } while (level !== 0);
    return Left;
  }

  /** Time priority, straight from the queue; also what every algorithm amounts to when the whole level goes. */
  #takeOldest(aggressor: number, level: number, price: number, wanted: number): void {
    const words = this.#words;
    const top = this.#levels.top(words[level + LEVEL_BOOK | 0]);
    let left = wanted;
    let gone = 0;
    let resting = words[level + LEVEL_HEAD | 0];
    do {
      const next = words[resting + ORDER_NEXT | 0];
      const open = words[resting + ORDER_QTY | 0] - words[resting + ORDER_CUM | 0];
      const qty = open < left ? open : left;
      left -= qty;
      fillBoth(words, aggressor, resting, price, qty);
      this.#reporter.trade(aggressor, resting, price, qty);
      if (qty !== open) {
        if (words[resting + ORDER_EXTRA | 0] !== 0) showLess(words, resting, qty);
        break;
      }
      if (resting === top) this.#levels.setTop(words[level + LEVEL_BOOK | 0], 0);
      words[resting + ORDER_LEVEL | 0] = 0;
      this.#registry.retire(resting);
      gone++;
      resting = next;
    } while (resting !== 0 && left > 0);
    this.#levels.takeFront(level, resting, gone, wanted - left);
  }

  /** The worst price that the order accepts: its own, or for a market order what protection leaves. */
  #limitOf(order: number, terms: number): number {
    if (ordTypeOf(terms) === Limit) return this.#words[order + ORDER_PRICE | 0];
    const instrument = instrumentOf(terms);
    const side = sideOf(terms);
    const ticks = this.#instruments.protectionTicks[instrument];
    if (ticks !== 0) {
      const best = this.#levels.bestHeld(bookOf(instrument, Buy + Sell - side));
      if (best !== 0) return this.#words[best + LEVEL_PRICE | 0] + (side === Buy ? ticks : -ticks);
    }
    return side === Buy ? MAX_PRICE_TICKS : 1;
  }
}
