/**
 * Owns the fields of one FIX session that outlive a message: numbers, phase, timers, what waits. Its times are
 * monotonic. The functions of inbound.ts, admin.ts, logon.ts and timers.ts change it; session.ts is its public
 * face. Pure.
 * Source: FIX 4.4 Vol. 2, "Session Protocol".
 */
import type { FixMessage, FixWriter, ValidationFault } from "../../../shared/codec/fix/mod.ts";
import { DEFAULT_FIX_SETTINGS, type FixSession, type FixSettings } from "../../../shared/protocol/mod.ts";
import { Gap } from "./gap.ts";
import { InboundQueue } from "./inbound_queue.ts";
import { Outbound } from "./outbound.ts";
import type { MessageTap, SessionClock, SessionLimits, SessionLog } from "./ports.ts";
import { RateLimit } from "./rate_limit.ts";
import { ResendServer } from "./resend.ts";
import type { SessionStore } from "./store.ts";

/** What Reject(3) says of a message. */
export type Fault = ValidationFault;

/** Judges a message against a dictionary; null when it is right. */
export type Validate = (message: FixMessage) => Fault | null;

/** Everything a session is made from. */
export interface SessionSetup {
  /** `senderCompId` is the client's CompID in both roles; the settings are the acceptor's. */
  readonly config: FixSession;
  /** The exchange's CompID. */
  readonly venueCompId: string;
  readonly role: "acceptor" | "initiator";
  readonly limits: SessionLimits;
  readonly clock: SessionClock;
  readonly log: SessionLog;
  readonly store: SessionStore;
  readonly validate: Validate;
  /** See FixMessage.dataLengthTags; FIX 4.4's when absent. */
  readonly dataLengthTags?: Uint16Array;
  /** For administrative messages; may be shared between the sessions of one thread. */
  readonly adminWriter: FixWriter;
  /**
   * Whether the session answers as other engines' session suites expect it letter by letter: Reject(3)
   * gives FIX's own description of the reason in Text(58) in place of ours, which names field and value;
   * the Logout(5) behind a Reject says nothing; a ResendRequest(2) is answered also when its number is too
   * low.
   */
  readonly plainAnswers?: boolean;
  /** Hears every message; nobody when absent. */
  readonly tap?: MessageTap;
}

/** Session messages in a second that are always allowed, however few orders are. */
export const MIN_ADMIN_RATE = 100;

/** Where a session is between two connections' ends. */
export const Phase = {
  /** No connection. */
  Disconnected: 0,
  /** Initiator: our Logon is out, the answer is due. */
  LoggingOn: 1,
  LoggedOn: 2,
  /** Our Logout is out, the answer is due. */
  LoggingOut: 3,
  /** The connection is to be closed; `closeReason` says why. */
  Closing: 4,
} as const;
export type Phase = typeof Phase[keyof typeof Phase];

/** What the driver has to do about a received message. */
export const Verdict = {
  /** Nothing: it is dealt with. */
  Done: 0,
  /** Give it to the application. */
  Deliver: 1,
  /** Tell the application that the session is logged on. */
  LoggedOn: 2,
} as const;
export type Verdict = typeof Verdict[keyof typeof Verdict];

/** The mutable state of one session. */
export class SessionState {
  readonly setup: SessionSetup;
  readonly settings: FixSettings;
  readonly limits: SessionLimits;
  readonly log: SessionLog;
  /** CompIDs as bytes, to compare without allocation. */
  readonly ownCompId: Uint8Array;
  readonly peerCompId: Uint8Array;
  readonly outbound: Outbound;
  readonly queue: InboundQueue;
  readonly gap: Gap = new Gap();
  readonly resends: ResendServer;
  readonly applicationRate: RateLimit;
  readonly adminRate: RateLimit;

  phase: Phase = Phase.Disconnected;
  /** MsgSeqNum(34) due next from the peer; ≥ 1, only a reset makes it smaller. */
  expectedSeq = 1;
  /** HeartBtInt(108) of this connection, ms; 0: no heartbeats. */
  heartBtIntMs = 0;
  /** When a good message last came, ms. */
  lastReceivedMs = 0;
  /** When our unanswered TestRequest(1) went out, ms; -1: none is. */
  testRequestMs = -1;
  /** LoggingOn, LoggingOut: when waiting ends, ms. */
  answerDueMs = Infinity;
  /** When the session's hours end, ms of the wall clock; Infinity without hours. */
  closesMs = Infinity;
  /**
   * When the numbers began, ms of the wall clock; Infinity when a keeper has judged at the Logon whether they are to
   * begin again.
   */
  numbersSinceMs = -Infinity;
  /** Acceptor: why no Logon can be accepted, as a keeper has found; null when it can. */
  logonRefusal: string | null = null;
  /** Initiator: whether our Logon carried ResetSeqNumFlag(141)=Y. */
  resetAsked = false;
  /** Closing: why, for the log. */
  closeReason = "";

  constructor(setup: SessionSetup) {
    this.setup = setup;
    this.settings = setup.config.settings ?? DEFAULT_FIX_SETTINGS;
    this.limits = setup.limits;
    this.log = setup.log;
    const client = setup.config.senderCompId;
    const own = setup.role === "acceptor" ? setup.venueCompId : client;
    const peer = setup.role === "acceptor" ? client : setup.venueCompId;
    this.ownCompId = asciiBytes(own);
    this.peerCompId = asciiBytes(peer);
    this.outbound = new Outbound(own, peer, setup.store, setup.adminWriter, setup.clock);
    const { maxQueuedMessages, maxResendRepeats, maxMessagesPerSecond } = setup.limits;
    this.outbound.tap = setup.tap ?? null;
    this.queue = new InboundQueue(maxQueuedMessages);
    this.resends = new ResendServer(maxResendRepeats);
    this.applicationRate = new RateLimit(maxMessagesPerSecond);
    this.adminRate = new RateLimit(Math.max(maxMessagesPerSecond, MIN_ADMIN_RATE));
  }

  /** The number due next becomes `seq`, and what lies below is forgotten. */
  expect(seq: number): void {
    this.expectedSeq = seq;
    if (this.settings.lastMsgSeqNumProcessed) this.outbound.lastProcessed = seq - 1;
  }

  /** Ends the connection once what was sent is written. The first reason stands. */
  close(reason: string): void {
    if (this.phase === Phase.Closing || this.phase === Phase.Disconnected) return;
    this.phase = Phase.Closing;
    this.closeReason = reason;
    this.outbound.transmitting = false;
    this.resends.clear();
  }

  /** Both numbers to 1; nothing stored, queued or owed survives. */
  reset(): void {
    this.numbersSinceMs = this.setup.clock.wallMs();
    this.outbound.reset();
    this.expect(1);
    this.queue.clear();
    this.gap.clear();
    this.resends.clear();
  }
}

/** Text as bytes, one per character (CompIDs are ASCII). */
export function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}

/** Whether field `index` of the message has exactly the value `bytes`. */
export function valueEquals(message: FixMessage, index: number, bytes: Uint8Array): boolean {
  const start = message.valueStart[index];
  if (message.valueEnd[index] - start !== bytes.length) return false;
  const { buffer } = message;
  for (let i = 0; i < bytes.length; i++) if (buffer[start + i] !== bytes[i]) return false;
  return true;
}
