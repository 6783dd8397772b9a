import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";

describe("FakeTime adapter", () => {
  it("fires timers in order of time as the clock advances, and shows them their time", () => {
    using time = new FakeTime(1000);
    const fired: [string, number][] = [];
    setTimeout(() => fired.push(["late", Date.now()]), 20);
    setTimeout(() => fired.push(["early", Date.now()]), 10);
    const every = setInterval(() => fired.push(["every", Date.now()]), 15);
    time.tick(31);
    clearInterval(every);
    time.tick(100);
    assert.deepEqual(fired, [["early", 1010], ["every", 1015], ["late", 1020], ["every", 1030]]);
    assert.equal(time.now, 1131);
    assert.equal(time.start, 1000);
  });

  it("goes to the next timer, and stays when there is none", () => {
    using time = new FakeTime("2024-02-29T00:00:00Z");
    let fired = 0;
    setTimeout(() => fired++, 250);
    assert.equal(time.next(), true);
    assert.deepEqual([fired, time.now - time.start], [1, 250]);
    assert.equal(time.next(), false);
    assert.equal(time.now - time.start, 250);
  });

  it("runs all timers, also those that timers start", () => {
    using time = new FakeTime(0);
    const seen: number[] = [];
    setTimeout(() => {
      seen.push(Date.now());
      setTimeout(() => seen.push(Date.now()), 5);
    }, 5);
    time.runAll();
    assert.deepEqual(seen, [5, 10]);
  });

  it("lets promises settle between timers in the asynchronous forms", async () => {
    using time = new FakeTime(0);
    const seen: string[] = [];
    const chain = async () => {
      await new Promise<void>((resolve) => setTimeout(resolve, 10));
      seen.push(`first ${Date.now()}`);
      await new Promise<void>((resolve) => setTimeout(resolve, 10));
      seen.push(`second ${Date.now()}`);
    };
    const done = chain();
    await time.tickAsync(10);
    assert.deepEqual(seen, ["first 10"]);
    await time.runAllAsync();
    await done;
    assert.deepEqual(seen, ["first 10", "second 20"]);
  });

  it("sets time forward, never back", () => {
    using time = new FakeTime(100);
    let fired = false;
    setTimeout(() => fired = true, 50);
    time.now = 150;
    assert.equal(fired, true);
    assert.throws(() => time.now = 149, RangeError);
  });

  it("gives the real clock back, and refuses to fake twice", () => {
    const real = globalThis.setTimeout;
    const time = new FakeTime(0);
    assert.throws(() => new FakeTime(), /already faked/);
    time.restore();
    assert.equal(globalThis.setTimeout, real);
    assert.ok(Date.now() > 1_700_000_000_000);
    assert.throws(() => time.restore(), /already restored/);
    FakeTime.restore();
  });
});
