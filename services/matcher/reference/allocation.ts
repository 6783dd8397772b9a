/** The naive allocation: every step spelled out over bigints. Pure. Source: docs/allocation.md, "Steps". */
import { MatchAlgorithm, type TradingRules } from "../../../shared/protocol/mod.ts";

/** A resting order as allocation sees it. */
export interface Candidate {
  /** Displayed lots. */
  readonly shown: number;
  /** Whether it is its side's top order. */
  readonly isTop: boolean;
  readonly firm: number;
}

type StepName = "fifo" | "proRata" | "top" | "lmm" | "split";

const STEPS: Readonly<Record<MatchAlgorithm, readonly StepName[]>> = {
  [MatchAlgorithm.Fifo]: ["fifo"],
  [MatchAlgorithm.ProRata]: ["proRata", "fifo"],
  [MatchAlgorithm.Allocation]: ["top", "proRata", "fifo"],
  [MatchAlgorithm.ThresholdProRata]: ["top", "proRata", "fifo"],
  [MatchAlgorithm.ThresholdProRataLmm]: ["top", "lmm", "proRata", "fifo"],
  [MatchAlgorithm.FifoTopLmm]: ["top", "lmm", "fifo"],
  [MatchAlgorithm.FifoLmm]: ["lmm", "fifo"],
  [MatchAlgorithm.Configurable]: ["top", "lmm", "split", "fifo"],
};

/** What each resting order, in time priority, gets of `quantity` (less than they show together). */
export function allocate(
  algorithm: MatchAlgorithm,
  proRataMin: number,
  rules: TradingRules,
  resting: readonly Candidate[],
  quantity: number,
): number[] {
  const sharing = new Sharing(proRataMin, rules, resting, quantity);
  for (const step of STEPS[algorithm]) sharing[step]();
  return sharing.given;
}

/** A percentage of a quantity, in hundredths of a lot. */
function percentOf(percent: number, quantity: number): bigint {
  return BigInt(percent) * BigInt(quantity);
}

class Sharing {
  readonly given: number[];
  #left: number;

  constructor(
    readonly proRataMin: number,
    readonly rules: TradingRules,
    readonly resting: readonly Candidate[],
    quantity: number,
  ) {
    this.given = resting.map(() => 0);
    this.#left = quantity;
  }

  fifo(): void {
    this.#oldestFirst(this.#left);
  }

  proRata(): void {
    const quantity = BigInt(this.#left);
    const open = this.resting.map((_, i) => this.#open(i));
    const total = BigInt(open.reduce((sum, lots) => sum + lots, 0));
    if (total === 0n) return;
    for (const [i, lots] of open.entries()) {
      const share = Number(BigInt(lots) * quantity / total);
      if (share >= this.proRataMin) this.#give(i, share);
    }
  }

  top(): void {
    const { topMinLots, topMaxLots } = this.rules;
    const at = this.resting.findIndex((order) => order.isTop);
    if (at < 0 || this.resting[at].shown < topMinLots) return;
    this.#give(at, topMaxLots === 0 ? this.#left : Math.min(this.#left, topMaxLots));
  }

  lmm(): void {
    const atStart = this.#left;
    for (const { firmId, percent } of this.rules.leadMarketMakers) {
      let budget = Number(percentOf(percent, atStart) / 100n);
      for (const [i, order] of this.resting.entries()) {
        if (order.firm === firmId && !order.isTop) budget -= this.#give(i, budget);
      }
    }
  }

  split(): void {
    this.#oldestFirst(Number((percentOf(this.rules.fifoPercent, this.#left) + 50n) / 100n));
    this.proRata();
  }

  #oldestFirst(quantity: number): void {
    let left = quantity;
    for (const i of this.resting.keys()) left -= this.#give(i, left);
  }

  #open(i: number): number {
    return this.resting[i].shown - this.given[i];
  }

  /** Gives at most `lots`; returns how many it were. */
  #give(i: number, lots: number): number {
    const taken = Math.min(lots, this.#open(i), this.#left);
    this.given[i] += taken;
    this.#left -= taken;
    return taken;
  }
}
