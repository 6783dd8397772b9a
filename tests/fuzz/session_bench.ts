/**
 * Owns one FIX session with everything that a connection does for it, without a socket: framing, the Logon's judgement,
 * closing, taking bytes, ticks of the clock. What happens is shown to {@link Rules}. Pure.
 */
import { FIX44, FixMessage, FixWriter, Framer, FrameStatus, ParseFault } from "../../shared/codec/fix/mod.ts";
import { DEFAULT_FIX_SETTINGS, type FixSettings } from "../../shared/protocol/mod.ts";
import type { Application } from "../../services/fix-gateway/application.ts";
import {
  authenticationFault,
  dictionaryCheck,
  Driver,
  firstMessageFault,
  MemoryStore,
  Phase,
  Session,
  type SessionLimits,
} from "../../services/fix-gateway/session/mod.ts";
import { boundsProblem, CheckedWire, Rules } from "./session_rules.ts";

/** What a session is made with. */
export interface BenchSetup {
  readonly role: "acceptor" | "initiator";
  readonly limits: SessionLimits;
  readonly settings: Partial<FixSettings>;
  /** The application refuses every so many-th message; 0 for none. */
  readonly refuseEvery: number;
}

/** CompIDs of the bench. */
export const VENUE = "EXCH";
/** See {@link VENUE}. */
export const CLIENT = "TW";
/** Longest message that is taken. */
export const MAX_MESSAGE_BYTES = 2048;
const MAX_FIELDS = 64;
const TICK_MS = 1000;
const READ_BYTES = 4096;
const SILENT = { debug: () => {}, info: () => {}, warn: () => {} };
/** 2026-01-05 08:00:00 UTC. */
const START_MS = Date.UTC(2026, 0, 5, 8);
const REPORT: readonly (readonly [number, string])[] = [[37, "0-1-0"], [17, "0-1-0"], [150, "0"], [39, "0"], [
  54,
  "1",
]]
  .concat([[151, "1"], [14, "0"], [6, "0"], [55, "ACME"]] as [number, string][]) as [number, string][];

/** A store whose changes are looked at. */
class CheckedStore extends MemoryStore {
  readonly #rules: Rules;

  constructor(rules: Rules) {
    super(1 << 18);
    this.#rules = rules;
  }

  override append(seq: number, type: string, timeMs: number, possResend: boolean, body: Uint8Array): void {
    this.#rules.stored(seq);
    super.append(seq, type, timeMs, possResend, body);
  }

  override clear(): void {
    this.#rules.startAgain();
    super.clear();
  }
}

/** The session on its bench. */
export class SessionBench {
  nowMs = 0;
  /** How far the wall clock is ahead of its start and the time passed. */
  wallStepMs = 0;
  /** Whether the peer takes what is sent. */
  reading = true;
  readonly rules: Rules;
  readonly session: Session;
  readonly #setup: BenchSetup;
  readonly #driver: Driver;
  readonly #message = new FixMessage(MAX_FIELDS);
  #framer = new Framer(MAX_MESSAGE_BYTES);
  #wire: CheckedWire | null = null;

  constructor(setup: BenchSetup) {
    this.#setup = setup;
    const { role, limits, settings } = setup;
    this.rules = new Rules({
      own: role === "acceptor" ? VENUE : CLIENT,
      peer: role === "acceptor" ? CLIENT : VENUE,
      loggingOn: () => role === "initiator" && this.session.state.phase === Phase.LoggingOn,
      nowMs: () => this.nowMs,
      wallMs: () => this.wallMs,
      expected: () => this.session.state.expectedSeq,
    });
    this.session = new Session({
      config: {
        id: 1,
        senderCompId: CLIENT,
        firm: { id: 1, name: "firm" },
        role: "trading",
        username: "user",
        password: "secret",
        settings: { ...DEFAULT_FIX_SETTINGS, ...settings },
      },
      venueCompId: VENUE,
      role,
      limits,
      clock: { wallMs: () => this.wallMs, monotonicMs: () => this.nowMs },
      log: SILENT,
      store: new CheckedStore(this.rules),
      validate: dictionaryCheck(FIX44, settings.userDefinedFields ?? false, 8),
      adminWriter: new FixWriter(),
    });
    this.#driver = new Driver(this.#application(), new FixMessage(MAX_FIELDS));
  }

  get wallMs(): number {
    return START_MS + this.nowMs + this.wallStepMs;
  }

