/** The naive matching: what an order does when it arrives, and the stops that follow. Pure. */
import {
  EventKind,
  MatchAlgorithm,
  OrdStatus,
  OrdType,
  Phase,
  PhaseCause,
  Reason,
  SmpAction,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import { allocate } from "./allocation.ts";
import type { RefEvents } from "./events.ts";
import { isCallPhase, NOTHING, type RefMarket } from "./market.ts";
import {
  freshlyShown,
  isBetter,
  isLasting,
  isOpen,
  isStop,
  leavesOf,
  limitOf,
  opposite,
  type RefOrder,
} from "./order.ts";
import { conflicts, preventAll, preventSelfMatch } from "./self_match.ts";
import type { RefState } from "./state.ts";

/** Places orders and triggers stops. */
export class RefMatching {
  readonly #state: RefState;
  readonly #events: RefEvents;
  /** The aggressor's last execution, 0 before its first. */
  #executedPx = 0;

  constructor(state: RefState, events: RefEvents) {
    this.#state = state;
    this.#events = events;
  }

  /** Puts an order where it belongs: among the stops, aside for the close, into the book, or through it. */
  place(order: RefOrder): void {
    const market = this.#state.marketOf(order);
    const isOpenMarket = market.phase === Phase.Continuous;
    if (isStop(order)) {
      if (isOpenMarket && market.triggers(order)) this.#trigger(order);
      else market.addStop(order);
    } else if (order.timeInForce === TimeInForce.AtTheClose && market.phase !== Phase.ClosingAuction) {
      market.park(order);
    } else if (isCallPhase(market.phase)) {
      this.#state.rest(order);
    } else {
      this.#aggress(order);
    }
    this.cascade(market);
  }

  /** Triggers what the last trade's price has reached, one after the other, while the market is open. */
  cascade(market: RefMarket): void {
    while (market.phase === Phase.Continuous) {
      const stop = market.nextTriggered();
      if (stop === undefined) return;
      market.takeOut(stop);
      this.#trigger(stop);
    }
  }

  /** Brings a market into another phase; the caller does what belongs to the phase. */
  enterPhase(market: RefMarket, phase: number, cause: PhaseCause, price: number): void {
    const previous = market.phase;
    market.phase = phase;
    market.top[1] = market.top[2] = undefined;
    market.indicated = NOTHING;
    this.#state.touchMarket(market);
    this.#events.phase(market.instrument.id, phase, previous, cause, price);
  }

  #trigger(order: RefOrder): void {
    order.ordType = order.ordType === OrdType.Stop ? OrdType.Market : OrdType.Limit;
    order.triggered = true;
    this.#events.ofOrder(EventKind.OrderTriggered, order);
    this.#aggress(order);
  }

  #aggress(order: RefOrder): void {
    const needed = order.timeInForce === TimeInForce.FillOrKill ? leavesOf(order) : order.minQty;
    order.minQty = 0;
    if (needed > 0 && this.#available(order) < needed) {
      return this.#state.end(order, EventKind.OrderExpired);
    }
    this.#executedPx = 0;
    this.#match(order);
    if (order.status === OrdStatus.Filled) return this.#state.done(order);
    if (!isOpen(order)) return;
    if (order.ordType === OrdType.MarketToLimit && this.#executedPx > 0) {
      order.ordType = OrdType.Limit;
      order.price = this.#executedPx;
      this.#events.ofOrder(EventKind.OrderRestated, order, Reason.LeftoverPriced);
    }
    if (order.ordType === OrdType.Limit && isLasting(order.timeInForce)) this.#state.rest(order);
    else this.#state.end(order, EventKind.OrderExpired);
  }

  /** Prices of the other side that an order may trade at, best first; those beyond the band among them. */
  #reachable(order: RefOrder): number[] {
    const { book, rules } = this.#state.marketOf(order);
    const prices = book.prices(opposite(order.side));
    const isProtected = order.ordType !== OrdType.Limit && rules.protectionTicks > 0;
    return prices.filter((price) => {
      const isWithinLimit = !isBetter(order.side, price, limitOf(order));
      const isTooFar = isProtected && Math.abs(price - prices[0]) > rules.protectionTicks;
      return isWithinLimit && !isTooFar;
    });
  }

  #match(order: RefOrder): void {
    const market = this.#state.marketOf(order);
    for (const price of this.#reachable(order)) {
      if (!isOpen(order)) return;
      if (isBeyondBand(market, price)) {
        return this.enterPhase(market, Phase.VolatilityAuction, PhaseCause.Volatility, price);
      }
      this.#matchLevel(order, market, price);
    }
  }

  #matchLevel(order: RefOrder, market: RefMarket, price: number): void {
    const level = () => market.book.at(opposite(order.side), price);
    if (market.algorithm !== MatchAlgorithm.Fifo) {
      preventAll(this.#state, this.#events, order, level().filter((resting) => conflicts(order, resting)));
    }
    const total = level().reduce((sum, resting) => sum + leavesOf(resting), 0);
    if (market.algorithm === MatchAlgorithm.Fifo || leavesOf(order) >= total) {
      return this.#oldestFirst(order, level);
    }
    while (isOpen(order)) this.#round(order, market, level());
  }

  /** Takes from the head of the queue again and again; an iceberg that is shown anew comes again at the tail. */
  #oldestFirst(order: RefOrder, level: () => RefOrder[]): void {
    for (let [head] = level(); head !== undefined && isOpen(order); [head] = level()) {
      if (conflicts(order, head)) {
        preventSelfMatch(this.#state, this.#events, order, head);
        continue;
      }
      this.#trade(order, head, Math.min(leavesOf(order), head.shown));
      this.#state.replenish(head);
    }
  }

  /** Shares the aggressor out over what is shown, once. */
  #round(order: RefOrder, market: RefMarket, queue: readonly RefOrder[]): void {
    const shown = queue.map((resting) => resting.shown);
    const takesAll = leavesOf(order) >= shown.reduce((sum, lots) => sum + lots, 0);
    const candidates = queue.map((resting) => ({
      shown: resting.shown,
      isTop: market.top[resting.side] === resting,
      firm: resting.firm,
    }));
    const { algorithm, rules, instrument: { proRataMin } } = market;
    const given = takesAll ? shown : allocate(algorithm, proRataMin, rules, candidates, leavesOf(order));
    for (const [i, resting] of queue.entries()) {
      if (given[i] > 0) this.#trade(order, resting, given[i]);
    }
    for (const resting of queue) this.#state.replenish(resting);
  }

  #trade(order: RefOrder, resting: RefOrder, qty: number): void {
    const market = this.#state.marketOf(order);
    const price = limitOf(resting);
    this.#state.execute(order, price, qty);
    this.#state.execute(resting, price, qty);
    market.lastPx = this.#executedPx = price;
    this.#events.trade(order, resting, price, qty, false);
    if (!isOpen(resting)) this.#state.done(resting);
  }

  /** How much an order would trade at once: the same again with copies, and nothing told. */
  #available(order: RefOrder): number {
    const market = this.#state.marketOf(order);
    let left = leavesOf(order);
    let traded = 0;
    for (const price of this.#reachable(order)) {
      if (isBeyondBand(market, price)) return traded;
      const queue = market.book.at(opposite(order.side), price).map((resting) => ({ ...resting }));
      const isOwn = (resting: RefOrder) => conflicts(order, resting);
      // Other algorithms see to all own orders first; then all that is left can be had, in whatever shares.
      if (market.algorithm !== MatchAlgorithm.Fifo) queue.sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
      for (let head = queue.shift(); head !== undefined && left > 0; head = queue.shift()) {
        if (!isOwn(head)) {
          const lots = Math.min(left, head.shown);
          left -= lots;
          traded += lots;
          head.cum += lots;
          if (leavesOf(head) > 0) queue.push({ ...head, shown: freshlyShown(head) });
        } else if (order.smpAction === SmpAction.Decrement) {
          left -= leavesOf(head);
        } else if (order.smpAction !== SmpAction.CancelResting) {
          return traded;
        }
      }
      if (left <= 0) return traded;
    }
    return traded;
  }
}

/** Whether a trade at a price would lie too far from where the command found the market. */
function isBeyondBand({ bandReference, rules }: RefMarket, price: number): boolean {
  return rules.bandTicks > 0 && bandReference > 0 && Math.abs(price - bandReference) > rules.bandTicks;
}
