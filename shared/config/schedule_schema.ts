/** The venue file's schedule of trading phases, as zod sees it. Every message completes the sentence "expected …". */
import { z } from "zod";
import { PHASE_NAMES } from "../protocol/phase_names.ts";
import { days, timeOfDay, timeZone, WEEK_DAYS } from "./session_schema.ts";

/** Phases that a clock may call; the market alone calls a volatility auction. */
const NAMES = PHASE_NAMES.filter((name) => name !== "volatility-auction");

const PHASE = `one of ${NAMES.join(", ")}`;
const SYMBOLS = "a list of symbols, each once";
const PHASES = "a list of phases, each with at and phase";

const phase = z.strictObject({
  at: timeOfDay,
  phase: z.enum(NAMES, PHASE),
  symbols: z.array(z.string(SYMBOLS), SYMBOLS).min(1, SYMBOLS)
    .refine((list) => new Set(list).size === list.length, SYMBOLS).optional(),
}, "a phase (at, phase, symbols)");

const DATE = 'a date, such as "2026-12-25"';
const date = z.string(DATE).refine(isDate, DATE);

/** `schedule` of the venue file. */
export const tradingScheduleSchema = z.strictObject({
  timeZone,
  days: days.default([...WEEK_DAYS.slice(0, 5)]),
  holidays: z.array(date, "a list of dates").default([]),
  phases: z.array(phase, PHASES).min(1, PHASES),
}, "a schedule (timeZone, days, holidays, phases)");

/** The schedule as the file has it. */
export type TradingScheduleEntry = z.infer<typeof tradingScheduleSchema>;

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text);
    return true;
  } catch {
    return false;
  }
}
