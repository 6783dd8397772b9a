import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Phase, type TradingSchedule } from "../../../shared/protocol/mod.ts";
import { testInstrument } from "../test_kit.ts";
import { FOR_ONE, SCHEDULE, TimedStream, us } from "./test_timed_stream.ts";

const { Closed, Halt, VolatilityAuction } = Phase;

class Stream extends TimedStream {
  constructor(schedule: TradingSchedule | null = SCHEDULE) {
    super(
      [{ ...testInstrument(1, "AAA"), rules: { volatilityAuctionSec: 30 } }, testInstrument(2, "BBB")],
      schedule,
    );
  }
}

/** [instant, what is due then]; winter, 08:00 in Berlin is 07:00 in UTC. */
const A_DAY: [string, string[]][] = [
  ["2026-01-05T06:59:59.999Z", []],
  ["2026-01-05T07:00Z", ["all pre-open 01-05 07:00"]],
  ["2026-01-05T07:00:00.100Z", []],
  ["2026-01-05T08:00Z", ["all continuous 01-05 08:00"]],
  ["2026-01-05T16:00Z", ["all closing-auction 01-05 16:00"]],
  ["2026-01-05T16:05Z", ["all closed 01-05 16:05"]],
  ["2026-01-06T06:59Z", []],
  ["2026-01-06T07:00Z", ["all pre-open 01-06 07:00"]],
];

describe("a timekeeper's schedule", () => {
  it("sets each phase when it is due, once", () => {
    const stream = new Stream();
    assert.deepEqual(stream.at("2026-01-05T00:00Z"), ["all closed 01-02 16:05"]);
    for (const [at, due] of A_DAY) assert.deepEqual(stream.at(at), due, at);
  });

  it("does so over restarts in every phase, before and after each", () => {
    const stream = new Stream();
    stream.at("2026-01-05T00:00Z");
    for (const [at, due] of A_DAY) {
      stream.restart();
      assert.deepEqual(stream.at(at), due, at);
      stream.restart();
      assert.deepEqual(stream.at(at), [], `${at}, again`);
    }
  });

  it("does so once though a command is lost with its matcher, or comes twice", () => {
    const stream = new Stream();
    stream.at("2026-01-05T00:00Z");
    const lost = stream.keeper.due(us("2026-01-05T07:00Z"));
    stream.restart();
    assert.deepEqual(stream.at("2026-01-05T07:00:01Z"), ["all pre-open 01-05 07:00"]);
    stream.at("2026-01-05T08:00Z");
    for (const late of lost) stream.apply(late, us("2026-01-05T08:00:01Z"));
    assert.deepEqual(stream.done, ["1 pre-open", "2 pre-open", "1 continuous", "2 continuous"]);
  });

  it("says when it is due next, also over a change of the clocks", () => {
    const stream = new Stream();
    // Friday evening before summer time begins.
    stream.at("2026-03-27T16:05Z");
    assert.equal(stream.keeper.nextUs(), us("2026-03-30T06:00Z"));
    assert.deepEqual(stream.at("2026-03-30T05:59:59Z"), []);
    assert.deepEqual(stream.at("2026-03-30T06:00Z"), ["all pre-open 03-30 06:00"]);
  });

  /** [what, last lived instant, instant of the start, due at it] */
  const outages: [string, string, string, string[]][] = [
    ["within a phase", "2026-01-05T08:30Z", "2026-01-05T09:30Z", []],
    ["over an opening", "2026-01-05T07:30Z", "2026-01-05T09:30Z", ["all continuous 01-05 08:00"]],
    ["over a close: what it ends ends", "2026-01-05T15:00Z", "2026-01-05T20:00Z", ["all closed 01-05 16:05"]],
    [
      "over a night: orders for the day end before the next begins",
      "2026-01-05T15:00Z",
      "2026-01-06T09:30Z",
      ["all closed 01-05 16:05", "all continuous 01-06 08:00"],
    ],
    [
      "over many days",
      "2026-01-05T15:00Z",
      "2026-01-15T07:30Z",
      ["all closed 01-14 16:05", "all pre-open 01-15 07:00"],
    ],
    ["over a weekend, from close to close", "2026-01-02T17:00Z", "2026-01-04T12:00Z", []],
    ["from the closed night", "2026-01-05T17:00Z", "2026-01-06T07:30Z", ["all pre-open 01-06 07:00"]],
  ];
  for (const [what, from, to, due] of outages) {
    it(`catches up after an outage ${what}`, () => {
      const stream = new Stream();
      stream.at(from);
      stream.restart();
      assert.deepEqual(stream.at(to), due);
      assert.deepEqual(stream.at(to), []);
    });
  }

  it("does nothing for what an operator sets between, until the next is due", () => {
    const stream = new Stream();
    stream.at("2026-01-05T08:00Z");
    stream.set(1, Halt, "2026-01-05T09:00Z");
    stream.restart();
    assert.deepEqual(stream.at("2026-01-05T15:59Z"), []);
    assert.deepEqual(stream.at("2026-01-05T16:00Z"), ["all closing-auction 01-05 16:00"]);
  });

  it("names instruments when they differ", () => {
    const stream = new Stream(FOR_ONE);
    assert.deepEqual(stream.at("2026-01-05T07:00:30Z"), ["all pre-open 01-05 07:00"]);
    assert.deepEqual(stream.at("2026-01-05T07:01Z"), ["2 continuous 01-05 07:01"]);
    assert.deepEqual(stream.at("2026-01-06T07:02Z"), ["1 pre-open 01-06 07:00", "2 continuous 01-06 07:01"]);
  });

  it("is none for a venue that is always open", () => {
    const stream = new Stream(null);
    assert.deepEqual(stream.at("2026-01-05T08:00Z"), []);
    assert.equal(stream.keeper.nextUs(), Infinity);
  });

  it("stands still when the wall clock is set back", () => {
    const stream = new Stream();
    stream.at("2026-01-05T08:00Z");
    assert.deepEqual(stream.at("2026-01-05T07:10Z"), []);
    stream.restart();
    assert.deepEqual(stream.at("2026-01-05T07:10Z"), []);
    assert.deepEqual(stream.at("2026-01-05T16:00Z"), ["all closing-auction 01-05 16:00"]);
  });
});

