/** Allocation: vectors, and properties over random levels. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import fc from "fast-check";
import { MatchAlgorithm } from "../../../shared/protocol/mod.ts";
import { allocate } from "../reference/mod.ts";
import { Allocation, ALLOCATION_STEPS, PLAIN_RULES, proportion } from "./allocation.ts";

interface Vector {
  readonly name: string;
  readonly algorithm: string;
  readonly proRataMin?: number;
  readonly resting: readonly number[];
  readonly aggressor: number;
  readonly expect: readonly number[];
}

/** The shared vectors of the algorithms that there are; kept here too, so that the project stands alone. */
const VECTORS: readonly Vector[] = [
  {
    name: "whole level taken",
    algorithm: "C",
    proRataMin: 1,
    resting: [300, 300, 400],
    aggressor: 1000,
    expect: [300, 300, 400],
  },
  {
    name: "rounding residual goes to the oldest",
    algorithm: "C",
    proRataMin: 1,
    resting: [100, 200, 300],
    aggressor: 500,
    expect: [84, 166, 250],
  },
  {
    name: "shares below the minimum of two become zero, the rest is FIFO",
    algorithm: "C",
    proRataMin: 2,
    resting: [5, 9, 57, 4, 28, 300],
    aggressor: 50,
    expect: [3, 0, 7, 0, 3, 37],
  },
  { name: "even shares", algorithm: "C", proRataMin: 1, resting: [10, 30], aggressor: 20, expect: [5, 15] },
  {
    name: "half of a level",
    algorithm: "C",
    proRataMin: 1,
    resting: [2, 42, 56],
    aggressor: 50,
    expect: [1, 21, 28],
  },
  { name: "FIFO", algorithm: "F", resting: [300, 300, 400], aggressor: 650, expect: [300, 300, 50] },
];

function run(
  algorithm: MatchAlgorithm,
  proRataMin: number,
  resting: readonly number[],
  quantity: number,
): number[] {
  const allocation = new Allocation(resting.length);
  allocation.begin(quantity, { ...PLAIN_RULES, proRataMin });
  resting.forEach((open, i) => allocation.add(i + 1, open, -1));
  for (const step of ALLOCATION_STEPS[algorithm]) step(allocation);
  return [...allocation.taken.subarray(0, allocation.count)];
}

function check(vector: Vector): void {
  const { algorithm, proRataMin, resting, aggressor, expect, name } = vector;
  assert.deepEqual(run(algorithm as MatchAlgorithm, proRataMin ?? 1, resting, aggressor), expect, name);
  assert.deepEqual(
    allocate(algorithm as MatchAlgorithm, proRataMin ?? 1, resting, aggressor),
    expect,
    `${name} (reference)`,
  );
}

/** The cases of a file beside the repository, or why there are none: it is not part of the repository. */
function sharedVectors(): readonly Vector[] | string {
  try {
    return JSON.parse(
      Deno.readTextFileSync(new URL("../../../../shared/vectors/allocation.json", import.meta.url)),
    )
      .cases;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      return "no ../shared/vectors/allocation.json beside the repository";
    }
    throw error;
  }
}

describe("allocation", () => {
  for (const vector of VECTORS) {
    it(`${vector.algorithm}: ${vector.name}`, () => check(vector));
  }

  const others = sharedVectors();
  const title = "agrees with the vectors shared between projects";
  if (typeof others === "string") it.skip(`${title} (skipped: ${others})`, () => {});
  else {
    it(title, () => {
      const known = others.filter(({ algorithm }) => algorithm === "F" || algorithm === "C");
      assert.equal(known.length, VECTORS.length);
      known.forEach(check);
    });
  }

  it("conserves quantity, gives nobody more than is open, and agrees with the reference", () => {
    const open = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 2 ** 31 - 1 }));
    const property = fc.property(
      fc.array(open, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom(MatchAlgorithm.Fifo, MatchAlgorithm.ProRata),
      (resting, wanted, proRataMin, algorithm) => {
        const total = resting.reduce((sum, each) => sum + each, 0);
        const quantity = Math.min(wanted, total - 1);
        if (quantity < 1) return;
        const taken = run(algorithm, proRataMin, resting, quantity);
        assert.equal(taken.reduce((sum, each) => sum + each, 0), quantity);
        taken.forEach((each, i) => assert.ok(each >= 0 && each <= resting[i]));
        assert.deepEqual(taken, allocate(algorithm, proRataMin, resting, quantity));
      },
    );
    fc.assert(property, { numRuns: 500 });
  });
});

describe("a proportion", () => {
  it("is floored exactly where a product passes 2^53 and where a quotient is just below an integer", () => {
    const max = 2 ** 31 - 1;
    const cases = [
      [max, max, max],
      [max, max - 1, max],
      [max, max, max + 1],
      [max, max, 2 ** 45 + 1],
      [
        3,
        5,
        16,
      ],
      [94906265, 94906267, 94906266],
      [94906266, 94906266, 94906265],
    ];
    for (const [part, quantity, total] of cases) {
      const exact = Number(BigInt(part) * BigInt(quantity) / BigInt(total));
      assert.equal(proportion(part, quantity, total), exact, `${part} × ${quantity} ÷ ${total}`);
    }
  });
});
