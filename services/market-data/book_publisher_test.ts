import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { BookPublisher } from "./book_publisher.ts";
import { ShardFeed } from "./feed.ts";
import { VirtualClock } from "./test_clock.ts";
import { ACME, batchesOf, levelOf, VENUE } from "./test_events.ts";

/** A publisher of ACME alone at one message per 50 ms, and what it sent: "time seq: bids". */
function setUp() {
  const clock = new VirtualClock();
  const feed = new ShardFeed(0, { ...VENUE, instruments: [ACME] });
  const sent: string[] = [];
  const publisher = new BookPublisher(feed, 50, (subject, message) => {
    assert.equal(subject, "md.0.ACME.book");
    sent.push(`${clock.nowMs()} ${message.seq}: ${message.bids.map(({ qty }) => qty).join(",")}`);
  }, clock);
  let cmdSeq = 0;
  const sink = {
    publish() {},
    traced() {},
    unlisted() {},
    bookChanged: (slot: number) => publisher.changed(slot),
    phaseChanged() {},
  };
  const apply = (bytes: Uint8Array) => {
    assert.equal(feed.apply(bytes, false, sink).kind, "taken");
    publisher.pump();
  };
  const bid = (qty: number) => apply(batchesOf(++cmdSeq, [levelOf(1, 1000, qty, qty === 0 ? 0 : 1)])[0]);
  return { clock, publisher, sent, bid, apply };
}

describe("BookPublisher", () => {
  it("sends nothing before the start, then every book and the number after the last", () => {
    const { publisher, sent, bid } = setUp();
    bid(1);
    assert.deepEqual(sent, []);
    publisher.start([41]);
    assert.deepEqual(sent, ["0 42: 1"]);
  });

  it("sends a first change at once, holds the next ones and ends with the last state", () => {
    const { clock, publisher, sent, bid } = setUp();
    publisher.start([0]);
    clock.advanceTo(100);
    bid(1);
    clock.advanceTo(110);
    bid(2);
    clock.advanceTo(149);
    bid(3);
    assert.deepEqual(sent, ["0 1: ", "100 2: 1"]);
    clock.advanceTo(1000);
    assert.deepEqual(sent, ["0 1: ", "100 2: 1", "150 3: 3"]);
    assert.deepEqual(clock.timers, []);
    bid(4);
    assert.equal(sent.at(-1), "1000 4: 4");
  });

  it("never sends more than one message per interval under steady change", () => {
    const { clock, publisher, sent, bid } = setUp();
    publisher.start([0]);
    for (let ms = 1; ms <= 200; ms++) {
      clock.advanceTo(ms);
      bid(ms);
    }
    clock.advanceTo(300);
    assert.deepEqual(sent, ["0 1: ", "50 2: 49", "100 3: 99", "150 4: 149", "200 5: 199", "250 6: 200"]);
  });

  it("says nothing when a level is back to what was said, and starts no interval by that", () => {
    const { clock, publisher, sent, bid } = setUp();
    publisher.start([0]);
    clock.advanceTo(60);
    bid(5);
    bid(6);
    bid(5);
    clock.advanceTo(111);
    assert.deepEqual(sent, ["0 1: ", "60 2: 5"]);
    bid(7);
    assert.deepEqual(sent, ["0 1: ", "60 2: 5", "111 3: 7"]);
  });

  it("repeats every book when what was sent may be lost", () => {
    const { clock, publisher, sent, bid } = setUp();
    publisher.start([0]);
    clock.advanceTo(60);
    bid(5);
    clock.advanceTo(200);
    publisher.repeatAll();
    assert.deepEqual(sent, ["0 1: ", "60 2: 5", "200 3: 5"]);
  });

  it("holds what is due while a command's events are not all there", () => {
    const { clock, publisher, sent, bid, apply } = setUp();
    publisher.start([0]);
    clock.advanceTo(60);
    bid(5);
    bid(6);
    const levels = Array.from({ length: 300 }, (_, i) => levelOf(1, 1000, i + 1, 1));
    const parts = batchesOf(3, levels, { maxBytes: 4096 });
    for (const part of parts.slice(0, -1)) apply(part);
    clock.advanceTo(500);
    publisher.repeatAll();
    assert.deepEqual(sent, ["0 1: ", "60 2: 5"]);
    apply(parts[parts.length - 1]);
    assert.deepEqual(sent, ["0 1: ", "60 2: 5", "500 3: 300"]);
    apply(batchesOf(4, levels, { maxBytes: 4096 })[0]);
    publisher.stop();
    assert.equal(sent.length, 3);
  });

  it("sends what is pending when it stops, and nothing after", () => {
    const { clock, publisher, sent, bid } = setUp();
    publisher.start([0]);
    bid(5);
    publisher.stop();
    assert.deepEqual([sent, clock.timers], [["0 1: ", "0 2: 5"], []]);
    bid(6);
    clock.advanceTo(1000);
    assert.equal(sent.length, 2);
  });
});
