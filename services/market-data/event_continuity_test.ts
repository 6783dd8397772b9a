import { beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { nullLogger } from "../../shared/cli/log.ts";
import { encodeClaim } from "../../shared/codec/wire/mod.ts";
import { untraded } from "../../shared/testing/listed_state.ts";
import { Phase } from "../../shared/protocol/mod.ts";
import { type CopyPlace, START } from "./copy_place.ts";
import { EventContinuity, type Remedy } from "./event_continuity.ts";
import { ShardFeed } from "./feed.ts";
import { acceptedOf, ACME, batchesOf, OPEN_US, TULIP, VENUE } from "./test_events.ts";

const timeOf = (seq: number) => 1_000_000 * seq;
const CLAIM = encodeClaim(0, 2, 0, 0);
/** Behind the copies of command `cmdSeq` - 1, which message `evSeq` ended with. */
const placeOf = (evSeq: number, cmdSeq: number): CopyPlace => ({
  evSeq,
  evTimeUs: evSeq === 0 ? NaN : timeOf(evSeq),
  cmdSeq,
  eventIndex: 0,
  timestampUs: OPEN_US + cmdSeq - 1,
});

describe("What is read again", () => {
  let copied: string[];
  let told: string[];
  let place: CopyPlace;
  let continuity: EventContinuity;
  beforeEach(() => {
    copied = [];
    told = [];
  });

  /** Copies go on at `from`; the books hold commands up to `booksCmdSeq`, in messages up to `booksEvSeq`. */
  function begin(from: CopyPlace, booksEvSeq: number, booksCmdSeq: number): number {
    place = from;
    const tell = (message: string, fields?: Record<string, unknown>) =>
      void told.push(`${message.split(":")[0]} ${JSON.stringify(fields)}`);
    continuity = new EventContinuity({
      shard: 0,
      feed: new ShardFeed(0, VENUE),
      copies: {
        get published() {
          return place;
        },
        advance: (next) => void (place = next),
        lookThrough: () => void (place = { ...place, evSeq: 0, evTimeUs: NaN }),
      },
      sink: {
        publish: (_subject, message) => void copied.push("clOrdId" in message ? message.clOrdId! : "trade"),
        bookChanged() {},
        phaseChanged() {},
        traced() {},
        unlisted: (what) => assert.fail(`unlisted ${what}`),
      },
      log: { ...nullLogger, warn: tell, error: tell },
    });
    load(booksEvSeq, booksCmdSeq);
    return continuity.begin();
  }
  function load(evSeq: number, cmdSeq: number): void {
    const phases = [ACME, TULIP].map((instrument) => untraded(instrument, Phase.Continuous));
    const image = { cmdSeq, timestampUs: 0, levels: [], phases, phasesCmdSeq: cmdSeq, nextEvSeq: evSeq + 1 };
    assert.equal(continuity.load(image), null);
  }
  const take = (seq: number, cmdSeq: number): Remedy =>
    continuity.take(seq, timeOf(seq), batchesOf(cmdSeq, [acceptedOf(`C${cmdSeq}`, 4096 * cmdSeq)])[0]);
  const takeClaim = (seq: number): Remedy => continuity.take(seq, timeOf(seq), CLAIM);

  it("is nothing when events follow each other, with claims between them", () => {
    assert.equal(begin(placeOf(4, 4), 4, 3), 4);
    assert.equal(takeClaim(5), "none");
    assert.deepEqual(place, { ...placeOf(4, 4), evSeq: 5, evTimeUs: timeOf(5) });
    assert.equal(take(6, 4), "none");
    assert.equal(take(7, 5), "none");
    assert.deepEqual(place, placeOf(7, 6));
    assert.deepEqual([copied, told], [["C4", "C5"], []]);
  });

  it("is everything when the events wanted are not the next, though claims came first", () => {
    begin(placeOf(4, 4), 9, 9);
    takeClaim(5);
    assert.equal(take(6, 6), "look through");
    const where = { stream: "EV_0", evSeq: 5, cmdSeq: 4, eventIndex: 0 };
    const cause = "expected event 0 of command 4, got event 0 of command 6";
    assert.deepEqual(told, [`events do not lie where they did ${JSON.stringify({ ...where, cause })}`]);
    assert.deepEqual([copied, place.evSeq], [[], 0]);
  });

  it("is nothing while the place is looked for, which is stored when it is found, and not before", () => {
    assert.equal(begin(placeOf(0, 4), 9, 9), 0);
    assert.equal(take(1, 1), "none");
    assert.equal(takeClaim(2), "none");
    assert.equal(continuity.missing(3, 4), "none");
    assert.equal(take(5, 3), "none");
    assert.deepEqual(place, placeOf(0, 4));
    assert.equal(take(6, 4), "none");
    assert.deepEqual(place, placeOf(6, 5));
    assert.deepEqual([copied, told], [["C4"], []]);
  });

  it("is nothing when it was not found: what is missing is said once", () => {
    begin(placeOf(0, 4), 9, 9);
    assert.deepEqual([take(1, 2), take(2, 6), take(3, 7)], ["none", "none", "none"]);
    const gap = { stream: "EV_0", seq: 2, cause: "expected event 0 of command 3, got event 0 of command 6" };
    assert.deepEqual(told, [`events do not follow each other ${JSON.stringify(gap)}`]);
    assert.deepEqual([copied, place], [["C6", "C7"], placeOf(3, 8)]);
  });

  it("are no copies when messages are gone, and the books when they needed them", () => {
    begin(placeOf(4, 4), 6, 6);
    assert.equal(continuity.missing(5, 6), "none");
    assert.deepEqual(place, { ...START, evSeq: 6 });
    assert.equal(takeClaim(7), "none");
    assert.deepEqual(place, { ...START, evSeq: 7, evTimeUs: timeOf(7) });
    assert.equal(take(8, 7), "none");
    assert.equal(continuity.missing(9, 9), "reload");
    load(10, 9);
    assert.equal(continuity.begin(), 9);
    assert.equal(take(10, 9), "none");
    const lost = [[5, 6], [9, 9]].map(([from, to]) => JSON.stringify({ stream: "EV_0", from, to }));
    assert.deepEqual(told, lost.map((fields) => `drop copies lost ${fields}`));
    assert.deepEqual([copied, place], [["C7", "C9"], placeOf(10, 10)]);
  });

  it("are the books when events are missing though no message is", () => {
    begin(placeOf(4, 4), 4, 3);
    assert.deepEqual([take(5, 4), take(6, 6)], ["none", "reload"]);
    load(4, 3);
    assert.equal(continuity.begin(), 4);
    assert.deepEqual([take(5, 4), take(6, 6)], ["none", "reload"]);
    const gap = { stream: "EV_0", seq: 6, cause: "expected event 0 of command 5, got event 0 of command 6" };
    assert.deepEqual(told, [`events do not follow each other ${JSON.stringify(gap)}`]);
    assert.deepEqual(copied, ["C4", "C6"]);
  });
});
