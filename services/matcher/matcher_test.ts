import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { headers } from "@nats-io/nats-core";
import { jetstreamManager } from "@nats-io/jetstream";
import { type Logger, nullLogger } from "../../shared/cli/log.ts";
import { DepthImageReader, encodeClaim, TRACE_BYTES } from "../../shared/codec/wire/mod.ts";
import { type NatsConnection, requestDepth } from "../../shared/nats/mod.ts";
import { until } from "../../shared/testing/awaited.ts";
import { FencedError, Matcher, type MatcherOptions } from "./matcher.ts";
import { TestEngine } from "./test_engine.ts";
import { assertOneLine, contentOf, Shard, testInstrument } from "./test_kit.ts";

describe("a matcher", () => {
  let shard: Shard;
  let connections: NatsConnection[];
  let matchers: Matcher[];

  beforeEach(async () => {
    shard = await Shard.start();
    connections = [];
    matchers = [];
  });
  afterEach(async () => {
    for (const matcher of matchers) await matcher.drain(2000);
    for (const nc of connections) await nc.close();
    await shard.dispose();
  });

  /** A matcher of shard 0 with its own connection, as its own process would have it; not started. */
  async function matcherOf(
    options: Partial<MatcherOptions> = {},
  ): Promise<Matcher & { ended: Promise<Error> }> {
    const nc = await shard.server.connect("matcher");
    connections.push(nc);
    const ended = Promise.withResolvers<Error>();
    const matcher = new Matcher({
      nc,
      shard: 0,
      engine: new TestEngine(),
      instruments: [testInstrument(1, "AAA"), testInstrument(2, "BBB"), testInstrument(3, "CCC")],
      log: nullLogger,
      onFatal: ended.resolve,
      ...options,
    });
    matchers.push(matcher);
    return Object.assign(matcher, { ended: ended.promise });
  }

  async function started(options: Partial<MatcherOptions> = {}) {
    const matcher = await matcherOf(options);
    await matcher.start();
    return matcher;
  }

  it("sends the same events live and to the stream, one group per command message", async () => {
    const matcher = await started();
    for (let i = 0; i < 200; i++) shard.send(shard.batch(1 + i % 3), i % 2 === 0 ? "AAA" : "BBB");
    await shard.storedUpTo(200);
    const { subjects, claims, groups } = await shard.stored();
    assertOneLine(groups, 200);
    assert.deepEqual(claims, [1]);
    assert.deepEqual(groups, shard.live);
    assert.ok(subjects.slice(1).every((subject) => ["ev.0.AAA", "ev.0.BBB", "ev.0._"].includes(subject)));
    assert.equal(matcher.state().cmdSeq, 200);
  });

  it("stores under the symbol when a message holds one symbol's events", async () => {
    await started();
    await shard.send(shard.batch(), "AAA");
    await shard.storedUpTo(1);
    await shard.send(shard.batch(), "BBB");
    await shard.storedUpTo(2);
    assert.deepEqual((await shard.stored()).subjects, ["ev.0._claim", "ev.0.AAA", "ev.0.BBB"]);
  });

  it("goes on where the one before it stopped, under the next epoch", async () => {
    const first = await started();
    for (let i = 0; i < 20; i++) await shard.send(shard.batch());
    assert.equal(await first.drain(2000), true);
    for (let i = 0; i < 20; i++) await shard.send(shard.batch());
    const second = await started();
    for (let i = 0; i < 20; i++) await shard.send(shard.batch());
    await shard.storedUpTo(60);
    const { claims, groups } = await shard.stored();
    assertOneLine(groups, 60);
    assert.deepEqual(claims, [1, 2]);
    assert.deepEqual(groups, shard.live);
    assert.deepEqual(second.state(), {
      shard: 0,
      epoch: 2,
      ready: true,
      cmdSeq: 60,
      evSeq: second.state().evSeq,
    });
  });

  it("claims again and again without anything traded between", async () => {
    await shard.send(shard.batch());
    for (let epoch = 1; epoch <= 4; epoch++) {
      const matcher = await started();
      assert.equal(matcher.state().epoch, epoch);
      await matcher.drain(2000);
    }
    const { claims, groups } = await shard.stored();
    assert.deepEqual(claims, [1, 2, 3, 4]);
    assertOneLine(groups, 1);
  });

  it("continues a group of which only the first messages were stored", async () => {
    // A group of several messages: 6000 events of 96 bytes.
    const big = shard.batch(1, (command) => command.qtyLots = 6000);
    const first = await started();
    await shard.send(shard.batch());
    await shard.send(big);
    await shard.storedUpTo(2);
    await first.drain(2000);
    const whole = (await shard.stored()).groups;
    assert.ok(whole.length >= 3);
    const second = await matcherOf();
    await shard.dropLastEvents();
    await second.start();
    await shard.storedUpTo(2);
    assert.deepEqual((await shard.stored()).groups.map(contentOf), whole.map(contentOf));
  });

  it("answers an unreadable command message with an empty group, and names it in the log", async () => {
    const errors: unknown[] = [];
    const log: Logger = { ...nullLogger, error: (message, fields) => errors.push([message, fields]) };
    await started({ log });
    await shard.send(shard.batch());
    await shard.send(new TextEncoder().encode("garbage"));
    await shard.send(shard.batch().subarray(0, 60));
    await shard.send(shard.batch());
    await shard.storedUpTo(4);
    const { groups } = await shard.stored();
    assertOneLine(groups, 4);
    assert.deepEqual(groups.map(({ eventCount }) => eventCount), [2, 0, 0, 2]);
    const message = "command message ignored";
    const fields = { stream: "CMD_0", subject: "cmd.0.AAA" };
    assert.deepEqual(errors, [
      [message, { ...fields, seq: 2, fault: "truncated" }],
      [message, { ...fields, seq: 3, fault: "bad length" }],
    ]);
  });

  it("stops when commands are missing", async () => {
    for (let i = 0; i < 5; i++) await shard.send(shard.batch());
    await (await jetstreamManager(shard.nc)).streams.purge("CMD_0", { seq: 4 });
    const matcher = await matcherOf();
    await assert.rejects(matcher.start(), {
      message: "Cannot go on at CMD_0 sequence 1: commands 1 to 3 are missing",
    });
    assert.deepEqual((await shard.stored()).groups, []);
  });

  it("stops when its replay differs from what is stored, before it writes anything", async () => {
    const first = await started();
    for (let i = 0; i < 5; i++) {
      const seq = await shard.send(shard.batch());
      await shard.storedUpTo(seq);
    }
    await first.drain(2000);
    const before = await shard.stored();
    class OtherEngine extends TestEngine {
      override applyBatch(...args: Parameters<TestEngine["applyBatch"]>) {
        return super.applyBatch(args[0] + 1, args[1], args[2], args[3]);
      }
    }
    const matcher = await matcherOf({ engine: new OtherEngine() });
    await assert.rejects(matcher.start(), {
      message: "Cannot go on at CMD_0 sequence 5: its events differ from EV_0 sequence 6",
    });
    assert.deepEqual(await shard.stored(), before);
  });

  it("stops when EV_0 knows commands that CMD_0 does not", async () => {
    await shard.nc.request("ev.0._claim", encodeClaim(0, 1, 7, 2));
    const matcher = await matcherOf();
    await assert.rejects(matcher.start(), {
      message: "Cannot replay CMD_0: it ends at 0, but EV_0 holds events of 8",
    });
  });

  it("leaves a living leader alone", async () => {
    await started();
    const second = await matcherOf();
    await assert.rejects(second.start(), (error: Error) => {
      assert.ok(error instanceof FencedError);
      assert.equal(error.message, "Cannot lead shard 0: another matcher leads it");
      return true;
    });
    assert.deepEqual((await shard.stored()).claims, [1]);
  });

  it("is one of several that start at once: exactly one writes", async () => {
    for (let i = 0; i < 50; i++) await shard.send(shard.batch());
    const candidates = [await matcherOf(), await matcherOf(), await matcherOf(), await matcherOf()];
    const results = await Promise.allSettled(candidates.map((each) => each.start()));
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    for (const result of results) {
      if (result.status === "rejected") assert.ok(result.reason instanceof FencedError);
    }
    for (let i = 0; i < 50; i++) await shard.send(shard.batch());
    await shard.storedUpTo(100);
    const { claims, groups } = await shard.stored();
    assert.deepEqual(claims, [1]);
    assertOneLine(groups, 100);
  });

  it("stops when another claims the shard, though it has nothing to store", async () => {
    const matcher = await started();
    await shard.send(shard.batch());
    await shard.storedUpTo(1);
    await shard.nc.request("ev.0._claim", encodeClaim(0, 2, 1, 0));
    const error = await matcher.ended;
    assert.ok(error instanceof FencedError);
    assert.match(error.message, /^Cannot store events: another matcher wrote EV_0 3$/);
  });

  it("ignores a claim that the stream refused", async () => {
    const matcher = await started();
    const stale = headers();
    stale.set("Nats-Expected-Last-Sequence", "77");
    shard.nc.publish("ev.0._claim", encodeClaim(0, 2, 1, 0), { headers: stale });
    await shard.send(shard.batch());
    await shard.storedUpTo(1);
    assert.equal(matcher.state().ready, true);
  });

  it("writes nothing behind another's claim, though it had much to store", async () => {
    const matcher = await started();
    let claimed = false;
    for (let i = 0; i < 300; i++) {
      shard.send(shard.batch(), "AAA").catch(() => {});
      if (i !== 150) continue;
      await until("some events stored", () => matcher.state().evSeq > 1);
      await shard.nc.request("ev.0._claim", encodeClaim(0, 2, 0, 0));
      claimed = true;
    }
    assert.ok(claimed && await matcher.ended instanceof FencedError);
    const { subjects, groups } = await shard.stored();
    const secondClaim = subjects.lastIndexOf("ev.0._claim");
    assert.equal(secondClaim, subjects.length - 1);
    assertOneLine(groups, groups.length);
  });

  it("hands on traces and spans of new commands, and no spans of replayed ones", async () => {
    const spans: string[] = [];
    const options: Partial<MatcherOptions> = {
      onTraced: (trace, cmdSeq) => {
        spans.push(`start ${cmdSeq} ${trace.length}`);
        return () => spans.push(`end ${cmdSeq}`);
      },
    };
    const traced = () =>
      shard.batch(2, (command, index) => {
        if (index === 1) command.trace.set(new Uint8Array(TRACE_BYTES).fill(7), 0, TRACE_BYTES);
      });
    const first = await started(options);
    await shard.send(traced());
    await shard.storedUpTo(1);
    await first.drain(2000);
    await started(options);
    await shard.send(traced());
    await shard.storedUpTo(2);
    assert.deepEqual(spans, ["start 1 24", "end 1", "start 2 24", "end 2"]);
  });

  it("tells its status, and the depth of every book", async () => {
    await started();
    for (const instrumentId of [1, 3, 3]) {
      await shard.send(shard.batch(1, (command) => command.instrumentId = instrumentId));
    }
    await shard.storedUpTo(3);
    const { evSeq, ...rest } = (await shard.nc.request("matcher.0.status")).json<Record<string, unknown>>();
    assert.deepEqual(rest, { shard: 0, epoch: 1, ready: true, cmdSeq: 3 });
    const reader = new DepthImageReader();
    const [image, ...more] = await requestDepth(shard.nc, 0);
    assert.deepEqual(more, []);
    assert.equal(reader.open(image), null);
    assert.deepEqual([reader.cmdSeq, reader.nextEvSeq], [3, Number(evSeq) + 1]);
    const levels = [];
    while (reader.next()) levels.push([reader.instrumentId, reader.side, reader.priceTicks, reader.qtyLots]);
    assert.deepEqual(levels, [[1, 1, 100, 1], [3, 1, 100, 2]]);
  });

  it("stores everything though it may hold little back", async () => {
    await started({ maxUnstoredBytes: 1000 });
    const sent = Array.from({ length: 2000 }, () => shard.send(shard.batch(3)));
    await Promise.all(sent);
    await shard.storedUpTo(2000);
    const { groups } = await shard.stored();
    assertOneLine(groups, 2000);
    assert.deepEqual(groups, shard.live);
  });
});
