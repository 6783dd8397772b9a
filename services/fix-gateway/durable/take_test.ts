/** Taking a session over while nats-server is ended and started again: a little later, and nothing else is different. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { nullLogger } from "../../../shared/cli/log.ts";
import { ensureSessionStreams } from "../../../shared/nats/mod.ts";
import { TestServer } from "../../../shared/nats/test_server.ts";
import { NatsOutStream } from "./nats_out_stream.ts";
import { NatsRecords } from "./nats_records.ts";
import { take } from "./take.ts";
import { CONFIG, FakeProcess, FakeWorld } from "./fake_world.ts";

/** A session that was given back behind three reports. */
async function givenBack(): Promise<FakeWorld> {
  const world = new FakeWorld();
  const first = new FakeProcess(world, 1, 1);
  await first.logon();
  for (let i = 1; i <= 3; i++) {
    world.addEvents(CONFIG.id);
    await first.live(i);
  }
  await first.store();
  await first.durable.leave();
  return world;
}

describe("taking a session over when an answer is lost with the connection", () => {
  it("goes on as if it had come, whether the write was done or not", async () => {
    let troubles = 0;
    const claims: number[] = [];
    for (let operation = 1; operation <= 8; operation++) {
      for (const done of [true, false]) {
        const world = await givenBack();
        const { length } = world.out;
        const process = new FakeProcess(world, 2, 1);
        process.troubled.set(operation, done);
        assert.equal(await process.logon(), null, `operation ${operation}, done: ${done}`);
        troubles += process.troubles;
        claims.push(world.out.length - length);
        world.addEvents(CONFIG.id);
        await process.live(4);
        assert.deepEqual(process.sent, [{ seq: 4, possResend: false, body: "17=4-0\x01" }]);
        await process.store();
        assert.deepEqual([...world.stored().keys()], [1, 2, 3, 4]);
        await process.durable.leave();
        const { clean, nextOut, owner } = world.read()!.record;
        assert.deepEqual([clean, nextOut, owner], [true, 5, null]);
      }
    }
    assert.equal(troubles, 4, "both writes of a taking over, done and not done");
    assert.deepEqual(new Set(claims), new Set([1]), "one claim is stored");
  });

  it("is given up when no answer comes in time", async () => {
    const world = await givenBack();
    const process = new FakeProcess(world, 2, 1);
    for (let operation = 1; operation <= 1000; operation++) process.troubled.set(operation, false);
    await assert.rejects(process.logon(), { message: "the connection was lost" });
    assert.equal(world.read()!.record.nextOut, 4);
  });

  it("waits for a real nats-server that is killed and started again, and takes it once", async () => {
    const server = await TestServer.start();
    const nc = await server.connect();
    await ensureSessionStreams(nc, { fixOutStreamBytes: 1 << 20, fixOutMaxAgeHours: 1 });
    const out = await NatsOutStream.open(nc, nullLogger);
    const me = { gatewayId: 1, bootId: 1 };
    const ports = {
      ...new FakeProcess(new FakeWorld(), 1, 1).ports,
      records: await NatsRecords.open(nc),
      out,
      nowMs: () => performance.now(),
      delay: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    };
    const host = { me, ports, limits: { block: 4, patienceMs: 1000 }, log: nullLogger };
    const cause = { reset: false, renewBeforeMs: -Infinity, wallMs: 1000 };
    assert.equal((await take(CONFIG.id, cause, true, host)).kind, "taken");
    server.pause();
    const again = take(CONFIG.id, cause, true, host);
    await server.stop("SIGKILL");
    await server.start();
    const taken = await again;
    assert.ok(taken.kind === "taken");
    const { record, streamSeq, through } = taken;
    assert.deepEqual([record.nextOut, record.writes, streamSeq, through], [5, 2, 2, 4]);
    out.close();
    await nc.close();
    await server.dispose();
  });
});
