/**
 * Auctions: what an instrument's book would trade at one price, and the trades at it. Pure. docs/matching.md, "Auctions";
 * auction_price.ts finds the price.
 */
import { MAX_PRICE_TICKS, OrdStatus, OrdType, Side } from "../../../shared/protocol/mod.ts";
import type { Books } from "./books.ts";
import { isCall } from "./instrument_state.ts";
import { bookOf, LEVEL_LAYOUT } from "./level_store.ts";
import { shownOf } from "./order_extra.ts";
import { fillBoth, leavesOf, ORDER_LAYOUT, ordTypeOf, statusOf } from "./order_store.ts";

const { ORDER_NEXT, ORDER_TERMS, ORDER_STATUS } = ORDER_LAYOUT;
const { LEVEL_PRICE, LEVEL_HEAD, LEVEL_COUNT, LEVEL_NEXT } = LEVEL_LAYOUT;
const { Filled } = OrdStatus;
const { Market } = OrdType;
const { Buy, Sell } = Side;

/** Says what the auction of each instrument that the command has touched would trade, where that is news. */
export function indicate(books: Books): void {
  const { states, curve } = books;
  for (let index = 0, id = states.touchedAt(0); id !== 0; id = states.touchedAt(++index)) {
    if (!isCall(states.phase[id])) continue;
    findPrice(books, id);
    states.indicate(id, curve.priceTicks, curve.qtyLots, curve.surplusLots);
  }
  states.clearTouched();
}

/** Notes which instruments in a call phase the command has touched, before its levels are settled. */
export function noteTouched({ states, levels }: Books): void {
  for (let i = 0; i < levels.touchedCount; i++) {
    const id = levels.touchedInstrument(i);
    if (isCall(states.phase[id])) states.touch(id);
  }
}

/** Trades what can be traded at one price, by price and time, whole leaves; then icebergs show anew. */
export function uncross(books: Books, instrument: number): void {
  const { words, levels, registry, reporter, curve, states } = books;
  findPrice(books, instrument);
  const price = curve.priceTicks;
  let left = curve.qtyLots;
  if (left === 0) return;
  books.matching.listener?.auctionPriced(instrument, curve);
  let buyLevel = levels.best(bookOf(instrument, Buy));
  let sellLevel = levels.best(bookOf(instrument, Sell));
  let lastBuy = 0;
  let lastSell = 0;
  while (left > 0) {
    buyLevel = held(words, buyLevel);
    sellLevel = held(words, sellLevel);
    const buy = words[buyLevel + LEVEL_HEAD | 0];
    const sell = words[sellLevel + LEVEL_HEAD | 0];
    const qty = Math.min(left, leavesOf(words, buy), leavesOf(words, sell));
    left -= qty;
    fillBoth(words, buy, sell, price, qty);
    lastBuy = take(books, buy, qty) ? 0 : buy;
    lastSell = take(books, sell, qty) ? 0 : sell;
    reporter.auctionTrade(buy, sell, price, qty);
    if (lastBuy === 0) registry.retire(buy);
    if (lastSell === 0) registry.retire(sell);
  }
  states.auctioned(instrument, price);
  if (lastBuy !== 0 && shownOf(words, lastBuy) === 0) levels.replenish(lastBuy);
  if (lastSell !== 0 && shownOf(words, lastSell) === 0) levels.replenish(lastSell);
}

/** Takes a fill from an order's level, and the order with it when it is done: then true. */
function take({ words, levels }: Books, order: number, qtyLots: number): boolean {
  levels.reduce(order, qtyLots);
  const done = statusOf(words[order + ORDER_STATUS | 0]) === Filled;
  if (done) levels.remove(order);
  return done;
}

/** The first level from `level` on that holds an order. */
function held(words: Int32Array, level: number): number {
  while (words[level + LEVEL_COUNT | 0] === 0) level = words[level + LEVEL_NEXT | 0];
  return level;
}

function findPrice(books: Books, instrument: number): void {
  const { words, levels, curve, states } = books;
  const bestBuy = levels.bestHeld(bookOf(instrument, Buy));
  const bestSell = levels.bestHeld(bookOf(instrument, Sell));
  const buyPrice = words[bestBuy + LEVEL_PRICE | 0];
  const sellPrice = words[bestSell + LEVEL_PRICE | 0];
  curve.begin();
  if (bestBuy !== 0 && bestSell !== 0 && buyPrice >= sellPrice) {
    for (let level = bestBuy; level !== 0; level = words[level + LEVEL_NEXT | 0]) {
      const price = words[level + LEVEL_PRICE | 0];
      if (price < sellPrice) break;
      const market = price === MAX_PRICE_TICKS ? marketQty(words, level) : 0;
      const limit = levels.qty(level) + levels.hiddenQty(level) - market;
      curve.marketBuyLots += market;
      if (limit > 0) curve.addBuy(price, limit);
    }
    for (let level = bestSell; level !== 0; level = words[level + LEVEL_NEXT | 0]) {
      const price = words[level + LEVEL_PRICE | 0];
      if (price > buyPrice) break;
      const market = price === 1 ? marketQty(words, level) : 0;
      const limit = levels.qty(level) + levels.hiddenQty(level) - market;
      curve.marketSellLots += market;
      if (limit > 0) curve.addSell(price, limit);
    }
  }
  curve.find(states.reference(instrument));
}

/** What market orders have left at a level, lots. */
function marketQty(words: Int32Array, level: number): number {
  let sum = 0;
  for (let order = words[level + LEVEL_HEAD | 0]; order !== 0; order = words[order + ORDER_NEXT | 0]) {
    if (ordTypeOf(words[order + ORDER_TERMS | 0]) === Market) sum += leavesOf(words, order);
  }
  return sum;
}
