/** Allocation: cases by hand, and properties over random levels. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import {
  ALLOCATION_STEPS,
  allocationRulesOf,
  makerOf,
  PLAIN_RULES,
  proportion,
  STEP_NAMES,
} from "./allocation.ts";
import { allocateTold, givenBy, type ToldStep } from "./allocation_told.ts";
import { allocated, allocationOf, modelAllocated } from "./allocation_model.ts";
import { propertiesFrom, quantities, sum } from "./allocation_levels.ts";
import { type AllocationVector, OWN_VECTORS, SHARED_VECTORS } from "./allocation_vectors.ts";
import { testInstrument } from "./test_ledger.ts";

/** The file beside the repository, or why there is none: it is not part of the repository. */
function sharedFile(): { algorithms: Record<string, string[]>; cases: AllocationVector[] } | string {
  try {
    return JSON.parse(
      Deno.readTextFileSync(new URL("../../../../shared/vectors/allocation.json", import.meta.url)),
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      return "no ../shared/vectors/allocation.json beside the repository";
    }
    throw error;
  }
}

const MAX = 2 ** 31 - 1;
const SEED = Math.floor(Math.random() * 2 ** 31);
console.error(`seed ${SEED}`);
const holds = propertiesFrom(SEED);

describe("an allocation by hand", () => {
  for (const vector of [...SHARED_VECTORS, ...OWN_VECTORS]) {
    it(`${vector.algorithm}: ${vector.name}`, () => {
      assert.deepEqual(allocated(vector), vector.expect);
      const names = STEP_NAMES[vector.algorithm];
      assert.deepEqual(modelAllocated(allocationOf(vector), names), vector.expect, "the model");
    });
  }

  const shared = sharedFile();
  const title = "is the same in the vectors shared between projects";
  if (typeof shared === "string") it.skip(`${title} (skipped: ${shared})`, () => {});
  else {
    it(title, () => {
      assert.deepEqual(shared.algorithms, STEP_NAMES);
      assert.deepEqual(shared.cases, SHARED_VECTORS);
    });
  }
});

describe("every algorithm", () => {
  it("conserves quantity and gives nobody more than it shows", () => {
    holds((vector) => {
      const open = quantities(vector);
      const taken = allocated(vector);
      assert.equal(sum(taken), Math.min(vector.aggressor, sum(open)));
      taken.forEach((each, i) => assert.ok(each >= 0 && each <= open[i], `order ${i + 1}`));
    });
  });

  it("agrees with the model over bigints", () => {
    holds((vector) => {
      const model = modelAllocated(allocationOf(vector), STEP_NAMES[vector.algorithm]);
      assert.deepEqual(allocated(vector), model);
    }, 3000);
  });

  it("gives everybody everything, as time priority does, when the aggressor takes the whole level", () => {
    holds((vector) => {
      const open = quantities(vector);
      const aggressor = Math.min(sum(open), MAX);
      if (aggressor === sum(open)) assert.deepEqual(allocated({ ...vector, aggressor }), open);
    });
  });

  it("keeps its sums: what is left and what is open", () => {
    holds((vector) => {
      const allocation = allocationOf(vector);
      for (const step of ALLOCATION_STEPS[vector.algorithm]) {
        step(allocation);
        const { open, taken, count } = allocation;
        assert.equal(allocation.openTotal, sum([...open.subarray(0, count)]));
        assert.equal(allocation.left, vector.aggressor - sum([...taken.subarray(0, count)]));
      }
    });
  });

  it("tells what it does without doing anything else", () => {
    holds((vector) => {
      const told: ToldStep[] = [];
      const allocation = allocationOf(vector);
      allocateTold(allocation, ALLOCATION_STEPS[vector.algorithm], { step: (each) => void told.push(each) });
      const taken = allocated(vector);
      assert.deepEqual([...allocation.taken.subarray(0, allocation.count)], taken);
      assert.deepEqual(told.map(({ step }) => step), STEP_NAMES[vector.algorithm]);
      const totals = taken.map((_, i) => sum(told.map(({ shares }) => shares[i].gave)));
      assert.deepEqual(totals, taken);
      for (const { shares, before, after } of told) {
        assert.equal(before - after, sum(shares.map(({ gave }) => gave)));
        for (const { rule, open, gave } of shares) assert.equal(givenBy(rule, open), gave);
      }
    });
  });
});

describe("a told allocation", () => {
  it("does not read market makers' numbers of an instrument without any: nobody writes them", () => {
    const allocation = allocationOf({ algorithm: "T", resting: [5, 5], aggressor: 7 });
    allocation.maker.fill(3);
    const told: ToldStep[] = [];
    allocateTold(allocation, ALLOCATION_STEPS.T, { step: (each) => void told.push(each) });
    assert.deepEqual(
      told[0].shares.map(({ rule }) => rule),
      Array(2).fill({ kind: "none", because: "noMaker" }),
    );
    assert.deepEqual([...allocation.taken], [5, 2]);
  });
});

describe("an instrument's allocation rules", () => {
  it("are its trading rules, and number its lead market makers", () => {
    const rules = allocationRulesOf(testInstrument(1, {
      proRataMin: 3,
      rules: {
        topMinLots: 4,
        topMaxLots: 5,
        fifoPercent: 60,
        leadMarketMakers: [{ firmId: 8, percent: 30 }, { firmId: 2, percent: 10 }],
      },
    }));
    const makers = { makerFirms: [8, 2], makerPercents: [30, 10] };
    assert.deepEqual(rules, { proRataMin: 3, topMin: 4, topMax: 5, fifoPercent: 60, ...makers });
    assert.deepEqual([8, 2, 1].map((firm) => makerOf(rules, firm)), [0, 1, -1]);
    assert.deepEqual(allocationRulesOf(testInstrument(1, { proRataMin: 1 })), PLAIN_RULES);
  });
});

describe("a proportion", () => {
  it("is floored exactly where a product passes 2^53 and where a quotient is just below an integer", () => {
    const cases = [
      [MAX, MAX, MAX],
      [MAX, MAX - 1, MAX],
      [MAX, MAX, MAX + 1],
      [MAX, MAX, 2 ** 45 + 1],
      [3, 5, 16],
      [94906265, 94906267, 94906266],
      [94906266, 94906266, 94906265],
    ];
    for (const [part, quantity, total] of cases) {
      const exact = Number(BigInt(part) * BigInt(quantity) / BigInt(total));
      assert.equal(proportion(part, quantity, total), exact, `${part} × ${quantity} ÷ ${total}`);
    }
  });
});
