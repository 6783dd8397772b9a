/** Phases from events to messages: what is said, when, and what of a book is not. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import type { BookMessage, PhaseMessage } from "../../shared/protocol/market_data.ts";
import { MAX_PRICE_TICKS, Phase, PhaseCause, Side } from "../../shared/protocol/mod.ts";
import { BookPublisher, PhasePublisher } from "./book_publisher.ts";
import { ShardFeed } from "./feed.ts";
import { VirtualClock } from "./test_clock.ts";
import { ACME, batchesOf, indicatedOf, levelOf, OPEN_US, phaseOf, VENUE } from "./test_events.ts";
import type { Event } from "../../shared/codec/wire/mod.ts";

const { Closed, Continuous, PreOpen, VolatilityAuction } = Phase;
const { Buy, Sell } = Side;

/** ACME's publishers at one message per 50 ms, started; what they sent. */
class World {
  readonly clock = new VirtualClock();
  readonly feed = new ShardFeed(0, { ...VENUE, instruments: [ACME] });
  readonly phases: PhaseMessage[] = [];
  readonly books: BookMessage[] = [];
  /** The phase messages in short, with their time. */
  readonly said: string[] = [];
  #cmdSeq = 0;
  readonly phasePublisher = new PhasePublisher(this.feed, 50, (subject, message) => {
    assert.equal(subject, "md.0.ACME.phase");
    this.phases.push(message);
    const { seq, phase, indicativeQty = "nothing", indicativePrice = "no price" } = message;
    this.said.push(`${this.clock.nowMs()} ${seq} ${phase}: ${indicativeQty} at ${indicativePrice}`);
  }, this.clock);
  readonly bookPublisher = new BookPublisher(
    this.feed,
    50,
    (_subject, message) => this.books.push(message),
    this.clock,
  );

  constructor() {
    this.phasePublisher.start([0]);
    this.bookPublisher.start([0]);
  }

  apply(bytes: Uint8Array): void {
    const result = this.feed.apply(bytes, true, {
      publish: () => assert.fail("no copy is due here"),
      traced() {},
      unlisted: () => assert.fail("all is listed"),
      bookChanged: (slot) => this.bookPublisher.changed(slot),
      phaseChanged: (slot, entered) =>
        entered ? this.phasePublisher.urgent(slot) : this.phasePublisher.changed(slot),
    });
    assert.equal(result.kind, "taken");
    this.phasePublisher.pump();
    this.bookPublisher.pump();
  }

