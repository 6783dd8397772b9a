import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Event } from "../../../shared/codec/wire/mod.ts";
import { EventKind, OrdStatus, Side } from "../../../shared/protocol/mod.ts";
import { EventChecks } from "./event_checks.ts";

type Fields = Partial<Record<Exclude<keyof Event, "clOrdId" | "origClOrdId" | "symbol" | "text">, number>>;

function eventOf(kind: EventKind, fields: Fields): Event {
  return Object.assign(new Event(), { kind, instrumentId: 1, ...fields });
}

const accepted = (orderId: number, side: number, qty: number) =>
  eventOf(EventKind.OrderAccepted, {
    orderId,
    side,
    orderQtyLots: qty,
    leavesQtyLots: qty,
    ordStatus: OrdStatus.New,
  });

const filled = (orderId: number, side: number, tradeIndex: number, qty: number, changes: Fields = {}) =>
  eventOf(EventKind.OrderExecuted, {
    orderId,
    side,
    tradeIndex,
    orderQtyLots: qty,
    cumQtyLots: qty,
    lastQtyLots: qty,
    lastPxTicks: 100,
    ordStatus: OrdStatus.Filled,
    ...changes,
  });

/** The first fault of one group's events, the group's end included. */
function faultOf(...events: Event[]): string | null {
  const checks = new EventChecks(0);
  for (const [index, event] of events.entries()) {
    const fault = checks.take(event, index);
    if (fault !== null) return fault;
  }
  return checks.endGroup();
}

const BUY = accepted(4096, Side.Buy, 5);
const SELL = accepted(8192, Side.Sell, 5);
const canceled = (changes: Fields) =>
  eventOf(EventKind.OrderCanceled, {
    orderId: 4096,
    orderQtyLots: 5,
    ordStatus: OrdStatus.Canceled,
    ...changes,
  });

describe("what must hold of stored events", () => {
  it("finds nothing in orders that are accepted, traded, canceled and asked about", () => {
    const rest = { orderQtyLots: 8, leavesQtyLots: 3, ordStatus: OrdStatus.PartiallyFilled };
    const status = eventOf(EventKind.OrderStatusReported, {
      orderId: 8192,
      orderQtyLots: 5,
      cumQtyLots: 5,
      ordStatus: OrdStatus.Filled,
    });
    const last = canceled({ orderQtyLots: 8, cumQtyLots: 5 });
    const first = accepted(4096, Side.Buy, 8);
    assert.equal(
      faultOf(first, SELL, filled(8192, Side.Sell, 3, 5), filled(4096, Side.Buy, 3, 5, rest), last, status),
      null,
    );
  });

  const FAULTS: readonly (readonly [string, Event[], string])[] = [
    ["a trade with one side", [filled(4096, Side.Buy, 1, 5), BUY], "trade 1 has only one side"],
    ["a trade with one side at the end", [filled(4096, Side.Buy, 1, 5)], "trade 1 has only one side"],
    [
      "sides of different quantity",
      [filled(4096, Side.Buy, 1, 5), filled(8192, Side.Sell, 1, 4)],
      "trade 1 is of 5 lots for one side and 4 for the other",
    ],
    [
      "sides at different prices",
      [filled(4096, Side.Buy, 1, 5), filled(8192, Side.Sell, 1, 5, { lastPxTicks: 99 })],
      "trade 1 is at 100 ticks for one side and 99 for the other",
    ],
    [
      "the same side twice",
      [filled(4096, Side.Buy, 1, 5), filled(8192, Side.Buy, 1, 5)],
      "trade 1 has the same side twice",
    ],
    [
      "an order that trades with itself",
      [filled(4096, Side.Buy, 1, 5), filled(4096, Side.Sell, 1, 5)],
      "trade 1 has the same side twice",
    ],
    [
      "a trade over two instruments",
      [filled(4096, Side.Buy, 1, 5), filled(8192, Side.Sell, 1, 5, { instrumentId: 2 })],
      "trade 1 is in instruments 1 and 2",
    ],
    [
      "sides of two trades",
      [filled(4096, Side.Buy, 1, 5), filled(8192, Side.Sell, 2, 5)],
      "trade 1 has its second side in trade 2",
    ],
    [
      "a trade that is not named for its first event",
      [filled(4096, Side.Buy, 2, 5)],
      "trade 2 begins at event 0, so that it must be trade 1",
    ],
    ["a trade of nothing", [filled(4096, Side.Buy, 1, 0)], "a trade of 0 lots at 100 ticks"],
    [
      "an open order whose quantities do not add up",
      [eventOf(EventKind.OrderAccepted, { orderId: 4096, orderQtyLots: 5, leavesQtyLots: 4 })],
      "order 0-1-0 is open with CumQty 0 and LeavesQty 4 of OrderQty 5",
    ],
    [
      "an order without a quantity",
      [BUY, canceled({ orderQtyLots: 0 })],
      "order 0-1-0 has OrderQty 0 and CumQty 0",
    ],
    [
      "an order that has traded more than it asks for",
      [BUY, canceled({ cumQtyLots: 6 })],
      "order 0-1-0 has OrderQty 5 and CumQty 6",
    ],
    [
      "a done order with something left",
      [BUY, canceled({ leavesQtyLots: 5 })],
      "order 0-1-0 is done with LeavesQty 5",
    ],
    [
      "an execution that CumQty does not have",
      [BUY, canceled({ cumQtyLots: 1 })],
      "order 0-1-0 goes from CumQty 0 to 1 by 0",
    ],
    [
      "a CumQty below its own fill",
      [filled(4096, Side.Buy, 1, 5, { cumQtyLots: 4 })],
      "order 0-1-0 has CumQty 4 after a fill of 5",
    ],
    ["an order that ends twice", [BUY, canceled({}), canceled({})], "order 0-1-0 had ended before"],
    [
      "a CumQty that decreases",
      [
        accepted(4096, Side.Buy, 8),
        filled(4096, Side.Buy, 2, 5, {
          orderQtyLots: 8,
          leavesQtyLots: 3,
          ordStatus: OrdStatus.PartiallyFilled,
        }),
        filled(8192, Side.Sell, 2, 5),
        canceled({ orderQtyLots: 8, cumQtyLots: 4 }),
      ],
      "order 0-1-0 goes from CumQty 5 to 4 by 0",
    ],
  ];
  for (const [name, events, fault] of FAULTS) {
    it(`finds ${name}`, () => assert.equal(faultOf(...events), fault));
  }

  it("counts whole trades and orders that are open", () => {
    const checks = new EventChecks(0);
    [BUY, SELL, filled(4096, Side.Buy, 3, 5), filled(8192, Side.Sell, 3, 5), accepted(12288, Side.Buy, 1)]
      .forEach((event, index) => assert.equal(checks.take(event, index), null));
    assert.deepEqual([checks.trades, checks.openOrders], [1, 1]);
  });
});
