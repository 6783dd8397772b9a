/** A gateway may stop at any operation, done or not; whoever comes next loses nothing and never goes back. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CONFIG, FakeProcess, FakeWorld, settle } from "./fake_world.ts";

const EVENTS = 10;
const ALL = Array.from({ length: EVENTS }, (_, i) => `17=${i + 1}-1\x01`);

/** Logs on, hears events 1 … 10 as they happen, storing at times, and logs out. */
async function life(process: FakeProcess): Promise<void> {
  const { world } = process;
  process.logon();
  await settle();
  for (let i = 1; i <= EVENTS; i++) {
    world.addEvents(1, CONFIG.id, 2);
    await process.live(i);
    if (i % 3 === 0) await process.store();
  }
  if (process.stopped) return;
  process.durable.leave();
  await settle();
}

/** Runs a life that stops at operation `stopAt`. */
async function stoppedLife(world: FakeWorld, stopAt: number, stopAfter: boolean): Promise<FakeProcess> {
  const process = new FakeProcess(world, 1, 1);
  process.stopAt = stopAt;
  process.stopAfter = stopAfter;
  await life(process);
  return process;
}

/** What must hold of two lives one after the other. */
function assertGoesOn(
  first: FakeProcess,
  second: FakeProcess,
  before: Map<number, string>,
  what: string,
): void {
  const highest = Math.max(0, ...first.sent.map(({ seq }) => seq));
  second.sent.forEach(({ seq }, i) => {
    assert.ok(seq > highest, `${what}: number ${seq} after ${highest}`);
    if (i > 0) assert.equal(seq, second.sent[i - 1].seq + 1, `${what}: numbers of the second life`);
  });
  const resendable = [...before.values()];
  const again = second.sent.map(({ body }) => body);
  assert.deepEqual([...resendable, ...again], ALL, `${what}: every report once, in event order`);
  const sentBefore = new Set(first.sent.map(({ body }) => body));
  for (const { body, possResend } of second.sent) {
    if (sentBefore.has(body)) assert.ok(possResend, `${what}: ${body} may have been sent before`);
  }
}

describe("a gateway that dies", () => {
  it("at any operation, done or not, loses no report and no number", async () => {
    const whole = await stoppedLife(new FakeWorld(), Infinity, false);
    assert.ok(whole.operations > 9, `only ${whole.operations} operations`);
    for (let stopAt = 1; stopAt <= whole.operations + 1; stopAt++) {
      for (const stopAfter of [false, true]) {
        const what = `operation ${stopAt}${stopAfter ? ", done" : ""}`;
        const world = new FakeWorld();
        const first = await stoppedLife(world, stopAt, stopAfter);
        // A session that was never taken starts where events stand: nothing can have concerned it before.
        if (world.record === null) continue;
        const before = world.stored();
        const second = new FakeProcess(world, 1, 2);
        assert.equal(await second.logon(), null, what);
        await settle();
        await second.store();
        assertGoesOn(first, second, before, what);
      }
    }
  });

  it("may be followed by one that dies too, wherever", async () => {
    for (let stopAt = 5; stopAt <= 14; stopAt++) {
      for (let next = 1; next <= 12; next++) {
        const what = `operations ${stopAt} and ${next}`;
        const world = new FakeWorld();
        const first = await stoppedLife(world, stopAt, true);
        const second = new FakeProcess(world, 1, 2);
        second.stopAt = next;
        second.stopAfter = next % 2 === 0;
        second.logon();
        await settle();
        await second.store();
        const before = world.stored();
        const third = new FakeProcess(world, 1, 3);
        assert.equal(await third.logon(), null);
        await third.store();
        const lives = [first, second].flatMap(({ sent }) => sent);
        const highest = Math.max(...lives.map(({ seq }) => seq));
        assert.ok(third.sent.every(({ seq }) => seq > highest), `${what}: numbers`);
        const bodies = [...before.values(), ...third.sent.map(({ body }) => body)];
        assert.deepEqual(bodies, ALL, `${what}: every report once`);
      }
    }
  });
});

describe("an orderly end", () => {
  it("hands exact numbers on, and what happened meanwhile comes as new", async () => {
    const world = new FakeWorld();
    const first = await stoppedLife(world, Infinity, false);
    world.addEvents(CONFIG.id);
    const other = new FakeProcess(world, 2, 9);
    assert.equal(await other.logon(), null);
    assert.equal(first.session.state.outbound.nextSeq, EVENTS + 1);
    assert.deepEqual(other.sent, [{ seq: EVENTS + 1, possResend: false, body: "17=11-0\x01" }]);
  });

  it("waits for commands on their way, and says how far they came when they do not arrive", async () => {
    for (const [settled, expected] of [[true, 9], [false, 5]] as const) {
      const world = new FakeWorld();
      const process = new FakeProcess(world, 1, 1);
      await process.logon();
      process.session.state.expectedSeq = 9;
      process.durable.holding!.batchSent(7);
      process.durable.holding!.batchSent(5);
      process.durable.holding!.batchSettled(7);
      const left = process.durable.leave();
      if (settled) process.durable.holding!.batchSettled(5);
      await left;
      const next = new FakeProcess(world, 1, 2);
      await next.logon();
      assert.equal(next.session.state.expectedSeq, expected);
    }
  });
});

