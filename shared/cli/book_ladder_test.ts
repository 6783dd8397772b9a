import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import type { BookMessage, TradeMessage } from "../protocol/market_data.ts";
import { bookLine, ladderLines } from "./book_ladder.ts";

const BOOK: BookMessage = {
  type: "book",
  symbol: "ACME",
  seq: 3,
  cmdSeq: 9,
  time: "2026-03-02T09:30:00.000123Z",
  bids: [{ price: "10", qty: "40", orders: 2 }, { price: "9.95", qty: "1", orders: 1 }],
  asks: [{ price: "10.5", qty: "20", orders: 1 }],
};
const TRADE: TradeMessage = {
  type: "trade",
  symbol: "ACME",
  tradeId: "0-9-1",
  price: "10.5",
  qty: "5",
  aggressor: "buy",
  cmdSeq: 9,
  time: "2026-03-02T09:30:00.000123Z",
};
const EMPTY: BookMessage = { ...BOOK, cmdSeq: 0, time: null, bids: [], asks: [] };
const ESC = "\x1b";
const NONE = `${" ".repeat(20)}·`;

describe("ladderLines", () => {
  it("draws asks above bids around the spread, with bars by size", () => {
    assert.deepEqual(ladderLines(BOOK, TRADE, { color: false }), [
      "  ACME                                          09:30:00.000 UTC",
      "     price     quantity",
      ...Array(9).fill(NONE),
      "     10.50           20  ██████████            1 order",
      "  ── spread 0.50 · last 10.50 × 5 ▲ bought ─────────────────────",
      "     10.00           40  ████████████████████  2 orders",
      "      9.95            1  ▌                     1 order",
      ...Array(8).fill(NONE),
    ]);
  });

  it("draws an empty book in as many lines", () => {
    const lines = ladderLines(EMPTY, null, { color: false });
    assert.equal(lines.length, ladderLines(BOOK, TRADE, { color: false }).length);
    assert.deepEqual([lines[0], lines[12]], [
      "  ACME                                              no order yet",
      "  ── no spread · no trade yet ──────────────────────────────────",
    ]);
  });

  it("shows a notice in place of the time", () => {
    assert.equal(
      ladderLines(BOOK, null, { color: false, notice: "connection lost, trying again" })[0],
      "  ACME                             connection lost, trying again",
    );
  });

  it("uses colours only when it may", () => {
    assert.equal(ladderLines(BOOK, TRADE, { color: false }).join("").includes(ESC), false);
    const lines = ladderLines(BOOK, TRADE, { color: true });
    assert.deepEqual(
      lines.map((line) =>
        line.split(ESC).map((part, i) => i === 0 ? part : part.replace(/^\[\d*m/, "")).join("")
      ),
      ladderLines(BOOK, TRADE, { color: false }),
    );
    assert.ok(lines[11].includes(`${ESC}[31m   10.50${ESC}[0m`));
    assert.ok(lines[13].includes(`${ESC}[32m   10.00${ESC}[0m`));
  });

  it("subtracts prices exactly and gives them the same decimals", () => {
    const book = {
      ...BOOK,
      bids: [{ price: "0.1", qty: "1", orders: 1 }],
      asks: [{ price: "0.30000001", qty: "1", orders: 1 }],
    };
    assert.match(ladderLines(book, null, { color: false })[12], /spread 0\.20000001 · no trade yet/);
    const whole = {
      ...BOOK,
      bids: [{ price: "9", qty: "1", orders: 1 }],
      asks: [{ price: "11", qty: "1", orders: 1 }],
    };
    assert.match(ladderLines(whole, null, { color: false })[12], /spread 2 · /);
  });
});

describe("bookLine", () => {
  it("says best bid, best ask and last trade", () => {
    assert.equal(
      bookLine(BOOK, TRADE),
      "2026-03-02T09:30:00.000123Z  ACME  bid 40 @ 10  ask 20 @ 10.5  last 5 @ 10.5 (buy)",
    );
    assert.equal(bookLine(EMPTY, null), "-  ACME  bid -  ask -");
  });
});
