/** What a gateway makes of a session's record that is gone, or is an older one: from a copy, or since the newer was cut. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CONFIG, FakeProcess, FakeWorld, settle } from "./fake_world.ts";
import { UNKNOWN_NUMBERS } from "./outdated_record.ts";
import { parseRecord } from "./record.ts";

const OLDER =
  "a session's record is older than what the session was sent, or lost: its numbers go on above both";
const BEHIND =
  "a session's record lies far behind its commands, as an older copy would: its numbers go on far above";
const LOST = "a session's numbers are lost: its client has to start them again";

const UNTOLD = "a session is taken over without what matchers know of it: its record is taken for the newest";

type Stored = FakeWorld["record"];

/** Keeps every version of the world's record. */
class RememberingWorld extends FakeWorld {
  readonly versions: NonNullable<Stored>[] = [];

  override write(...args: Parameters<FakeWorld["write"]>): number | null {
    const revision = super.write(...args);
    if (revision !== null) this.versions.push(this.record!);
    return revision;
  }
}

/** Matchers take half a second to answer, and know of commands up to 3 once they have replayed them. Counts questions. */
function answerSlowly(world: FakeWorld, replayMs: number): { readonly count: number } {
  const questions = { count: 0 };
  const untilMs = world.nowMs + replayMs;
  Object.defineProperty(world, "applied", {
    get() {
      questions.count++;
      if (world.nowMs < untilMs) world.nowMs += 500;
      return world.nowMs < untilMs ? "behind" : { incarnation: 1, highest: 3 };
    },
  });
  return questions;
}

/** Reports the next event, and stores it. */
async function report(process: FakeProcess): Promise<void> {
  const { world } = process;
  world.addEvents(CONFIG.id);
  await process.live(world.events.length);
  await process.store();
}

/**
 * Three owners: the first ends in order, the second reserves more numbers and dies, the third reserves some, starts them
 * again when that is asked for, and ends in order or dies. Resolves with the numbers that its run of them was sent.
 */
async function lives(world: RememberingWorld, resets: boolean, dies: boolean): Promise<readonly number[]> {
  const [first, second, third] = [1, 2, 3].map((boot) => new FakeProcess(world, 1, boot));
  for (const process of [first, second]) {
    assert.equal(await process.logon(), null);
    for (let i = 0; i < 5; i++) await report(process);
    if (process === first) await process.durable.leave();
  }
  assert.equal(await third.logon(resets), null);
  for (let i = 0; i < 7; i++) await report(third);
  if (!dies) await third.durable.leave();
  await settle();
  return (resets ? [third] : [first, second, third]).flatMap(({ sent }) => sent.map(({ seq }) => seq));
}

/** Puts `record` in place, and has another gateway take the session and report one event. */
async function goOn(world: FakeWorld, record: Stored, reset = false): Promise<FakeProcess> {
  world.leases.clear();
  world.record = record;
  const process = new FakeProcess(world, 1, 9);
  assert.equal(await process.logon(reset), null);
  await report(process);
  return process;
}

