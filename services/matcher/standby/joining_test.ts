/** A standby's first comparison with its leader: before it is ready to take over. */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { ConfigError } from "../../../shared/config/mod.ts";
import { until, within } from "../../../shared/testing/awaited.ts";
import { TestEngine } from "../test_engine.ts";
import type { Shard } from "../test_kit.ts";
import { ENOUGH_PARTS } from "./likeness.ts";
import { Candidates } from "./test_candidates.ts";

/** An engine whose state hash takes for ever. */
class Endless extends TestEngine {
  override *stateHashSteps(): Generator<void, string> {
    for (;;) yield;
  }
}

/** An engine with another state. */
class Tampered extends TestEngine {
  override *stateHashSteps() {
    yield;
    return "other";
  }
}

describe("a standby", () => {
  let all: Candidates;
  let shard: Shard;

  beforeEach(async () => {
    all = await Candidates.start();
    shard = all.shard;
  });
  afterEach(() => all.dispose());

  it("that joins when nothing is traded is compared with its leader before it is ready", async () => {
    const first = await all.add();
    await first.leads;
    for (let i = 0; i < 3; i++) await shard.storedUpTo(await shard.send(shard.batch()));
    const second = await all.add();
    await all.isReady();
    assert.equal((await all.state()).agreed!.cmdSeq, 3);
    // A second one gets a hash of the same place, though nothing has come since.
    await second.matcher.drain(2000);
    await all.add();
    await all.isReady();
    assert.equal((await all.state()).agreed!.cmdSeq, 3);
  });

  it("that joins a leader whose book is another ends, though nothing is traded", async () => {
    await (await all.add()).leads;
    for (let i = 0; i < 3; i++) await shard.storedUpTo(await shard.send(shard.batch()));
    const second = await all.add({ engine: new Tampered() });
    assert.match(
      String(await within("the alarm", second.ended)),
      /^Error: Cannot stand by for shard 0: state hash other behind command message 3, the leader has [0-9a-f]{8}$/,
    );
    const empty = await all.add({ rules: "0123456789abcdef" });
    const error = await within("the alarm", empty.ended);
    assert.ok(error instanceof ConfigError);
    assert.equal(
      error.message,
      "Cannot stand by for shard 0: its rules have the digest 0123456789abcdef, the leader's ",
    );
  });

  it("is not ready before it has been compared, and takes over all the same when its leader dies", async () => {
    const first = await all.add();
    await first.leads;
    await shard.storedUpTo(await shard.send(shard.batch()));
    const second = await all.add({ engine: new Endless() });
    assert.equal((await all.state()).ready, false);
    const answer = await all.handOver();
    assert.equal(
      answer.kind === "refused" && answer.why,
      "its standby still replays, or has not been compared with it: it is at command message 1",
    );
    await first.nc.close();
    await within("the take-over", second.leads);
    await shard.send(shard.batch());
    await all.assertWhole(2, [1, 2]);
  });

  it("is compared by many of the leader's events, where no state hash is made in time", async () => {
    await (await all.add()).leads;
    await all.add({ engine: new Endless() });
    await Promise.all(Array.from({ length: ENOUGH_PARTS - 1 }, () => shard.send(shard.batch())));
    await until(
      "the events",
      async () => (await all.state()).unstoredBytes === 0 && (await all.state()).cmdSeq === ENOUGH_PARTS - 1,
    );
    assert.equal((await all.state()).ready, false);
    await shard.send(shard.batch());
    await all.isReady();
    assert.equal((await all.state()).agreed, null);
  });
});
