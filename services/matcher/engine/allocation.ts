/**
 * How an aggressor's quantity is shared out over the orders of one price level: composable steps, each of which sees
 * what the steps before it left. Allocates nothing while it runs. Pure. Rules: docs/allocation.md; FIX
 * MatchAlgorithm(1142) codes.
 */
import { type Instrument, MatchAlgorithm, rulesOf } from "../../../shared/protocol/mod.ts";

/** What the steps need to know of an instrument; quantities in lots. */
export interface AllocationRules {
  /** Smallest pro-rata share; a smaller one becomes 0. */
  readonly proRataMin: number;
  /** Smallest open quantity with which an order has a top order's right. */
  readonly topMin: number;
  /** Most that a top order gets as such; 0: no limit. */
  readonly topMax: number;
  /** Share of the split step that goes by time, percent. */
  readonly fifoPercent: number;
  /** Firms that are lead market makers, and what each gets, percent; together at most 100. */
  readonly makerFirms: readonly number[];
  readonly makerPercents: readonly number[];
}

/** An instrument's {@link AllocationRules}. */
export function allocationRulesOf(instrument: Instrument): AllocationRules {
  const { topMinLots, topMaxLots, fifoPercent, leadMarketMakers } = rulesOf(instrument);
  return {
    proRataMin: instrument.proRataMin,
    topMin: topMinLots,
    topMax: topMaxLots,
    fifoPercent,
    makerFirms: leadMarketMakers.map(({ firmId }) => firmId),
    makerPercents: leadMarketMakers.map(({ percent }) => percent),
  };
}

/** A firm's number among the instrument's lead market makers, -1 when it is none. */
export function makerOf({ makerFirms }: AllocationRules, firmId: number): number {
  for (let i = 0; i < makerFirms.length; i++) if (makerFirms[i] === firmId) return i;
  return -1;
}

/** What applies where an instrument says nothing. */
export const PLAIN_RULES: AllocationRules = {
  proRataMin: 1,
  topMin: 0,
  topMax: 0,
  fifoPercent: 0,
  makerFirms: [],
  makerPercents: [],
};

/** One level's orders in time priority, and what they have been given. Reused from level to level. */
export class Allocation {
  /** Orders at the level. */
  count = 0;
  /** What is still to be shared out, lots. */
  left = 0;
  /** Sum of {@link open}, lots. */
  openTotal = 0;
  /** Index of the side's top order, -1 when it is not at the level. Set it behind {@link begin}. */
  top = -1;
  /** Of the instrument. */
  rules: AllocationRules = PLAIN_RULES;
  /** Caller's handle of each order. */
  readonly order: Int32Array;
  /** What each order shows and may still take, lots. */
  readonly open: Int32Array;
  /** What each order takes in all, lots. Invariant: open + taken is what it showed when the allocation began. */
  readonly taken: Int32Array;
  /** Number of each order's firm among the lead market makers, -1 for none. */
  readonly maker: Int32Array;

  /** Room for `capacity` orders. */
  constructor(capacity: number) {
    this.order = new Int32Array(capacity);
    this.open = new Int32Array(capacity);
    this.taken = new Int32Array(capacity);
    this.maker = new Int32Array(capacity);
  }

  /** Starts an allocation of `qtyLots` over no orders yet. */
  begin(qtyLots: number, rules: AllocationRules): void {
    this.count = 0;
    this.left = qtyLots;
    this.openTotal = 0;
    this.top = -1;
    this.rules = rules;
  }

  /**
   * Adds the next order in time priority; `maker` as {@link makerOf} says. Whoever counts nanoseconds writes the arrays,
   * {@link count} and {@link openTotal} instead, once for the whole level: half the time with 50 orders.
   */
  add(order: number, openLots: number, maker: number): void {
    const i = this.count;
    this.order[i] = order;
    this.open[i] = openLots;
    this.taken[i] = 0;
    this.maker[i] = maker;
    this.openTotal += openLots;
    this.count = i + 1 | 0;
  }

  /** Gives `qtyLots` to the order at `index`; it must be open that far. */
  give(index: number, qtyLots: number): void {
    this.open[index] -= qtyLots;
    this.taken[index] += qtyLots;
    this.openTotal -= qtyLots;
    this.left -= qtyLots;
  }
}

/** Shares out some or all of `allocation.left`, and never more than is open. */
export type AllocationStep = (allocation: Allocation) => void;

/** Oldest first. */
export function fifo(allocation: Allocation): void {
  giveOldest(allocation, allocation.left);
}

/**
 * In proportion to what each order has open, both figures taken at the start; a share below the minimum becomes 0, and
 * rounding goes down.
 */
export function proRata(allocation: Allocation): void {
  const { count, openTotal, open, taken } = allocation;
  const { proRataMin } = allocation.rules;
  const quantity = allocation.left < openTotal ? allocation.left : openTotal;
  if (quantity === 0) return;
  if (quantity * openTotal >= 2 ** 53) {
    proRataOfLargeSums(allocation, quantity);
    return;
  }
  let given = 0;
  for (let i = 0; i < count; i++) {
    const lots = open[i];
    const share = lots * quantity / openTotal | 0;
    if (share >= proRataMin) {
      open[i] = lots - share | 0;
      taken[i] = taken[i] + share | 0;
      given = given + share | 0;
    }
  }
  allocation.openTotal = openTotal - given;
  allocation.left -= given;
}

