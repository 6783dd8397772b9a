/**
 * What must hold of an engine's state between commands, checked the slow and thorough way: for tests, fuzzing and an
 * operator's doubt. The cheap half runs in production inside the engine. Pure. Throws Error naming the broken rule.
 */
import { MAX_PRICE_TICKS, OrdStatus, OrdType, Phase, Side } from "../../../shared/protocol/mod.ts";
import type { Engine } from "./engine.ts";
import { bookOf, LEVEL_LAYOUT } from "./level_store.ts";
import { EXTRA_LAYOUT, floorOf, isQuote, shownOf, stopPxOf } from "./order_extra.ts";
import { leavesOf, ORDER_LAYOUT, ordTypeOf, statusOf } from "./order_store.ts";
import { isStopType } from "./order_terms.ts";
import { isReached } from "./placing.ts";
import { isCall } from "./instrument_state.ts";

const {
  ORDER_PRICE,
  ORDER_CUM,
  ORDER_NEXT,
  ORDER_PREV,
  ORDER_LEVEL,
  ORDER_ENTRY,
  ORDER_EXTRA,
  ORDER_TERMS,
  ORDER_STATUS,
} = ORDER_LAYOUT;
const { EXTRA_QUEUED, EXTRA_QUOTE } = EXTRA_LAYOUT;
const { LEVEL_PRICE, LEVEL_HEAD, LEVEL_TAIL, LEVEL_COUNT, LEVEL_NEXT } = LEVEL_LAYOUT;
const { Buy, Sell } = Side;

/** What a check has counted. */
interface Count {
  levels: number;
  named: number;
  quoted: number;
  expiring: number;
}

/**
 * Books are sorted, and while trading is continuous not crossed; a level's quantities and count are its orders'; queues
 * are linked both ways; every open order is in one place, found by its OrderID, named by a current ClOrdID, or is a quote's;
 * no stop waits that was reached; past names point at known orders, and at done ones where they are those orders' last.
 */
export function checkInvariants(engine: Engine): void {
  const { instruments, registry, levels, states, words } = engine.books;
  const count: Count = { levels: 0, named: 0, quoted: 0, expiring: 0 };
  let inCall = 0;
  for (const id of instruments.ids) {
    const continuous = states.phase[id] === Phase.Continuous;
    for (const side of [Buy, Sell]) {
      const book = bookOf(id, side);
      const top = levels.top(book);
      const best = levels.best(book);
      checkBook(engine, book, id, side, count);
      checkBook(engine, levels.stopBook(id, side), id, side, count);
      if (top !== 0) {
        demand(continuous && words[top + ORDER_LEVEL] === best, "the top order is at the best price");
      }
      const stop = levels.best(levels.stopBook(id, side));
      if (stop === 0 || !continuous) continue;
      demand(
        !isReached(side, words[stop + LEVEL_PRICE], states.lastPx[id]),
        "no stop waits that was reached",
      );
    }
    checkBook(engine, levels.parkedBook(id), id, 0, count);
    if (continuous) demand(!levels.isCrossed(id), "the book is not crossed");
    if (isCall(states.phase[id])) inCall++;
  }
  const resting = count.named + count.quoted;
  demand(resting === registry.orders.openCount, "every open order rests");
  demand(count.levels === levels.levelCount, "every level is in a book");
  demand(count.expiring === registry.expiry.count, "only open orders expire");
  demand(inCall === states.callCount, "instruments in a call phase are counted");
  checkQuotes(engine, count.quoted);
  checkPast(engine, count.named, resting);
}

/** A book with its orders; `side` 0: both sides'. */
function checkBook(engine: Engine, book: number, instrument: number, side: number, count: Count): void {
  const { levels, states, words } = engine.books;
  const isStops = book === levels.stopBook(instrument, side);
  let previous = 0;
  let stops = 0;
  for (let level = levels.best(book); level !== 0; level = words[level + LEVEL_NEXT]) {
    const price = words[level + LEVEL_PRICE];
    const rises = (side === Sell) !== isStops;
    if (previous !== 0) demand(rises ? price > previous : price < previous, "levels are sorted");
    previous = price;
    count.levels++;
    stops += checkLevel(engine, level, instrument, side, count);
    const head = words[level + LEVEL_HEAD];
    demand(isStopType(ordTypeOf(words[head + ORDER_TERMS])) === isStops, "stops and only stops wait as such");
    if (isStops) demand(price === stopPxOf(words, head), "a stop waits at its StopPx");
    else if (side !== 0) demand(price === restingPrice(words, head, side), "an order's price is its level's");
  }
  if (isStops && side === Sell) {
    const buys = countOrders(engine, levels.stopBook(instrument, Buy));
    demand(stops + buys === states.stops[instrument], "stops are counted");
  }
}

