import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Conflation } from "./conflation.ts";

/** Everything due at a time, marked as sent then. */
function takeAll(conflation: Conflation, nowMs: number): number[] {
  const slots: number[] = [];
  for (let slot = conflation.take(nowMs); slot >= 0; slot = conflation.take(nowMs)) {
    slots.push(slot);
    conflation.sent(slot, nowMs);
  }
  return slots;
}

describe("Conflation", () => {
  it("lets the first change after silence out at once", () => {
    const conflation = new Conflation(50, 2);
    assert.deepEqual([takeAll(conflation, 0), conflation.dueMs()], [[], Infinity]);
    conflation.changed(1);
    assert.equal(conflation.dueMs(), -Infinity);
    assert.deepEqual(takeAll(conflation, 7), [1]);
    conflation.changed(1);
    assert.deepEqual(takeAll(conflation, 57), [1]);
  });

  it("holds later changes back until the interval is over, then lets the last state out once", () => {
    const conflation = new Conflation(50, 1);
    conflation.changed(0);
    assert.deepEqual(takeAll(conflation, 100), [0]);
    for (const now of [101, 120, 149.9]) {
      conflation.changed(0);
      assert.deepEqual([takeAll(conflation, now), conflation.dueMs()], [[], 150]);
    }
    assert.deepEqual([takeAll(conflation, 150), conflation.dueMs()], [[0], Infinity]);
    assert.deepEqual(takeAll(conflation, 1000), []);
  });

  it("counts each slot for itself and serves them in the order of their first change", () => {
    const conflation = new Conflation(10, 3);
    for (const slot of [2, 0, 2]) conflation.changed(slot);
    assert.deepEqual(takeAll(conflation, 0), [2, 0]);
    for (const slot of [0, 1, 2]) conflation.changed(slot);
    assert.deepEqual(takeAll(conflation, 5), [1]);
    assert.deepEqual(takeAll(conflation, 10), [0, 2]);
  });

  it("does not begin an interval for a slot that had nothing new to say", () => {
    const conflation = new Conflation(10, 1);
    conflation.changed(0);
    assert.equal(conflation.take(0), 0);
    conflation.changed(0);
    assert.deepEqual(takeAll(conflation, 1), [0]);
  });
});
