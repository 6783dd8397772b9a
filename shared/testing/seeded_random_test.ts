import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { SeededRandom } from "./seeded_random.ts";

describe("seeded random", () => {
  it("gives the numbers of mulberry32, so that a seed that was printed shows its fault again", () => {
    const random = new SeededRandom(1);
    assert.deepEqual([random.next(), random.next(), random.next()], [2693262067, 11749833, 2265367787]);
    assert.deepEqual([random.below(10), random.below(2 ** 32), random.below(1)], [1, 4159151403, 0]);
    assert.deepEqual(Array.from({ length: 8 }, () => random.pick(["a", "b", "c"])).join(""), "abbcaccc");
    assert.deepEqual(Array.from({ length: 12 }, () => random.oneIn(3) ? 1 : 0).join(""), "001111110101");
    assert.deepEqual(Array.from({ length: 8 }, () => random.between(-1, 1)), [1, 1, -1, 0, 0, 0, 1, -1]);
    assert.deepEqual(Array.from({ length: 12 }, () => random.chance(0.25) ? 1 : 0).join(""), "001010011001");
    assert.deepEqual([random.chance(0), random.chance(1)], [false, true]);
  });

  it("takes any number for a seed, of which 32 bits count", () => {
    const firstOf = (seed: number) => new SeededRandom(seed).next();
    assert.equal(firstOf(2 ** 32 + 7), firstOf(7));
    assert.equal(firstOf(-1), firstOf(2 ** 32 - 1));
    assert.notEqual(firstOf(7), firstOf(8));
  });
});
