import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FIX44 } from "../codec/fix/mod.ts";
import { testInstrument } from "../testing/instrument.ts";
import { Event } from "../codec/wire/mod.ts";
import {
  avgPxText,
  decimalText,
  execIdText,
  execTypeOf,
  isLastReport,
  restatementReasonOf,
  tradeIdText,
  utcTimestampText,
} from "./execution.ts";
import { EventKind, type Instrument, Reason } from "./mod.ts";

const CENTS = testInstrument(1, { symbol: "ACME", maxOrderQtyLots: 1000 });
const QUARTERS = { ...CENTS, tickUnits: 25, tick: "0.25" };

const eventOf = (fields: Partial<Event>) => Object.assign(new Event(), fields);

describe("decimalText", () => {
  const rows: [number, number, string][] = [
    [0, 0, "0"],
    [0, 2, "0"],
    [5, 2, "0.05"],
    [50, 2, "0.5"],
    [1000, 2, "10"],
    [1005, 2, "10.05"],
    [1000, 0, "1000"],
    [1, 9, "0.000000001"],
    [Number.MAX_SAFE_INTEGER, 9, "9007199.254740991"],
  ];
  for (const [units, scale, expected] of rows) {
    it(`writes ${units} of 10^-${scale} as ${expected}`, () => {
      assert.equal(decimalText(units, scale), expected);
    });
  }
});

describe("avgPxText", () => {
  const rows: [string, Instrument, number, number, number, string][] = [
    ["nothing executed", CENTS, 0, 0, 0, "0"],
    ["one price", CENTS, 0, 1005 * 7, 7, "10.05"],
    ["a third, rounded down", CENTS, 0, 1000 + 1001 + 1000, 3, "10.00333333"],
    ["two thirds, rounded up", CENTS, 0, 1000 + 1001 + 1001, 3, "10.00666667"],
    ["a half in the ninth decimal, rounded up", CENTS, 0, 2_000_001, 2_000_000, "0.01000001"],
    ["a carry through nines", CENTS, 0, 999_999_999, 1_000_000_000, "0.01"],
    ["ticks of a quarter", QUARTERS, 0, 40 + 41, 2, "10.125"],
    ["more than 2^53 tick-lots, exactly", CENTS, 2 ** 29, 0, 2 ** 30, "21474836.48"],
    ["more than 2^53 tick-lots, with a rest", CENTS, 2 ** 29, 1, 2 ** 30, "21474836.48"],
    ["the largest notional", CENTS, 0x3fffffff, 1, 2 ** 31 - 1, "21474836.47"],
    ["nine decimals when prices have nine", { ...CENTS, priceScale: 9 }, 0, 3, 2, "0.000000002"],
  ];
  for (const [name, instrument, high, low, cumQty, expected] of rows) {
    it(name, () => {
      assert.equal(avgPxText(high, low, cumQty, instrument), expected);
    });
  }
});

describe("execTypeOf", () => {
  const rows: [string, Partial<Event>, string | null][] = [
    ["OrderAccepted", {}, "0"],
    ["OrderRejected", {}, "8"],
    ["OrderRejected", { detail: 1 }, "I"],
    ["OrderRejected", { detail: 2 }, "I"],
    ["OrderExecuted", {}, "F"],
    ["OrderCanceled", {}, "4"],
    ["OrderReplaced", {}, "5"],
    ["OrderExpired", {}, "C"],
    ["CancelRejected", {}, null],
    ["ReplaceRejected", {}, null],
    ["OrderStatusReported", {}, "I"],
    ["OrderTriggered", {}, "D"],
    ["OrderRestated", {}, "D"],
    ["MassCancelReported", {}, null],
    ["QuoteAcknowledged", {}, null],
    ["QuotesCanceled", {}, null],
    ["LevelChanged", {}, null],
    ["PhaseChanged", {}, null],
    ["AuctionIndicated", {}, null],
    ["AlgorithmChanged", {}, null],
  ];
  it("is told for every kind, by a code of FIX 4.4", () => {
    assert.deepEqual([...new Set(rows.map(([kind]) => kind))].sort(), Object.keys(EventKind).sort());
    const known = FIX44.fields.get(150)!.values!;
    for (const [, , expected] of rows) assert.ok(expected === null || known.has(expected), `${expected}`);
  });
  for (const [kind, fields, expected] of rows) {
    it(`${kind}${fields.detail === undefined ? "" : ` with detail ${fields.detail}`} → ${expected}`, () => {
      const event = eventOf({ ...fields, kind: EventKind[kind as keyof typeof EventKind] });
      assert.equal(execTypeOf(event), expected);
    });
  }
});

describe("identifiers", () => {
  it("are 0 for a status and derive from the stream otherwise", () => {
    assert.deepEqual(
      [execIdText("I", 3, 77, 5), execIdText("F", 3, 77, 5), tradeIdText(3, 77, 5)],
      ["0", "3-77-5", "3-77-4"],
    );
  });
});

describe("restatementReasonOf", () => {
  const { OrderCanceled, OrderExpired, OrderRestated, OrderTriggered } = EventKind;
  const { SelfMatchPrevented, MassCanceled, PostOnlyRepriced, LeftoverPriced } = Reason;
  const rows: [string, Partial<Event>, number][] = [
    ["a triggered stop", { kind: OrderTriggered }, 99],
    ["a post-only order moved", { kind: OrderRestated, reason: PostOnlyRepriced }, 3],
    ["a leftover priced", { kind: OrderRestated, reason: LeftoverPriced }, 3],
    ["a quantity reduced", { kind: OrderRestated, reason: SelfMatchPrevented }, 5],
    ["a cancel for a self-match", { kind: OrderCanceled, reason: SelfMatchPrevented, msgSeqNum: 7 }, 8],
    ["a mass cancel by another session", { kind: OrderCanceled, reason: MassCanceled }, 8],
    [
      "a mass cancel that the session asked for",
      { kind: OrderCanceled, reason: MassCanceled, msgSeqNum: 7 },
      0,
    ],
    ["a cancel that was asked for", { kind: OrderCanceled }, 0],
    ["an expiry", { kind: OrderExpired }, 0],
  ];
  for (const [name, fields, expected] of rows) {
    it(`of ${name} is ${expected}`, () => assert.equal(restatementReasonOf(eventOf(fields)), expected));
  }

  it("is a code of FIX 4.4 or 0", () => {
    const known = FIX44.fields.get(378)!.values!;
    for (const [, , code] of rows) assert.ok(code === 0 || known.has(String(code)), String(code));
  });
});

describe("isLastReport", () => {
  it("is true of the last of several and of none", () => {
    const rows = [[1, 2], [2, 2], [0, 0]].map(([index, total]) => isLastReport(eventOf({ index, total })));
    assert.deepEqual(rows, [false, true, true]);
  });
});

describe("utcTimestampText", () => {
  it("cuts what is finer than a millisecond", () => {
    assert.deepEqual([0, 1_999, Number.MAX_SAFE_INTEGER].map(utcTimestampText), [
      "19700101-00:00:00.000",
      "19700101-00:00:00.001",
      "22550605-23:47:34.740",
    ]);
  });
});
