/** Cases as people write them: what is read, and which sentence names what is wrong. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { MAX_RESTING, parseCase } from "./case.ts";

const BASE = { algorithm: "C", resting: [1, 2], aggressor: 2 };
const faultOf = (value: unknown): string => {
  try {
    parseCase(typeof value === "string" ? value : JSON.stringify(value));
  } catch (error) {
    return (error as Error).message;
  }
  return "read";
};

describe("a case", () => {
  it("has defaults for what it leaves out", () => {
    assert.deepEqual(parseCase(JSON.stringify(BASE)), {
      name: null,
      algorithm: "C",
      proRataMin: 1,
      topMin: 0,
      topMax: 0,
      fifoPercent: 0,
      makerPercents: [],
      resting: [1, 2].map((qty) => ({ qty, hidden: 0, top: false, maker: -1 })),
      aggressor: 2,
      expect: null,
    });
  });

  it("numbers market makers as they appear; orders with the same maker are one's, others each their own", () => {
    const { makerPercents, resting } = parseCase(JSON.stringify({
      ...BASE,
      name: "all",
      resting: [
        { qty: 1, lmmPercent: 10 },
        { qty: 2, lmmPercent: 20, maker: "a" },
        { qty: 3, lmmPercent: 10, top: true, hidden: 4 },
        { qty: 5, maker: "a" },
        6,
      ],
      expect: [0, 0, 0, 0, 2],
    }));
    assert.deepEqual(makerPercents, [10, 20, 10]);
    assert.deepEqual(resting.map(({ maker }) => maker), [0, 1, 2, 1, -1]);
    assert.deepEqual(resting[2], { qty: 3, hidden: 4, top: true, maker: 2 });
  });
});

describe("a fault of a case is one sentence with key and value", () => {
  const resting = (...orders: unknown[]) => ({ ...BASE, resting: orders });
  const whole = (at: string, least: number, got: string, most = 2147483647) =>
    `Cannot read ${at}: expected a whole number from ${least} to ${most}, got ${got}`;
  const cases: [name: string, value: unknown, message: string][] = [
    ["no JSON", "{x", 'Cannot read the case: expected JSON, got "{x"'],
    ["nothing", " ", "Cannot read the case: expected JSON, got nothing"],
    ["a list", [1], "Cannot read the case: expected an object, got [1]"],
    ["a number beyond all", "1e400", "Cannot read the case: expected an object, got 1e400"],
    [
      "a quantity beyond all",
      '{"algorithm": "F", "aggressor": 1e400, "resting": [1]}',
      whole("aggressor", 1, "1e400"),
    ],
    [
      "a quantity that no double is",
      '{"algorithm": "F", "aggressor": 5, "resting": [9007199254740993]}',
      whole("resting[0]", 1, "9007199254740993"),
    ],
    ["null", "null", "Cannot read the case: expected an object, got null"],
    [
      "an unknown key",
      { ...BASE, agressor: 3 },
      "Cannot read the case: expected only the keys name, algorithm, proRataMin, topMin, topMax, fifoPercent, resting, " +
      'aggressor, expect, got "agressor": 3',
    ],
    [
      "an unknown key of an order",
      resting({ qty: 1, price: 2 }),
      'Cannot read resting[0]: expected only the keys qty, top, lmmPercent, maker, hidden, got "price": 2',
    ],
    [
      "an unknown algorithm",
      { ...BASE, algorithm: "X" },
      'Cannot read algorithm: expected one of F, C, A, O, Q, S, T, K, got "X"',
    ],
    [
      "no algorithm",
      { resting: [1], aggressor: 1 },
      "Cannot read algorithm: expected one of F, C, A, O, Q, S, T, K, got nothing",
    ],
    ["no aggressor", { algorithm: "F", resting: [1] }, whole("aggressor", 1, "nothing")],
    ["half a lot", { ...BASE, aggressor: 1.5 }, whole("aggressor", 1, "1.5")],
    ["text for a number", { ...BASE, aggressor: "5" }, whole("aggressor", 1, '"5"')],
    ["more than an order may have", { ...BASE, aggressor: 2 ** 31 }, whole("aggressor", 1, "2147483648")],
    [
      "no resting orders",
      { algorithm: "F", aggressor: 1 },
      "Cannot read resting: expected a list of at least one order, got nothing",
    ],
    ["an empty level", resting(), "Cannot read resting: expected at least one order, got []"],
    [
      "too many orders",
      resting(...Array(MAX_RESTING + 1).fill(1)),
      "Cannot read resting: expected at most 10000 orders, got 10001",
    ],
    ["an order of nothing", resting(1, 0), whole("resting[1]", 1, "0")],
    ["an order that is text", resting("a"), whole("resting[0]", 1, '"a"')],
    ["an order that is a list", resting([1]), "Cannot read resting[0]: expected an object, got [1]"],
    ["an order without quantity", resting({ top: true }), whole("resting[0].qty", 1, "nothing")],
    [
      "a negative hidden quantity",
      resting({ qty: 1, hidden: -1 }),
      whole("resting[0].hidden", 0, "-1", 2147483646),
    ],
    [
      "a hidden quantity in too many slices",
      resting({ qty: 2, hidden: 201 }),
      "Cannot read resting[0].hidden: expected at most 100 times its qty, got 201",
    ],
    [
      "top as a number",
      resting({ qty: 1, top: 1 }),
      "Cannot read resting[0].top: expected true or false, got 1",
    ],
    [
      "two top orders",
      resting({ qty: 1, top: true }, 5, { qty: 1, top: true }),
      "Cannot read resting[2].top: expected one top order, got resting[0] and resting[2]",
    ],
    [
      "a percentage over 100",
      resting({ qty: 1, lmmPercent: 101 }),
      whole("resting[0].lmmPercent", 0, "101", 100),
    ],
    [
      "percentages over 100 together",
      resting({ qty: 1, lmmPercent: 60 }, { qty: 1, lmmPercent: 41 }),
      "Cannot read lmmPercent: expected at most 100 over all market makers, got 101 (60 + 41)",
    ],
    [
      "two percentages of one maker",
      resting({ qty: 1, lmmPercent: 60, maker: 1 }, { qty: 1, lmmPercent: 30, maker: 1 }),
      "Cannot read resting[1].lmmPercent: expected 60, as the maker's order before has, got 30",
    ],
    [
      "a maker without a percentage",
      resting({ qty: 1, maker: 1 }),
      "Cannot read resting[0].maker: expected an lmmPercent beside it or at another order of the maker, got 1",
    ],
    [
      "a maker that is a list",
      resting({ qty: 1, maker: [] }),
      "Cannot read resting[0].maker: expected a whole number or a name, got []",
    ],
    ["a minimum of nothing", { ...BASE, proRataMin: 0 }, whole("proRataMin", 1, "0")],
    ["a negative topMin", { ...BASE, topMin: -1 }, whole("topMin", 0, "-1")],
    ["null for topMax", { ...BASE, topMax: false }, whole("topMax", 0, "false")],
    ["more than all by time", { ...BASE, fifoPercent: 101 }, whole("fifoPercent", 0, "101", 100)],
    ["a name that is a number", { ...BASE, name: 1 }, "Cannot read name: expected text, got 1"],
    [
      "too few expected",
      { ...BASE, expect: [1] },
      "Cannot read expect: expected 2 quantities, one for each resting order, got [1]",
    ],
    ["a negative expectation", { ...BASE, expect: [1, -1] }, whole("expect[1]", 0, "-1")],
  ];
  for (const [name, value, message] of cases) it(name, () => assert.equal(faultOf(value), message));
});