  command(...events: Event[]): void {
    this.apply(batchesOf(++this.#cmdSeq, events)[0]);
  }
}

describe("phase messages", () => {
  it("say phase, what was before, why, and what the auction would trade", () => {
    const world = new World();
    const head = { type: "phase", symbol: "ACME" };
    const changed = { previous: "continuous", cause: "command", phase: "pre-open" };
    const time = "2026-03-02T09:30:00.00012";
    world.command(phaseOf(Continuous, PreOpen));
    world.clock.advanceTo(100);
    world.command(indicatedOf(1005, 30, -12));
    world.clock.advanceTo(200);
    world.command(indicatedOf(1005, 42, 0));
    world.clock.advanceTo(300);
    world.command(indicatedOf(0, 0, 0));
    world.command(phaseOf(PreOpen, VolatilityAuction, { cause: PhaseCause.Volatility }));
    assert.deepEqual(world.phases, [
      { ...head, seq: 1, cmdSeq: 0, time: null, phase: "continuous", previous: null, cause: null },
      { ...head, ...changed, seq: 2, cmdSeq: 1, time: `${time}4Z` },
      {
        ...head,
        ...changed,
        seq: 3,
        cmdSeq: 2,
        time: `${time}5Z`,
        indicativePrice: "10.05",
        indicativeQty: "30",
        surplusSide: "sell",
      },
      {
        ...head,
        ...changed,
        seq: 4,
        cmdSeq: 3,
        time: `${time}6Z`,
        indicativePrice: "10.05",
        indicativeQty: "42",
      },
      { ...head, ...changed, seq: 5, cmdSeq: 4, time: `${time}7Z` },
      {
        ...head,
        seq: 6,
        cmdSeq: 5,
        time: `${time}8Z`,
        phase: "volatility-auction",
        previous: "pre-open",
        cause: "volatility",
      },
    ]);
    assert.equal(OPEN_US % 1000, 123);
  });

  it("conflate indicative prices, never a change of the phase", () => {
    const world = new World();
    world.command(phaseOf(Continuous, PreOpen));
    for (const qty of [1, 2, 3]) world.command(indicatedOf(1000, qty, 0));
    world.clock.advanceTo(49);
    world.command(phaseOf(PreOpen, Continuous));
    world.command(phaseOf(Continuous, Closed));
    world.clock.advanceTo(60);
    world.command(phaseOf(Closed, PreOpen));
    for (const qty of [4, 5, 6]) world.command(indicatedOf(1000, qty, 0));
    world.clock.advanceTo(200);
    assert.deepEqual(world.said, [
      "0 1 continuous: nothing at no price",
      "0 2 pre-open: nothing at no price",
      "49 3 continuous: nothing at no price",
      "49 4 closed: nothing at no price",
      "60 5 pre-open: nothing at no price",
      "110 6 pre-open: 6 at 10",
    ]);
  });

  it("do not repeat what was said, but for all of it after a lost connection", () => {
    const world = new World();
    world.command(phaseOf(Continuous, PreOpen));
    world.clock.advanceTo(100);
    world.command(indicatedOf(1000, 1, 0));
    world.command(indicatedOf(1001, 1, 0));
    world.command(indicatedOf(1000, 1, 0));
    world.clock.advanceTo(300);
    world.phasePublisher.repeatAll();
    assert.deepEqual(world.said.slice(2), ["100 3 pre-open: 1 at 10", "300 4 pre-open: 1 at 10"]);
  });

  it("wait for the end of a command that is cut over messages, and say how it ended", () => {
    const world = new World();
    const levels = Array.from({ length: 300 }, (_, i) => levelOf(Buy, 1 + i, 1, 1));
    const events = [
      phaseOf(PreOpen, Continuous),
      phaseOf(Continuous, VolatilityAuction, { cause: PhaseCause.Volatility }),
      ...levels,
      indicatedOf(1000, 5, 1),
    ];
    const parts = batchesOf(1, events, { maxBytes: 4096 });
    assert.ok(parts.length > 2);
    for (const part of parts.slice(0, -1)) world.apply(part);
    assert.equal(world.said.length, 1);
    world.apply(parts.at(-1)!);
    assert.deepEqual(world.said.slice(1), ["0 2 volatility-auction: 5 at 10"]);
    assert.equal(world.phases[1].previous, "continuous");
  });

  it("start from what the matcher says, which may be ahead of the books", () => {
    const world = new World();
    const state = { id: 1, phase: PreOpen, indicativePriceTicks: 1000, indicativeQtyLots: 7, surplusLots: 2 };
    world.feed.load({ cmdSeq: 1, timestampUs: 0, levels: [], phases: [state], phasesCmdSeq: 3 });
    assert.equal(world.feed.whole, false);
    world.phasePublisher.repeatAll();
    world.feed.seek();
    world.apply(batchesOf(2, [phaseOf(Closed, Continuous)])[0]);
    assert.equal(world.said.length, 1);
    world.apply(batchesOf(3, [phaseOf(Continuous, PreOpen), indicatedOf(1000, 7, 2)])[0]);
    world.apply(batchesOf(4, [])[0]);
    world.clock.advanceTo(100);
    assert.deepEqual(world.said.slice(1), ["50 2 pre-open: 7 at 10"]);
    const { previous, cause, cmdSeq, time } = world.phases[1];
    assert.deepEqual([previous, cause, cmdSeq, time], [null, null, 3, null]);
    world.apply(batchesOf(5, [phaseOf(PreOpen, Continuous)])[0]);
    assert.deepEqual(world.said.slice(2), ["100 3 continuous: nothing at no price"]);
  });
});

describe("a book outside continuous trading", () => {
  const prices = (
    { bids, asks }: BookMessage,
  ) => [bids.map(({ price }) => price), asks.map(({ price }) => price)];

  it("says so, may be crossed, and does not show the levels in which market orders wait", () => {
    const world = new World();
    world.command(phaseOf(Continuous, PreOpen));
    world.clock.advanceTo(100);
    world.command(
      levelOf(Buy, MAX_PRICE_TICKS, 9, 2),
      levelOf(Buy, 1010, 1, 1),
      levelOf(Sell, 1, 9, 2),
      levelOf(Sell, 1000, 1, 1),
    );
    const book = world.books.at(-1)!;
    assert.deepEqual([book.phase, ...prices(book)], ["pre-open", ["10.1"], ["10"]]);
  });

  it("shows ten levels beside that one, and tells of a change of the tenth", () => {
    const world = new World();
    world.command(phaseOf(Continuous, PreOpen));
    world.clock.advanceTo(100);
    const bids = Array.from({ length: 12 }, (_, i) => levelOf(Buy, 100 - i, 1, 1));
    world.command(levelOf(Buy, MAX_PRICE_TICKS, 9, 2), ...bids);
    world.clock.advanceTo(200);
    assert.deepEqual(prices(world.books.at(-1)!)[0].at(-1), "0.91");
    world.command(levelOf(Buy, 91, 5, 2));
    assert.deepEqual(world.books.at(-1)!.bids.at(-1), { price: "0.91", qty: "5", orders: 2 });
  });

  it("shows a price of one tick again as soon as trading is continuous", () => {
    const world = new World();
    world.command(levelOf(Sell, 1, 3, 1));
    world.clock.advanceTo(100);
    world.command(phaseOf(Continuous, PreOpen));
    world.clock.advanceTo(200);
    world.command(phaseOf(PreOpen, Continuous));
    const asks = world.books.map((book) => `${book.phase} ${prices(book)[1].join()} ${book.cmdSeq}`);
    assert.deepEqual(asks, ["continuous  0", "continuous 0.01 1", "pre-open  2", "continuous 0.01 3"]);
  });
});
