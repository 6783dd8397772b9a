/** Reports that an owner who died may have sent come with PossResend(97)=Y, whoever makes them again, and when. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CONFIG, FakeProcess, FakeWorld, type Sent, settle } from "./fake_world.ts";

const EVENTS = 10;

function told(sent: readonly Sent[]): { possResend: boolean; body: string }[] {
  return sent.map(({ possResend, body }) => ({ possResend, body }));
}

describe("a session whose owner died", () => {
  it("is in doubt until its reports are made again: an orderly end before that hands the doubt on", async () => {
    // Turns after the Logon's answer at which the second gives the session back; -1: the Logon is never answered.
    for (let turns = -1; turns <= EVENTS + 1; turns++) {
      const world = new FakeWorld();
      const first = new FakeProcess(world, 1, 1, 64);
      await first.logon();
      for (let i = 1; i <= EVENTS; i++) {
        world.addEvents(1, CONFIG.id, 2);
        await first.live(i);
      }
      first.stopped = true;
      const second = new FakeProcess(world, 1, 2, 64);
      await second.durable.acquire(second.session, false);
      if (turns >= 0) second.durable.holding!.begin();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      await second.durable.leave();
      const third = new FakeProcess(world, 1, 3, 64);
      await third.logon();
      const again = [...second.sent, ...third.sent];
      const expected = first.sent.map(({ body }) => ({ possResend: true, body }));
      assert.deepEqual(
        told(again),
        expected,
        `turn ${turns}`,
      );
    }
  });
});

describe("events that a matcher told of before they were stored", () => {
  it("may have been reported by a gateway that died, also those that its successor sees only later", async () => {
    for (const stored of [0, 5, EVENTS - 1]) {
      const world = new FakeWorld();
      const first = new FakeProcess(world, 1, 1, 64);
      await first.logon();
      for (let i = 1; i <= EVENTS; i++) {
        world.addEvents(CONFIG.id);
        await first.live(i);
      }
      first.stopped = true;
      world.unstored.push(...world.events.splice(stored));
      const second = new FakeProcess(world, 1, 2, 64);
      await second.logon();
      assert.equal(second.sent.length, stored);
      world.events.push(...world.unstored.splice(0));
      world.addEvents(CONFIG.id);
      for (let i = stored + 1; i <= EVENTS + 1; i++) await second.live(i);
      const expected = first.sent.map(({ body }) => ({ possResend: true, body }));
      expected.push({ possResend: false, body: `17=${EVENTS + 1}-0\x01` });
      assert.deepEqual(told(second.sent), expected);
    }
  });

  it("are still in doubt when the successor gives the session back before it sees them", async () => {
    const world = new FakeWorld();
    const first = new FakeProcess(world, 1, 1, 64);
    await first.logon();
    world.addEvents(CONFIG.id);
    await first.live(1);
    first.stopped = true;
    world.unstored.push(...world.events.splice(0));
    const second = new FakeProcess(world, 1, 2, 64);
    await second.logon();
    await second.durable.leave();
    world.events.push(...world.unstored.splice(0));
    const third = new FakeProcess(world, 1, 3, 64);
    await third.logon();
    assert.deepEqual(told(third.sent), [
      { possResend: true, body: "17=1-0\x01" },
    ]);
  });
});

describe("a session whose reports wait for numbers", () => {
  it("may be given back when some have got one: those come again with PossResend, and none is lost", async () => {
    let between = 0;
    for (let turns = 0; turns <= 80; turns++) {
      const world = new FakeWorld();
      const first = new FakeProcess(world, 1, 1);
      await first.logon();
      world.addEvents(...Array.from({ length: 3 * EVENTS }, () => CONFIG.id));
      first.live(1);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const sent = first.sent.length;
      if (sent > 4 && sent < 3 * EVENTS) between++;
      await first.durable.leave();
      assert.equal(first.sent.length, sent, `turn ${turns}`);
      const second = new FakeProcess(world, 1, 2);
      await second.logon();
      const all = Array.from({ length: 3 * EVENTS }, (_, i) => `17=1-${i}\x01`);
      const heard = new Set(first.sent.map(({ body }) => body));
      const again = second.sent.filter(({ body }) => heard.has(body));
      assert.deepEqual(again.filter(({ possResend }) => !possResend), [], `turn ${turns}`);
      assert.deepEqual(second.sent.map(({ body }) => body), all.slice(sent - again.length), `turn ${turns}`);
    }
    assert.ok(between > 5, `${between} turns lie between two reservations`);
  });

  it("is given back as far as its client's messages are dealt with, however often its reports had to wait", async () => {
    for (let turns = 0; turns <= 80; turns++) {
      const world = new FakeWorld();
      const first = new FakeProcess(world, 1, 1);
      await first.logon();
      first.session.state.expectedSeq = 4;
      first.durable.holding!.batchSent(3);
      world.addEvents(...Array.from({ length: 3 * EVENTS }, () => CONFIG.id));
      first.live(1);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      first.durable.holding!.batchSettled(3);
      await first.durable.leave();
      const second = new FakeProcess(world, 1, 2);
      await second.logon();
      assert.equal(second.session.state.expectedSeq, 4, `turn ${turns}`);
    }
  });

  it("asks again for the message whose answer waits behind them when it is given back", async () => {
    const world = new FakeWorld();
    const first = new FakeProcess(world, 1, 1);
    await first.logon();
    first.session.state.expectedSeq = 3;
    world.addEvents(...Array.from({ length: EVENTS }, () => CONFIG.id));
    world.answers = new Promise(() => {});
    first.live(1);
    first.session.state.expectedSeq = 4;
    first.session.compose().text(58, "an answer");
    first.session.send("j");
    first.session.state.expectedSeq = 6;
    world.answers = null;
    await first.durable.leave();
    assert.equal(world.read()!.record.inDurable, 2);
  });

  it("may be lost to another: what waited is not sent before the next Logon, and is made again in order", async () => {
    const world = new FakeWorld();
    const first = new FakeProcess(world, 1, 1);
    await first.logon();
    world.addEvents(...Array.from({ length: 3 * EVENTS }, () => CONFIG.id));
    first.live(1);
    const { record, revision } = world.read()!;
    world.write({ ...record, owner: null, writes: record.writes + 1 }, revision);
    await settle();
    assert.equal(first.durable.holding!.over, true);
    const sent = first.sent.length;
    assert.ok(sent < 3 * EVENTS, `${sent} reports had a number`);
    assert.equal(await first.durable.acquire(first.session, false), null);
    assert.equal(first.sent.length, sent);
    first.durable.holding!.begin();
    await settle();
    const all = Array.from({ length: 3 * EVENTS }, (_, i) => `17=1-${i}\x01`);
    assert.deepEqual(first.sent.slice(sent).map(({ body }) => body), all);
  });
});