describe("a volatility auction", () => {
  it("ends after its time, which the instrument has", () => {
    const stream = new Stream(null);
    stream.interrupt(1, "2026-01-05T09:00Z");
    stream.interrupt(2, "2026-01-05T09:00Z");
    assert.equal(stream.keeper.nextUs(), us("2026-01-05T09:00:30Z"));
    assert.deepEqual(stream.at("2026-01-05T09:00:29.999Z"), []);
    assert.deepEqual(stream.at("2026-01-05T09:00:30Z"), ["1 continuous after volatility-auction"]);
    assert.deepEqual(stream.at("2026-01-05T09:02Z"), ["2 continuous after volatility-auction"]);
    assert.deepEqual(stream.at("2026-01-05T09:03Z"), []);
  });

  it("ends in time though its matcher dies: the next has seen it in the replay", () => {
    const stream = new Stream(null);
    stream.interrupt(1, "2026-01-05T09:00Z");
    stream.restart();
    stream.interrupt(1, "2026-01-05T09:00Z");
    assert.deepEqual(stream.at("2026-01-05T09:00:29Z"), []);
    assert.deepEqual(stream.at("2026-01-05T09:00:31Z"), ["1 continuous after volatility-auction"]);
  });

  it("that was ended by an operator or by the schedule is not ended again", () => {
    const stream = new Stream();
    stream.at("2026-01-05T15:59:40Z");
    stream.interrupt(1, "2026-01-05T15:59:45Z");
    assert.deepEqual(stream.at("2026-01-05T16:00Z"), ["all closing-auction 01-05 16:00"]);
    assert.deepEqual(stream.at("2026-01-05T16:00:15Z"), []);
  });

  it("that an operator called ends like one that the market called, unless one ends it before", () => {
    const stream = new Stream(null);
    stream.set(1, VolatilityAuction, "2026-01-05T09:00Z");
    assert.deepEqual(stream.at("2026-01-05T09:00:30Z"), ["1 continuous after volatility-auction"]);
    stream.set(1, VolatilityAuction, "2026-01-05T10:00Z");
    stream.set(1, Halt, "2026-01-05T10:00:10Z");
    assert.deepEqual([stream.at("2026-01-05T11:00Z"), stream.keeper.nextUs()], [[], Infinity]);
  });

  it("whose beginning the replay does not hold ends when it would have", () => {
    const stream = new Stream(null);
    stream.interrupt(1, "2026-01-05T09:00Z");
    stream.restart();
    assert.deepEqual(stream.at("2026-01-05T09:00:10Z"), []);
    assert.equal(stream.keeper.nextUs(), us("2026-01-05T09:00:30Z"));
    assert.deepEqual(stream.at("2026-01-05T09:00:30Z"), ["1 continuous after volatility-auction"]);
    assert.deepEqual(stream.at("2026-01-05T09:20Z"), []);
  });

  it("that ended unseen, and the phases after it, are caught up with in their order", () => {
    const stream = new Stream();
    stream.at("2026-01-05T15:00Z");
    stream.restart();
    stream.interrupt(1, "2026-01-05T15:59Z");
    assert.deepEqual(stream.at("2026-01-05T18:00Z"), [
      "1 continuous after volatility-auction",
      "all closed 01-05 16:05",
    ]);
    stream.interrupt(2, "2026-01-06T16:04Z");
    assert.deepEqual(stream.at("2026-01-06T18:00Z"), [
      "all closed 01-06 16:05",
      "2 continuous after volatility-auction",
    ]);
    assert.equal(stream.phases.get(2), Closed);
  });
});

