/** From the venue file's schedule of trading phases to the one that holds, and what of it contradicts itself. Pure. */
import { Phase } from "../protocol/kinds.ts";
import { phaseOfName } from "../protocol/phase_names.ts";
import type { Instrument } from "../protocol/instruments.ts";
import type { TradingSchedule } from "../protocol/trading_schedule.ts";
import type { Path, Report } from "./problems.ts";
import type { TradingScheduleEntry } from "./schedule_schema.ts";
import { secondsOf, weekDayNumbers } from "./session_settings.ts";

/** The schedule; use it only when nothing was reported. Null when the file has none: always open. */
export function buildTradingSchedule(
  entry: TradingScheduleEntry | undefined,
  symbols: ReadonlySet<string>,
  report: Report,
): TradingSchedule | null {
  if (entry === undefined) return null;
  /** Where each instrument's last phase so far stands; under null that of those with no list of their own. */
  const last = new Map<string | null, number>();
  entry.phases.forEach((phase, index) => {
    const at = (key: string | number, ...more: number[]): Path => ["schedule", "phases", index, key, ...more];
    const before = index === 0 ? null : entry.phases[index - 1];
    if (before !== null && secondsOf(phase.at) < secondsOf(before.at)) {
      report(at("at"), `a time at or after phases[${index - 1}]'s ${before.at}`, phase.at);
    }
    phase.symbols?.forEach((symbol, place) => {
      if (!symbols.has(symbol)) report(at("symbols", place), "a symbol of the venue", symbol);
    });
    const clash = clashOf(phase, last, entry);
    if (clash !== null) {
      report(at("at"), `another time than phases[${clash}] has, of the same symbol`, phase.at);
    }
    for (const symbol of phase.symbols ?? [null, ...last.keys()]) last.set(symbol, index);
  });
  return {
    timeZone: entry.timeZone,
    days: weekDayNumbers(entry.days),
    holidays: entry.holidays,
    phases: entry.phases.map(({ at, phase, symbols }) => ({
      atSec: secondsOf(at),
      phase: phaseOfName(phase)!,
      symbols: symbols ?? null,
    })),
  };
}

/** The index of an earlier phase at the same time that shares an instrument; null when there is none. */
function clashOf(
  phase: TradingScheduleEntry["phases"][number],
  last: ReadonlyMap<string | null, number>,
  { phases }: TradingScheduleEntry,
): number | null {
  for (const symbol of phase.symbols ?? last.keys()) {
    const index = last.get(symbol) ?? last.get(null);
    if (index !== undefined && secondsOf(phases[index].at) === secondsOf(phase.at)) return index;
  }
  return null;
}

/** An instrument under a schedule: closed until the schedule says otherwise. */
export function startClosed(instrument: Instrument): Instrument {
  return { ...instrument, rules: { ...instrument.rules, initialPhase: Phase.Closed } };
}
