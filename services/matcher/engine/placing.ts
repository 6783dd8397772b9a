/**
 * Where an order goes: against the other side, into the book, among the stops, or aside until the close; what its
 * remainder becomes; which stops that triggers. Also how an order leaves. Pure. docs/matching.md, "Matching".
 */
import {
  EventKind,
  MAX_PRICE_TICKS,
  OrdStatus,
  OrdType,
  Phase,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import type { Books } from "./books.ts";
import { bookOf, LEVEL_LAYOUT } from "./level_store.ts";
import { Outcome } from "./matching.ts";
import { EXTRA_LAYOUT, stopPxOf } from "./order_extra.ts";
import {
  instrumentOf,
  leavesOf,
  ORDER_LAYOUT,
  ordTypeOf,
  setStatus,
  sideOf,
  timeInForceOf,
} from "./order_store.ts";
import { isLasting, isStopType } from "./order_terms.ts";

const { ORDER_PRICE, ORDER_CUM, ORDER_EXTRA, ORDER_TERMS } = ORDER_LAYOUT;
const { EXTRA_FLAGS, TRIGGERED } = EXTRA_LAYOUT;
const { LEVEL_PRICE, LEVEL_HEAD } = LEVEL_LAYOUT;
const { OrderCanceled, OrderExpired, OrderRestated, OrderTriggered } = EventKind;
const { Canceled, Expired } = OrdStatus;
const { Limit, Market, MarketToLimit, Stop } = OrdType;
const { ClosingAuction, Continuous } = Phase;
const { LeftoverPriced } = Reason;
const { Buy, Sell } = Side;
const { AtTheClose, FillOrKill } = TimeInForce;
const { Filled, Gone } = Outcome;
/** The one price of parked orders. */
const PARKED_PRICE = 1;

/** Puts an open order that is nowhere where it belongs, and does what follows. `minQty` 0: it may trade any quantity. */
export function place(books: Books, order: number, minQty: number): void {
  const { words, states, levels } = books;
  const terms = words[order + ORDER_TERMS | 0];
  const instrument = instrumentOf(terms);
  const side = sideOf(terms);
  const phase = states.phase[instrument];
  if (isStopType(ordTypeOf(terms))) {
    const stopPx = stopPxOf(words, order);
    if (phase !== Continuous || !isReached(side, stopPx, states.lastPx[instrument])) {
      states.stops[instrument]++;
      return levels.append(order, levels.stopBook(instrument, side), stopPx);
    }
    trigger(books, order);
    return cascade(books, instrument);
  }
  if (timeInForceOf(terms) === AtTheClose && phase !== ClosingAuction) {
    return levels.append(order, levels.parkedBook(instrument), PARKED_PRICE);
  }
  if (phase !== Continuous) return rest(books, order);
  aggress(books, order, minQty);
  cascade(books, instrument);
}

/** Takes an open order out of the book, the stops or the parked orders. */
export function leave(books: Books, order: number): void {
  const { words, states, levels } = books;
  const terms = words[order + ORDER_TERMS | 0];
  if (isStopType(ordTypeOf(terms))) states.stops[instrumentOf(terms)]--;
  levels.remove(order);
}

/** Ends an order, which is nowhere, as expired. */
export function expire(books: Books, order: number): void {
  setStatus(books.words, order, Expired);
  books.reporter.order(OrderExpired, order);
  books.registry.retire(order);
}

/** Takes an order out and cancels it for a reason that its owner did not ask for. */
export function cancelBecause(books: Books, order: number, reason: Reason): void {
  leave(books, order);
  setStatus(books.words, order, Canceled);
  books.reporter.order(OrderCanceled, order, reason);
  books.registry.retire(order);
}

/** Puts an order into the book of its side. Continuous trading's best newcomer becomes the top order. */
export function rest(books: Books, order: number): void {
  const { words, states, levels } = books;
  const terms = words[order + ORDER_TERMS | 0];
  const instrument = instrumentOf(terms);
  const side = sideOf(terms);
  const book = bookOf(instrument, side);
  let price = words[order + ORDER_PRICE | 0];
  if (ordTypeOf(terms) === Market) price = side === Buy ? MAX_PRICE_TICKS : 1;
  if (states.phase[instrument] === Continuous) {
    const best = levels.bestHeld(book);
    const bestPrice = words[best + LEVEL_PRICE | 0];
    if (best === 0 || (side === Buy ? price > bestPrice : price < bestPrice)) levels.setTop(book, order);
  }
  levels.append(order, book, price);
}

/** Triggers stops, and what these trigger in turn, in the order of their prices and times. */
export function cascade(books: Books, instrument: number): void {
  const { words, states, levels } = books;
  while (states.stops[instrument] > 0 && states.phase[instrument] === Continuous) {
    const lastPx = states.lastPx[instrument];
    let level = levels.best(levels.stopBook(instrument, Buy));
    if (level === 0 || !isReached(Buy, words[level + LEVEL_PRICE | 0], lastPx)) {
      level = levels.best(levels.stopBook(instrument, Sell));
      if (level === 0 || !isReached(Sell, words[level + LEVEL_PRICE | 0], lastPx)) return;
    }
    const order = words[level + LEVEL_HEAD | 0];
    leave(books, order);
    trigger(books, order);
  }
}

/** Whether a last price triggers a stop. */
export function isReached(side: number, stopPx: number, lastPx: number): boolean {
  return side === Buy ? lastPx >= stopPx : lastPx > 0 && lastPx <= stopPx;
}

/** The price at which a post-only order rests: `price`, or one that does not trade; 0 when it has to be refused. */
export function postOnlyPrice(books: Books, instrument: number, side: number, price: number): number {
  const { words, levels, instruments } = books;
  const level = levels.bestHeld(bookOf(instrument, Buy + Sell - side));
  if (level === 0) return price;
  const best = words[level + LEVEL_PRICE | 0];
  if (side === Buy ? price < best : price > best) return price;
  if (instruments.reprices[instrument] === 0) return 0;
  const behind = side === Buy ? best - 1 : best + 1;
  return behind > MAX_PRICE_TICKS ? 0 : behind;
}

/** Gives an order a price that its owner did not ask for, and says so. */
export function restate(books: Books, order: number, priceTicks: number, reason: Reason): void {
  books.words[order + ORDER_PRICE | 0] = priceTicks;
  books.reporter.order(OrderRestated, order, reason);
}

/** Turns a stop, which is nowhere, into the order that it stands for. */
function trigger(books: Books, order: number): void {
  const { words } = books;
  const type = ordTypeOf(words[order + ORDER_TERMS | 0]) === Stop ? Market : Limit;
  setOrdType(words, order, type);
  words[words[order + ORDER_EXTRA | 0] + EXTRA_FLAGS | 0] |= TRIGGERED;
  books.reporter.order(OrderTriggered, order);
  aggress(books, order, 0);
}

/** Trades an order as far as it goes; then it is done, rests or expires. */
function aggress(books: Books, order: number, minQty: number): void {
  const { words, matching, registry, states } = books;
  const terms = words[order + ORDER_TERMS | 0];
  const timeInForce = timeInForceOf(terms);
  const wanted = timeInForce === FillOrKill ? leavesOf(words, order) : minQty;
  if (wanted > 0 && !matching.canFill(order, wanted)) return expire(books, order);
  const cumBefore = words[order + ORDER_CUM | 0];
  const outcome = matching.match(order);
  if (outcome === Gone) return;
  if (outcome === Filled) return registry.retire(order);
  const type = ordTypeOf(terms);
  if (type === MarketToLimit && words[order + ORDER_CUM | 0] > cumBefore) {
    setOrdType(words, order, Limit);
    restate(books, order, states.lastPx[instrumentOf(terms)], LeftoverPriced);
    return rest(books, order);
  }
  if (type === Limit && isLasting(timeInForce)) return rest(books, order);
  expire(books, order);
}

function setOrdType(words: Int32Array, order: number, ordType: number): void {
  words[order + ORDER_TERMS | 0] = words[order + ORDER_TERMS | 0] & ~(63 << 18) | ordType << 18;
}
