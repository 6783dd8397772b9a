/**
 * Owns the hours of a FIX session: whether it is open at an instant, since when and until when, or when it
 * opens next. Pure.
 */
import { instantOf, localDate } from "../../../shared/config/local_time.ts";
import type { SessionSchedule } from "../../../shared/protocol/mod.ts";

/** The session's hours around an instant; instants are ms since 1970. */
export type Hours =
  | { readonly open: true; readonly sinceMs: number; readonly untilMs: number }
  | { readonly open: false; readonly opensMs: number };

/** How many days ahead an opening is looked for: a week, and some for days that clock changes swallow. */
const LOOK_AHEAD_DAYS = 21;

/** The hours at `nowMs`. The closing instant itself is outside. Throws a RangeError for an unknown time zone. */
export function hoursAt(schedule: SessionSchedule, nowMs: number): Hours {
  const today = localDate(nowMs, schedule.timeZone);
  for (let offset = -1; offset <= LOOK_AHEAD_DAYS; offset++) {
    const day = today.add({ days: offset });
    if (!schedule.days.includes(day.dayOfWeek)) continue;
    const sinceMs = instantOf(day, schedule.startSec, schedule.timeZone);
    const lastDay = schedule.endSec > schedule.startSec ? day : day.add({ days: 1 });
    const untilMs = instantOf(lastDay, schedule.endSec, schedule.timeZone);
    if (untilMs <= sinceMs || untilMs <= nowMs) continue;
    return sinceMs <= nowMs ? { open: true, sinceMs, untilMs } : { open: false, opensMs: sinceMs };
  }
  throw new RangeError(`Cannot find hours of the session: none within ${LOOK_AHEAD_DAYS} days`);
}

/** What the counterparty is told while the session is closed: when it opens, in UTC and in its own time zone. */
export function closedText(schedule: SessionSchedule, opensMs: number): string {
  const opens = Temporal.Instant.fromEpochMilliseconds(opensMs);
  const local = opens.toZonedDateTimeISO(schedule.timeZone);
  const utc = opens.toZonedDateTimeISO("UTC");
  const here = `${dateOf(local)} ${timeOf(local)} ${schedule.timeZone}`;
  return `The session is closed; it opens at ${dateOf(utc)}-${timeOf(utc)} UTC (${here})`;
}

function dateOf(time: Temporal.ZonedDateTime): string {
  return `${time.year}${two(time.month)}${two(time.day)}`;
}

function timeOf(time: Temporal.ZonedDateTime): string {
  return `${two(time.hour)}:${two(time.minute)}:${two(time.second)}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