function countOrders(engine: Engine, book: number): number {
  const { levels, words } = engine.books;
  let orders = 0;
  for (let level = levels.best(book); level !== 0; level = words[level + LEVEL_NEXT]) {
    orders += words[level + LEVEL_COUNT];
  }
  return orders;
}

function restingPrice(words: Int32Array, order: number, side: number): number {
  if (ordTypeOf(words[order + ORDER_TERMS]) !== OrdType.Market) return words[order + ORDER_PRICE];
  return side === Buy ? MAX_PRICE_TICKS : 1;
}

function checkLevel(engine: Engine, level: number, instrument: number, side: number, count: Count): number {
  const { registry, levels, words } = engine.books;
  let orders = 0;
  let shown = 0;
  let hidden = 0;
  let previous = 0;
  for (let order = words[level + LEVEL_HEAD]; order !== 0; order = words[order + ORDER_NEXT]) {
    const leaves = leavesOf(words, order);
    const floor = floorOf(words, order);
    const expected = words[order + ORDER_CUM] === 0 ? OrdStatus.New : OrdStatus.PartiallyFilled;
    demand(words[order + ORDER_PREV] === previous, "queues are linked both ways");
    demand(words[order + ORDER_LEVEL] === level, "an order knows its level");
    demand(registry.orders.instrument(order) === instrument, "an order is in its instrument's book");
    if (side !== 0) demand(registry.orders.side(order) === side, "an order is on its side");
    demand(leaves > 0, "a resting order has LeavesQty");
    demand(statusOf(words[order + ORDER_STATUS]) === expected, "OrdStatus follows CumQty");
    const shows = shownOf(words, order);
    demand(shows > 0 && shows <= leaves && (floor === 0 || shows <= floor), "an order shows what it may");
    checkName(engine, order, count);
    if (registry.extras.expireUs(order) !== 0) {
      demand(words[words[order + ORDER_EXTRA] + EXTRA_QUEUED] > 0, "a good-till-date order is in the queue");
      count.expiring++;
    }
    previous = order;
    shown += shows;
    hidden += leaves - shows;
    orders++;
  }
  demand(orders > 0 && orders === words[level + LEVEL_COUNT], "a level counts its orders");
  demand(previous === words[level + LEVEL_TAIL], "a level knows its youngest order");
  demand(shown === levels.qty(level), "a level's quantity is the sum of its orders'");
  demand(hidden === levels.hiddenQty(level), "a level's hidden quantity is the sum of its orders'");
  return orders;
}

function checkName(engine: Engine, order: number, count: Count): void {
  const { registry, words } = engine.books;
  const entry = words[order + ORDER_ENTRY];
  demand(registry.names.sessionOf(entry) === registry.orders.session(order), "it is the owner's ClOrdID");
  if (isQuote(words, order)) {
    const quote = words[words[order + ORDER_EXTRA] + EXTRA_QUOTE];
    demand(registry.quotes.orderOf(quote, registry.orders.side(order)) === order, "a quote knows its orders");
    demand(registry.findOrderId(registry.orders.orderId(order)) === 0, "no OrderID finds a quote's order");
    count.quoted++;
    return;
  }
  demand(registry.findOrderId(registry.orders.orderId(order)) === order, "an OrderID finds its order");
  demand(registry.names.orderOf(entry) === order, "a current ClOrdID names its order");
  count.named++;
}

function checkQuotes(engine: Engine, quoted: number): void {
  let orders = 0;
  for (const { bid, offer } of engine.books.registry.quotes.all()) {
    demand(bid !== 0 || offer !== 0, "a quote has an order");
    orders += Number(bid !== 0) + Number(offer !== 0);
  }
  demand(orders === quoted, "a quote's orders rest");
}

function checkPast(engine: Engine, named: number, resting: number): void {
  const { registry } = engine.books;
  const done = new Set<number>();
  for (let age = 0; age < registry.pastCount; age++) {
    const entry = registry.pastEntry(age);
    const order = registry.names.orderOf(entry);
    demand(
      registry.findOrderId(registry.orders.orderId(order)) === order,
      "a past ClOrdID names a known order",
    );
    if (registry.orders.isOpen(order)) demand(!registry.isCurrent(entry), "a past ClOrdID is not current");
    else done.add(order);
  }
  demand(registry.names.count === named + registry.pastCount, "a ClOrdID is current or past");
  demand(registry.orders.usedCount === resting + done.size, "an order rests or is remembered by a name");
}

function demand(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`Cannot continue: the engine's state breaks the rule that ${rule}`);
}