describe("a session held elsewhere", () => {
  it("is refused while its gateway lives, and taken once the lease has run out", async () => {
    const world = new FakeWorld();
    const first = new FakeProcess(world, 1, 5);
    const second = new FakeProcess(world, 2, 6);
    await first.logon();
    assert.equal(await second.logon(), "the session is held by gateway 1");
    world.addEvents(CONFIG.id);
    await first.live(1);
    assert.equal(first.sent.length, 1, "the first is undisturbed");
    world.leases.delete(1);
    assert.equal(await second.logon(), null);
  });

  it("is waited for while its gateway is about to let go", async () => {
    const world = new FakeWorld();
    const first = new FakeProcess(world, 1, 5);
    const second = new FakeProcess(world, 2, 6);
    await first.logon();
    const taking = second.logon();
    first.durable.leave();
    assert.equal(await taking, null);
  });

  it("is fenced: a gateway that was only paused can store nothing more, and disconnects its client", async () => {
    for (const stopAt of [5, 6, 7]) {
      const world = new FakeWorld();
      const first = new FakeProcess(world, 1, 5);
      await first.logon();
      world.addEvents(CONFIG.id);
      await first.live(1);
      first.stopAt = Math.max(stopAt, first.operations + 1);
      first.stopped = false;
      const second = new FakeProcess(world, 2, 6);
      world.leases.delete(1);
      await second.logon();
      const stored = world.out.length;
      first.stopAt = Infinity;
      await first.store();
      assert.equal(world.out.length, stored, "nothing of the first was stored");
      assert.equal(first.durable.holding?.over, true);
      assert.equal(first.durable.recipient(0, 9, 0), null);
      assert.deepEqual(second.sent.map(({ body, possResend }) => [body, possResend]), [["17=1-0\x01", true]]);
    }
  });

  it("fences by the record too: no number is reserved by two", async () => {
    const world = new FakeWorld();
    const first = new FakeProcess(world, 1, 5);
    await first.logon();
    const second = new FakeProcess(world, 2, 6);
    world.leases.delete(1);
    await second.logon();
    await first.durable.holding!.checkpoint();
    assert.equal(first.durable.holding!.over, true);
  });
});

describe("a publish without an answer", () => {
  it("that was stored counts as stored; nothing is stored twice", async () => {
    for (let number = 7; number <= 14; number++) {
      const world = new FakeWorld();
      const process = new FakeProcess(world, 1, 1);
      process.unanswered.add(number);
      await life(process);
      assert.deepEqual([...world.stored().values()], ALL, `operation ${number}`);
      assert.deepEqual(process.durable.holding, null);
      assert.equal(world.read()!.record.clean, true, `operation ${number}`);
    }
  });
});

describe("numbers that start again", () => {
  it("leave nothing of before to be resent, and take the next incarnation", async () => {
    const world = new FakeWorld();
    const first = await stoppedLife(world, Infinity, false);
    assert.equal(first.sent.length, EVENTS);
    const next = new FakeProcess(world, 1, 2);
    assert.equal(await next.logon(true), null);
    assert.deepEqual(next.sent, [], "what was missed before is given up");
    assert.equal(next.durable.holding!.incarnation, 2);
    assert.equal(next.session.state.outbound.nextSeq, 1);
    world.addEvents(CONFIG.id);
    await next.live(EVENTS + 1);
    await next.store();
    assert.deepEqual([...world.stored()], [[1, "17=11-0\x01"]]);
  });

  it("after the record is lost take an incarnation that neither matchers nor sent messages know", async () => {
    for (const [applied, expected] of [[0, 2], [1, 2], [7, 8]]) {
      const world = new FakeWorld();
      await stoppedLife(world, Infinity, false);
      world.record = null;
      world.applied = { incarnation: applied, highest: 1 };
      const next = new FakeProcess(world, 1, 2);
      assert.equal(await next.logon(true), null);
      assert.equal(next.durable.holding!.incarnation, expected);
      const { expectedSeq, outbound } = next.session.state;
      assert.deepEqual([expectedSeq, outbound.nextSeq, next.sent], [1, 1, []]);
    }
  });

  it("within a session drop what was sent before, also from what is on its way", async () => {
    const world = new FakeWorld();
    const process = new FakeProcess(world, 1, 1);
    await process.logon();
    for (let i = 1; i <= 3; i++) {
      world.addEvents(CONFIG.id);
      await process.live(i);
    }
    assert.equal(await process.durable.acquire(process.session, true), null);
    assert.equal(process.durable.holding!.resetDue, true);
    process.session.state.reset();
    assert.equal(process.durable.holding!.resetDue, false);
    world.addEvents(CONFIG.id);
    await process.live(4);
    await process.store();
    await process.store();
    assert.equal(process.durable.holding!.incarnation, 2);
    assert.deepEqual([...world.stored()], [[1, "17=4-0\x01"]]);
    const next = new FakeProcess(world, 1, 2);
    await next.logon();
    assert.deepEqual(next.sent, []);
  });
});
