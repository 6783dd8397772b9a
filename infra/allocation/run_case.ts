/**
 * Runs a case through the engine's own allocation steps, as the engine uses them at one level (docs/allocation.md): the
 * whole level by time, else round after round until the aggressor is done. Pure.
 */
import {
  Allocation,
  ALLOCATION_STEPS,
  type AllocationRules,
  fifo,
} from "../../services/matcher/engine/allocation.ts";
import { allocateTold, type ToldStep } from "../../services/matcher/engine/allocation_told.ts";
import type { AllocationCase } from "./case.ts";

/** One pass of the steps over what shows. */
export interface Round {
  /** `order` of its shares is an index into the case's orders. */
  readonly steps: readonly ToldStep[];
}

/** What came of a case. */
export interface CaseRun {
  /** What each resting order receives, lots. */
  readonly fills: readonly number[];
  /** What of the aggressor nobody was there for, lots. */
  readonly left: number;
  /** Whether the aggressor took everything, hidden quantity included: by time, whatever the algorithm. */
  readonly wholeLevel: boolean;
  readonly rounds: readonly Round[];
}

/** Allocates a case. */
export function runCase(given: AllocationCase): CaseRun {
  const { resting, aggressor, proRataMin, topMin, topMax, fifoPercent, makerPercents } = given;
  const rules: AllocationRules = {
    proRataMin,
    topMin,
    topMax,
    fifoPercent,
    makerFirms: makerPercents.map((_, i) => i),
    makerPercents,
  };
  const open = resting.map(({ qty, hidden }) => qty + hidden);
  const wholeLevel = aggressor >= open.reduce((sum, lots) => sum + lots, 0);
  const steps = wholeLevel ? [fifo] : ALLOCATION_STEPS[given.algorithm];
  const allocation = new Allocation(resting.length);
  const fills = resting.map(() => 0);
  const rounds: Round[] = [];
  let left = aggressor;
  let queue = resting.map((_, i) => i);
  while (left > 0 && queue.length > 0) {
    allocation.begin(left, rules);
    for (const i of queue) {
      // An order that is shown anew has lost its priority, and with it the top order's right.
      if (resting[i].top && rounds.length === 0) allocation.top = allocation.count;
      allocation.add(i, Math.min(resting[i].qty, open[i]), resting[i].maker);
    }
    const told: ToldStep[] = [];
    allocateTold(allocation, steps, { step: (each) => void told.push(each) });
    rounds.push({ steps: told });
    queue.forEach((i, place) => {
      fills[i] += allocation.taken[place];
      open[i] -= allocation.taken[place];
    });
    left = allocation.left;
    queue = queue.filter((i) => open[i] > 0);
  }
  return { fills, left, wholeLevel, rounds };
}
