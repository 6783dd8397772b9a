/** Cases run: the shared vectors, hidden quantity by hand, and what is printed. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { OWN_VECTORS, SHARED_VECTORS } from "../../services/matcher/engine/allocation_vectors.ts";
import { parseCase } from "./case.ts";
import { caseJson, caseText, differenceText } from "./case_text.ts";
import { runCase } from "./run_case.ts";
import { whyText } from "./told_text.ts";

const caseOf = (value: unknown) => parseCase(JSON.stringify(value));
const ran = (value: unknown) => {
  const { fills, left, wholeLevel, rounds } = runCase(caseOf(value));
  return { fills, left, wholeLevel, rounds: rounds.length };
};

describe("a case run through the engine's steps", () => {
  it("gives what the vectors expect, and says so", () => {
    for (const vector of [...SHARED_VECTORS, ...OWN_VECTORS]) {
      const given = caseOf(vector);
      const run = runCase(given);
      assert.deepEqual(run.fills, vector.expect, vector.name);
      assert.equal(
        run.left,
        Math.max(0, vector.aggressor - given.resting.reduce((sum, { qty }) => sum + qty, 0)),
      );
      assert.equal(differenceText(given, run), null);
    }
  });

  it("goes on in rounds over hidden quantity, which shows behind the others", () => {
    const resting = [{ qty: 10, hidden: 5 }, { qty: 10, hidden: 20 }, 4];
    for (const algorithm of ["F", "C", "A", "O", "Q", "S", "T", "K"]) {
      const run = ran({ algorithm, resting, aggressor: 30 });
      // 10, 10 and 4 are taken; 5 and 10 show anew, of which 6 go.
      const fills = ["C", "A", "O", "Q", "K"].includes(algorithm) ? [12, 14, 4] : [15, 11, 4];
      assert.deepEqual({ algorithm, ...run }, { algorithm, fills, left: 0, wholeLevel: false, rounds: 2 });
    }
  });

  it("counts only what shows in proportion", () => {
    assert.deepEqual(ran({ algorithm: "C", resting: [{ qty: 10, hidden: 90 }, 30], aggressor: 20 }).fills, [
      5,
      15,
    ]);
  });

  it("leaves a top order that is shown anew without its right", () => {
    const resting = [30, { qty: 10, top: true, hidden: 10 }, { qty: 30, hidden: 10 }];
    // All 70 that show, then 15 over 10 and 10 by proportion: the larger share by age, 8 and 7.
    assert.deepEqual(ran({ algorithm: "A", resting, aggressor: 85 }).fills, [30, 18, 37]);
  });

  it("takes the whole level by time, hidden quantity included, and says what is left over", () => {
    const resting = [{ qty: 10, hidden: 5 }, 4];
    const run = ran({ algorithm: "K", resting, aggressor: 20 });
    assert.deepEqual(run, { fills: [15, 4], left: 1, wholeLevel: true, rounds: 2 });
    assert.deepEqual(ran({ algorithm: "C", resting, aggressor: 19 }).wholeLevel, true);
    assert.deepEqual(ran({ algorithm: "C", resting, aggressor: 18 }).wholeLevel, false);
  });
});

describe("a run case", () => {
  const top = {
    algorithm: "A",
    proRataMin: 2,
    resting: [{ qty: 10, top: true }, 5, 20, 50, 75],
    aggressor: 60,
  };
  const out = (value: unknown, print: typeof caseJson) => {
    const given = caseOf(value);
    return print(given, runCase(given));
  };

  it("is one line of JSON with the fills and every step's shares", () => {
    assert.deepEqual(JSON.parse(out({ ...top, expect: [10, 3, 6, 16, 25] }, caseJson)), {
      fills: [10, 3, 6, 16, 25],
      steps: [
        {
          step: "top",
          gave: [10, 0, 0, 0, 0],
          before: 60,
          after: 50,
          why: ["the top order: all of it", ...Array(4).fill("not the top order")],
          round: 1,
        },
        {
          step: "proRata",
          gave: [0, 0, 6, 16, 25],
          before: 50,
          after: 3,
          why: [
            "filled before",
            "5 × 50 ÷ 150 = 1.66…, down to 1, below the minimum of 2: 0",
            "20 × 50 ÷ 150 = 6.66…, down to 6",
            "50 × 50 ÷ 150 = 16.66…, down to 16",
            "75 × 50 ÷ 150 = 25",
          ],
          round: 1,
        },
        {
          step: "fifo",
          gave: [0, 3, 0, 0, 0],
          before: 3,
          after: 0,
          why: ["filled before", "its turn: the last 3", ...Array(3).fill("older orders took everything")],
          round: 1,
        },
      ],
      left: 0,
      wholeLevel: false,
      expectHolds: true,
    });
  });

  it("names in JSON the resting order's place also where only some are left", () => {
    const { steps } = JSON.parse(
      out({ algorithm: "F", resting: [5, { qty: 1, hidden: 1 }], aggressor: 7 }, caseJson),
    );
    assert.deepEqual(steps.map(({ gave, round }: { gave: number[]; round: number }) => [round, gave]), [
      [1, [5, 1]],
      [2, [0, 1]],
    ]);
  });

  it("is a table per step, the sums, what is left over and whether the expectation holds", () => {
    const text = out({ ...top, name: "Mine", aggressor: 170, expect: [10, 5, 20, 50, 74] }, caseText);
    const lines = text.split("\n").filter((line) => !/^[┌├└]/.test(line)).map((line) =>
      line.replace(/ +/g, " ")
    );
    assert.deepEqual(lines, [
      "Mine. Algorithm A, aggressor 170.",
      "The aggressor takes the whole level, hidden quantity included: oldest first, whatever the algorithm.",
      "",
      "1. fifo, oldest first: 170 to share out; the orders show 160",
      "│ Order │ Shows │ Receives │ Why │",
      "│ 1 (top order) │ 10 │ 10 │ its turn: all of it │",
      ...["2 │ 5 │ 5", "3 │ 20 │ 20", "4 │ 50 │ 50", "5 │ 75 │ 75"].map((row) =>
        `│ ${row} │ its turn: all of it │`
      ),
      "",
      "In all",
      "│ Order │ Quantity │ Receives │",
      "│ 1 (top order) │ 10 │ 10 │",
      ...["2 │ 5 │ 5", "3 │ 20 │ 20", "4 │ 50 │ 50", "5 │ 75 │ 75"].map((row) => `│ ${row} │`),
      "10 of the aggressor's 170 are left over: the level holds 160.",
      "The case expects 74 for order 5, which receives 75: expected [10,5,20,50,74], got [10,5,20,50,75]",
      "",
    ]);
  });
});

describe("the reason of a share", () => {
  const topRule = { kind: "top", available: 40, minimum: 10, maximum: 100, belowMinimum: false } as const;
  const maker = {
    kind: "marketMaker",
    maker: 0,
    percent: 30,
    numerator: 1110n,
    denominator: 100n,
    floor: 11,
    available: 11,
  } as const;
  const cases: [string, string][] = [
    [whyText(topRule, 150), "the top order: all that there is, 40"],
    [whyText({ ...topRule, available: 150 }, 150), "the top order: its maximum, 100"],
    [whyText({ ...topRule, belowMinimum: true }, 9), "the top order, but shows less than the minimum of 10"],
    [whyText(maker, 30), "30 % of 37 = 11.1, down to 11"],
    [whyText(maker, 5), "30 % of 37 = 11.1, down to 11; it shows 5"],
    [
      whyText({ ...maker, available: 4 }, 30),
      "30 % of 37 = 11.1, down to 11, 4 of them left by its maker's older orders",
    ],
    [
      whyText({ ...maker, available: 0 }, 30),
      "30 % of 37 = 11.1, down to 11, taken by its maker's older orders",
    ],
    [whyText({ ...maker, percent: 0, numerator: 0n, floor: 0, available: 0 }, 30), "0 % of 0 = 0"],
  ];
  for (const [text, expected] of cases) it(expected, () => assert.equal(text, expected));
});
