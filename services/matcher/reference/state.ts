/** The naive state of a shard: its instruments, open orders and names, and what ends or moves an order. Pure. */
import { EventKind, OrdStatus, Phase, Reason } from "../../../shared/protocol/mod.ts";
import type { EngineOptions } from "../engine/mod.ts";
import type { RefLevel } from "./book.ts";
import type { RefEvents } from "./events.ts";
import { RefMarket } from "./market.ts";
import { isBetter, isOpen, limitOf, type RefOrder } from "./order.ts";
import { RefNames } from "./names.ts";

interface Touched {
  readonly market: RefMarket;
  readonly side: number;
  readonly before: RefLevel;
}

/** Everything but what was seen of sessions. */
export class RefState {
  readonly maxOpenOrders: number;
  /** By instrument id, ascending. */
  readonly markets: ReadonlyMap<number, RefMarket>;
  readonly names: RefNames;
  /** Every order that is open, wherever it waits. */
  readonly open = new Set<RefOrder>();
  timestampUs = 0;
  readonly #events: RefEvents;
  #touched: Touched[] = [];
  #changedMarkets = new Set<RefMarket>();

  constructor(options: EngineOptions, events: RefEvents) {
    this.maxOpenOrders = options.maxOpenOrders;
    this.names = new RefNames(options.clOrdIdHistory);
    this.#events = events;
    const own = options.instruments.filter(({ shard }) => shard === options.shard);
    this.markets = new Map(
      own.toSorted((a, b) => a.id - b.id).map((instrument) => [instrument.id, new RefMarket(instrument)]),
    );
  }

  /** The market of an order. */
  marketOf(order: RefOrder): RefMarket {
    return this.markets.get(order.instrument)!;
  }

  /** Starts a command: nothing is touched, and bands are measured from here. */
  begin(): void {
    this.#touched = [];
    this.#changedMarkets = new Set();
    for (const market of this.markets.values()) market.bandReference = market.referencePrice;
  }

  /** Levels as they are now that were touched and have changed, in the order of the first touch. */
  changedLevels(): { instrument: number; side: number; level: RefLevel }[] {
    return this.#touched.flatMap(({ market, side, before }) => {
      const level = market.book.level(side, before.price);
      const same = level.qty === before.qty && level.orders === before.orders;
      return same ? [] : [{ instrument: market.instrument.id, side, level }];
    });
  }

  /** Markets of which an order or the phase may have changed, ascending. */
  changedMarkets(): RefMarket[] {
    return [...this.#changedMarkets].sort((a, b) => a.instrument.id - b.instrument.id);
  }

  /** Notes that an order of the book is about to change. */
  touch(order: RefOrder): void {
    const market = this.marketOf(order);
    this.touchMarket(market);
    const price = limitOf(order);
    const same = (t: Touched) => t.market === market && t.side === order.side && t.before.price === price;
    if (this.#touched.some(same)) return;
    this.#touched.push({ market, side: order.side, before: market.book.level(order.side, price) });
  }

  touchMarket(market: RefMarket): void {
    this.#changedMarkets.add(market);
  }

  /** Puts an order into the book; it is the top order when it betters an open market. */
  rest(order: RefOrder): void {
    const market = this.marketOf(order);
    this.touch(order);
    const best = market.book.best(order.side);
    const betters = best === undefined || isBetter(order.side, limitOf(order), best);
    market.book.add(order);
    if (market.phase === Phase.Continuous && betters) market.top[order.side] = order;
  }

  /** Takes an order out of where it waits: it is nobody's top order any more. */
  leave(order: RefOrder): void {
    const market = this.marketOf(order);
    if (order.place === "book") this.touch(order);
    market.takeOut(order);
    if (market.top[order.side] === order) market.top[order.side] = undefined;
  }

  /** An iceberg of which nothing is shown any more is shown anew, behind the others at its price. */
  replenish(order: RefOrder): void {
    if (!isOpen(order) || order.shown > 0) return;
    this.leave(order);
    this.marketOf(order).book.add(order);
  }

  /** Ends an open order with an event to its owner. */
  end(order: RefOrder, kind: EventKind, reason: Reason = Reason.None): void {
    this.leave(order);
    order.status = kind === EventKind.OrderExpired ? OrdStatus.Expired : OrdStatus.Canceled;
    this.#events.ofOrder(kind, order, reason);
    this.done(order);
  }

  /** Ends a quote's order without a word. */
  endSilently(order: RefOrder): void {
    this.leave(order);
    order.status = OrdStatus.Canceled;
    this.done(order);
  }

  /** What follows once an order's status is final: it leaves, and its ClOrdID is a past one. */
  done(order: RefOrder): void {
    this.leave(order);
    this.open.delete(order);
    if (!order.isQuote) return this.names.retire(this.names.find(order.session, order.clOrdId)!);
    const quotes = this.marketOf(order).quotes;
    const quote = quotes.get(order.session)!;
    quote[order.side] = undefined;
    if (Object.values(quote).every((side) => side === undefined)) quotes.delete(order.session);
  }

  /** Books an execution on one of its two orders; what the book shows of it shrinks first. */
  execute(order: RefOrder, price: number, qty: number): void {
    if (order.place === "book") this.touch(order);
    order.cum += qty;
    order.notional += BigInt(price) * BigInt(qty);
    order.status = order.cum === order.qty ? OrdStatus.Filled : OrdStatus.PartiallyFilled;
    order.shown = Math.max(0, order.shown - qty);
  }
}
