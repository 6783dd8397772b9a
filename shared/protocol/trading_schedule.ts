/** When instruments enter their trading phases, as the venue file says. Pure: types only. */
import type { Phase } from "./kinds.ts";

/** A phase and the local time of day at which it begins. */
export interface ScheduledPhase {
  /** Seconds since midnight, 0 … 86399. */
  readonly atSec: number;
  readonly phase: Phase;
  /** The instruments that enter it; null: all. */
  readonly symbols: readonly string[] | null;
}

/** The phases of each trading day, in local time of a time zone. */
export interface TradingSchedule {
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
  /** ISO week days on which the phases happen, 1 Monday … 7 Sunday; ascending, at least one. */
  readonly days: readonly number[];
  /** Local dates, `2026-12-25`, on which nothing happens. */
  readonly holidays: readonly string[];
  /** By time of day; for one instrument no two at the same. */
  readonly phases: readonly ScheduledPhase[];
}