  /** Whether there is a connection. */
  get connected(): boolean {
    return this.#wire !== null;
  }

  /** A new connection in place of the old one; an initiator logs on. */
  connect(reset: boolean): void {
    this.disconnect();
    this.rules.connected();
    this.#framer = new Framer(MAX_MESSAGE_BYTES);
    this.#wire = new CheckedWire(this.#setup.limits.maxUnsentBytes, this.rules);
    this.reading = true;
    if (this.#setup.role === "initiator") this.session.start(this.#wire, 30, reset, this.nowMs);
    this.#settle();
  }

  /** Bytes of the peer, in reads of a socket. */
  receive(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += READ_BYTES) this.#readOnce(bytes.subarray(at, at + READ_BYTES));
  }

  #readOnce(bytes: Uint8Array): void {
    if (this.#wire === null) return;
    const framer = this.#framer;
    framer.push(bytes);
    for (let status = framer.next(); status !== FrameStatus.NeedMore; status = framer.next()) {
      if (this.#wire === null) return;
      if (status === FrameStatus.Frame) this.#take(framer, this.#wire);
      else if (!this.session.connected) return this.disconnect();
      else if (status === FrameStatus.TooLong) this.session.logoutAtOnce("too long", this.nowMs);
      this.#settle();
    }
    const { length } = framer.buffer;
    if (length > 8 * MAX_MESSAGE_BYTES) this.rules.fail(`the framer holds ${length} bytes`);
  }

  /** Time passes, as the acceptor's ticks have it. */
  wait(ms: number): void {
    for (const end = this.nowMs + ms; this.nowMs < end;) {
      this.nowMs = Math.min(end, this.nowMs + TICK_MS);
      if (this.#wire !== null && this.session.connected) this.#driver.proceed(this.session, this.nowMs);
      this.#settle();
    }
  }

  /** The application sends reports. */
  report(count: number): void {
    for (let i = 0; i < count; i++) {
      const writer = this.session.compose();
      for (const [tag, value] of REPORT) writer.text(tag, value);
      this.session.send("8");
      this.#settle();
    }
  }

  /** The peer takes bytes, or no more. */
  read(reading: boolean): void {
    this.reading = reading;
    this.#settle();
  }

  /** The connection is gone. */
  disconnect(): void {
    this.#wire = null;
    if (this.session.connected) this.#driver.detach(this.session);
    this.#look();
  }

  #application(): Application {
    const { refuseEvery } = this.#setup;
    let count = 0;
    return {
      ready: null,
      loggedOn: () => {},
      loggedOut: () => {},
      readComplete: () => {},
      receive: (_session, message) => {
        this.rules.delivered(message.int(34));
        if (refuseEvery === 0 || ++count % refuseEvery !== 0) return null;
        return { reason: 3, refId: message.text(11), text: "Cannot take it" };
      },
    };
  }

  #take(framer: Framer, wire: CheckedWire): void {
    const message = this.#message;
    const whole = message.parse(framer.buffer, framer.start, framer.end) === ParseFault.None;
    if (this.session.connected) {
      if (whole) this.#driver.receive(this.session, message, this.nowMs);
      else this.#driver.oversized(this.session, message, MAX_FIELDS, this.nowMs);
      return;
    }
    const { sendingTimeToleranceSec } = this.#setup.limits;
    const config = message.text(49) === CLIENT ? this.session.config : undefined;
    const fault = firstMessageFault(message, VENUE, sendingTimeToleranceSec, this.wallMs) ??
      authenticationFault(message, config);
    if (!whole || fault !== null) this.disconnect();
    else this.#driver.accept(this.session, message, wire, this.nowMs);
  }

  /** The peer takes all bytes, if it reads; a session that wants to close is closed, and one that holds too many cut. */
  #settle(): void {
    const wire = this.#wire;
    if (wire !== null && this.reading) {
      for (let bytes = wire.take(); bytes !== null; bytes = wire.take()) {
        wire.wrote(bytes.length);
        wire.release();
        if (this.session.connected) this.#driver.proceed(this.session, this.nowMs);
      }
    }
    const closing = this.session.connected && this.session.closeReason !== "";
    if (closing || wire?.overflowing === true) this.disconnect();
    else this.#look();
  }

  #look(): void {
    this.rules.stepped(this.session.state.gap.until);
    const problem = boundsProblem(this.session, this.#wire, this.#setup.limits.maxUnsentBytes);
    if (problem !== null) this.rules.fail(problem);
  }
}
