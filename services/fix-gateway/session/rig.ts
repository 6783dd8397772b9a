/**
 * Owns a session on a bench: messages go in as text, messages come out as text, the clock stands still until
 * it is told to move. For tests only. Pure.
 */
import { FIX44, FixMessage, FixWriter, Framer, FrameStatus } from "../../../shared/codec/fix/mod.ts";
import { DEFAULT_FIX_SETTINGS, type FixSettings } from "../../../shared/protocol/mod.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import type { Application, BusinessReject, SessionPort } from "../application.ts";
import { dictionaryCheck } from "./dictionary_check.ts";
import { Driver } from "./driver.ts";
import { OutBuffer } from "./out_buffer.ts";
import type { SessionLimits } from "./ports.ts";
import { Session } from "./session.ts";
import { asciiBytes, type SessionSetup } from "./state.ts";
import { MemoryStore } from "./store.ts";

/** 2026-01-05 08:00:00 UTC: where a rig's wall clock starts. */
export const START_MS = Date.UTC(2026, 0, 5, 8);

/** Limits of a rig unless others are given. */
const RIG_LIMITS: SessionLimits = {
  heartBtIntMinSec: 0,
  heartBtIntMaxSec: 300,
  sendingTimeToleranceSec: 120,
  logonTimeoutSec: 10,
  maxQueuedMessages: 8,
  maxUnsentBytes: 1 << 20,
  maxResendRepeats: 20,
  maxMessagesPerSecond: Infinity,
  overRateAnswer: "reject",
};

/** What a rig may be made with; the acceptor `EXCH` for the client `TW` otherwise. */
export type RigOptions =
  & Partial<Pick<SessionSetup, "role" | "store" | "plainAnswers">>
  & Partial<FixSettings>
  & {
    readonly limits?: Partial<SessionLimits>;
    /** The application's answer to each message. */
    readonly refuse?: (message: FixMessage) => BusinessReject | null;
    /** Whether messages are taken without a look at the dictionary. */
    readonly lenient?: boolean;
  };

/** Order fields that are right, for a NewOrderSingle. */
export const ORDER = "11=id|21=1|38=100|40=1|54=1|55=INTC|60=<0>";
/** A rig's answer to its default Logon. */
export const LOGON_REPLY = "35=A|34=1|98=0|108=30";

/** An acceptor that has answered the default Logon. */
export function loggedOn(options: RigOptions = {}): Rig {
  const rig = new Rig(options);
  const sent = rig.accept();
  if (sent.join() !== LOGON_REPLY) throw new Error(`Cannot log on: got ${sent.join(", ")}`);
  return rig;
}

/** A session, its driver and an application that remembers. */
export class Rig implements Application {
  /** What the monotonic clock shows. */
  nowMs = 0;
  /** By how much the wall clock was set forward (or back, below 0) since the start. */
  wallStepMs = 0;
  readonly session: Session;
  readonly ready: Promise<void> | null = null;
  /** What the application heard of, in order: "logged on", "logged out", or `type seq`. */
  readonly heard: string[] = [];
  /** Log lines as `level message`. */
  readonly logged: string[] = [];
  /** Text(58) of each application message delivered. */
  readonly texts: string[] = [];
  readonly driver: Driver;
  readonly #refuse: (message: FixMessage) => BusinessReject | null;
  readonly #peer: string;
  readonly #own: string;
  readonly #limits: SessionLimits;
  #wire: OutBuffer;

  constructor(options: RigOptions = {}) {
    const role = options.role ?? "acceptor";
    this.#peer = role === "acceptor" ? "TW" : "EXCH";
    this.#own = role === "acceptor" ? "EXCH" : "TW";
    this.#limits = { ...RIG_LIMITS, ...options.limits };
    this.#refuse = options.refuse ?? (() => null);
    const settings = { ...DEFAULT_FIX_SETTINGS, ...options };
    const judge = dictionaryCheck(FIX44, settings.userDefinedFields, Infinity);
    const firm = { id: 1, name: "firm" };
    const note = (level: string) => (message: string) => void this.logged.push(`${level} ${message}`);
    this.session = new Session({
      config: {
        id: 1,
        senderCompId: "TW",
        firm,
        role: "trading",
        username: "user",
        password: "secret",
        settings,
      },
      venueCompId: "EXCH",
      role,
      limits: this.#limits,
      clock: { wallMs: () => this.wallMs, monotonicMs: () => this.nowMs },
      log: { debug: note("debug"), info: note("info"), warn: note("warn") },
      store: options.store ?? new MemoryStore(),
      validate: (message) => options.lenient ? null : judge(message),
      adminWriter: new FixWriter(),
      plainAnswers: options.plainAnswers,
    });
    this.driver = new Driver(this, new FixMessage());
    this.#wire = new OutBuffer(this.#limits.maxUnsentBytes);
  }

  /** What the wall clock shows. */
  get wallMs(): number {
    return START_MS + this.nowMs + this.wallStepMs;
  }

  loggedOn(): void {
    this.heard.push("logged on");
  }

  loggedOut(): void {
    this.heard.push("logged out");
  }

  receive(_session: SessionPort, message: FixMessage): BusinessReject | null {
    this.heard.push(`${message.msgType} ${message.int(34)}`);
    this.texts.push(message.text(58) ?? "");
    return this.#refuse(message);
  }

  readComplete(): void {}

  /** Acceptor: a new connection brings this Logon; returns what was sent in answer. */
  accept(logon = "35=A|34=1|98=0|108=30"): string[] {
    this.admit(this.parse(logon));
    return this.sent();
  }

