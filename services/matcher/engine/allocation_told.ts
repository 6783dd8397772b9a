/**
 * An allocation that tells how it came about: runs the same steps as the engine does and says after each what it gave
 * to whom and by which computation. Throws when the computation it tells is not what the step did. For people who ask
 * why; allocates freely. Pure. Rules: docs/allocation.md.
 */
import { type Allocation, type AllocationStep, splitQty, type StepName, STEPS } from "./allocation.ts";

/** What one order received from one step. */
export interface ToldShare {
  /** Caller's handle of the order. */
  readonly order: number;
  /** What it showed before the step, lots. */
  readonly open: number;
  /** What the step gave it, lots. */
  readonly gave: number;
  /** Why, as a value and a rule; see {@link ShareRule}. */
  readonly rule: ShareRule;
}

/** How a share came about. Quantities in lots; numerators and denominators are exact. */
export type ShareRule =
  /** Oldest first: what the orders before it left of the quantity. */
  | { readonly kind: "oldestFirst"; readonly available: number }
  /** floor(numerator ÷ denominator), numerator = part × quantity; it became 0 when that was below `minimum`. */
  | {
    readonly kind: "proportion";
    readonly part: number;
    readonly quantity: number;
    readonly numerator: bigint;
    readonly denominator: bigint;
    readonly floor: number;
    readonly minimum: number;
    readonly belowMinimum: boolean;
  }
  /** The top order, of what is `available` up to `maximum` (0: none), unless it shows less than `minimum`. */
  | {
    readonly kind: "top";
    readonly available: number;
    readonly minimum: number;
    readonly maximum: number;
    readonly belowMinimum: boolean;
  }
  /** A lead market maker: floor(numerator ÷ denominator) for all of its orders, of which `available` were left. */
  | {
    readonly kind: "marketMaker";
    readonly maker: number;
    readonly percent: number;
    readonly numerator: bigint;
    readonly denominator: bigint;
    readonly floor: number;
    readonly available: number;
  }
  /** First by time, then in proportion. */
  | { readonly kind: "split"; readonly byTime: number; readonly proportion: ShareRule }
  /** The step does not concern the order. */
  | { readonly kind: "none"; readonly because: NoneReason };

/** Why a step gave an order nothing. */
export type NoneReason =
  /** The step is for the top order, and this is not it. */
  | "notTop"
  /** The step is for lead market makers, and this order is none's. */
  | "noMaker"
  /** The order is a lead market maker's, but the top order, which has had its turn. */
  | "topOrder"
  /** Nothing was left to be shared out, or nobody showed anything any more. */
  | "nothingLeft";

/** One step, told. */
export interface ToldStep {
  readonly step: StepName;
  /** What was to be shared out before the step, and after it, lots. */
  readonly before: number;
  readonly after: number;
  /** What the orders showed in all before the step, lots. */
  readonly openTotal: number;
  /** Of the split step: what went by time, rounded half up. */
  readonly byTime: number;
  /** Every order of the level, in time priority. */
  readonly shares: readonly ToldShare[];
}

/** Who is told of steps. */
export interface AllocationListener {
  /** One step has been done. */
  step(told: ToldStep): void;
}

/** Runs the steps over `allocation` and tells `listener` of each. */
export function allocateTold(
  allocation: Allocation,
  steps: readonly AllocationStep[],
  listener: AllocationListener,
): void {
  for (const run of steps) {
    const { left: before, openTotal, count } = allocation;
    const open = [...allocation.open.subarray(0, count)];
    run(allocation);
    const step = nameOf(run);
    const rules = RULES[step](allocation, open, before);
    const shares = rules.map((rule, i): ToldShare => {
      const gave = open[i] - allocation.open[i];
      if (gave !== givenBy(rule, open[i])) {
        throw new Error(`Cannot tell step ${step}: order ${i + 1} of ${count} received ${gave} lots`);
      }
      return { order: allocation.order[i], open: open[i], gave, rule };
    });
    const byTime = step === "split" ? splitQty(before, allocation.rules.fifoPercent) : 0;
    listener.step({ step, before, after: allocation.left, openTotal, byTime, shares });
  }
}

