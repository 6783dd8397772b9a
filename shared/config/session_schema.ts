/**
 * The venue file's settings of FIX sessions, as zod sees them: those of one session, and those of all that say
 * nothing else. Every message completes the sentence "expected …".
 */
import { z } from "zod";

/** Week days as the venue file names them, Monday first. */
export const WEEK_DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

const TIME = 'a time of day in quotes, such as "08:00" or "17:30:15"';
/** A time of day; secondsOf reads it. */
export const timeOfDay = z.string(TIME).regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, TIME);

const ZONE = "an IANA time zone, such as Europe/Berlin or UTC";
/** A time zone that the runtime knows. */
export const timeZone = z.string(ZONE).refine(isTimeZone, ZONE);

const DAYS = `week days out of ${WEEK_DAYS.join(", ")}, each once`;
/** Some week days. */
export const days = z.array(z.enum(WEEK_DAYS, DAYS), DAYS).min(1, DAYS)
  .refine((list) => new Set(list).size === list.length, DAYS);

const SCHEDULE = "hours (timeZone, start, end), or null for a session that never closes";
const schedule = z.strictObject({
  timeZone,
  start: timeOfDay,
  end: timeOfDay,
  days: days.default([...WEEK_DAYS]),
  resetAtStart: yesOrNo().default(false),
}, SCHEDULE);

const PATH = "the path of a FIX dictionary in XML, relative to the venue file";

/** Keys of a session, and of `sessionDefaults`; what neither says is DEFAULT_FIX_SETTINGS. */
export const SETTINGS = {
  lastMsgSeqNumProcessed: yesOrNo().optional(),
  nextExpectedMsgSeqNum: yesOrNo().optional(),
  userDefinedFields: yesOrNo().optional(),
  resetOnLogon: yesOrNo().optional(),
  extensions: yesOrNo().optional(),
  schedule: schedule.nullable().optional(),
  dictionary: z.string(PATH).min(1, PATH).max(1024, PATH).nullable().optional(),
};

/** `sessionDefaults` of the venue file. */
export const settingsSchema = z.strictObject(SETTINGS, "settings of sessions");

/** Settings as the file has them. */
export type SettingsEntry = z.infer<typeof settingsSchema>;
/** A schedule as the file has it. */
export type ScheduleEntry = z.infer<typeof schedule>;

function yesOrNo() {
  return z.boolean("true or false");
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
