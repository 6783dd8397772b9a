/**
 * Owns what a script's `set` lines mean: the surroundings in which the echo's sessions run. No I/O.
 */
import { ECHO_LIMITS } from "../../services/fix-gateway/echo/echo_acceptor.ts";
import type { AcceptorLimits } from "../../services/fix-gateway/net/acceptor.ts";

/** CompIDs of every script's run against the echo. */
export const VENUE_COMP_ID = "ISLD";
/** The session that scripts log on to. */
export const PEER_COMP_ID = "TW44";
/** A session that scripts may mention. */
export const OTHER_COMP_ID = "TW45";

/** How the echo is set up for one script. */
export interface EchoSettings {
  readonly limits: AcceptorLimits;
  readonly resetOnLogon: boolean;
  readonly plainAnswers: boolean;
  /** "" when nobody is asked. */
  readonly username: string;
  readonly password: string;
}

const DEFAULT_LIMITS: AcceptorLimits = { ...ECHO_LIMITS, heartBtIntMinSec: 0, heartBtIntMaxSec: 86_400 };

/**
 * Reads `set` values: any limit by its name, resetOnLogon, plainAnswers, username, password. Throws on
 * others.
 */
export function echoSettings(settings: ReadonlyMap<string, string>): EchoSettings {
  const limits: Record<string, number> = { ...DEFAULT_LIMITS };
  const flags = { resetOnLogon: false, plainAnswers: true };
  const credentials = { username: "", password: "" };
  for (const [name, value] of settings) {
    if (name in limits && /^\d+$/.test(value)) limits[name] = Number(value);
    else if (name in flags && /^(yes|no)$/.test(value)) flags[name as keyof typeof flags] = value === "yes";
    else if (name in credentials) credentials[name as keyof typeof credentials] = value;
    else {throw new RangeError(
        `Cannot set ${name}: expected a known name and a fitting value, got "${value}"`,
      );}
  }
  return { ...flags, ...credentials, limits: limits as unknown as AcceptorLimits };
}
