/** What a session needs from outside: times, a log, limits. Pure: types only; net/ brings the real ones. */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
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

/** Hears every message of a session as it crosses the wire. Its methods must not throw. */
export interface MessageTap {
  /** One framed message of the peer's, borrowed for the call; fields past the limit are not indexed. */
  received(message: FixMessage): void;
  /** One message of ours, borrowed for the call. */
  sent(bytes: Uint8Array): void;
  /** Bytes of the peer's that are no message. */
  garbled(fault: string): void;
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
  /** ResendRequests in a minute that ask for nothing new; past it the peer is logged out. */
  readonly maxResendRepeats: number;
  /** Application messages in a second, and session messages when it is at least 100; Infinity for no limit. */
  readonly maxMessagesPerSecond: number;
  /** What an application message above that is told. */
  readonly overRateAnswer: OverRateAnswer;
}

/**
 * How a message above the rate is refused: by Reject(3), by BusinessMessageReject(j) with 380=8 (a value that came after
 * FIX 4.4), or by Logout(5), after which the number of the message is asked for again at the next Logon.
 */
export type OverRateAnswer = "reject" | "business-reject" | "logout";
