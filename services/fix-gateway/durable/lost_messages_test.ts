/** What a gateway makes of a stream of sent messages that holds less of a session than it did. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { nullLogger } from "../../../shared/cli/log.ts";
import { ensureSessionStreams } from "../../../shared/nats/mod.ts";
import { TestServer } from "../../../shared/nats/test_server.ts";
import { CONFIG, FakeProcess, FakeWorld, settle } from "./fake_world.ts";
import { lostMessages } from "./lost_messages.ts";
import { NatsOutStream } from "./nats_out_stream.ts";
import { MessageBlock } from "./out_record.ts";
import { startOf } from "./record.ts";

const ME = { gatewayId: 1, bootId: 1 };
const ALARM = "sent messages are lost: they cannot be resent, numbers go on";

/** Logs on, reports events 1 … `count` behind those of before, stores each, and ends in order unless it `dies`. */
async function life(process: FakeProcess, count: number, dies = false): Promise<void> {
  const { world } = process;
  assert.equal(await process.logon(), null);
  for (let i = 0; i < count; i++) {
    world.addEvents(CONFIG.id);
    await process.live(world.events.length);
    await process.store();
  }
  if (dies) return;
  await process.durable.leave();
  await settle();
}

/** What of `from` to `to` the session that process holds can resend: numbers, and the end of the gap fill. */
async function resent(process: FakeProcess, from: number, to: number): Promise<[number[], number]> {
  const { messages, through } = await process.durable.read(from, to, 1 << 20);
  return [messages.map(({ seq }) => seq), through];
}

describe("sent messages that the stream has lost", () => {
  it("are told of at the next Logon of a session that had ended in order; numbers and reports go on", async () => {
    const world = new FakeWorld();
    await life(new FakeProcess(world, 1, 1), 6);
    // Our claim and the first two messages are left.
    world.out.length = 3;
    const next = new FakeProcess(world, 2, 1);
    await life(next, 1, true);
    const lost = { stream: "FIXOUT", session: "TW", heldSeq: 21, seq: 9, from: 3, to: 6 };
    assert.deepEqual(next.errors, [`${ALARM} ${JSON.stringify(lost)}`]);
    assert.deepEqual(next.sent, [{ seq: 7, possResend: false, body: "17=7-0\x01" }]);
    assert.deepEqual(await resent(next, 1, 7), [[1, 2, 7], 7]);
  });

  it("are told of when everything is gone, and not a second time once the session was given back", async () => {
    const world = new FakeWorld();
    await life(new FakeProcess(world, 1, 1), 4);
    world.out.length = 0;
    const next = new FakeProcess(world, 2, 1);
    await life(next, 1);
    const lost = { stream: "FIXOUT", session: "TW", heldSeq: 15, seq: 0, from: 1, to: 4 };
    assert.deepEqual(next.errors, [`${ALARM} ${JSON.stringify(lost)}`]);
    const third = new FakeProcess(world, 1, 2);
    await life(third, 1);
    assert.deepEqual(third.errors, []);
    assert.deepEqual([next, third].flatMap(({ sent }) => sent.map(({ seq }) => seq)), [5, 6]);
  });

  it("are told of as far as they were noted down when the owner died", async () => {
    const world = new FakeWorld();
    const first = new FakeProcess(world, 1, 1);
    await life(first, 3, true);
    await first.durable.holding!.checkpoint();
    world.out.length = 2;
    world.leases.clear();
    const next = new FakeProcess(world, 2, 1);
    await life(next, 0, true);
    const lost = { stream: "FIXOUT", session: "TW", heldSeq: 12, seq: 6, from: 2, to: 3 };
    assert.deepEqual(next.errors, [`${ALARM} ${JSON.stringify(lost)}`]);
  });

  it("are none when the stream's limits let them go, or none were sent", async () => {
    const world = new FakeWorld();
    await life(new FakeProcess(world, 1, 1), 4);
    world.out.length = 0;
    world.firstOutSeq = 16;
    const next = new FakeProcess(world, 2, 1);
    await life(next, 0);
    assert.deepEqual(next.errors, []);
    world.out.length = 0;
    world.firstOutSeq = 1;
    const third = new FakeProcess(world, 1, 2);
    await life(third, 0);
    const lost = { stream: "FIXOUT", session: "TW", heldSeq: 3, seq: 0, from: 1, to: 4 };
    assert.deepEqual(third.errors, [`${ALARM} ${JSON.stringify(lost)}`]);
    const unused = new FakeWorld();
    await life(new FakeProcess(unused, 1, 1), 0);
    unused.out.length = 0;
    const fourth = new FakeProcess(unused, 2, 1);
    await life(fourth, 0);
    assert.deepEqual(fourth.errors, []);
  });

  it("are found on a real nats-server whose store was cut", async () => {
    const server = await TestServer.start();
    let nc = await server.connect();
    await ensureSessionStreams(nc, { fixOutStreamBytes: 1 << 20, fixOutMaxAgeHours: 1 });
    let out = await NatsOutStream.open(nc, nullLogger);
    const store = async (through: number, expected: number): Promise<number> => {
      const block = new MessageBlock();
      block.append(through, "8", 0, false, null, new TextEncoder().encode("17=x\x01"));
      const header = {
        session: 7,
        ...ME,
        incarnation: 1,
        through,
        inDurable: 0,
        positions: [],
        number: through,
      };
      const outcome = await out.publish(7, block.record(header), expected);
      assert.ok(outcome.kind === "stored");
      return outcome.seq;
    };
    const again = async (damage: () => Promise<void>) => {
      out.close();
      await nc.close();
      await server.stop();
      await damage();
      await server.start();
      nc = await server.connect();
      out = await NatsOutStream.open(nc, nullLogger);
    };
    const msgs = join(server.store, "jetstream", "$G", "streams", "FIXOUT", "msgs");
    let size = 0;
    await store(1, 0);
    await again(async () => void (size = (await Deno.stat(join(msgs, "1.blk"))).size));
    await store(2, 1);
    const stored = { seq: await store(3, 2), through: 3 };
    const record = { ...startOf(1, ME, [], 100, 1, 0), stored };
    assert.equal(await lostMessages(record, await out.last(7), out), null);
    await again(async () => {
      await Deno.truncate(join(msgs, "1.blk"), size + 30);
      await Deno.remove(join(msgs, "index.db"));
    });
    assert.deepEqual(await lostMessages(record, await out.last(7), out), {
      heldSeq: 3,
      seq: 1,
      from: 2,
      to: 3,
    });
    out.close();
    await nc.close();
    await server.dispose();
  });
});
