/**
 * From the settings that a venue file has for its sessions to those that hold: the session's own, else the
 * venue's, else the defaults. Pure.
 */
import { DEFAULT_FIX_SETTINGS, type FixSettings, type SessionSchedule } from "../protocol/instruments.ts";
import type { ScheduleEntry, SettingsEntry } from "./session_schema.ts";

const WEEK_DAYS: readonly string[] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** The settings of one session; `resolve` makes a path of the file absolute or relative to where we are. */
export function buildSettings(
  own: SettingsEntry,
  defaults: SettingsEntry,
  resolve: (path: string) => string,
): FixSettings {
  const pick = <K extends keyof SettingsEntry>(key: K) => own[key] === undefined ? defaults[key] : own[key];
  const schedule = pick("schedule") ?? null;
  const dictionary = pick("dictionary") ?? null;
  return {
    lastMsgSeqNumProcessed: pick("lastMsgSeqNumProcessed") ?? DEFAULT_FIX_SETTINGS.lastMsgSeqNumProcessed,
    nextExpectedMsgSeqNum: pick("nextExpectedMsgSeqNum") ?? DEFAULT_FIX_SETTINGS.nextExpectedMsgSeqNum,
    userDefinedFields: pick("userDefinedFields") ?? DEFAULT_FIX_SETTINGS.userDefinedFields,
    resetOnLogon: pick("resetOnLogon") ?? DEFAULT_FIX_SETTINGS.resetOnLogon,
    extensions: pick("extensions") ?? DEFAULT_FIX_SETTINGS.extensions,
    schedule: schedule === null ? null : buildSchedule(schedule),
    dictionary: dictionary === null ? null : resolve(dictionary),
  };
}

function buildSchedule({ timeZone, start, end, days, resetAtStart }: ScheduleEntry): SessionSchedule {
  return {
    timeZone,
    startSec: secondsOf(start),
    endSec: secondsOf(end),
    days: weekDayNumbers(days),
    resetAtStart,
  };
}

/** ISO numbers of week days, ascending. */
export function weekDayNumbers(days: readonly string[]): number[] {
  return days.map((day) => WEEK_DAYS.indexOf(day) + 1).sort((a, b) => a - b);
}

/** Seconds since midnight of a time of day such as `08:00` or `17:30:15`. */
export function secondsOf(time: string): number {
  const [hours, minutes, seconds = 0] = time.split(":").map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}
