/** Random levels for properties of allocations. Test code only. */
import fc from "fast-check";
import { MatchAlgorithm } from "../../../shared/protocol/mod.ts";
import type { Level } from "./allocation_model.ts";

const ALGORITHMS = Object.values(MatchAlgorithm);
const MAX = 2 ** 31 - 1;
const lots = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: MAX }));

/** Random levels, rules and aggressors; percentages of market makers together at most 100. */
const LEVELS: fc.Arbitrary<Level> = fc.record({
  algorithm: fc.constantFrom(...ALGORITHMS),
  proRataMin: fc.integer({ min: 1, max: 5 }),
  topMin: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
  topMax: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
  fifoPercent: fc.integer({ min: 0, max: 100 }),
  aggressor: lots,
  orders: fc.array(fc.tuple(lots, fc.integer({ min: -3, max: 2 })), { minLength: 1, maxLength: 30 }),
  percents: fc.tuple(
    fc.integer({ min: 0, max: 50 }),
    fc.integer({ min: 0, max: 30 }),
    fc.integer({ min: 0, max: 20 }),
  ),
  top: fc.integer({ min: -5, max: 29 }),
}).map(({ orders, percents, top, ...rest }) => ({
  ...rest,
  resting: orders.map(([qty, maker], i) => ({
    qty,
    top: i === top,
    ...(maker < 0 ? {} : { maker, lmmPercent: percents[maker] }),
  })),
}));

/** Checks properties over many random levels, which `seed` gives; a failure names it again. */
export function propertiesFrom(seed: number): (check: (level: Level) => void, numRuns?: number) => void {
  return (check, numRuns = 1000) => fc.assert(fc.property(LEVELS, check), { numRuns, seed });
}

/** The sum of some quantities, lots. */
export const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
/** What each order of a level shows, lots. */
export const quantities = ({ resting }: Level): number[] =>
  resting.map((each) => typeof each === "number" ? each : each.qty);
