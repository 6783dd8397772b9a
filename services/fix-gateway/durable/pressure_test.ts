/** A burst of reports waits in the stored events for a slow store, for numbers and for the socket: nobody is cut off. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { OutBuffer } from "../session/mod.ts";
import { CONFIG, FakeProcess, FakeWorld, settle } from "./fake_world.ts";

const BURST = 5000;
const ALL = [
  ...Array.from({ length: BURST }, (_, i) => `17=1-${i}\x01`),
  ...Array.from({ length: BURST }, (_, i) => `17=2-${i}\x01`),
];
/** What may wait: some 1,300 reports as they are stored. */
const MOST_BYTES = 64 * 1024;

/** A session that is told of two commands with 5,000 events each, at once, while nothing that is written is answered. */
async function burst(block: number, prepare: (process: FakeProcess) => void = () => {}) {
  const world = new FakeWorld();
  const process = new FakeProcess(world, 1, 1, block, MOST_BYTES);
  await process.logon();
  prepare(process);
  let answer = () => {};
  world.answers = new Promise((resolve) => answer = resolve);
  for (const command of [1, 2]) {
    world.addEvents(...Array.from({ length: BURST }, () => CONFIG.id));
    await process.live(command);
    process.durable.holding!.tick();
    process.store();
    await settle();
  }
  return { world, process, answer };
}

/** Lets time pass until the session has been told everything; it must not be ended, nor hold more than it may. */
async function goOn(process: FakeProcess, turn: () => void = () => {}): Promise<void> {
  const { outbound } = process.session.state;
  for (let turns = 0; process.sent.length < 2 * BURST && turns < 1000; turns++) {
    turn();
    process.durable.holding!.tick();
    await process.store();
    assert.ok(outbound.reserve.heldBytes <= MOST_BYTES);
    assert.equal(process.session.closeReason, "");
  }
}

function assertTold({ sent, errors, world }: FakeProcess): void {
  assert.deepEqual(sent.map(({ body }) => body), ALL);
  assert.deepEqual(sent.map(({ seq }) => seq), ALL.map((_, i) => i + 1));
  assert.ok(sent.every(({ possResend }) => !possResend));
  assert.deepEqual(errors, []);
  const stored = world.stored();
  assert.deepEqual([...stored.values()], ALL.slice(0, stored.size));
}

describe("a burst of reports", () => {
  it("waits while the store is slow, and goes on when it answers", async () => {
    const { world, process, answer } = await burst(65_536);
    const before = process.sent.length;
    assert.ok(before > 500 && before < 1400, `${before} reports were sent`);
    await goOn(process);
    assert.equal(process.sent.length, before, "nothing more is sent while nothing is stored");
    answer();
    world.answers = null;
    await goOn(process);
    assertTold(process);
    await process.durable.leave();
    assert.deepEqual([...world.stored().values()], ALL);
    assert.equal(world.read()!.record.clean, true);
  });

  it("waits while numbers are being reserved", async () => {
    for (const block of [2, 16, 512]) {
      const { world, process, answer } = await burst(block);
      assert.equal(process.sent.length, block, "what the block had is used");
      answer();
      world.answers = null;
      await goOn(process);
      assertTold(process);
    }
  });

  it("waits for a client that reads, and what it holds stays below what cuts off one that does not", async () => {
    const wire = new OutBuffer(MOST_BYTES);
    const { world, process, answer } = await burst(65_536, ({ session: { state } }) => {
      state.outbound.wire = wire;
      state.outbound.transmitting = true;
    });
    answer();
    world.answers = null;
    assert.ok(wire.unsent > MOST_BYTES / 4 && wire.unsent < MOST_BYTES / 2, `${wire.unsent} bytes wait`);
    let read = "";
    await goOn(process, () => {
      const bytes = wire.take();
      if (bytes === null) return;
      read += new TextDecoder().decode(bytes);
      wire.wrote(bytes.length);
      wire.release();
      assert.equal(wire.overflowing, false);
    });
    assertTold(process);
    read += new TextDecoder().decode(wire.take() ?? new Uint8Array());
    assert.deepEqual(
      read.split("\x01").filter((field) => field.startsWith("17=")),
      ALL.map((body) => body.slice(0, -1)),
    );
  });

  it("that waits behind missed reports leaves room for what comes next, when these have been made", async () => {
    const wire = new OutBuffer(MOST_BYTES);
    const world = new FakeWorld();
    const process = new FakeProcess(world, 1, 1, 65_536, MOST_BYTES);
    await process.logon();
    const { outbound } = process.session.state;
    outbound.wire = wire;
    outbound.transmitting = true;
    wire.append(new Uint8Array(MOST_BYTES / 4 + 1));
    const expected: string[] = [];
    for (let command = 1; command <= 118; command++) {
      world.addEvents(CONFIG.id);
      process.live(command);
      expected.push(`17=${command}-0\x01`);
      if (command === 1) wire.wrote(wire.take()!.length);
    }
    wire.release();
    await settle();
    assert.ok(
      wire.unsent > MOST_BYTES / 16 && wire.unsent < 3 * MOST_BYTES / 32,
      `${wire.unsent} bytes wait`,
    );
    while (process.sent.length < expected.length) {
      wire.wrote(wire.take()!.length);
      wire.release();
      process.durable.holding!.tick();
      await process.store();
    }
    assert.deepEqual(process.sent.map(({ body }) => body), expected);
  });
});
