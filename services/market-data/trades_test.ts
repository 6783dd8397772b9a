import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { EventKind, Liquidity, Side } from "../../shared/protocol/mod.ts";
import { ACME, type EventFields, eventOf, OPEN_US } from "./test_events.ts";
import { tradeOf } from "./trades.ts";

const { Added, Removed } = Liquidity;

describe("tradeOf", () => {
  const at = { shard: 0, cmdSeq: 12, eventIndex: 4, timestampUs: OPEN_US };
  const execution: EventFields = {
    kind: EventKind.OrderExecuted,
    side: Side.Buy,
    liquidity: Removed,
    lastPxTicks: 1005,
    lastQtyLots: 7,
    tradeIndex: 5,
  };

  it("makes one message of the first of a trade's two executions", () => {
    assert.deepEqual(tradeOf(eventOf(execution), at, ACME), {
      type: "trade",
      symbol: "ACME",
      tradeId: "0-12-4",
      price: "10.05",
      qty: "7",
      aggressor: "buy",
      cmdSeq: 12,
      time: "2026-03-02T09:30:00.000123Z",
    });
  });

  const rows: [string, number, number, "buy" | "sell" | null][] = [
    ["a buyer that takes", Side.Buy, Removed, "buy"],
    ["a seller that takes", Side.Sell, Removed, "sell"],
    ["a buyer that rested", Side.Buy, Added, "sell"],
    ["a seller that rested", Side.Sell, Added, "buy"],
    ["an auction: nobody", Side.Buy, Liquidity.None, null],
  ];
  for (const [name, side, liquidity, aggressor] of rows) {
    it(`names the aggressor from ${name}`, () => {
      assert.equal(tradeOf(eventOf({ ...execution, side, liquidity }), at, ACME)?.aggressor, aggressor);
    });
  }

  it("makes nothing of the second execution or of other events", () => {
    assert.equal(tradeOf(eventOf(execution), { ...at, eventIndex: 5 }, ACME), null);
    assert.equal(
      tradeOf(eventOf({ ...execution, kind: EventKind.OrderAccepted, tradeIndex: 0 }), at, ACME),
      null,
    );
  });
});
