/**
 * What must hold of an engine's state between commands, checked the slow and thorough way: for tests, fuzzing and an
 * operator's doubt. The cheap half runs in production inside the engine. Pure. Throws Error naming the broken rule.
 */
import { OrdStatus, Side } from "../../../shared/protocol/mod.ts";
import type { Engine } from "./engine.ts";
import { bookOf, LEVEL_LAYOUT } from "./level_store.ts";
import { ORDER_LAYOUT } from "./order_store.ts";

const {
  ORDER_PRICE,
  ORDER_QTY,
  ORDER_CUM,
  ORDER_NEXT,
  ORDER_PREV,
  ORDER_LEVEL,
  ORDER_ENTRY,
  ORDER_STATUS,
} = ORDER_LAYOUT;
const { LEVEL_PRICE, LEVEL_HEAD, LEVEL_TAIL, LEVEL_COUNT, LEVEL_NEXT } = LEVEL_LAYOUT;

/**
 * Books are not crossed and sorted; a level's quantity and count are its orders'; queues are linked both ways; every
 * resting order is open, found by its OrderID, named by a current ClOrdID; every open order rests; past names point at
 * known orders, and at done ones where they are those orders' last.
 */
export function checkInvariants(engine: Engine): void {
  const { instruments, registry, levels, words } = engine.books;
  let resting = 0;
  let levelCount = 0;
  for (const id of instruments.ids) {
    for (let side: number = Side.Buy; side <= Side.Sell; side++) {
      let previous = 0;
      for (let level = levels.best(bookOf(id, side)); level !== 0;) {
        const price = words[level + LEVEL_PRICE];
        if (previous !== 0) {
          demand(side === Side.Buy ? price < previous : price > previous, "levels are sorted");
        }
        previous = price;
        resting += checkLevel(engine, level, id, side, price);
        levelCount++;
        level = words[level + LEVEL_NEXT];
      }
    }
    demand(!levels.isCrossed(id), "the book is not crossed");
  }
  demand(resting === registry.orders.openCount, "every open order rests");
  demand(levelCount === levels.levelCount, "every level is in a book");
  checkPast(engine, resting);
}

function checkLevel(engine: Engine, level: number, instrument: number, side: number, price: number): number {
  const { registry, levels, words } = engine.books;
  let count = 0;
  let qty = 0;
  let previous = 0;
  for (
    let order = words[level + LEVEL_HEAD];
    order !== 0;
    order = words[order + ORDER_NEXT]
  ) {
    const leaves = words[order + ORDER_QTY] - words[order + ORDER_CUM];
    const expected = words[order + ORDER_CUM] === 0 ? OrdStatus.New : OrdStatus.PartiallyFilled;
    const entry = words[order + ORDER_ENTRY];
    demand(words[order + ORDER_PREV] === previous, "queues are linked both ways");
    demand(words[order + ORDER_LEVEL] === level, "an order knows its level");
    demand(words[order + ORDER_PRICE] === price, "an order's price is its level's");
    demand(registry.orders.instrument(order) === instrument, "an order is in its instrument's book");
    demand(registry.orders.side(order) === side, "an order is on its side");
    demand(leaves > 0, "a resting order has LeavesQty");
    demand(words[order + ORDER_STATUS] === expected, "OrdStatus follows CumQty");
    demand(registry.findOrderId(registry.orders.orderId(order)) === order, "an OrderID finds its order");
    demand(registry.names.orderOf(entry) === order, "a current ClOrdID names its order");
    demand(registry.names.sessionOf(entry) === registry.orders.session(order), "it is the owner's ClOrdID");
    previous = order;
    qty += leaves;
    count++;
  }
  demand(count > 0 && count === words[level + LEVEL_COUNT], "a level counts its orders");
  demand(previous === words[level + LEVEL_TAIL], "a level knows its youngest order");
  demand(qty === levels.qty(level), "a level's quantity is the sum of its orders'");
  return count;
}

function checkPast(engine: Engine, resting: number): void {
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
  demand(registry.names.count === resting + registry.pastCount, "a ClOrdID is current or past");
  demand(registry.orders.usedCount === resting + done.size, "an order rests or is remembered by a name");
}

function demand(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`Cannot continue: the engine's state breaks the rule that ${rule}`);
}
