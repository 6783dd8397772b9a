/**
 * When the schedule calls which phase: the last one due at an instant, and the next. Owns the calendar; a clock change
 * that would turn two phases round makes the earlier one wait no longer than the later. Pure: the caller brings the time.
 */
import { instantOf, localDate } from "../../../shared/config/local_time.ts";
import { Phase, type ScheduledPhase, type TradingSchedule } from "../../../shared/protocol/mod.ts";

/** A phase and when it is due, µs since 1970. */
export interface DuePhase {
  readonly dueUs: number;
  readonly phase: Phase;
}

/** How far days are looked at, back and ahead: longer than any row of holidays. */
const MAX_DAYS = 400;

/** The phases of instruments that enter all of them together. */
export class PhaseSchedule {
  readonly #schedule: TradingSchedule;
  readonly #phases: readonly ScheduledPhase[];
  readonly #holidays: ReadonlySet<string>;

  /** Of `schedule` the `phases`, by time of day, at least one. */
  constructor(schedule: TradingSchedule, phases: readonly ScheduledPhase[]) {
    this.#schedule = schedule;
    this.#phases = phases;
    this.#holidays = new Set(schedule.holidays);
  }

  /** The last phase due at or before `nowUs`; null when none was within a year. */
  latest(nowUs: number): DuePhase | null {
    return this.#last(nowUs, () => true);
  }

  /** The last Closed due at or before `nowUs`; null when none was within a year. */
  latestClosed(nowUs: number): DuePhase | null {
    return this.#last(nowUs, (due) => due.phase === Phase.Closed);
  }

  /** When the first phase after `nowUs` is due; Infinity when none is within a year. */
  nextUs(nowUs: number): number {
    const today = localDate(nowUs / 1000, this.#schedule.timeZone);
    for (let offset = -1; offset <= MAX_DAYS; offset++) {
      const due = this.#day(today.add({ days: offset })).find(({ dueUs }) => dueUs > nowUs);
      if (due !== undefined) return due.dueUs;
    }
    return Infinity;
  }

  #last(nowUs: number, wanted: (due: DuePhase) => boolean): DuePhase | null {
    const today = localDate(nowUs / 1000, this.#schedule.timeZone);
    for (let offset = 1; offset >= -MAX_DAYS; offset--) {
      const due = this.#day(today.add({ days: offset })).findLast((each) =>
        each.dueUs <= nowUs && wanted(each)
      );
      if (due !== undefined) return due;
    }
    return null;
  }

  /** The phases of one local date, in the order in which they come. */
  #day(date: Temporal.PlainDate): DuePhase[] {
    const { timeZone, days } = this.#schedule;
    if (!days.includes(date.dayOfWeek) || this.#holidays.has(date.toString())) return [];
    let atLeastUs = 0;
    return this.#phases.map(({ atSec, phase }) => {
      const dueUs = Math.max(instantOf(date, atSec, timeZone) * 1000, atLeastUs);
      atLeastUs = dueUs;
      return { dueUs, phase };
    });
  }
}

/** Instruments that share a {@link PhaseSchedule}. */
export interface ScheduleGroup<T> {
  readonly schedule: PhaseSchedule;
  readonly members: readonly T[];
}

/** Instruments by the phases that they enter; those that enter none are left out. */
export function scheduleGroups<T extends { readonly symbol: string }>(
  schedule: TradingSchedule | null,
  instruments: readonly T[],
): ScheduleGroup<T>[] {
  const groups = new Map<string, { phases: readonly ScheduledPhase[]; members: T[] }>();
  for (const instrument of instruments) {
    const phases = (schedule?.phases ?? []).filter(({ symbols }) =>
      symbols?.includes(instrument.symbol) ?? true
    );
    if (phases.length === 0) continue;
    const key = phases.map((phase) => schedule!.phases.indexOf(phase)).join();
    const group = groups.get(key) ?? { phases, members: [] };
    groups.set(key, group);
    group.members.push(instrument);
  }
  return [...groups.values()].map(({ phases, members }) => ({
    schedule: new PhaseSchedule(schedule!, phases),
    members,
  }));
}
