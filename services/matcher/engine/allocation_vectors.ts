/**
 * Allocations by hand: levels in time priority, an aggressor, and what each resting order receives. Test code only. Pure.
 */
import type { MatchAlgorithm } from "../../../shared/protocol/mod.ts";

/** A resting order; a bare number is one with nothing but a quantity. */
export type RestingVector =
  | number
  | {
    readonly qty: number;
    readonly top?: boolean;
    readonly lmmPercent?: number;
    /** Orders with the same one belong to one market maker; otherwise each has its own. */
    readonly maker?: number;
  };

/** One case, as the vectors shared between projects write it. */
export interface AllocationVector {
  readonly name: string;
  readonly algorithm: MatchAlgorithm;
  readonly proRataMin?: number;
  readonly topMin?: number;
  readonly topMax?: number;
  readonly fifoPercent?: number;
  readonly resting: readonly RestingVector[];
  readonly aggressor: number;
  readonly expect: readonly number[];
}

/** The cases that projects share; kept here too, so that this one stands alone. */
export const SHARED_VECTORS: readonly AllocationVector[] = [
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
  {
    name: "top order first, then pro rata with a minimum of two, then FIFO",
    algorithm: "A",
    proRataMin: 2,
    resting: [{ qty: 10, top: true }, 5, 20, 50, 75],
    aggressor: 60,
    expect: [10, 3, 6, 16, 25],
  },
  {
    name: "small top order",
    algorithm: "A",
    proRataMin: 2,
    resting: [{ qty: 2, top: true }, 56, 42],
    aggressor: 50,
    expect: [2, 28, 20],
  },
  {
    name: "top order capped at its maximum",
    algorithm: "O",
    topMin: 10,
    topMax: 100,
    proRataMin: 1,
    resting: [{ qty: 150, top: true }, 8, 160],
    aggressor: 200,
    expect: [124, 3, 73],
  },
  {
    name: "top, then a lead market maker's 40 %, then pro rata",
    algorithm: "Q",
    topMin: 25,
    topMax: 250,
    proRataMin: 1,
    resting: [{ qty: 300, top: true }, 15, { qty: 160, lmmPercent: 40 }],
    aggressor: 400,
    expect: [278, 8, 114],
  },
  {
    name: "split 0 % FIFO with two lead market makers",
    algorithm: "K",
    fifoPercent: 0,
    proRataMin: 1,
    resting: [{ qty: 1, top: true }, { qty: 59, lmmPercent: 20 }, { qty: 40, lmmPercent: 10 }],
    aggressor: 50,
    expect: [1, 30, 19],
  },
  {
    name: "split 100 % FIFO with two lead market makers",
    algorithm: "K",
    fifoPercent: 100,
    proRataMin: 1,
    resting: [{ qty: 1, top: true }, { qty: 59, lmmPercent: 20 }, { qty: 40, lmmPercent: 10 }],
    aggressor: 50,
    expect: [1, 45, 4],
  },
  { name: "FIFO", algorithm: "F", resting: [300, 300, 400], aggressor: 650, expect: [300, 300, 50] },
];

const MAX = 2 ** 31 - 1;

/** More of the rules, each computed by hand. */
export const OWN_VECTORS: readonly AllocationVector[] = [
  {
    name: "a top order below the minimum has no right",
    algorithm: "O",
    topMin: 11,
    resting: [40, { qty: 10, top: true }],
    aggressor: 20,
    expect: [16, 4],
  },
  {
    name: "a top order at the minimum has its right, also as the youngest",
    algorithm: "O",
    topMin: 10,
    resting: [40, { qty: 10, top: true }],
    aggressor: 20,
    expect: [10, 10],
  },
  {
    name: "a top order takes no more than the aggressor has",
    algorithm: "S",
    resting: [40, { qty: 10, top: true }],
    aggressor: 4,
    expect: [0, 4],
  },
  {
    // 30 left after the top order; 50 % are 15, of which one order takes 4 and the next 11; 15 go to the oldest.
    name: "one market maker's orders count together, oldest first",
    algorithm: "S",
    resting: [
      { qty: 10, top: true },
      100,
      { qty: 4, lmmPercent: 50, maker: 1 },
      { qty: 60, lmmPercent: 50, maker: 1 },
    ],
    aggressor: 40,
    expect: [10, 15, 4, 11],
  },
  {
    // The maximum of 5 leaves the top order 15 open, and 35 to share; 40 % of them are for the other order alone.
    name: "a market maker's top order is left out of its percentage",
    algorithm: "S",
    topMax: 5,
    resting: [
      100,
      { qty: 20, top: true, lmmPercent: 40, maker: 1 },
      { qty: 30, lmmPercent: 40, maker: 1 },
    ],
    aggressor: 40,
    expect: [21, 5, 14],
  },
  {
    // 30 % of 10 are 3, 25 % are floor(2.5) = 2; 5 go to the oldest.
    name: "each market maker's percentage is of the same quantity, rounded down",
    algorithm: "T",
    resting: [7, { qty: 50, lmmPercent: 30 }, { qty: 50, lmmPercent: 25 }],
    aggressor: 10,
    expect: [5, 3, 2],
  },
  {
    name: "a market maker is capped by what it has",
    algorithm: "T",
    resting: [100, { qty: 2, lmmPercent: 100 }],
    aggressor: 10,
    expect: [8, 2],
  },
  {
    // 50 % of 5 are 2.5, up to 3, for the first; 2 pro rata over 7 and 10 open: 0 and 1; the last lot to the oldest.
    name: "the split is rounded half up",
    algorithm: "K",
    fifoPercent: 50,
    resting: [10, 10],
    aggressor: 5,
    expect: [4, 1],
  },
  {
    // 33 % of 4 are 1.32, down to 1; 3 over 1 and 10 open: 0 and 2; the last lot to the oldest.
    name: "the split is rounded down below half",
    algorithm: "K",
    fifoPercent: 33,
    resting: [2, 10],
    aggressor: 4,
    expect: [2, 2],
  },
  {
    // 25 % of 8 are 2; 6 over 3, 5 and 20 open: 0, 1 and 4, of which only 4 is at least 2; 2 to the oldest.
    name: "the minimum holds in the split's pro rata part too",
    algorithm: "K",
    fifoPercent: 25,
    proRataMin: 2,
    resting: [5, 5, 20],
    aggressor: 8,
    expect: [4, 0, 4],
  },
  {
    // (2^31 - 1) × (2^31 - 2) ÷ (3 × (2^31 - 1)) = 715827882 exactly for each.
    name: "products beyond 2^53 are exact",
    algorithm: "C",
    resting: [MAX, MAX, MAX],
    aggressor: MAX - 1,
    expect: [715827882, 715827882, 715827882],
  },
  {
    // (2^31 - 1) × (2^31 - 3) ÷ 2^31 = 2^31 - 4 + 3 ÷ 2^31; (2^31 - 3) ÷ 2^31 is 0; the last lot to the oldest.
    name: "quotients of products beyond 2^53 are rounded down",
    algorithm: "C",
    resting: [1, MAX],
    aggressor: MAX - 2,
    expect: [1, MAX - 3],
  },
];