  /** Acceptor: a new connection brings this Logon. */
  admit(logon: FixMessage): void {
    this.#wire = new OutBuffer(this.#limits.maxUnsentBytes);
    this.driver.accept(this.session, logon, this.#wire, this.nowMs);
  }

  /** Initiator: a new connection on which our Logon goes out; returns what was sent. */
  start(heartBtIntSec = 30, reset = false): string[] {
    this.dial(heartBtIntSec, reset);
    return this.sent();
  }

  /** Initiator: a new connection on which our Logon goes out. */
  dial(heartBtIntSec: number, reset: boolean): void {
    this.#wire = new OutBuffer(this.#limits.maxUnsentBytes);
    this.session.start(this.#wire, heartBtIntSec, reset, this.nowMs);
  }

  /** The peer's messages, one after the other; returns what was sent in answer. */
  receiveAll(...messages: string[]): string[] {
    for (const text of messages) this.driver.receive(this.session, this.parse(text), this.nowMs);
    return this.sent();
  }

  /**
   * Moves both clocks to `second` after the start, a tenth of a second at a time; returns `second: message` as
   * sent.
   */
  advanceTo(second: number): string[] {
    const sent: string[] = [];
    while (this.nowMs < second * 1000) {
      this.nowMs += 100;
      this.driver.proceed(this.session, this.nowMs);
      for (const text of this.sent()) sent.push(`${this.nowMs / 1000}: ${text}`);
    }
    return sent;
  }

  /** An application message of ours: an ExecutionReport with nothing but Text(58). */
  report(text: string, possResend = false): void {
    this.session.compose().text(58, text);
    this.session.send("8", possResend);
  }

  /** The connection ends. */
  disconnect(): void {
    this.driver.detach(this.session);
  }

  /** Everything sent since the last look, as {@link shown}. */
  sent(): string[] {
    const texts: string[] = [];
    for (let bytes = this.takeBytes(); bytes.length > 0; bytes = this.takeBytes()) {
      texts.push(...splitMessages(bytes).map(shown));
    }
    return texts;
  }

  /** The bytes that wait for the wire, as if the peer took them now. */
  takeBytes(): Uint8Array {
    const bytes = this.#wire.take()?.slice() ?? new Uint8Array(0);
    this.#wire.release();
    this.driver.proceed(this.session, this.nowMs);
    return bytes;
  }

  /** A parsed message of the peer's: header and trailer are added, `<s>` is the time s seconds from now. */
  parse(text: string): FixMessage {
    const message = new FixMessage();
    const bytes = encode(text, this.#peer, this.#own, this.wallMs);
    message.parse(bytes, 0, bytes.length);
    return message;
  }
}

/**
 * Bytes of `35=…|34=…|…` with BeginString, CompIDs, SendingTime, BodyLength and CheckSum added where not
 * given.
 */
export function encode(text: string, sender: string, target: string, nowMs: number): Uint8Array {
  const timed = text.replace(/<(-?\d+(?:\.\d+)?)>/g, (_, seconds) => utc(nowMs + Number(seconds) * 1000));
  const fields = timed.split("|");
  const has = (tag: number) => fields.some((field) => field.startsWith(`${tag}=`));
  const begin = has(8) ? fields.shift()! : "8=FIX.4.4";
  const at = fields.findIndex((field) => field.startsWith("34=")) + 1;
  const added = [];
  if (!has(49)) added.push(`49=${sender}`);
  if (!has(52)) added.push(`52=${utc(nowMs)}`);
  if (!has(56)) added.push(`56=${target}`);
  fields.splice(at === 0 ? 1 : at, 0, ...added);
  const body = fields.filter((field) => !/^(49|52|56)=-$/.test(field)).join("\x01") + "\x01";
  const whole = `${begin}\x019=${body.length}\x01${body}`;
  let sum = 0;
  for (let i = 0; i < whole.length; i++) sum += whole.charCodeAt(i);
  return asciiBytes(`${whole}10=${String(sum % 256).padStart(3, "0")}\x01`);
}

/**
 * A message without BeginString, BodyLength, CompIDs, SendingTime and CheckSum; 122 as seconds since the
 * start.
 */
export function shown(bytes: Uint8Array): string {
  const fields = String.fromCharCode(...bytes).split("\x01").slice(0, -1);
  return fields.filter((field) => !/^(8|9|49|52|56|10)=/.test(field)).map((field) => {
    const time = /^122=(\d{4})(\d\d)(\d\d)-(.*)$/.exec(field);
    if (time === null) return field;
    return `122=<${(Date.parse(`${time[1]}-${time[2]}-${time[3]}T${time[4]}Z`) - START_MS) / 1000}>`;
  }).join("|");
}

/** The messages in `bytes`, each a copy; throws when one is garbled. */
export function splitMessages(bytes: Uint8Array): Uint8Array[] {
  const framer = new Framer(1 << 20);
  framer.push(bytes);
  const messages: Uint8Array[] = [];
  for (;;) {
    const status = framer.next();
    if (status === FrameStatus.NeedMore) return messages;
    if (status !== FrameStatus.Frame) throw new Error(`Cannot split what was sent: ${framer.fault}`);
    messages.push(framer.buffer.slice(framer.start, framer.end));
  }
}

function utc(ms: number): string {
  return new Date(ms).toISOString().replace(/-/g, "").replace("T", "-").replace("Z", "");
}

/** A generator of repeatable numbers in [0, limit). */
export function numbers(seed: number): (limit: number) => number {
  const random = new SeededRandom(seed);
  return (limit) => random.below(limit);
}
