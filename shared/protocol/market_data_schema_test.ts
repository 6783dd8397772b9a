import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { isoTimeText } from "./market_data.ts";
import { bookSchema, marketDataJsonSchema } from "./market_data_schema.ts";

describe("the published schema", () => {
  it("is what the code checks messages by (docs/market-data.schema.json)", () => {
    const url = new URL("../../docs/market-data.schema.json", import.meta.url);
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(url)), marketDataJsonSchema());
  });

  const book = {
    type: "book",
    symbol: "ACME",
    phase: "continuous",
    seq: 1,
    cmdSeq: 7,
    time: "2026-03-02T09:30:00.000123Z",
    bids: [{ price: "10.05", qty: "7", orders: 1 }],
    asks: [],
  };
  const rows: [string, object, boolean][] = [
    ["a book", book, true],
    ["a book that no command has touched", { ...book, time: null, cmdSeq: 0 }, true],
    ["fields that a later version adds", { ...book, depth: 10 }, true],
    ["a phase that there is not", { ...book, phase: "open" }, false],
    ["a price with trailing zeros", { ...book, bids: [{ price: "10.50", qty: "7", orders: 1 }] }, false],
    ["a price as a number", { ...book, bids: [{ price: 10.5, qty: "7", orders: 1 }] }, false],
    ["a level without orders", { ...book, bids: [{ price: "10", qty: "7", orders: 0 }] }, false],
    ["eleven levels", { ...book, asks: Array(11).fill({ price: "1", qty: "1", orders: 1 }) }, false],
    ["a time without microseconds", { ...book, time: "2026-03-02T09:30:00.000Z" }, false],
  ];
  for (const [name, value, allowed] of rows) {
    it(`${allowed ? "allows" : "refuses"} ${name}`, () => {
      assert.equal(bookSchema.safeParse(value).success, allowed);
    });
  }
});

describe("isoTimeText", () => {
  it("keeps microseconds", () => {
    assert.deepEqual(
      [0, 1, 999_999, Date.UTC(2026, 11, 31, 23, 59, 59) * 1000 + 1].map(isoTimeText),
      [
        "1970-01-01T00:00:00.000000Z",
        "1970-01-01T00:00:00.000001Z",
        "1970-01-01T00:00:00.999999Z",
        "2026-12-31T23:59:59.000001Z",
      ],
    );
  });
});
