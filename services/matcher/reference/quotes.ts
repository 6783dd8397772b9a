/** The naive quotes: both sides of a session's quote replaced at once, entry by entry. Pure. */
import {
  EventKind,
  type Instrument,
  MAX_CL_ORD_ID_BYTES,
  orderIdOf,
  OrdType,
  Phase,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import { type Command, QuoteEntry, quoteEntryCount, readQuoteEntry } from "../../../shared/codec/wire/mod.ts";
import type { RefEvents } from "./events.ts";
import { first } from "./faults.ts";
import { isCallPhase, type RefMarket, type RefQuote } from "./market.ts";
import type { RefMatching } from "./matching.ts";
import { leavesOf, newRefOrder, type RefOrder, selfMatchTermsOf } from "./order.ts";
import type { RefState } from "./state.ts";

interface QuoteSide {
  readonly side: Side;
  readonly price: number;
  readonly qty: number;
}

/** Takes quotes and their withdrawal. */
export class RefQuotes {
  readonly #state: RefState;
  readonly #events: RefEvents;
  readonly #matching: RefMatching;

  constructor(state: RefState, events: RefEvents, matching: RefMatching) {
    this.#state = state;
    this.#events = events;
    this.#matching = matching;
  }

  massQuote(command: Command, cmdSeq: number, index: number): void {
    const { length } = command.clOrdId;
    if (length === 0 || length > MAX_CL_ORD_ID_BYTES) {
      return this.#events.answer(EventKind.QuoteAcknowledged, Reason.ClOrdIdTooLong, 0);
    }
    const total = quoteEntryCount(command.entries);
    for (let i = 0; i < total; i++) {
      const entry = new QuoteEntry();
      readQuoteEntry(command.entries, i, entry);
      const reason = this.#fault(command, entry);
      this.#events.quote(entry, reason, i + 1, total);
      if (reason === Reason.None) this.#replace(command, entry, orderIdOf(cmdSeq, index + 2 * i));
    }
  }

  cancelQuotes(command: Command): void {
    const { instrumentId, sessionId, clOrdId } = command;
    const named = this.#state.markets.get(instrumentId);
    const reason = first(
      [clOrdId.length > MAX_CL_ORD_ID_BYTES, Reason.ClOrdIdTooLong],
      [instrumentId !== 0 && named === undefined, Reason.UnknownSymbol],
      [named?.phase === Phase.NoCancel, Reason.PhaseForbids],
    );
    if (reason !== Reason.None) return this.#events.answer(EventKind.QuotesCanceled, reason, 0);
    const orders = [...this.#state.markets.values()]
      .filter((market) => instrumentId === 0 || market === named)
      .filter((market) => market.phase !== Phase.NoCancel)
      .flatMap((market) => Object.values(market.quotes.get(sessionId) ?? {}))
      .filter((order) => order !== undefined);
    for (const order of orders) this.#state.endSilently(order);
    this.#events.answer(EventKind.QuotesCanceled, Reason.None, orders.length);
  }

  #fault(command: Command, entry: QuoteEntry): Reason {
    const market = this.#state.markets.get(entry.instrumentId);
    if (entry.reason !== 0) return entry.reason as Reason;
    if (market === undefined) return Reason.UnknownSymbol;
    const quote = market.quotes.get(command.sessionId);
    const takesNew = market.phase === Phase.Continuous || isCallPhase(market.phase);
    const [bid, offer] = sidesOf(entry);
    return first(
      [!takesNew || quote !== undefined && market.phase === Phase.NoCancel, Reason.PhaseForbids],
      [isGiven(bid) && isGiven(offer) && bid.price >= offer.price, Reason.QuoteCrossed],
      [!isSound(bid) || !isSound(offer), Reason.QuoteInvalid],
      [isOverLimit(bid, market.instrument) || isOverLimit(offer, market.instrument), Reason.QtyOverLimit],
      [!this.#hasRoom(quote, [bid, offer]), Reason.BookFull],
    );
  }

  /** Whether as many orders may be open as would be after the entry. */
  #hasRoom(quote: RefQuote | undefined, sides: readonly QuoteSide[]): boolean {
    const changed = sides.filter((one) => !stays(quote?.[one.side], one));
    const removed = changed.filter((one) => quote?.[one.side] !== undefined).length;
    const added = changed.filter(isGiven).length;
    return added === 0 || this.#state.open.size - removed + added <= this.#state.maxOpenOrders;
  }

  /** Removes, keeps or makes anew both sides; then the new ones arrive, the bid first. */
  #replace(command: Command, entry: QuoteEntry, bidOrderId: number): void {
    const market = this.#state.markets.get(entry.instrumentId)!;
    const placed: RefOrder[] = [];
    const quote = { ...market.quotes.get(command.sessionId) };
    for (const one of sidesOf(entry)) {
      const standing = quote[one.side];
      if (stays(standing, one)) {
        this.#keep(standing!, one, command);
        continue;
      }
      if (standing !== undefined) this.#state.endSilently(standing);
      if (isGiven(one)) {
        placed.push(this.#newOrder(command, market, one, bidOrderId + (one.side === Side.Buy ? 0 : 1)));
      }
    }
    for (const order of placed) {
      const sides = market.quotes.get(order.session) ?? {};
      market.quotes.set(order.session, sides);
      sides[order.side] = order;
      this.#state.open.add(order);
    }
    for (const order of placed) this.#matching.place(order);
  }

  #keep(order: RefOrder, { qty }: QuoteSide, command: Command): void {
    this.#state.touch(order);
    order.qty = order.cum + qty;
    order.shown = leavesOf(order);
    order.clOrdId = command.clOrdId.toString();
    Object.assign(order, selfMatchTermsOf(command));
  }

  #newOrder(command: Command, market: RefMarket, { side, price, qty }: QuoteSide, orderId: number): RefOrder {
    return newRefOrder(command, {
      orderId,
      instrument: market.instrument.id,
      side,
      isQuote: true,
      ordType: OrdType.Limit,
      timeInForce: TimeInForce.Day,
      price,
      qty,
      stopPx: 0,
      maxFloor: 0,
      minQty: 0,
      expireUs: 0,
      execInst: 0,
      ...selfMatchTermsOf(command),
    });
  }
}

function sidesOf(entry: QuoteEntry): [QuoteSide, QuoteSide] {
  return [
    { side: Side.Buy, price: entry.bidPxTicks, qty: entry.bidQtyLots },
    { side: Side.Sell, price: entry.offerPxTicks, qty: entry.offerQtyLots },
  ];
}

/** Whether a side is quoted, not withdrawn. */
function isGiven({ price, qty }: QuoteSide): boolean {
  return price !== 0 && qty !== 0;
}

function isSound(side: QuoteSide): boolean {
  const { price, qty } = side;
  return isGiven(side) ? price > 0 && qty > 0 : price === 0 && qty === 0;
}

function isOverLimit({ qty }: QuoteSide, { maxOrderQtyLots }: Instrument): boolean {
  return qty > maxOrderQtyLots;
}

/** Whether a standing order stays, perhaps with less. */
function stays(order: RefOrder | undefined, side: QuoteSide): boolean {
  return order !== undefined && isGiven(side) && side.price === order.price && side.qty <= leavesOf(order);
}
