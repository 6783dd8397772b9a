import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Stall } from "./stall.ts";

/** Looks `[ms, unsent, written]` at an outflow that may stand still for 2 s; the times at which it stood too long. */
function stalledAt(
  ...looks: readonly (readonly [nowMs: number, unsent: number, written: number])[]
): number[] {
  const stall = new Stall();
  const late: number[] = [];
  for (const [nowMs, unsent, written] of looks) {
    if (stall.lasts({ unsent, written }, nowMs, 2)) late.push(nowMs);
  }
  return late;
}

describe("a peer that takes nothing", () => {
  const cases: [name: string, looks: [number, number, number][], expected: number[]][] = [
    ["is given up after the time", [[0, 5, 0], [1999, 5, 0], [2000, 5, 0]], [2000]],
    ["may have nothing to take for ever", [[0, 0, 0], [9000, 0, 0], [90_000, 0, 0]], []],
    [
      "is given the whole time after an idle one",
      [[0, 0, 7], [60_000, 3, 7], [61_999, 3, 7], [62_000, 3, 7]],
      [62_000],
    ],
    ["counts from the look that saw bytes wait", [[0, 0, 7], [100, 3, 7], [2099, 3, 7], [2100, 3, 7]], [
      2100,
    ]],
    ["that takes a byte now and then is slow, not dead", [[0, 9, 0], [1500, 9, 1], [3000, 9, 2], [
      4500,
      9,
      3,
    ]], []],
    ["is dead also when more is sent to it", [[0, 5, 0], [1000, 50, 0], [2000, 500, 0]], [2000]],
  ];
  for (const [name, looks, expected] of cases) {
    it(name, () => assert.deepEqual(stalledAt(...looks), expected));
  }
});
