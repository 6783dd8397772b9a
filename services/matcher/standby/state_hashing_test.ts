import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import assert from "node:assert/strict";
import { StateHashing } from "./state_hashing.ts";

describe("hashing beside matching", () => {
  let time: FakeTime;
  let cmdSeq: number;
  /** Steps that a whole walk takes; each takes 0.4 ms. */
  let steps: number;
  let nowMs: number;
  let walks: number;
  let wanted: boolean;
  let made: string[];
  let hashing: StateHashing;

  beforeEach(() => {
    time = new FakeTime(0);
    [cmdSeq, steps, nowMs, walks, made] = [0, 1, 0, 0, []];
    wanted = true;
    hashing = new StateHashing({
      engine: {
        *stateHashSteps() {
          walks++;
          const of = cmdSeq;
          for (let i = 1; i < steps; i++) {
            nowMs += 0.4;
            yield;
          }
          return `hash of ${of}`;
        },
      },
      cmdSeq: () => cmdSeq,
      isWanted: () => wanted,
      onHash: (at, hash) => made.push(`${at}: ${hash}`),
      everyMessages: 10,
      idleMs: 100,
      sliceMs: 1,
      clockMs: () => nowMs,
    });
  });
  afterEach(() => {
    hashing.stop();
    time.restore();
  });

  function apply(upTo: number): void {
    while (cmdSeq < upTo) hashing.applied(++cmdSeq);
  }

  it("is done every so many messages while it fits a slice", () => {
    apply(35);
    assert.deepEqual(made, ["10: hash of 10", "20: hash of 20", "30: hash of 30"]);
  });

  it("is not begun while nobody compares, neither under load nor in a quiet moment", async () => {
    wanted = false;
    apply(35);
    await time.tickAsync(1000);
    assert.deepEqual([walks, made], [0, []]);
    wanted = true;
    await time.tickAsync(100);
    assert.deepEqual([walks, made], [1, ["35: hash of 35"]]);
    apply(40);
    wanted = false;
    apply(50);
    assert.deepEqual(made, ["35: hash of 35", "40: hash of 40"]);
  });

  it("is given up under load once it does not fit", () => {
    steps = 10;
    apply(100);
    assert.deepEqual([walks, made], [1, []]);
  });

  it("is done in slices once nothing has been applied for a while, once for each place", async () => {
    steps = 10;
    apply(35);
    await time.tickAsync(101);
    assert.deepEqual(made, []);
    await time.tickAsync(200);
    assert.deepEqual(made, ["35: hash of 35"]);
    await time.tickAsync(1000);
    assert.deepEqual([walks, made.length], [2, 1]);
  });

  it("is left when something is applied between two slices, and tried again", async () => {
    steps = 10;
    cmdSeq = 5;
    await time.tickAsync(200);
    cmdSeq = 6;
    await time.tickAsync(50);
    assert.deepEqual([walks, made], [1, []]);
    await time.tickAsync(300);
    assert.deepEqual([walks, made], [2, ["6: hash of 6"]]);
  });

  it("is tried under load again once it fits", async () => {
    steps = 10;
    apply(10);
    steps = 1;
    apply(25);
    assert.deepEqual(made, []);
    await time.tickAsync(300);
    apply(30);
    assert.deepEqual(made, ["25: hash of 25", "30: hash of 30"]);
  });

  it("is made as soon as nothing has been applied between two questions, once for each place unless anew", () => {
    cmdSeq = 5;
    hashing.ask(false);
    assert.deepEqual(made, []);
    hashing.ask(false);
    assert.deepEqual(made, ["5: hash of 5"]);
    for (let i = 0; i < 4; i++) hashing.ask(false);
    assert.deepEqual([walks, made], [1, ["5: hash of 5"]]);
    for (let i = 0; i < 4; i++) hashing.ask(true);
    assert.deepEqual(made.length, 3);
    cmdSeq = 6;
    hashing.ask(false);
    hashing.ask(false);
    assert.deepEqual(made.slice(3), ["6: hash of 6"]);
  });

  it("is made of an empty book too", () => {
    hashing.ask(true);
    hashing.ask(true);
    assert.deepEqual(made, ["0: hash of 0"]);
  });

  it("that is asked for under load is made every 16 messages, until one is there", () => {
    apply(1);
    hashing.ask(true);
    apply(25);
    hashing.ask(true);
    apply(39);
    assert.deepEqual(made, ["10: hash of 10", "20: hash of 20", "30: hash of 30"]);
    apply(42);
    hashing.ask(true);
    apply(49);
    assert.deepEqual(made.slice(3), ["40: hash of 40", "48: hash of 48"]);
  });

  it("that takes more than a slice is not begun again by further questions", async () => {
    steps = 10;
    cmdSeq = 5;
    for (let i = 0; i < 9; i++) hashing.ask(true);
    assert.deepEqual([walks, made], [1, []]);
    await time.tickAsync(50);
    assert.deepEqual([walks, made], [1, ["5: hash of 5"]]);
  });

  it("ends when it is stopped, in the middle too", async () => {
    steps = 100;
    cmdSeq = 5;
    await time.tickAsync(201);
    hashing.stop();
    await time.tickAsync(1000);
    assert.deepEqual([walks, made], [1, []]);
  });
});
