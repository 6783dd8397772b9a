/**
 * Owns what a script's `set` lines mean: the surroundings in which the echo's sessions run, and those of one
 * session of the gateway. No I/O.
 */
import { fileURLToPath } from "node:url";
import { ECHO_LIMITS } from "../../services/fix-gateway/echo/echo_acceptor.ts";
import type { AcceptorLimits } from "../../services/fix-gateway/net/acceptor.ts";
import { DEFAULT_FIX_SETTINGS, type FixSettings } from "../../shared/protocol/mod.ts";
import { buildSettings } from "../../shared/config/session_settings.ts";
import type { SettingsEntry } from "../../shared/config/session_schema.ts";

/** CompIDs of every script's run against the echo. */
export const VENUE_COMP_ID = "ISLD";
/** The session that scripts log on to. */
export const PEER_COMP_ID = "TW44";
/** A session that scripts may mention. */
export const OTHER_COMP_ID = "TW45";

/** Where the dictionaries are that scripts name. */
const DICTIONARIES = fileURLToPath(new URL("dictionaries/", import.meta.url));

/** How the echo is set up for one script. */
export interface EchoSettings {
  readonly limits: AcceptorLimits;
  readonly session: FixSettings;
  readonly plainAnswers: boolean;
  /** "" when nobody is asked. */
  readonly username: string;
  readonly password: string;
}

const DEFAULT_LIMITS: AcceptorLimits = { ...ECHO_LIMITS, heartBtIntMinSec: 0, heartBtIntMaxSec: 86_400 };
const SWITCHES = [
  "lastMsgSeqNumProcessed",
  "nextExpectedMsgSeqNum",
  "userDefinedFields",
  "resetOnLogon",
] as const;

/**
 * Reads `set` values: any limit by its name, any setting of a session, plainAnswers, username, password.
 * Throws on others.
 */
export function echoSettings(settings: ReadonlyMap<string, string>): EchoSettings {
  const limits: Record<string, number | string> = { ...DEFAULT_LIMITS };
  let plainAnswers = true;
  const credentials = { username: "", password: "" };
  for (const [name, value] of settings) {
    if (isSessionSetting(name)) continue;
    else if (name === "overRateAnswer") limits[name] = value;
    else if (name in limits && /^\d+$/.test(value)) limits[name] = Number(value);
    else if (name === "plainAnswers" && isSwitch(value)) plainAnswers = value === "yes";
    else if (name in credentials) credentials[name as keyof typeof credentials] = value;
    else throw wrongSetting(name, value);
  }
  const session = buildSettings(sessionSettings(settings), {}, (path) => DICTIONARIES + path);
  return { session, plainAnswers, ...credentials, limits: limits as unknown as AcceptorLimits };
}

/** Whether a setting is one that the venue file has for each session. */
export function isSessionSetting(name: string): boolean {
  return name in DEFAULT_FIX_SETTINGS || name === "resetAtStart";
}

/**
 * The settings of a session in a script, as the venue file would have them. A schedule is written
 * `START-END/ZONE`, or `START-END/ZONE/Mon,Tue`.
 */
export function sessionSettings(settings: ReadonlyMap<string, string>): SettingsEntry {
  const entry: SettingsEntry = {};
  for (const name of SWITCHES) {
    const value = settings.get(name);
    if (value === undefined) continue;
    if (!isSwitch(value)) throw wrongSetting(name, value);
    entry[name] = value === "yes";
  }
  const dictionary = settings.get("dictionary");
  if (dictionary !== undefined) entry.dictionary = dictionary;
  const schedule = settings.get("schedule");
  if (schedule !== undefined) entry.schedule = scheduleOf(schedule, settings.get("resetAtStart") === "yes");
  return entry;
}

function scheduleOf(text: string, resetAtStart: boolean): NonNullable<SettingsEntry["schedule"]> {
  const [, start, end, timeZone, days] = /^([\d:]+)-([\d:]+)\/([^,]+?)(?:\/([A-Z][\w,]+))?$/.exec(text) ?? [];
  if (start === undefined) throw wrongSetting("schedule", text);
  type Day = NonNullable<SettingsEntry["schedule"]>["days"][number];
  const list = (days ?? "Mon,Tue,Wed,Thu,Fri,Sat,Sun").split(",") as Day[];
  return { start, end, timeZone, days: list, resetAtStart };
}

function isSwitch(value: string): boolean {
  return value === "yes" || value === "no";
}

function wrongSetting(name: string, value: string): RangeError {
  return new RangeError(`Cannot set ${name}: expected a known name and a fitting value, got "${value}"`);
}
