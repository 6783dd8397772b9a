/**
 * From an instrument's entry in the venue file to its trading rules. A key that no algorithm of the instrument uses is
 * refused by name: it would do nothing, and whoever wrote it expects something. Pure.
 */
import type { Firm, TradingRules } from "../protocol/instruments.ts";
import { type MatchAlgorithm, SmpAction } from "../protocol/kinds.ts";
import { lotsOf, ticksOf } from "./amounts.ts";
import type { Path, Report } from "./problems.ts";
import type { FirmEntry, InstrumentEntry } from "./schema.ts";

/** Which algorithms use a key that not all use. */
const USED_BY = {
  proRataMin: "CAOQK",
  topMin: "AOQSK",
  topMax: "AOQSK",
  fifoPercent: "K",
  leadMarketMakers: "QSTK",
} as const;

/** What the venue file calls the actions of self-match prevention. */
const SMP_ACTIONS: Readonly<Record<NonNullable<FirmEntry["selfMatchPrevention"]>, SmpAction>> = {
  "none": SmpAction.None,
  "cancel-resting": SmpAction.CancelResting,
  "cancel-aggressor": SmpAction.CancelAggressor,
  "cancel-both": SmpAction.CancelBoth,
  "decrement": SmpAction.Decrement,
};

/** A firm's self-match prevention. */
export function smpActionOf(name: NonNullable<FirmEntry["selfMatchPrevention"]>): SmpAction {
  return SMP_ACTIONS[name];
}

/** What the entry says of trading rules, null when nothing; use it only when nothing was reported. */
export function buildRules(
  entry: InstrumentEntry,
  at: (key: string) => Path,
  { tickUnits, lotUnits }: { tickUnits: number; lotUnits: number },
  firms: ReadonlyMap<string, Firm>,
  report: Report,
): Partial<TradingRules> | null {
  refuseUnused(entry, at, report);
  const rules: { -readonly [Name in keyof TradingRules]?: TradingRules[Name] } = {};
  const { topMin, topMax, referencePrice, leadMarketMakers } = entry;
  if (topMin !== undefined) rules.topMinLots = lotsOf(topMin, entry, lotUnits, at("topMin"), report);
  if (topMax !== undefined) rules.topMaxLots = lotsOf(topMax, entry, lotUnits, at("topMax"), report);
  if (referencePrice !== undefined) {
    rules.referencePriceTicks = ticksOf(referencePrice, entry, tickUnits, at("referencePrice"), report);
  }
  if (leadMarketMakers !== undefined) {
    rules.leadMarketMakers = buildMakers(leadMarketMakers, at("leadMarketMakers"), firms, report);
  }
  const { fifoPercent, protectionTicks, bandTicks, volatilityAuctionSec, postOnly } = entry;
  if (fifoPercent !== undefined) rules.fifoPercent = fifoPercent;
  if (protectionTicks !== undefined) rules.protectionTicks = protectionTicks;
  if (bandTicks !== undefined) rules.bandTicks = bandTicks;
  if (volatilityAuctionSec !== undefined) rules.volatilityAuctionSec = volatilityAuctionSec;
  if (postOnly !== undefined) rules.postOnly = postOnly;
  return Object.keys(rules).length === 0 ? null : rules;
}

function refuseUnused(entry: InstrumentEntry, at: (key: string) => Path, report: Report): void {
  const algorithms: readonly MatchAlgorithm[] = [entry.algorithm, ...entry.switchableTo ?? []];
  for (const key of Object.keys(USED_BY) as (keyof typeof USED_BY)[]) {
    const users = USED_BY[key];
    if (entry[key] === undefined || algorithms.some((algorithm) => users.includes(algorithm))) continue;
    const who = users.length === 1 ? users : `${[...users].slice(0, -1).join(", ")} and ${users.at(-1)}`;
    const what = users.length === 1 ? "uses" : "use";
    report(
      at(key),
      `none with algorithm ${
        algorithms.join(", ")
      }: only ${who} ${what} it (as algorithm or in switchableTo)`,
      entry[key],
    );
  }
  if (entry.volatilityAuctionSec !== undefined && entry.bandTicks === undefined) {
    report(
      at("volatilityAuctionSec"),
      "none without bandTicks: nothing would call such an auction",
      entry.volatilityAuctionSec,
    );
  }
}

function buildMakers(
  entries: NonNullable<InstrumentEntry["leadMarketMakers"]>,
  path: Path,
  firms: ReadonlyMap<string, Firm>,
  report: Report,
): TradingRules["leadMarketMakers"] {
  const percent = entries.reduce((sum, entry) => sum + entry.percent, 0);
  if (percent > 100) report(path, "at most 100 percent together", percent);
  return entries.map((entry, index) => {
    const firm = firms.get(entry.firm);
    if (firm === undefined) {
      report([...path, index, "firm"], `one of firms ${[...firms.keys()].join(", ")}`, entry.firm);
    }
    const earlier = entries.findIndex((each) => each.firm === entry.firm);
    if (earlier < index) {
      report([...path, index, "firm"], `a firm that leadMarketMakers[${earlier}] does not have`, entry.firm);
    }
    return { firmId: firm?.id ?? 0, percent: entry.percent };
  });
}
