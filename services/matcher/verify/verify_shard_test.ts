import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { jetstreamManager } from "@nats-io/jetstream";
import type { Event } from "../../../shared/codec/wire/mod.ts";
import { type NatsConnection, streamExtent } from "../../../shared/nats/mod.ts";
import { cmdStream, EventKind, evStream } from "../../../shared/protocol/mod.ts";
import { until } from "../../../shared/testing/awaited.ts";
import { Engine } from "../engine/mod.ts";
import { Shard } from "../test_kit.ts";
import {
  type Fault,
  FaultyEngine,
  INSTRUMENTS,
  LIMITS,
  startMatcher,
  trade,
  verdictOn,
} from "./test_market.ts";
import { verdictJson, verdictText } from "./print.ts";
import { outcomeOf } from "./verdict.ts";
import { CannotVerifyError, LiveVerification, verifyShard } from "./verify_shard.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const VENUE = { instruments: INSTRUMENTS, limits: LIMITS };
const MESSAGES = 60;
/** Before this message faults are not planted, so that the first difference is not the first message. */
const FROM = 20;

const isTrade = ({ kind }: Event) => kind === EventKind.OrderExecuted;

/** Faults by name; each is planted once. An empty list says that the message has nothing to be spoilt. */
const FAULTS: Readonly<Record<string, (events: Event[]) => Event[] | null>> = {
  "one fill quantity is altered": (events) => {
    const at = events.findIndex(isTrade);
    if (at < 0) return null;
    events[at].lastQtyLots++;
    return events;
  },
  "two trades are swapped": (events) => {
    const a = events.findIndex(isTrade);
    const b = events.findIndex((event, i) => i >= a + 2 && isTrade(event));
    if (a < 0 || b < 0) return null;
    return [
      ...events.slice(0, a),
      ...events.slice(b, b + 2),
      ...events.slice(a + 2, b),
      ...events.slice(a, a + 2),
    ];
  },
  "an event is lost": (events) => events.length < 3 ? null : events.toSpliced(1, 1),
  "the last event is lost": (events) => events.length < 3 ? null : events.slice(0, -1),
  "an event comes twice": (events) => events.length < 3 ? null : [...events, events[events.length - 1]],
  "a trade has another trade's index": (events) => {
    const at = events.findIndex(isTrade);
    if (at < 0) return null;
    for (const each of events.slice(at, at + 2)) each.tradeIndex++;
    return events;
  },
  "an order has another OrderID": (events) => {
    const accepted = events.find(({ kind }) => kind === EventKind.OrderAccepted);
    if (accepted === undefined) return null;
    accepted.orderId++;
    return events;
  },
  "a level keeps a lot that is gone": (events) => {
    const level = events.find(({ kind }) => kind === EventKind.LevelChanged);
    if (level === undefined) return null;
    level.levelQtyLots++;
    return events;
  },
};

