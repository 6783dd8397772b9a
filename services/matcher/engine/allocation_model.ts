/** Levels as {@link Allocation}s for tests, and a naive model of the steps. Test code only. Pure. */
import { Allocation, ALLOCATION_STEPS, type AllocationRules, type StepName } from "./allocation.ts";
import type { AllocationVector } from "./allocation_vectors.ts";

/** A case without what is expected of it. */
export type Level = Omit<AllocationVector, "name" | "expect">;

/** An allocation ready for its steps. */
export function allocationOf(vector: Level): Allocation {
  const makers = new Map<number, number>();
  const numbers = vector.resting.map((each, i) => {
    if (typeof each === "number" || each.lmmPercent === undefined) return -1;
    const firm = each.maker ?? 1000 + i;
    if (!makers.has(firm)) makers.set(firm, each.lmmPercent);
    return [...makers.keys()].indexOf(firm);
  });
  const rules: AllocationRules = {
    proRataMin: vector.proRataMin ?? 1,
    topMin: vector.topMin ?? 0,
    topMax: vector.topMax ?? 0,
    fifoPercent: vector.fifoPercent ?? 0,
    makerFirms: [...makers.keys()],
    makerPercents: [...makers.values()],
  };
  const allocation = new Allocation(vector.resting.length);
  allocation.begin(vector.aggressor, rules);
  vector.resting.forEach((each, i) => {
    if (typeof each !== "number" && each.top === true) allocation.top = i;
    allocation.add(i + 1, typeof each === "number" ? each : each.qty, numbers[i]);
  });
  return allocation;
}

/** What each order takes by the algorithm's steps. */
export function allocated(vector: Level): number[] {
  const allocation = allocationOf(vector);
  for (const step of ALLOCATION_STEPS[vector.algorithm]) step(allocation);
  return [...allocation.taken.subarray(0, allocation.count)];
}

/** The rules of docs/allocation.md spelled out over bigints. */
export function modelAllocated(
  { count, left, top, open, maker, rules }: Allocation,
  steps: readonly StepName[],
): number[] {
  let rest = BigInt(left);
  const has = [...open.subarray(0, count)].map(BigInt);
  const takes = has.map(() => 0n);
  const least = (...values: bigint[]) => values.reduce((a, b) => a < b ? a : b);
  const give = (i: number, most: bigint): bigint => {
    const lots = least(has[i], most, rest);
    [has[i], takes[i], rest] = [has[i] - lots, takes[i] + lots, rest - lots];
    return lots;
  };
  const oldest = (quantity: bigint, which: (i: number) => boolean = () => true) =>
    has.forEach((_, i) => quantity -= which(i) ? give(i, quantity) : 0n);
  const inProportion = () => {
    const [before, quantity, total] = [[...has], rest, has.reduce((a, b) => a + b, 0n)];
    before.forEach((lots, i) => {
      const share = total === 0n ? 0n : least(lots * quantity / total, lots);
      if (share >= BigInt(rules.proRataMin)) give(i, share);
    });
  };
  const run: Record<StepName, () => void> = {
    fifo: () => oldest(rest),
    proRata: inProportion,
    top: () => {
      if (top < 0 || has[top] < BigInt(rules.topMin)) return;
      give(top, rules.topMax === 0 ? rest : BigInt(rules.topMax));
    },
    lmm: () => {
      const quantity = rest;
      rules.makerPercents.forEach((percent, number) =>
        oldest(BigInt(percent) * quantity / 100n, (i) => maker[i] === number && i !== top)
      );
    },
    split: () => {
      oldest((BigInt(rules.fifoPercent) * rest * 2n + 100n) / 200n);
      inProportion();
    },
  };
  for (const step of steps) run[step]();
  return takes.map(Number);
}