function proRataOfLargeSums(allocation: Allocation, quantity: number): void {
  const { count, openTotal, open, rules: { proRataMin } } = allocation;
  for (let i = 0; i < count; i++) {
    const share = proportion(open[i], quantity, openTotal);
    if (share >= proRataMin) allocation.give(i, share);
  }
}

/** The top order, up to its maximum; nothing when it shows less than its minimum. */
export function top(allocation: Allocation): void {
  const { top, rules: { topMin, topMax } } = allocation;
  if (top < 0) return;
  const open = allocation.open[top];
  if (open < topMin) return;
  allocation.give(top, Math.min(open, allocation.left, topMax === 0 ? open : topMax));
}

/**
 * Each lead market maker its percentage of what is left when the step starts, oldest order first, as far as its orders
 * other than the top order are open.
 */
export function lmm(allocation: Allocation): void {
  const { count, left, top, open, maker, rules: { makerPercents } } = allocation;
  for (let number = 0; number < makerPercents.length; number++) {
    let budget = Math.min(Math.floor(makerPercents[number] * left / 100), allocation.left);
    for (let i = 0; i < count && budget > 0; i++) {
      if (maker[i] !== number || i === top) continue;
      const lots = open[i] < budget ? open[i] : budget;
      allocation.give(i, lots);
      budget -= lots;
    }
  }
}

/** A percentage of what is left oldest first, rounded half up, then the rest pro rata over what is open then. */
export function split(allocation: Allocation): void {
  giveOldest(allocation, splitQty(allocation.left, allocation.rules.fifoPercent));
  proRata(allocation);
}

/** What of `left` the split step gives by time: `fifoPercent` of it, rounded half up. */
export function splitQty(left: number, fifoPercent: number): number {
  return Math.floor((left * fifoPercent + 50) / 100);
}

function giveOldest(allocation: Allocation, qtyLots: number): void {
  const { count, open, taken } = allocation;
  let left = qtyLots;
  for (let i = 0; i < count && left > 0; i++) {
    const lots = open[i] < left ? open[i] : left;
    open[i] = open[i] - lots | 0;
    taken[i] = taken[i] + lots | 0;
    left = left - lots | 0;
  }
  const given = qtyLots - left;
  allocation.openTotal -= given;
  allocation.left -= given;
}

/** floor(part × quantity ÷ total), exact for non-negative 32-bit factors and a safe-integer total > 0. */
export function proportion(part: number, quantity: number, total: number): number {
  const product = part * quantity;
  if (product < 2 ** 53) return Math.floor(product / total);
  return Number(BigInt(part) * BigInt(quantity) / BigInt(total));
}

/** The steps by name. */
export const STEPS = { fifo, proRata, top, lmm, split } as const satisfies Record<string, AllocationStep>;
/** A step's name. */
export type StepName = keyof typeof STEPS;

/** The steps of each algorithm by name; the last one leaves nothing that an order could still take. */
export const STEP_NAMES: Readonly<Record<MatchAlgorithm, readonly StepName[]>> = {
  [MatchAlgorithm.Fifo]: ["fifo"],
  [MatchAlgorithm.ProRata]: ["proRata", "fifo"],
  [MatchAlgorithm.Allocation]: ["top", "proRata", "fifo"],
  [MatchAlgorithm.ThresholdProRata]: ["top", "proRata", "fifo"],
  [MatchAlgorithm.ThresholdProRataLmm]: ["top", "lmm", "proRata", "fifo"],
  [MatchAlgorithm.FifoTopLmm]: ["top", "lmm", "fifo"],
  [MatchAlgorithm.FifoLmm]: ["lmm", "fifo"],
  [MatchAlgorithm.Configurable]: ["top", "lmm", "split", "fifo"],
};

/** {@link STEP_NAMES} as functions. */
export const ALLOCATION_STEPS: Readonly<Record<MatchAlgorithm, readonly AllocationStep[]>> = {
  [MatchAlgorithm.Fifo]: stepsOf(MatchAlgorithm.Fifo),
  [MatchAlgorithm.ProRata]: stepsOf(MatchAlgorithm.ProRata),
  [MatchAlgorithm.Allocation]: stepsOf(MatchAlgorithm.Allocation),
  [MatchAlgorithm.ThresholdProRata]: stepsOf(MatchAlgorithm.ThresholdProRata),
  [MatchAlgorithm.ThresholdProRataLmm]: stepsOf(MatchAlgorithm.ThresholdProRataLmm),
  [MatchAlgorithm.FifoTopLmm]: stepsOf(MatchAlgorithm.FifoTopLmm),
  [MatchAlgorithm.FifoLmm]: stepsOf(MatchAlgorithm.FifoLmm),
  [MatchAlgorithm.Configurable]: stepsOf(MatchAlgorithm.Configurable),
};

function stepsOf(algorithm: MatchAlgorithm): readonly AllocationStep[] {
  return STEP_NAMES[algorithm].map((name) => STEPS[name]);
}
