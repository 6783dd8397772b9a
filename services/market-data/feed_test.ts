import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { ByteSlice, encodeClaim, joinEventBatches, TRACE_BYTES } from "../../shared/codec/wire/mod.ts";
import { EventKind, Liquidity } from "../../shared/protocol/mod.ts";
import { START } from "./copy_place.ts";
import { type FeedSink, ShardFeed } from "./feed.ts";
import { acceptedOf, batchesOf, eventOf, levelOf, OPEN_US, VENUE } from "./test_events.ts";

/** A sink that writes down what it is told, one line each. */
function ledger(feed: ShardFeed): { lines: string[]; sink: FeedSink } {
  const lines: string[] = [];
  const sink: FeedSink = {
    publish(subject, message) {
      const id = "tradeId" in message ? message.tradeId : `${message.copyId} ${message.clOrdId}`;
      lines.push(`${subject} ${id}`);
    },
    phaseChanged(slot, entered) {
      const { symbol, phase, previous, indicativeQty = "nothing", indicativePrice = "any price" } = feed
        .phaseOf(slot, 0);
      lines.push(
        `${symbol} ${entered ? `${previous} → ` : ""}${phase}: ${indicativeQty} at ${indicativePrice}`,
      );
    },
    bookChanged(slot) {
      const book = feed.bookOf(slot, 0);
      const sides = [book.bids, book.asks].map((side) =>
        side.map((each) => `${each.qty}@${each.price}`).join(",")
      );
      lines.push(`${book.symbol} ${book.cmdSeq}: ${sides.join(" | ")}`);
    },
    traced: (trace, { cmdSeq, eventIndex }) =>
      lines.push(`trace ${trace.buffer[trace.start]} ${cmdSeq}-${eventIndex}`),
    unlisted: (what, id, { cmdSeq }) => lines.push(`unlisted ${what} ${id} at ${cmdSeq}`),
  };
  return { lines, sink };
}

const taken = { kind: "taken" };

