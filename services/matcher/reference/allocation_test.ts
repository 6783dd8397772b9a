/** The naive allocation against the cases by hand, those that projects share among them. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { DEFAULT_TRADING_RULES } from "../../../shared/protocol/mod.ts";
import { type AllocationVector, OWN_VECTORS, SHARED_VECTORS } from "../engine/allocation_vectors.ts";
import { allocate } from "./allocation.ts";

const FIRST_MAKER = 1;
const FIRST_STRANGER = 1000;

/** Lead market makers stand in the order in which they are first met, as the vectors mean it. */
function allocated(vector: AllocationVector): number[] {
  const { algorithm, aggressor, fifoPercent = 0, topMin = 0, topMax = 0, proRataMin = 1 } = vector;
  const makers = new Map<number, number>();
  const resting = vector.resting.map((each, i) => {
    const { qty, top = false, lmmPercent, maker } = typeof each === "number" ? { qty: each } : each;
    const firm = lmmPercent === undefined ? FIRST_STRANGER + i : FIRST_MAKER + (maker ?? i + 100);
    if (lmmPercent !== undefined) makers.set(firm, lmmPercent);
    return { shown: qty, isTop: top, firm };
  });
  const leadMarketMakers = [...makers].map(([firmId, percent]) => ({ firmId, percent }));
  const rules = {
    ...DEFAULT_TRADING_RULES,
    fifoPercent,
    topMinLots: topMin,
    topMaxLots: topMax,
    leadMarketMakers,
  };
  const total = resting.reduce((sum, { shown }) => sum + shown, 0);
  return allocate(algorithm, proRataMin, rules, resting, Math.min(aggressor, total));
}

describe("the naive allocation by hand", () => {
  for (const vector of [...SHARED_VECTORS, ...OWN_VECTORS]) {
    it(`${vector.algorithm}: ${vector.name}`, () => {
      assert.deepEqual(allocated(vector), vector.expect);
    });
  }
});