describe(`the verifier on a real nats-server, seed ${SEED}`, () => {
  let shard: Shard;
  const matchers: { end(): Promise<void> }[] = [];

  beforeEach(async () => {
    shard = await Shard.start();
  });
  afterEach(async () => {
    for (const matcher of matchers.splice(0)) await matcher.end();
    await shard.dispose();
  });

  async function started(engine = new Engine({ shard: 0, instruments: INSTRUMENTS, ...LIMITS })) {
    const matcher = await startMatcher(shard, engine);
    matchers.push(matcher);
    return matcher;
  }

  /** Trades until everything is stored, then leaves nobody who could write. */
  async function traded(): Promise<void> {
    const matcher = await started();
    await trade(shard, MESSAGES, SEED);
    await matcher.end();
  }

  it("finds every event of an honest matcher as it must be, and the same state hash", async () => {
    await traded();
    await started();
    await trade(shard, MESSAGES, SEED + 1);
    const verdict = await verdictOn(shard);
    assert.equal(verdict.difference, null, verdictText(verdict));
    assert.ok(verdict.trades > 20, `${verdict.trades} trades`);
    assert.deepEqual([verdict.claims, verdict.epoch, verdict.tail, verdict.comparedFrom], [2, 2, 0, 1]);
    assert.equal(verdict.hash?.matcher, verdict.hash?.rebuilt);
    assert.equal(verdict.hash?.cmdSeq, 2 * MESSAGES);
  });

  for (const [name, spoil] of Object.entries(FAULTS)) {
    it(`catches a matcher in which ${name}, and names the message`, async () => {
      let planted = 0;
      const fault: Fault = (events, cmdSeq) => {
        if (planted > 0 || cmdSeq < FROM) return events;
        const spoilt = spoil(events);
        if (spoilt !== null) planted = cmdSeq;
        return spoilt ?? events;
      };
      await started(new FaultyEngine(fault));
      await trade(shard, MESSAGES, SEED);
      assert.ok(planted >= FROM, "the fault was never planted");
      const verdict = await verdictOn(shard);
      assert.equal(verdict.difference?.cmdSeq, planted, verdictText(verdict));
      assert.notEqual(verdict.difference.eventIndex, null);
      assert.notEqual(verdict.difference.commandIndex ?? verdict.difference.stored, null);
    });
  }

  it("catches a matcher whose events are right and whose state is not", async () => {
    class ForgetfulEngine extends FaultyEngine {
      override stateHash(): string {
        return "0".repeat(16);
      }
    }
    await started(new ForgetfulEngine((events) => events));
    await trade(shard, 10, SEED);
    const { difference, hash } = await verdictOn(shard);
    assert.equal(difference?.what, `the matcher's state hash is ${"0".repeat(16)}, not ${hash?.rebuilt}`);
    assert.equal(difference.cmdSeq, 10);
  });

  it("takes commands that were sent twice, behind a gap or by an ended run as the matcher does", async () => {
    await started();
    const first = shard.batch(2);
    const [second, third] = [shard.batch(1), shard.batch(3)];
    await shard.send(first);
    await shard.send(first);
    await shard.send(third);
    await shard.send(second);
    await shard.send(third);
    await shard.send(new Uint8Array([1, 2, 3]));
    const laterRun = shard.batch(1);
    new DataView(laterRun.buffer).setFloat64(8, 7, true);
    new DataView(laterRun.buffer).setFloat64(16, 1, true);
    await shard.send(laterRun);
    const last = await shard.send(shard.batch(1));
    await shard.storedUpTo(last);
    const verdict = await verdictOn(shard);
    assert.equal(verdict.difference, null, verdictText(verdict));
    assert.deepEqual(verdict.rebuild.fates, { taken: 4, repeated: 1, gap: 1, "old run": 1, unreadable: 1 });
    assert.deepEqual(verdict.rebuild.gateways.runs(), [
      { gatewayId: 1, bootId: 1, last: 6 },
      { gatewayId: 1, bootId: 7, last: 1 },
    ]);
    assert.equal(verdict.hash?.matcher, verdict.hash?.rebuilt);
  });

  it("follows a shard while it is written, past commands that are purged meanwhile", async () => {
    const live = new LiveVerification({ nc: shard.nc, venue: VENUE, shard: 0 });
    await started();
    await trade(shard, MESSAGES, SEED);
    await until("the first commands are read", () => live.cmdSeq >= MESSAGES);
    await (await jetstreamManager(shard.nc)).streams.purge(cmdStream(0), { seq: MESSAGES });
    await trade(shard, MESSAGES, SEED + 1);
    const verdict = await live.finish();
    assert.equal(verdict.difference, null, verdictText(verdict));
    assert.deepEqual([verdict.rebuild.cmdSeq, verdict.tail], [2 * MESSAGES, 0]);
    assert.equal(verdict.hash?.matcher, verdict.hash?.rebuilt);
  });

  it("finds a difference as soon as it is written", async () => {
    const live = new LiveVerification({ nc: shard.nc, venue: VENUE, shard: 0 });
    await started(new FaultyEngine((events, cmdSeq) => cmdSeq === FROM ? [] : events));
    await trade(shard, MESSAGES, SEED);
    await until("the difference", () => live.found !== null);
    assert.equal(live.found?.difference?.cmdSeq, FROM);
    await live.stop();
  });

  it("says how many commands at the end have no events yet, and finds nothing wrong with that", async () => {
    await traded();
    await shard.send(shard.batch());
    await shard.send(shard.batch());
    const verdict = await verdictOn(shard);
    assert.equal(verdict.difference, null, verdictText(verdict));
    const { events, messages, tail, tailFrom, tailTo, hash } = verdict;
    assert.deepEqual([messages, tail, tailFrom, tailTo, hash], [
      MESSAGES,
      2,
      MESSAGES + 1,
      MESSAGES + 2,
      null,
    ]);
    assert.equal(
      verdictText(verdict).split("\n")[0],
      `shard 0: every event is as it must be: ${events} events of 60 command messages compared; EV_0 has no events of the 2 ` +
        "command messages 61 to 62 (the next start makes them)",
    );
  });

  it("says how many came while it ran, and counts one of a thing in the singular", async () => {
    await started();
    await shard.storedUpTo(await shard.send(shard.batch(1)));
    let isFirst = true;
    const nc = new Proxy(shard.nc, {
      get(target, property) {
        const value = Reflect.get(target, property, target);
        if (property !== "request") return typeof value === "function" ? value.bind(target) : value;
        return async (...args: Parameters<NatsConnection["request"]>) => {
          if (isFirst && args[0].includes(".CONSUMER.CREATE.EV_0.")) {
            isFirst = false;
            for (let i = 0; i < 2; i++) await shard.storedUpTo(await shard.send(shard.batch(1)));
          }
          return await target.request(...args);
        };
      },
    });
    const verdict = await verifyShard({ nc, venue: VENUE, shard: 0 });
    const { events, rebuild } = verdict;
    assert.deepEqual(verdictText(verdict).split("\n"), [
      `shard 0: every event is as it must be: ${events} events of 1 command message compared; 2 more came while this ran`,
      "  3 commands in 3 messages: 3 taken, 0 repeated, 0 behind a gap, 0 of an ended gateway run, 0 unreadable",
      `  ${events} events compared, 0 trades, epoch 1, 1 claim`,
      "  gateway 1 run 1: commands 1 to 3, none missing",
      `  state hash ${rebuild.stateHash()} after command message 3: the matcher's too`,
      "",
    ]);
  });

  it("does not call it good when there are commands and no events at all", async () => {
    await traded();
    await (await jetstreamManager(shard.nc)).streams.purge(evStream(0));
    const verdict = await verdictOn(shard);
    assert.equal(
      verdictText(verdict).split("\n")[0],
      "shard 0: NOTHING TO COMPARE: EV_0 has no events of the 60 command messages 1 to 60 (the next start makes them)",
    );
    const { good, messages, events, tail, tailFrom, tailTo } = JSON.parse(verdictJson(verdict));
    assert.deepEqual({ good, messages, events, tail, tailFrom, tailTo }, {
      good: null,
      messages: 0,
      events: 0,
      tail: MESSAGES,
      tailFrom: 1,
      tailTo: MESSAGES,
    });
    assert.equal(outcomeOf(verdict), "nothing");
  });

  it("finds a shard good that nobody has traded on", async () => {
    const verdict = await verdictOn(shard);
    assert.equal(
      verdictText(verdict).split("\n")[0],
      "shard 0: no command was ever sent: there is nothing to compare",
    );
    assert.equal(outcomeOf(verdict), "good");
  });

  it("compares from where EV_0 begins when its beginning was dropped", async () => {
    await traded();
    const jsm = await jetstreamManager(shard.nc);
    const { lastSeq } = await streamExtent(shard.nc, evStream(0));
    await jsm.streams.purge(evStream(0), { seq: Math.floor(lastSeq / 2) });
    const verdict = await verdictOn(shard);
    assert.equal(verdict.difference, null, verdictText(verdict));
    assert.ok(verdict.comparedFrom > 1 && verdict.tail === 0, verdictText(verdict));
  });

  it("cannot tell when CMD_0 does not begin at 1, and says from where it could", async () => {
    await traded();
    await (await jetstreamManager(shard.nc)).streams.purge(cmdStream(0), { seq: 11 });
    await assert.rejects(verdictOn(shard), (error: Error) => {
      assert.ok(error instanceof CannotVerifyError);
      assert.equal(
        error.message,
        "Cannot verify shard 0: CMD_0 begins at 11, and a rebuild needs it from 1 on, or a snapshot taken after " +
          "command message 10 or a later one",
      );
      return true;
    });
  });

  it("cannot tell when there is no such stream", async () => {
    await shard.server.deleteStream(await jetstreamManager(shard.nc), evStream(0));
    await assert.rejects(verdictOn(shard), { message: /^Cannot read EV_0: / });
  });
});