describe("ShardFeed", () => {
  it("hands out copies, trades and whole books in the order of the events", () => {
    const feed = new ShardFeed(0, VENUE);
    const { lines, sink } = ledger(feed);
    const [first] = batchesOf(1, [acceptedOf("A1", 4096), levelOf(1, 1000, 5, 1)]);
    const execution = { instrumentId: 1, lastPxTicks: 1000, lastQtyLots: 5, tradeIndex: 2 };
    const [second] = batchesOf(2, [
      acceptedOf("B1", 8192, { sessionId: 2, side: 2 }),
      eventOf({
        ...execution,
        kind: EventKind.OrderExecuted,
        sessionId: 1,
        side: 1,
        liquidity: Liquidity.Added,
        clOrdId: "A1",
      }),
      eventOf({
        ...execution,
        kind: EventKind.OrderExecuted,
        sessionId: 2,
        side: 2,
        liquidity: Liquidity.Removed,
        clOrdId: "B1",
      }),
      levelOf(1, 1000, 0, 0),
      levelOf(2, 1001, 3, 1),
    ]);
    assert.deepEqual(feed.apply(joinEventBatches([first, second], 65536).bytes, true, sink), taken);
    assert.deepEqual(lines, [
      "drop.ALPHA 0-1-0 A1",
      "ACME 1: 5@10 | ",
      "drop.BETA 0-2-0 B1",
      "md.0.ACME.trade 0-2-1",
      "drop.ALPHA 0-2-1 A1",
      "drop.BETA 0-2-2 B1",
      "ACME 2:  | 3@10.01",
    ]);
  });

  it("keeps books but hands out no copies when it is not asked to", () => {
    const feed = new ShardFeed(0, VENUE);
    const { lines, sink } = ledger(feed);
    feed.apply(batchesOf(1, [acceptedOf("A1", 4096), levelOf(1, 1000, 5, 1)])[0], false, sink);
    assert.deepEqual(lines, ["ACME 1: 5@10 | "]);
  });

  it("skips for its books what the image holds, and hands out the copies all the same", () => {
    const feed = new ShardFeed(0, VENUE);
    const { lines, sink } = ledger(feed);
    const levels = [{ instrumentId: 1, side: 1, priceTicks: 999, qtyLots: 4, orders: 2 }];
    assert.equal(feed.load({ cmdSeq: 6, timestampUs: 0, levels, phases: [], phasesCmdSeq: 6 }), null);
    assert.deepEqual(feed.bookOf(0, 7), {
      type: "book",
      symbol: "ACME",
      phase: "continuous",
      seq: 7,
      cmdSeq: 6,
      time: null,
      bids: [{ price: "9.99", qty: "4", orders: 2 }],
      asks: [],
    });
    feed.apply(batchesOf(5, [acceptedOf("A1", 5 * 4096), levelOf(1, 1000, 5, 1)])[0], true, sink);
    feed.apply(batchesOf(6, [levelOf(1, 1000, 0, 0)])[0], true, sink);
    feed.apply(batchesOf(7, [levelOf(2, 1001, 2, 1)])[0], true, sink);
    assert.deepEqual(lines, ["drop.ALPHA 0-5-0 A1", "ACME 7: 4@9.99 | 2@10.01"]);
    assert.equal(feed.bookOf(0, 8).time, "2026-03-02T09:30:00.000130Z");
  });

  it("refuses an image that names an instrument of another shard", () => {
    const feed = new ShardFeed(0, VENUE);
    const levels = [{ instrumentId: 9, side: 1, priceTicks: 999, qtyLots: 4, orders: 2 }];
    assert.equal(
      feed.load({ cmdSeq: 6, timestampUs: 0, levels, phases: [], phasesCmdSeq: 6 }),
      "instrument 9 is not of this shard",
    );
  });

  it("shows a book only when a command that was cut over messages is complete", () => {
    const feed = new ShardFeed(0, VENUE);
    const { lines, sink } = ledger(feed);
    const levels = Array.from({ length: 300 }, (_, i) => levelOf(1, 1 + i, 1, 1));
    const parts = batchesOf(1, levels, { maxBytes: 4096 });
    assert.ok(parts.length > 2);
    for (const part of parts.slice(0, -1)) assert.deepEqual(feed.apply(part, true, sink), taken);
    assert.deepEqual(lines, []);
    assert.deepEqual(feed.apply(parts[parts.length - 1], true, sink), taken);
    assert.deepEqual(lines, [
      "ACME 1: 1@3,1@2.99,1@2.98,1@2.97,1@2.96,1@2.95,1@2.94,1@2.93,1@2.92,1@2.91 | ",
    ]);
  });

  it("refuses events that do not follow, until reading starts elsewhere", () => {
    const feed = new ShardFeed(0, VENUE);
    const { lines, sink } = ledger(feed);
    feed.apply(batchesOf(1, [])[0], true, sink);
    const [third] = batchesOf(3, [levelOf(1, 1000, 5, 1)]);
    const gap = { kind: "gap", text: "expected event 0 of command 2, got event 0 of command 3" };
    assert.deepEqual(feed.apply(third, true, sink), gap);
    assert.deepEqual(lines, []);
    feed.seek();
    assert.deepEqual(feed.apply(third, true, sink), { ...gap, kind: "hole" });
    feed.copyFrom(START);
    assert.deepEqual(feed.apply(third, true, sink), taken);
    const parts = batchesOf(4, Array.from({ length: 300 }, () => levelOf(1, 1, 1, 1)), { maxBytes: 4096 });
    feed.apply(parts[0], true, sink);
    assert.equal(feed.apply(parts[2], true, sink).kind, "gap");
  });

  it("takes whatever the stream holds, also messages from before a claim that it reads again", () => {
    const feed = new ShardFeed(0, VENUE);
    const { lines, sink } = ledger(feed);
    const [old] = batchesOf(1, [acceptedOf("A1", 4096)], { epoch: 4 });
    const [next] = batchesOf(2, [acceptedOf("A2", 8192)], { epoch: 5 });
    for (const bytes of [old, encodeClaim(0, 5, 1, 0), next]) {
      assert.deepEqual(feed.apply(bytes, true, sink), taken);
    }
    feed.seek();
    feed.copyFrom(START);
    assert.deepEqual(feed.apply(old, true, sink), taken);
    assert.deepEqual(lines, ["drop.ALPHA 0-1-0 A1", "drop.ALPHA 0-2-0 A2", "drop.ALPHA 0-1-0 A1"]);
  });

  it("tells of a book whose command it had begun when reading starts again behind that", () => {
    const feed = new ShardFeed(0, VENUE);
    const { lines, sink } = ledger(feed);
    const events = [levelOf(1, 1000, 5, 1), ...Array.from({ length: 300 }, () => levelOf(1, 1, 1, 1, 4))];
    const parts = batchesOf(1, events, { maxBytes: 4096 });
    feed.apply(parts[0], true, sink);
    assert.equal(feed.whole, false);
    feed.seek();
    for (const part of parts.slice(1)) feed.apply(part, true, sink);
    assert.equal(feed.whole, true);
    assert.deepEqual(lines, ["ACME 1: 5@10 | ", "TULIP-DEC 1: 10@0.25 | "]);
  });

  it("calls its books whole again only with an image once events that they need are missing", () => {
    const feed = new ShardFeed(0, VENUE);
    const { sink } = ledger(feed);
    feed.apply(batchesOf(1, [levelOf(1, 1000, 5, 1)])[0], true, sink);
    const [third] = batchesOf(3, [levelOf(1, 1001, 5, 1)]);
    assert.equal(feed.apply(third, true, sink).kind, "gap");
    feed.seek();
    feed.copyFrom(START);
    assert.deepEqual(feed.apply(third, true, sink), taken);
    assert.equal(feed.whole, false);
    feed.load({ cmdSeq: 3, timestampUs: 0, levels: [], phases: [], phasesCmdSeq: 3 });
    assert.equal(feed.whole, true);
    feed.seek();
    assert.deepEqual([feed.apply(third, true, sink), feed.whole], [taken, true]);
    feed.lose();
    assert.equal(feed.whole, false);
  });

  it("hands out copies from a place of their own on, which may lie within a command, each once", () => {
    const feed = new ShardFeed(0, VENUE);
    const { lines, sink } = ledger(feed);
    const [first] = batchesOf(1, [acceptedOf("A1", 4096), levelOf(1, 1000, 5, 1)]);
    const [second] = batchesOf(2, [acceptedOf("A2", 8192), acceptedOf("A3", 8193), levelOf(1, 1000, 9, 2)]);
    feed.copyFrom({ cmdSeq: 2, eventIndex: 1, timestampUs: OPEN_US + 2 });
    for (const bytes of [first, second]) assert.deepEqual(feed.apply(bytes, true, sink), taken);
    const end = { cmdSeq: 3, eventIndex: 0, timestampUs: OPEN_US + 2 };
    assert.deepEqual(feed.copied, end);
    feed.seek();
    for (const bytes of [first, second]) assert.deepEqual(feed.apply(bytes, true, sink), taken);
    assert.deepEqual(lines, ["ACME 1: 5@10 | ", "drop.ALPHA 0-2-1 A3", "ACME 2: 9@10 | "]);
    assert.deepEqual(feed.copied, end);
  });

  it("refuses to begin behind the place of its copies, and a command that is another than the last copied", () => {
    const feed = new ShardFeed(0, VENUE);
    const { lines, sink } = ledger(feed);
    feed.copyFrom({ cmdSeq: 2, eventIndex: 0, timestampUs: OPEN_US + 1 });
    const hole = { kind: "hole", text: "expected event 0 of command 2, got event 0 of command 3" };
    assert.deepEqual(feed.apply(batchesOf(3, [acceptedOf("A3", 4096)])[0], true, sink), hole);
    assert.equal(feed.whole, true);
    feed.copyFrom({ cmdSeq: 2, eventIndex: 0, timestampUs: OPEN_US + 7 });
    const other = { kind: "fault", text: "command 1 is another than the one of which copies were published" };
    assert.deepEqual(feed.apply(batchesOf(1, [acceptedOf("A1", 4096)])[0], true, sink), other);
    assert.deepEqual(lines, []);
  });

  it("refuses to begin behind what its books need", () => {
    const feed = new ShardFeed(0, VENUE);
    const { sink } = ledger(feed);
    feed.load({ cmdSeq: 6, timestampUs: 0, levels: [], phases: [], phasesCmdSeq: 6 });
    const gap = { kind: "gap", text: "expected event 0 of command 7, got event 0 of command 8" };
    assert.deepEqual([feed.apply(batchesOf(8, [])[0], true, sink), feed.whole], [gap, false]);
    assert.deepEqual([feed.apply(batchesOf(8, [])[0], true, sink), feed.whole], [taken, false]);
  });

  it("names bytes that it cannot read", () => {
    const feed = new ShardFeed(0, VENUE);
    const { sink } = ledger(feed);
    const [bytes] = batchesOf(1, [acceptedOf("A1", 4096)]);
    assert.deepEqual(feed.apply(bytes.subarray(0, 30), true, sink), { kind: "fault", text: "truncated" });
  });

  it("reports sessions and instruments that the venue does not list", () => {
    const feed = new ShardFeed(0, VENUE);
    const { lines, sink } = ledger(feed);
    feed.apply(
      batchesOf(1, [acceptedOf("A1", 4096, { sessionId: 77 }), levelOf(1, 1, 1, 1, 99)])[0],
      true,
      sink,
    );
    assert.deepEqual(lines, ["unlisted session 77 at 1", "unlisted instrument 99 at 1"]);
  });

  it("names the events of a sampled order", () => {
    const feed = new ShardFeed(0, VENUE);
    const { lines, sink } = ledger(feed);
    const trace = new ByteSlice();
    trace.set(new Uint8Array(TRACE_BYTES).fill(7), 0, TRACE_BYTES);
    const events = [acceptedOf("A1", 4096), acceptedOf("A2", 4097)];
    feed.apply(batchesOf(1, events, { traces: new Map([[1, trace]]) })[0], true, sink);
    assert.deepEqual(lines, ["drop.ALPHA 0-1-0 A1", "drop.ALPHA 0-1-1 A2", "trace 7 1-1"]);
  });
});