describe("good-till-date orders", () => {
  it("are ended when the first is due, then at the next", () => {
    const stream = new Stream(null);
    stream.expiries = [us("2026-01-05T10:00Z"), us("2026-01-05T09:00Z")];
    assert.equal(stream.keeper.nextUs(), us("2026-01-05T09:00Z"));
    assert.deepEqual(stream.at("2026-01-05T08:59:59.999Z"), []);
    assert.deepEqual(stream.at("2026-01-05T09:00Z"), ["expire up to 01-05 09:00"]);
    assert.equal(stream.keeper.nextUs(), us("2026-01-05T10:00Z"));
    assert.deepEqual(stream.at("2026-01-05T10:00Z"), ["expire up to 01-05 10:00"]);
    assert.deepEqual([stream.expiries, stream.keeper.nextUs()], [[], Infinity]);
  });

  it("are asked for again, not in a hurry, while the stream's clock is behind ours", () => {
    const stream = new Stream(null);
    stream.expiries = [us("2026-01-05T09:00Z")];
    assert.deepEqual(stream.at("2026-01-05T09:00Z", false), ["expire up to 01-05 09:00"]);
    assert.deepEqual(stream.at("2026-01-05T09:00:00.900Z", false), []);
    assert.equal(stream.keeper.nextUs(), us("2026-01-05T09:00:01Z"));
    assert.deepEqual(stream.at("2026-01-05T09:00:01Z"), ["expire up to 01-05 09:00"]);
  });

  it("are ended before an auction that is late, so that they do not trade in it", () => {
    const stream = new Stream();
    stream.at("2026-01-05T15:00Z");
    stream.expiries = [us("2026-01-05T16:30Z")];
    stream.restart();
    assert.deepEqual(stream.at("2026-01-06T07:30Z"), [
      "expire up to 01-06 07:30",
      "all closed 01-05 16:05",
      "all pre-open 01-06 07:00",
    ]);
  });
});
