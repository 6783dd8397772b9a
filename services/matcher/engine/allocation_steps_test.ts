/** Each allocation step by itself: properties over random levels. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type Allocation, fifo, lmm, proRata, split, splitQty, top } from "./allocation.ts";
import { propertiesFrom, quantities, sum } from "./allocation_levels.ts";
import { allocationOf } from "./allocation_model.ts";

const MAX = 2 ** 31 - 1;
const SEED = Math.floor(Math.random() * 2 ** 31);
console.error(`seed ${SEED}`);
const holds = propertiesFrom(SEED);

describe("time priority", () => {
  it("gives an order nothing before all older ones are filled", () => {
    holds((vector) => {
      const allocation = allocationOf(vector);
      fifo(allocation);
      const open = quantities(vector);
      const firstShort = open.findIndex((each, i) => allocation.taken[i] < each);
      if (firstShort < 0) return;
      assert.equal(sum([...allocation.taken.subarray(firstShort + 1, allocation.count)]), 0);
    });
  });
});

describe("pro rata", () => {
  it("gives the same shares in whatever order the orders stand", () => {
    holds((vector) => {
      const one = allocationOf(vector);
      const other = allocationOf({ ...vector, resting: vector.resting.toReversed() });
      proRata(one);
      proRata(other);
      const taken = ({ taken, count }: Allocation) => [...taken.subarray(0, count)];
      assert.deepEqual(taken(other).reverse(), taken(one));
    });
  });

  it("gives a larger order no less, and one more lot of the aggressor takes no share away", () => {
    holds((vector) => {
      const open = quantities(vector);
      const allocation = allocationOf(vector);
      proRata(allocation);
      const taken = [...allocation.taken.subarray(0, allocation.count)];
      taken.forEach((each, i) =>
        taken.forEach((other, j) =>
          assert.ok(open[i] > open[j] || each <= other, `orders ${i + 1}, ${j + 1}`)
        )
      );
      const more = allocationOf({ ...vector, aggressor: Math.min(vector.aggressor + 1, MAX) });
      proRata(more);
      taken.forEach((each, i) => assert.ok(more.taken[i] >= each, `order ${i + 1}`));
    });
  });

  it("leaves less than a lot and a share below the minimum for each order", () => {
    holds((vector) => {
      const allocation = allocationOf(vector);
      proRata(allocation);
      assert.ok(
        allocation.openTotal === 0 || allocation.left < vector.resting.length * vector.proRataMin! ||
          vector.aggressor > sum(quantities(vector)),
      );
    });
  });
});

describe("the top order", () => {
  it("is the only one to receive, within its limits and all of them", () => {
    holds((vector) => {
      const allocation = allocationOf(vector);
      const { top: index } = allocation;
      top(allocation);
      const open = quantities(vector);
      const { topMin, topMax, aggressor } = vector;
      const due = index < 0 || open[index] < topMin! ? 0 : Math.min(open[index], aggressor, topMax! || MAX);
      assert.deepEqual(
        [...allocation.taken.subarray(0, allocation.count)],
        open.map((_, i) => i === index ? due : 0),
      );
    });
  });
});

describe("lead market makers", () => {
  it("receive at most their percentage, all of it when their orders suffice, and nobody else anything", () => {
    holds((vector) => {
      const allocation = allocationOf(vector);
      lmm(allocation);
      const { maker, taken, count, rules, top: index } = allocation;
      const open = quantities(vector);
      const of = (number: number, values: ArrayLike<number>) =>
        sum(Array.from({ length: count }, (_, i) => maker[i] === number && i !== index ? values[i] : 0));
      rules.makerPercents.forEach((percent, number) => {
        const due = Number(BigInt(percent) * BigInt(vector.aggressor) / 100n);
        assert.equal(of(number, taken), Math.min(due, of(number, open)));
      });
      for (let i = 0; i < count; i++) if (maker[i] < 0 || i === index) assert.equal(taken[i], 0);
    });
  });
});

describe("the split", () => {
  it("is time priority at 100 % and pro rata at 0 %", () => {
    holds((vector) => {
      for (const [fifoPercent, step] of [[100, fifo], [0, proRata]] as const) {
        const one = allocationOf({ ...vector, fifoPercent });
        const other = allocationOf(vector);
        split(one);
        step(other);
        assert.deepEqual(one.taken, other.taken);
      }
    });
  });

  it("rounds half up", () => {
    const cases = [[5, 50, 3], [4, 33, 1], [3, 50, 2], [1, 49, 0], [1, 50, 1], [200, 1, 2], [150, 1, 2], [
      149,
      1,
      1,
    ]];
    for (const [left, percent, expected] of [...cases, [MAX, 100, MAX], [MAX, 99, 2126008811]]) {
      assert.equal(splitQty(left, percent), expected, `${percent} % of ${left}`);
    }
  });
});
