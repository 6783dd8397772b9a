import { jetstreamManager } from "@nats-io/jetstream";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { cmdStream } from "../../../shared/protocol/mod.ts";
import { Engine } from "../engine/mod.ts";
import { NatsSnapshotStore } from "../snapshot/mod.ts";
import { writeSnapshot } from "../snapshot/snapshot.ts";
import { Shard } from "../test_kit.ts";
import { verdictJson, verdictText } from "./print.ts";
import { INSTRUMENTS, LIMITS, startMatcher, trade, verdictOn } from "./test_market.ts";
import { outcomeOf } from "./verdict.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const MESSAGES = 60;

describe(`the verifier behind a snapshot, seed ${SEED}`, () => {
  let shard: Shard;
  beforeEach(async () => void (shard = await Shard.start()));
  afterEach(() => shard.dispose());

  for (const isNamed of [true, false]) {
    it(`begins with a snapshot when CMD_0 does, ${isNamed ? "" : "and none is pointed at, "}and checks older events by themselves`, async () => {
      const options = { shard: 0, instruments: INSTRUMENTS, ...LIMITS };
      const engine = new Engine(options);
      const matcher = await startMatcher(shard, engine);
      await trade(shard, MESSAGES, SEED);
      await matcher.end();
      const store = await NatsSnapshotStore.open(shard.nc, 0);
      await store.put(MESSAGES, writeSnapshot(engine, options, { length: 1, crc: 1 }));
      const newest = { cmdSeq: MESSAGES, stateHash: engine.stateHash() };
      if (isNamed) await store.movePointer({ newest, previous: null }, 0);
      const continued = await startMatcher(shard, new Engine(options));
      await trade(shard, MESSAGES, SEED + 1);
      await continued.end();
      await (await jetstreamManager(shard.nc)).streams.purge(cmdStream(0), { seq: MESSAGES });
      const verdict = await verdictOn(shard);
      assert.equal(verdict.difference, null, verdictText(verdict));
      assert.deepEqual([verdict.startedAfter, verdict.comparedFrom, verdict.tail], [
        MESSAGES,
        MESSAGES + 1,
        0,
      ]);
      assert.equal(verdict.rebuild.cmdSeq, 2 * MESSAGES);
    });
  }

  it("calls it good behind a snapshot without commands only where a matcher tells its state", async () => {
    const options = { shard: 0, instruments: INSTRUMENTS, ...LIMITS };
    const engine = new Engine(options);
    const matcher = await startMatcher(shard, engine);
    await trade(shard, MESSAGES, SEED);
    const store = await NatsSnapshotStore.open(shard.nc, 0);
    await store.put(MESSAGES, writeSnapshot(engine, options, { length: 1, crc: 1 }));
    await (await jetstreamManager(shard.nc)).streams.purge(cmdStream(0), { seq: MESSAGES + 1 });
    const led = await verdictOn(shard);
    assert.deepEqual([led.messages, led.tail, led.startedAfter], [0, 0, MESSAGES]);
    assert.deepEqual([led.hash?.matcher, outcomeOf(led)], [engine.stateHash(), "good"]);
    assert.equal(
      verdictText(led).split("\n")[0],
      "shard 0: there are no command messages behind the snapshot: the state alone is compared",
    );
    await matcher.end();
    const alone = await verdictOn(shard);
    assert.deepEqual([alone.difference, alone.hash, outcomeOf(alone)], [null, null, "nothing"]);
    assert.equal(JSON.parse(verdictJson(alone)).good, null);
    assert.equal(
      verdictText(alone).split("\n")[0],
      "shard 0: NOTHING TO COMPARE: there are no command messages behind the snapshot",
    );
  });
});