describe("an older record of a session", () => {
  for (const resets of [false, true]) {
    for (const dies of [false, true]) {
      const how = `its numbers ${resets ? "started again" : "went on"} and the owner ${
        dies ? "died" : "ended"
      }`;
      it(`never leads to a number that was used: ${how}`, async () => {
        const world = new RememberingWorld();
        const used = await lives(world, resets, dies);
        const { incarnation } = parseRecord(world.versions.at(-1)!.text);
        const alarms: boolean[] = [];
        for (const version of world.versions) {
          const again = new RememberingWorld();
          await lives(again, resets, dies);
          const process = await goOn(again, version);
          assert.equal(process.durable.holding!.incarnation, incarnation);
          assert.ok(process.sent.every(({ seq }) => seq > Math.max(...used)), `version ${version.text}`);
          alarms.push(process.errors.length > 0);
          for (const error of process.errors) assert.ok(error.startsWith(OLDER), error);
        }
        // The last was no older one.
        assert.equal(alarms.at(-1), false);
        assert.equal(alarms[0], true);
        assert.ok(alarms.indexOf(false) >= alarms.length - 3, alarms.join());
      });
    }
  }

  it("is told of with both numbers, and a resend covers what lies between", async () => {
    const world = new RememberingWorld();
    await lives(world, false, true);
    const [first] = world.versions;
    const before = world.out.length;
    const process = await goOn(world, first);
    const fields = {
      stream: "KV_session",
      session: "TW",
      knownTo: "FIXOUT",
      recordIncarnation: 1,
      recordOut: 5,
      incarnation: 1,
      last: 20,
    };
    assert.deepEqual(process.errors, [`${OLDER} ${JSON.stringify(fields)}`]);
    const nextOut = 20 + 1 + UNKNOWN_NUMBERS;
    assert.deepEqual(process.sent, [{ seq: nextOut, possResend: false, body: "17=18-0\x01" }]);
    assert.equal(world.out.length, before + 2, "a claim and a report");
    // The client asks for all that it has not: stored messages and one gap fill.
    const page = await process.durable.read(18, nextOut, 1 << 20);
    assert.deepEqual(page.messages.map(({ seq }) => seq), [18, 19, 20, nextOut]);
    assert.equal(page.through, nextOut);
  });

  it("shows by a claim too, when its owner died before anything of what it sent was stored", async () => {
    for (const ends of [true, false]) {
      const world = new RememberingWorld();
      const first = new FakeProcess(world, 1, 1);
      await first.logon();
      await report(first);
      if (ends) await first.durable.leave();
      const older = world.record;
      const second = new FakeProcess(world, 1, 2);
      await second.logon();
      world.addEvents(CONFIG.id);
      await second.live(2);
      const process = await goOn(world, older);
      const used = second.sent.at(-1)!.seq;
      assert.equal(process.errors.length, 1);
      assert.deepEqual(process.sent.map(({ seq, body }) => [seq > used, body.slice(0, -1)]), [
        [true, "17=2-0"],
        [true, "17=3-0"],
      ]);
    }
  });

  it("does not keep numbers from starting again, in a run that is none of before", async () => {
    const world = new RememberingWorld();
    await lives(world, true, true);
    const process = await goOn(world, world.versions[0], true);
    assert.equal(process.durable.holding!.incarnation, 3);
    assert.deepEqual(process.sent, [{ seq: 1, possResend: false, body: "17=18-0\x01" }]);
  });

  it("together with sent messages as old goes on far above when matchers have applied commands behind them", async () => {
    for (const [highest, told] of [[0, 0], [1, 0], [1024, 0], [1025, 1]]) {
      const world = new RememberingWorld();
      const first = new FakeProcess(world, 1, 1);
      await first.logon();
      await report(first);
      world.applied = { incarnation: 1, highest };
      const process = await goOn(world, world.record);
      assert.equal(process.sent[0].seq, 5 + (highest > 0 ? UNKNOWN_NUMBERS : 0), `highest ${highest}`);
      assert.equal(process.errors.length, told);
      if (told === 0) continue;
      const fields = {
        stream: "KV_session",
        session: "TW",
        knownTo: "matchers",
        recordIncarnation: 1,
        recordOut: 5,
        incarnation: 1,
        last: highest,
      };
      assert.deepEqual(process.errors, [`${BEHIND} ${JSON.stringify(fields)}`]);
    }
  });

  it("is gone on far above once, however often its client comes back before it has sent the rest again", async () => {
    const world = new FakeWorld();
    await new FakeProcess(world, 1, 1).logon();
    world.applied = { incarnation: 1, highest: 2000 };
    const begun: number[] = [];
    const told: number[] = [];
    for (const [boot, ends] of [[2, true], [3, false], [4, false]] as const) {
      const process = new FakeProcess(world, 1, boot);
      assert.equal(await process.logon(), null);
      begun.push(process.durable.numbers!.out);
      told.push(process.errors.length);
      if (ends) await process.durable.leave();
    }
    // The second of them goes on exactly, the third at what that reserved.
    const far = 5 + UNKNOWN_NUMBERS;
    assert.deepEqual([begun, told], [[far, far, far + 4], [1, 0, 0]]);
    world.applied = { incarnation: 1, highest: 2001 };
    const process = new FakeProcess(world, 1, 5);
    await process.logon();
    assert.equal(process.durable.numbers!.out, far + 8 + UNKNOWN_NUMBERS);
  });

  it("together with sent messages as old, of a run before that which matchers know, needs numbers that start again", async () => {
    const world = new RememberingWorld();
    const first = new FakeProcess(world, 1, 1);
    await first.logon();
    await report(first);
    world.applied = { incarnation: 4, highest: 1 };
    world.leases.clear();
    const { record } = world;
    const process = new FakeProcess(world, 1, 9);
    assert.equal(await process.durable.acquire(process.session, false), null);
    assert.deepEqual(process.errors, [`${LOST} ${JSON.stringify({ session: "TW", incarnation: 4 })}`]);
    assert.equal(
      process.session.state.logonRefusal,
      "Cannot go on with the numbers of TW: they are lost; log on with ResetSeqNumFlag(141)=Y",
    );
    assert.deepEqual([process.durable.holding, world.record], [null, record]);
    assert.equal(await process.logon(true), null);
    assert.deepEqual([process.durable.holding!.incarnation, process.session.state.logonRefusal], [5, null]);
    await report(process);
    assert.deepEqual(process.sent.map(({ seq }) => seq), [1]);
  });

  it("is as good as the newest when matchers are silent", async () => {
    const world = new RememberingWorld();
    await lives(world, false, false);
    world.applied = "silent";
    const process = await goOn(world, world.record);
    assert.deepEqual([process.sent.map(({ seq }) => seq), process.errors], [[21], []]);
    assert.deepEqual(process.warnings, [`${UNTOLD} {"session":7,"matchers":"silent"}`]);
  });

  it("is not gone on with while matchers replay, which are waited for when a process takes the session first", async () => {
    for (const replayMs of [4000, 7000]) {
      const world = new FakeWorld();
      await new FakeProcess(world, 1, 1).logon();
      answerSlowly(world, replayMs);
      const process = await goOn(world, world.record);
      assert.equal(process.sent[0].seq, 5 + (replayMs < 5000 ? UNKNOWN_NUMBERS : 0));
      assert.deepEqual(
        process.warnings,
        replayMs < 5000 ? [] : [`${UNTOLD} {"session":7,"matchers":"behind"}`],
      );
    }
  });

  it("is asked about when it is the first that a process takes, or unclean", async () => {
    const world = new FakeWorld();
    const first = new FakeProcess(world, 1, 1);
    await first.logon();
    await first.durable.leave();
    const questions = answerSlowly(world, 0);
    const process = new FakeProcess(world, 1, 2);
    const asked: number[] = [];
    for (let i = 0; i < 3; i++) {
      await process.logon();
      await process.durable.leave();
      asked.push(questions.count);
    }
    const { record } = world.read()!;
    world.write({ ...record, clean: false }, world.record!.revision);
    await process.logon();
    assert.deepEqual([asked, questions.count], [[1, 1, 1], 2]);
  });
});

describe("a session without a record", () => {
  it("goes on above what it was sent, or waits for matchers when nothing was", async () => {
    const world = new RememberingWorld();
    world.nowMs = 77;
    await lives(world, false, false);
    const process = await goOn(world, null);
    assert.deepEqual(process.sent.map(({ seq }) => seq), [21 + UNKNOWN_NUMBERS]);
    assert.equal(world.read()!.record.sinceMs, 77);
    assert.equal(process.errors.length, 1);
    const nobody = new FakeWorld();
    nobody.applied = "silent";
    const other = new FakeProcess(nobody, 1, 1);
    await assert.rejects(other.logon(), {
      message: "Cannot learn which numbers session 7 used: not every matcher answers",
    });
  });
});
