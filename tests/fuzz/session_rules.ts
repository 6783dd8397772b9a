/**
 * Owns the rules that a session keeps whatever its peer does, as seen from outside: on its numbers, on each message
 * that it sends, on what it asks for. The first one broken is kept. It trusts nothing that the session says of its own
 * sending. Pure. Source: FIX 4.4 Vol. 2.
 */
import { FIX44, FixMessage, Framer, FrameStatus, ParseFault, validate } from "../../shared/codec/fix/mod.ts";
import { OutBuffer, type Session } from "../../services/fix-gateway/session/mod.ts";
import { rawMessage } from "../../shared/codec/fix/mod.ts";

/** How long a ResendRequest has to be left alone, ms. */
const RESEND_PATIENCE_MS = 10_000;
const ADMINISTRATIVE = /^[0-5A]$/;

/** Where the session is spoken: who says what, and when. */
export interface Surroundings {
  readonly own: string;
  readonly peer: string;
  /** Whether our own Logon is out and waits for its answer. */
  readonly loggingOn: () => boolean;
  readonly nowMs: () => number;
  readonly wallMs: () => number;
  /** MsgSeqNum(34) that the session expects. */
  readonly expected: () => number;
}

/** The rules of one session. */
export class Rules {
  /** The first rule that was broken, or null. */
  problem: string | null = null;
  /** Messages sent since the last {@link Rules.stepped}. */
  sentInStep = 0;
  /** Types and TestReqIDs of the messages sent since {@link Rules.connected}. */
  readonly log: string[] = [];
  /** Highest number used; 0 at the start and after numbers began again. */
  lastUsed = 0;
  /** How often numbers began again. */
  resets = 0;
  readonly #where: Surroundings;
  readonly #message = new FixMessage();
  #lastDelivered = 0;
  #expectedThen = 1;
  #resetsThen = 0;
  /** Our ResendRequest: it asks for [from, until), and something of that last came at `progressMs`. */
  #request: { from: number; until: number; progressMs: number } | null = null;

  constructor(where: Surroundings) {
    this.#where = where;
  }

  /** A rule is broken. */
  fail(problem: string): void {
    this.problem ??= problem;
  }

  /** A new connection: nothing is asked for on it yet. */
  connected(): void {
    this.#request = null;
    this.log.length = 0;
  }

  /** Both numbers begin again; a Logon of ours that the peer answers by that has used number 1. */
  startAgain(): void {
    this.lastUsed = this.#where.loggingOn() && this.log.length > 0 ? 1 : 0;
    this.#lastDelivered = 0;
    this.#request = null;
    this.resets++;
  }

  /** The store was given a message. */
  stored(seq: number): void {
    this.#use(seq, "stored");
  }

  /** The application was given a message. */
  delivered(seq: number): void {
    if (seq <= this.#lastDelivered) this.fail(`message ${seq} was delivered after ${this.#lastDelivered}`);
    this.#lastDelivered = seq;
  }

  /** The session put these bytes on the wire in one go. */
  sent(bytes: Uint8Array): void {
    this.sentInStep++;
    const most = 20 * (this.lastUsed + 50);
    if (this.sentInStep > most) throw new Error(`more than ${most} messages in answer to one thing`);
    const framer = new Framer(1 << 20);
    framer.push(bytes);
    const framed = framer.next() === FrameStatus.Frame && framer.end - framer.start === bytes.length;
    if (!framed) return this.fail(`sent no message: ${rawMessage(bytes)}`);
    const message = this.#message;
    if (message.parse(framer.buffer, framer.start, framer.end) !== ParseFault.None) {
      return this.fail(`sent too many fields: ${rawMessage(bytes)}`);
    }
    const fault = this.#faultOf(message);
    if (fault !== null) this.fail(`${fault}: ${rawMessage(bytes)}`);
    this.log.push(`${message.msgType} ${message.text(112) ?? ""}`.trim());
  }

  /** Something was done to the session; the state that it shows is looked at. `until` is where its gap ends, 0: none. */
  stepped(until: number): void {
    this.sentInStep = 0;
    const expected = this.#where.expected();
    if (expected < this.#expectedThen && this.resets === this.#resetsThen) {
      this.fail(`expects ${expected} after ${this.#expectedThen}`);
    }
    if (this.#request !== null) {
      if (expected > this.#expectedThen) this.#request.progressMs = this.#where.nowMs();
      if (until > this.#request.until) this.#request.until = until;
    }
    this.#expectedThen = expected;
    this.#resetsThen = this.resets;
  }

  /** Numbers are used one after the other. */
  #use(seq: number, how: string): void {
    if (seq !== this.lastUsed + 1) this.fail(`${how} ${seq} after ${this.lastUsed}`);
    this.lastUsed = seq;
  }

  #faultOf(message: FixMessage): string | null {
    const { own, peer } = this.#where;
    const throttled = message.msgType === "j" && message.text(380) === "8";
    const fault = throttled ? null : validate(message, FIX44, { allowUserDefined: false });
    if (fault !== null) return fault.text;
    if (message.text(49) !== own || message.text(56) !== peer) return "wrong CompIDs";
    if (message.utcTimestampMs(52) !== this.#where.wallMs()) return "wrong SendingTime(52)";
    const seq = message.int(34);
    if (message.text(43) === "Y") return this.#resentFault(message, seq);
    if (!ADMINISTRATIVE.test(message.msgType)) return seq === this.lastUsed ? null : "sent but not stored";
    this.#use(seq, "sent");
    return message.msgType === "2" ? this.#requestFault(message) : null;
  }

  #resentFault(message: FixMessage, seq: number): string | null {
    if (seq > this.lastUsed) return `resent, but ${this.lastUsed} is the last number`;
    if (!(message.utcTimestampMs(122) <= message.utcTimestampMs(52))) return "OrigSendingTime(122) is later";
    if (message.msgType !== "4") return ADMINISTRATIVE.test(message.msgType) ? "resent" : null;
    const next = message.int(36);
    return next > seq && next <= this.lastUsed + 1 ? null : "NewSeqNo(36) is no number that was used";
  }

  /** At most one request is outstanding; a fruitless one is repeated after a while. */
  #requestFault(message: FixMessage): string | null {
    const from = message.int(7);
    const nowMs = this.#where.nowMs();
    if (from !== this.#where.expected()) return "asks for another number than the one expected";
    const before = this.#request;
    this.#request = { from, until: from + 1, progressMs: nowMs };
    if (before === null || from >= before.until) return null;
    const fresh = from > before.from && this.#expectedThen < from;
    const waited = fresh ? 0 : nowMs - before.progressMs;
    return waited >= RESEND_PATIENCE_MS
      ? null
      : `asks again ${waited} ms after something came of the last request`;
  }
}

/** The wire of a session, every message of which is looked at. */
export class CheckedWire extends OutBuffer {
  readonly #rules: Rules;

  constructor(maxBytes: number, rules: Rules) {
    super(maxBytes);
    this.#rules = rules;
  }

  override append(bytes: Uint8Array): void {
    this.#rules.sent(bytes);
    super.append(bytes);
  }
}

/** What is bounded and not within its bound, or null. */
export function boundsProblem(
  session: Session,
  wire: OutBuffer | null,
  maxUnsentBytes: number,
): string | null {
  const { queue, limits } = session.state;
  if (queue.size > limits.maxQueuedMessages) return `${queue.size} messages are queued`;
  if (wire !== null && wire.unsent > maxUnsentBytes) return `${wire.unsent} bytes wait`;
  return null;
}
