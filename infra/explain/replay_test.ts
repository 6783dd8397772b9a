/** Where a replay for an explanation begins, on a real nats-server. */
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Kvm } from "@nats-io/kv";
import { ensureStreams, type NatsConnection } from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { Engine } from "../../services/matcher/engine/mod.ts";
import { TestShard } from "../../services/matcher/snapshot/test_shard.ts";
import { REF_BUCKET } from "../../shared/protocol/mod.ts";
import { replayBefore } from "./replay.ts";

describe("a replay for an explanation", () => {
  let server: TestServer;
  let nc: NatsConnection;
  let shard: TestShard;

  beforeAll(async () => {
    server = await TestServer.start();
    nc = await server.connect();
    await ensureStreams(nc, { shards: [], limits: { cmdStreamBytes: 0, evStreamBytes: 0 } });
    shard = await TestShard.open(nc, 0);
    for (let i = 0; i < 2; i++) {
      await shard.send(30);
      assert.equal(await shard.take(), null);
    }
    await shard.send(30);
  });
  afterAll(async () => {
    shard.close();
    await nc.close();
    await server.dispose();
  });

  /** How many messages are applied for an execution of a command message. */
  async function applied(cmdSeq: number): Promise<number> {
    let count = 0;
    const found = await replayBefore(nc, shard.options, { shard: 0, cmdSeq, index: 0 }, () => count++);
    assert.equal(found.engine.cmdSeq, cmdSeq - 1);
    assert.deepEqual([...found.bytes], [...(await shard.commands.message(cmdSeq))!]);
    assert.equal(found.engine instanceof Engine, true);
    return count;
  }

  it("begins with the newest snapshot before it when the first commands are purged", async () => {
    assert.deepEqual([await applied(31), await applied(60), await applied(61), await applied(90)], [
      0,
      29,
      0,
      29,
    ]);
  });

  it("is refused for an execution before all snapshots", async () => {
    await assert.rejects(applied(30), {
      message:
        "Cannot explain 0-30-0: CMD_0 begins at message 30, and no snapshot leads from there to the execution",
    });
  });

  it("finds snapshots by name when nothing points at them any more", async () => {
    await (await new Kvm(nc).open(REF_BUCKET)).purge("snapshot.0");
    assert.deepEqual([await applied(60), await applied(90)], [29, 29]);
  });
});