function nameOf(run: AllocationStep): StepName {
  for (const [name, step] of Object.entries(STEPS)) if (step === run) return name as StepName;
  throw new Error("Cannot tell a step that has no name");
}

type Told = (allocation: Allocation, open: readonly number[], left: number) => ShareRule[];

/** The rule by which each step treats each order, from what the order showed and was left before the step. */
const RULES: Readonly<Record<StepName, Told>> = {
  fifo: (_, open, left) => oldestFirst(open, left),
  proRata: ({ rules }, open, left) => proportions(open, left, rules.proRataMin),
  top: ({ top, rules }, open, left) =>
    open.map((lots, i) => {
      if (i !== top) return { kind: "none", because: "notTop" };
      const { topMin: minimum, topMax: maximum } = rules;
      return { kind: "top", available: left, minimum, maximum, belowMinimum: lots < minimum };
    }),
  lmm: ({ top, maker, rules }, open, left) => marketMakers(maker, rules.makerPercents, top, open, left),
  split: ({ rules }, open, left) => {
    const byTime = oldestFirst(open, splitQty(left, rules.fifoPercent)).map((rule, i) =>
      givenBy(rule, open[i])
    );
    const rest = open.map((lots, i) => lots - byTime[i]);
    const given = byTime.reduce((sum, lots) => sum + lots, 0);
    return proportions(rest, left - given, rules.proRataMin).map((proportion, i) => ({
      kind: "split",
      byTime: byTime[i],
      proportion,
    }));
  },
};

/** What an order of `open` lots receives by a rule. */
export function givenBy(rule: ShareRule, open: number): number {
  switch (rule.kind) {
    case "oldestFirst":
      return Math.min(open, rule.available);
    case "proportion":
      return rule.belowMinimum ? 0 : rule.floor;
    case "top":
      if (rule.belowMinimum) return 0;
      return Math.min(open, rule.available, rule.maximum === 0 ? open : rule.maximum);
    case "marketMaker":
      return Math.min(open, rule.available);
    case "split":
      return rule.byTime + givenBy(rule.proportion, open - rule.byTime);
    case "none":
      return 0;
  }
}

function oldestFirst(open: readonly number[], left: number): ShareRule[] {
  let available = left;
  return open.map((lots) => {
    const rule: ShareRule = { kind: "oldestFirst", available };
    available -= Math.min(lots, available);
    return rule;
  });
}

function proportions(open: readonly number[], left: number, minimum: number): ShareRule[] {
  const total = open.reduce((sum, lots) => sum + lots, 0);
  if (total === 0 || left === 0) return open.map(() => ({ kind: "none", because: "nothingLeft" }));
  const quantity = Math.min(left, total);
  return open.map((lots) => {
    const numerator = BigInt(lots) * BigInt(quantity);
    const floor = Number(numerator / BigInt(total));
    const belowMinimum = floor < minimum;
    const denominator = BigInt(total);
    return { kind: "proportion", part: lots, quantity, numerator, denominator, floor, minimum, belowMinimum };
  });
}

function marketMakers(
  maker: Int32Array,
  percents: readonly number[],
  top: number,
  open: readonly number[],
  left: number,
): ShareRule[] {
  const floors = percents.map((percent) => Number(BigInt(percent) * BigInt(left) / 100n));
  const available = [...floors];
  return open.map((lots, i) => {
    // Nobody writes `maker` for an instrument without lead market makers.
    const number = percents.length === 0 ? -1 : maker[i];
    if (number < 0) return { kind: "none", because: "noMaker" };
    if (i === top) return { kind: "none", because: "topOrder" };
    const rule: ShareRule = {
      kind: "marketMaker",
      maker: number,
      percent: percents[number],
      numerator: BigInt(percents[number]) * BigInt(left),
      denominator: 100n,
      floor: floors[number],
      available: available[number],
    };
    available[number] -= Math.min(lots, available[number]);
    return rule;
  });
}
