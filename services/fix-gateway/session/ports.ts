/** What a session needs from outside: times, a log, limits. Pure: types only; net/ brings the real ones. */

/**
 * Two clocks: what the time is, and how long something takes. The wall clock may be set while a session is up; no wait,
 * interval or limit may depend on it.
 */
export interface SessionClock {
  /** Milliseconds since 1970-01-01 UTC, whole: for times that messages carry and for a session's hours. */
  wallMs(): number;
  /** Milliseconds since a moment of its own, never falling: the `now` of every session function. ≥ 0. */
  monotonicMs(): number;
}

/**
 * Where decisions are logged; shared/cli/log.ts Logger fits. Never given a message's bytes or credentials.
 */
export interface SessionLog {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** The limits that one session keeps; the venue file's VenueLimits fits. */
export interface SessionLimits {
  /** HeartBtInt(108) accepted at Logon, seconds, both ends included; 0 must lie inside to be accepted. */
  readonly heartBtIntMinSec: number;
  readonly heartBtIntMaxSec: number;
  /** How far SendingTime(52) may be from our clock, seconds. */
  readonly sendingTimeToleranceSec: number;
  /** How long an initiator waits for the answer to its Logon, seconds. */
  readonly logonTimeoutSec: number;
  /** Messages kept while a gap before them is being filled. */
  readonly maxQueuedMessages: number;
  /**
   * Bytes not yet taken by the peer; past it the session is disconnected and what it missed stays in the
   * store.
   */
  readonly maxUnsentBytes: number;
}
