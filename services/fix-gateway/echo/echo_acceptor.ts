/**
 * Owns how the gateway's acceptor is set up for session acceptance suites: no credentials, wide limits,
 * answers in FIX's own words. Does I/O through the acceptor; decides nothing about messages.
 */
import { type Acceptor, type AcceptorLimits, startAcceptor } from "../net/acceptor.ts";
import { type NetClock, systemClock } from "../net/clock.ts";
import type { LinkHost } from "../net/session_link.ts";
import { DEFAULT_FIX_SETTINGS, type FixSession, type FixSettings } from "../../../shared/protocol/mod.ts";
import { EchoApplication } from "./echo_application.ts";
import type { EchoFlags } from "./flags.ts";

/** What an echo is started from; {@link EchoFlags} fits. */
export interface EchoOptions extends Omit<EchoFlags, "logLevel"> {
  readonly log: LinkHost["log"];
  readonly clock?: NetClock;
  readonly limits?: Partial<AcceptorLimits>;
}

/** Wide enough for any suite, bounded all the same; a suite has nothing to do with the rate of Logons. */
export const ECHO_LIMITS: Omit<AcceptorLimits, "heartBtIntMinSec" | "heartBtIntMaxSec"> = {
  sendingTimeToleranceSec: 120,
  logonTimeoutSec: 10,
  maxQueuedMessages: 10_000,
  maxUnsentBytes: 64 * 1024 * 1024,
  maxMessageBytes: 1024 * 1024,
  maxFieldsPerMessage: 4096,
  maxConnections: 1000,
  maxGroupEntries: 4096,
  unsentTimeoutSec: 60,
  maxResendRepeats: 20,
  maxMessagesPerSecond: 1_000_000,
  overRateAnswer: "reject",
  logonsPerMinutePerAddress: Number.MAX_SAFE_INTEGER,
};

/** Starts listening. Throws what Deno.listen throws when the port cannot be had. */
export function startEcho(options: EchoOptions): Promise<Acceptor> {
  const { host, port, sender, resetOnLogon, heartBtIntMinSec, heartBtIntMaxSec, log } = options;
  const sessions = echoSessions(options.targets, { resetOnLogon });
  return startAcceptor({
    hostname: host,
    port,
    venue: {
      targetCompId: sender,
      sessions,
      sessionByCompId: new Map(sessions.map((session) => [session.senderCompId, session])),
    },
    application: new EchoApplication(resetOnLogon),
    clock: options.clock ?? systemClock,
    log,
    limits: { ...ECHO_LIMITS, heartBtIntMinSec, heartBtIntMaxSec, ...options.limits },
    plainAnswers: true,
  });
}

/** One session without credentials per client CompID. */
export function echoSessions(targets: readonly string[], settings: Partial<FixSettings> = {}): FixSession[] {
  return targets.map((senderCompId, index) => ({
    id: index + 1,
    senderCompId,
    firm: { id: 1, name: "echo" },
    role: "trading",
    username: "",
    password: "",
    settings: { ...DEFAULT_FIX_SETTINGS, ...settings },
  }));
}
