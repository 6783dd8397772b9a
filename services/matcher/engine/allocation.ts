/**
 * How an aggressor's quantity is shared out over the orders of one price level: composable steps, each of which sees
 * what the steps before it left. Pure. Rules: docs/matching.md, "Allocation"; FIX MatchAlgorithm(1142) codes.
 */
import { MatchAlgorithm } from "../../../shared/protocol/mod.ts";

/** One level's orders in time priority, and what they have been given. Reused from level to level. */
export class Allocation {
  /** Orders at the level. */
  count = 0;
  /** What is still to be shared out, lots. */
  left = 0;
  /** Smallest pro-rata share, lots. */
  proRataMin = 1;
  /** Caller's handle of each order. */
  readonly order: Int32Array;
  /** What each order may still take, lots. */
  readonly open: Int32Array;
  /** What each order takes in all, lots. Invariant: open + taken is what it had when the allocation began. */
  readonly taken: Int32Array;

  /** Room for `capacity` orders. */
  constructor(capacity: number) {
    this.order = new Int32Array(capacity);
    this.open = new Int32Array(capacity);
    this.taken = new Int32Array(capacity);
  }

  /** Starts an allocation of `qtyLots` over no orders yet. */
  begin(qtyLots: number, proRataMin: number): void {
    this.count = 0;
    this.left = qtyLots;
    this.proRataMin = proRataMin;
  }

  /** Adds the next order in time priority. */
  add(order: number, openLots: number): void {
    this.order[this.count] = order;
    this.open[this.count] = openLots;
    this.taken[this.count++] = 0;
  }

  /** Gives `qtyLots` to the order at `index`; it must be open that far. */
  give(index: number, qtyLots: number): void {
    this.open[index] -= qtyLots;
    this.taken[index] += qtyLots;
    this.left -= qtyLots;
  }
}

/** Shares out some or all of `allocation.left`. */
export type AllocationStep = (allocation: Allocation) => void;

/** Oldest first. */
export function fifo(allocation: Allocation): void {
  for (let i = 0; i < allocation.count && allocation.left > 0; i++) {
    allocation.give(i, Math.min(allocation.open[i], allocation.left));
  }
}

/** In proportion to what each order has open; a share below the minimum becomes 0, and rounding goes down. */
export function proRata(allocation: Allocation): void {
  const { count, left, proRataMin, open } = allocation;
  let total = 0;
  for (let i = 0; i < count; i++) total += open[i];
  if (total === 0) return;
  for (let i = 0; i < count; i++) {
    const share = Math.min(proportion(open[i], left, total), open[i]);
    if (share >= proRataMin) allocation.give(i, share);
  }
}

/** floor(part × quantity ÷ total), exact for non-negative 32-bit factors and a safe-integer total > 0. */
export function proportion(part: number, quantity: number, total: number): number {
  const product = part * quantity;
  if (product < 2 ** 53) return Math.floor(product / total);
  return Number(BigInt(part) * BigInt(quantity) / BigInt(total));
}

/** The steps of each algorithm; the last one leaves nothing that an order could still take. */
export const ALLOCATION_STEPS: Readonly<Record<MatchAlgorithm, readonly AllocationStep[]>> = {
  [MatchAlgorithm.Fifo]: [fifo],
  [MatchAlgorithm.ProRata]: [proRata, fifo],
  [MatchAlgorithm.Allocation]: [fifo],
  [MatchAlgorithm.ThresholdProRata]: [fifo],
  [MatchAlgorithm.ThresholdProRataLmm]: [fifo],
  [MatchAlgorithm.FifoTopLmm]: [fifo],
  [MatchAlgorithm.FifoLmm]: [fifo],
  [MatchAlgorithm.Configurable]: [fifo],
};
