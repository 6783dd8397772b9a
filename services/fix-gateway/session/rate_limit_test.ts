import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { numbers } from "./rig.ts";
import { RateLimit } from "./rate_limit.ts";

/** `at ms × messages = how many passed`, one step after the other. */
function passed(perSecond: number, steps: readonly (readonly [atMs: number, messages: number])[]): number[] {
  const limit = new RateLimit(perSecond);
  return steps.map(([atMs, messages]) => {
    let count = 0;
    for (let i = 0; i < messages; i++) if (limit.take(atMs)) count++;
    return count;
  });
}

describe("messages per second", () => {
  const cases: [name: string, perSecond: number, steps: [number, number][], expected: number[]][] = [
    ["a second's worth passes at once", 5, [[0, 8]], [5]],
    ["one more after each fifth of a second", 5, [[0, 8], [199, 3], [200, 3], [399, 1], [400, 1]], [
      5,
      0,
      1,
      0,
      1,
    ]],
    ["a quiet time saves no more than a second's worth", 5, [[0, 1], [100_000, 50]], [1, 5]],
    ["what is refused costs nothing", 2, [[0, 100], [500, 100], [1000, 100]], [2, 1, 1]],
    ["a rate that no millisecond divides", 3, [[0, 3], [333, 1], [334, 1], [667, 1], [1000, 1]], [
      3,
      0,
      1,
      1,
      1,
    ]],
    ["more than one in a millisecond", 3000, [[0, 4000], [1, 10], [2, 10], [4, 10]], [3000, 3, 3, 6]],
    ["one a second", 1, [[0, 2], [999, 1], [1000, 2], [2500, 2], [3000, 1]], [1, 0, 1, 1, 0]],
    ["a clock that steps back gives nothing and takes nothing", 2, [[10_000, 2], [0, 1], [500, 1]], [
      2,
      0,
      1,
    ]],
    ["a clock that starts anywhere", 2, [[1.7e12, 3]], [2]],
    ["fractions of a millisecond add up", 1000, [[0, 1000], [0.9, 1], [1.2, 2], [1.9, 1], [2, 1]], [
      1000,
      0,
      1,
      0,
      1,
    ]],
    ["no limit", Infinity, [[0, 10_000], [0, 10_000]], [10_000, 10_000]],
  ];
  for (const [name, perSecond, steps, expected] of cases) {
    it(`${perSecond}/s: ${name}`, () => assert.deepEqual(passed(perSecond, steps), expected));
  }

  const seed = 4711;
  it(`seed ${seed}: a greedy sender gets the limit at once and then exactly its share of the time, never more in a stretch`, () => {
    const next = numbers(seed);
    for (let round = 0; round < 50; round++) {
      const perSecond = 2 + next(2000);
      const limit = new RateLimit(perSecond);
      const times: number[] = [];
      for (let now = 0; now <= 3000; now += 1 + next(5)) {
        while (limit.take(now)) times.push(now);
        assert.equal(
          times.length,
          perSecond + Math.floor(perSecond * now / 1000),
          `${perSecond}/s, ${now} ms`,
        );
      }
      for (let i = 0; i < 200; i++) {
        const from = next(times.length);
        const to = from + next(times.length - from);
        const most = perSecond + perSecond * (times[to] - times[from]) / 1000;
        assert.ok(to - from < most, `${perSecond}/s: ${to - from + 1} in ${times[to] - times[from]} ms`);
      }
    }
  });
});
