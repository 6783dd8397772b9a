/** The naive auction: every candidate price is tried, every order asked. Pure. */
import { OrdType, Side } from "../../../shared/protocol/mod.ts";
import type { RefEvents } from "./events.ts";
import { type Indication, NOTHING, type RefMarket } from "./market.ts";
import { isOpen, leavesOf, limitOf, type RefOrder } from "./order.ts";
import type { RefState } from "./state.ts";

/** The price at which an auction would trade now, and how much. */
export function indicationOf(market: RefMarket): Indication {
  const orders = [...market.book.side(Side.Buy), ...market.book.side(Side.Sell)];
  const limits = new Set(orders.filter(({ ordType }) => ordType !== OrdType.Market).map(limitOf));
  const reference = market.referencePrice;
  const candidates = tradable(market, [...limits]);
  if (candidates.length === 0 && reference > 0) candidates.push(...tradable(market, [reference]));
  if (candidates.length === 0) return NOTHING;
  const most = Math.max(...candidates.map(({ executable }) => executable));
  const full = candidates.filter(({ executable }) => executable === most);
  const least = Math.min(...full.map(({ surplus }) => Math.abs(surplus)));
  const left = full.filter(({ surplus }) => Math.abs(surplus) === least).sort((a, b) => a.price - b.price);
  if (left.every(({ surplus }) => surplus > 0)) return left[left.length - 1];
  if (reference === 0 || left.every(({ surplus }) => surplus < 0)) return left[0];
  const distance = ({ price }: Indication) => Math.abs(price - reference);
  return left.reduce((best, one) => distance(one) <= distance(best) ? one : best);
}

/** Those of some prices at which something would trade. */
function tradable(market: RefMarket, prices: readonly number[]): Indication[] {
  const lots = (orders: RefOrder[]) => orders.reduce((sum, order) => sum + leavesOf(order), 0);
  return prices.map((price) => {
    const buys = lots(market.book.side(Side.Buy).filter((order) => limitOf(order) >= price));
    const sells = lots(market.book.side(Side.Sell).filter((order) => limitOf(order) <= price));
    return { price, executable: Math.min(buys, sells), surplus: buys - sells };
  }).filter(({ executable }) => executable > 0);
}

/** Trades what can be traded at one price: by price, then time. */
export function uncross(state: RefState, events: RefEvents, market: RefMarket): void {
  const { price, executable } = indicationOf(market);
  for (let left = executable; left > 0;) {
    const [buy] = market.book.side(Side.Buy);
    const [sell] = market.book.side(Side.Sell);
    const qty = Math.min(leavesOf(buy), leavesOf(sell));
    left -= qty;
    for (const order of [buy, sell]) state.execute(order, price, qty);
    events.trade(buy, sell, price, qty, true);
    for (const order of [buy, sell]) {
      if (!isOpen(order)) state.done(order);
    }
  }
  if (executable > 0) market.lastPx = market.bandReference = price;
  for (const side of [Side.Buy, Side.Sell]) {
    for (const order of [...market.book.side(side)]) state.replenish(order);
  }
}
