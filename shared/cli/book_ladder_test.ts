import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import type { BookMessage, PhaseMessage, TradeMessage } from "../protocol/market_data.ts";
import { bookLine, ladderLines, rowsFor } from "./book_ladder.ts";

const BOOK: BookMessage = {
  type: "book",
  symbol: "ACME",
  phase: "continuous",
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
const PRE_OPEN: BookMessage = { ...BOOK, phase: "pre-open", asks: [{ price: "9.5", qty: "20", orders: 1 }] };
const PHASE: PhaseMessage = {
  type: "phase",
  symbol: "ACME",
  seq: 2,
  cmdSeq: 9,
  time: "2026-03-02T09:30:00.000123Z",
  phase: "pre-open",
  previous: "closed",
  cause: "command",
  indicativePrice: "9.975",
  indicativeQty: "20",
  surplusSide: "buy",
};
const ESC = "\x1b";
const NONE = `${" ".repeat(20)}·`;

describe("ladderLines", () => {
  it("draws asks above bids around the spread, with bars by size", () => {
    assert.deepEqual(ladderLines(BOOK, TRADE, { color: false }), [
      "  ACME                                          09:30:00.000 UTC",
      "     price     quantity",
      "     10.50           20  ██████████            1 order",
      "  ── spread 0.50 · last 10.50 × 5 ▲ bought ─────────────────────",
      "     10.00           40  ████████████████████  2 orders",
      "      9.95            1  ▌                     1 order",
    ]);
  });

  it("draws as many rows as it is told, should a side have fewer levels, next to nothing for an empty side", () => {
    assert.deepEqual(ladderLines(EMPTY, null, { color: false }), [
      "  ACME                                              no order yet",
      "     price     quantity",
      NONE,
      "  ── no spread · no trade yet ──────────────────────────────────",
      NONE,
    ]);
    assert.deepEqual(ladderLines(BOOK, TRADE, { color: false, rows: { asks: 3, bids: 3 } }), [
      "  ACME                                          09:30:00.000 UTC",
      "     price     quantity",
      ...Array(2).fill(NONE),
      "     10.50           20  ██████████            1 order",
      "  ── spread 0.50 · last 10.50 × 5 ▲ bought ─────────────────────",
      "     10.00           40  ████████████████████  2 orders",
      "      9.95            1  ▌                     1 order",
      NONE,
    ]);
  });

  it("says outside continuous trading which phase it is, and what the auction would trade", () => {
    const lines = ladderLines(PRE_OPEN, { ...TRADE, aggressor: null }, { color: false, phase: PHASE });
    assert.deepEqual([lines[0], lines[3]], [
      "  ACME  pre-open                                09:30:00.000 UTC",
      "  ── auction: 20 @ 9.975, some left to buy · last 10.50 × 5 ◆ auction ──",
    ]);
    const middle = (book: BookMessage, phase: PhaseMessage | null) =>
      ladderLines(book, null, { color: false, phase })[3].replace(/─+$/, "");
    const { indicativePrice: _, ...none } = PHASE;
    assert.equal(middle(PRE_OPEN, none), "  ── auction: no trade · no trade yet ");
    assert.equal(middle(PRE_OPEN, { ...PHASE, phase: "closed" }), "  ── auction: no trade · no trade yet ");
    assert.equal(middle({ ...PRE_OPEN, phase: "halt" }, PHASE), "  ── no trading · no trade yet ");
  });

  it("draws no more than ten levels a side", () => {
    const asks = Array.from({ length: 12 }, (_, i) => ({ price: String(11 + i), qty: "1", orders: 1 }));
    const lines = ladderLines({ ...BOOK, bids: [], asks }, null, { color: false });
    assert.deepEqual(lines.slice(2, -2).map((line) => line.trim().split(" ")[0]), [
      ...["20", "19", "18", "17", "16", "15", "14", "13", "12", "11"],
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
    assert.ok(lines[2].includes(`${ESC}[31m   10.50${ESC}[0m`));
    assert.ok(lines[4].includes(`${ESC}[32m   10.00${ESC}[0m`));
  });

  it("subtracts prices exactly and gives them the same decimals", () => {
    const book = {
      ...BOOK,
      bids: [{ price: "0.1", qty: "1", orders: 1 }],
      asks: [{ price: "0.30000001", qty: "1", orders: 1 }],
    };
    assert.match(ladderLines(book, null, { color: false })[3], /spread 0\.20000001 · no trade yet/);
    const whole = {
      ...BOOK,
      bids: [{ price: "9", qty: "1", orders: 1 }],
      asks: [{ price: "11", qty: "1", orders: 1 }],
    };
    assert.match(ladderLines(whole, null, { color: false })[3], /spread 2 · /);
  });
});

describe("rowsFor", () => {
  it("grows with the book and never shrinks, so that a ladder drawn over itself stays where it is", () => {
    const rows = rowsFor(BOOK, { asks: 2, bids: 1 });
    assert.deepEqual(rows, { asks: 2, bids: 2 });
    assert.deepEqual(rowsFor(EMPTY, rows), rows);
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

  it("calls no price the best one outside continuous trading", () => {
    const { surplusSide: _, ...whole } = PHASE;
    const head = "2026-03-02T09:30:00.000123Z  ACME  ";
    assert.equal(
      bookLine(PRE_OPEN, { ...TRADE, aggressor: null }, whole),
      `${head}pre-open  auction: 20 @ 9.975  last 5 @ 10.5 (auction)`,
    );
    assert.equal(bookLine(PRE_OPEN, null, null), `${head}pre-open  auction: no trade`);
    assert.equal(bookLine({ ...BOOK, phase: "closed" }, null, null), `${head}closed  no trading`);
  });
});
