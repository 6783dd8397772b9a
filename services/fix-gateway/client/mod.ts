/**
 * Owns the initiator: one FIX 4.4 session over one TCP connection, with the same session code as the
 * acceptor. For the command line, the demo traders, tests and benches. It does not reconnect by itself:
 * connect again, with the numbers and the store of the client before, to go on with a session.
 */
import { FixMessage, FixWriter } from "../../../shared/codec/fix/mod.ts";
import { type Logger, nullLogger } from "../../../shared/cli/log.ts";
import type { Application, BusinessReject, SessionPort } from "../application.ts";
import { type NetClock, systemClock } from "../net/clock.ts";
import { type LinkHost, type LinkLimits, SessionLink } from "../net/session_link.ts";
import {
  Driver,
  MemoryStore,
  type MessageTap,
  Session,
  type SessionLimits,
  type SessionStore,
  strictFix44,
  type Validate,
} from "../session/mod.ts";
import { dial } from "./dial.ts";

/** How and as whom to connect. */
export interface FixClientOptions {
  readonly host: string;
  readonly port: number;
  readonly senderCompId: string;
  readonly targetCompId: string;
  readonly username?: string;
  readonly password?: string;
  /** HeartBtInt(108), seconds; 0: none. Default 30. */
  readonly heartBtIntSec?: number;
  /** Whether the Logon says ResetSeqNumFlag(141)=Y. Default: when no numbers are given. */
  readonly resetOnLogon?: boolean;
  /** MsgSeqNum(34) to go on with, from {@link FixClient.numbers}. */
  readonly numbers?: SequenceNumbers;
  /** What was sent under those numbers, from {@link FixClient.store}. */
  readonly store?: SessionStore;
  /** Each application message in sequence; borrowed for the call. Must not throw. */
  readonly onMessage: (message: FixMessage) => void;
  /** All messages of one read were handed over. */
  readonly onReadComplete?: () => void;
  readonly log?: Logger;
  readonly clock?: NetClock;
  readonly limits?: Partial<ClientLimits>;
  readonly validate?: Validate;
  /** Hears every message of the session, both ways. */
  readonly tap?: MessageTap;
}

/** Numbers that a session goes on with: the next sent and the next expected, from 1. */
export interface SequenceNumbers {
  readonly outgoing: number;
  readonly incoming: number;
}

/** A client's limits; each has a default. */
export interface ClientLimits extends SessionLimits, LinkLimits {
  /** How long opening the connection may take, seconds; the Logon has its own limit. */
  readonly connectTimeoutSec: number;
}

const DEFAULT_LIMITS: ClientLimits = {
  heartBtIntMinSec: 0,
  heartBtIntMaxSec: 86_400,
  sendingTimeToleranceSec: 120,
  connectTimeoutSec: 10,
  logonTimeoutSec: 10,
  maxQueuedMessages: 100_000,
  maxUnsentBytes: 64 * 1024 * 1024,
  maxMessageBytes: 256 * 1024,
  maxFieldsPerMessage: 2048,
  unsentTimeoutSec: 60,
  maxResendRepeats: 20,
  maxMessagesPerSecond: Infinity,
  overRateAnswer: "reject",
};
const TICK_MS = 50;

/** A logged-on FIX client. */
export class FixClient {
  readonly #host: ClientHost;

  private constructor(host: ClientHost) {
    this.#host = host;
  }

  /** Connects and logs on. Rejects with an Error that says why when there is no connection or no Logon. */
  static async connect(options: FixClientOptions): Promise<FixClient> {
    const limitSec = options.limits?.connectTimeoutSec ?? DEFAULT_LIMITS.connectTimeoutSec;
    const conn = await dial(options.host, options.port, limitSec, options.clock ?? systemClock);
    const host = new ClientHost(conn, options);
    const refusal = await Promise.race([host.loggedOnOnce, host.closed]);
    if (refusal === null) return new FixClient(host);
    throw new Error(`Cannot log on to ${options.targetCompId} as ${options.senderCompId}: ${refusal}`);
  }

  /** Resolves with the reason when the session is over, whoever ended it. */
  get closed(): Promise<string> {
    return this.#host.closed;
  }

  /** Whether messages are sent now. */
  get loggedOn(): boolean {
    return this.#host.session.loggedOn;
  }

  /** Bytes not yet taken by the socket: a sender paces itself by it. */
  get unsentBytes(): number {
    return this.#host.link.connection.out.unsent;
  }

  /** The numbers as they stand, for a client that goes on with this session. */
  get numbers(): SequenceNumbers {
    const { outbound, expectedSeq } = this.#host.session.state;
    return { outgoing: outbound.nextSeq, incoming: expectedSeq };
  }

  /** What was sent, for a client that goes on with this session. */
  get store(): SessionStore {
    return this.#host.session.state.outbound.store;
  }

  /** The writer with an empty body; fill it and {@link send}. */
  compose(): FixWriter {
    return this.#host.session.compose();
  }

  /**
   * Sends what {@link compose} holds; bytes leave with everything else sent in this turn of the event loop.
   */
  send(msgType: string, possResend = false): void {
    this.#host.session.send(msgType, possResend);
  }

  /** Logs out and resolves with the reason when the connection is closed. */
  logout(text = ""): Promise<string> {
    this.#host.session.logout(text);
    return this.closed;
  }

  /** Cuts the connection without a Logout, as a crash would. */
  abort(): Promise<string> {
    this.#host.link.end("aborted", false);
    return this.closed;
  }
}

/** One connection's surroundings: application and link host in one. */
class ClientHost implements LinkHost, Application {
  readonly application: Application = this;
  readonly ready: Promise<void> | null = null;
  readonly driver: Driver;
  readonly clock: NetClock;
  readonly log: Logger;
  readonly limits: ClientLimits;
  readonly message: FixMessage;
  readonly session: Session;
  readonly link: SessionLink;
  /** Resolves with null at the Logon. */
  readonly loggedOnOnce: Promise<null>;
  readonly closed: Promise<string>;
  readonly #onMessage: (message: FixMessage) => void;
  readonly #onReadComplete: (() => void) | undefined;
  #tellLoggedOn: (nothing: null) => void = () => {};
  #tellClosed: (reason: string) => void = () => {};
  readonly #stopTicks: () => void;

  constructor(conn: Deno.TcpConn, options: FixClientOptions) {
    this.clock = options.clock ?? systemClock;
    this.log = options.log ?? nullLogger;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#onMessage = options.onMessage;
    this.#onReadComplete = options.onReadComplete;
    this.message = new FixMessage(this.limits.maxFieldsPerMessage);
    this.driver = new Driver(this, new FixMessage(this.limits.maxFieldsPerMessage));
    this.loggedOnOnce = new Promise((resolve) => this.#tellLoggedOn = resolve);
    this.closed = new Promise((resolve) => this.#tellClosed = resolve);
    this.session = clientSession(options, this);
    this.link = new SessionLink(conn, this);
    this.link.session = this.session;
    const reset = options.resetOnLogon ?? options.numbers === undefined;
    this.session.start(
      this.link.connection.out,
      options.heartBtIntSec ?? 30,
      reset,
      this.clock.monotonicMs(),
    );
    this.#stopTicks = this.clock.every(TICK_MS, () => this.link.progress());
  }

  loggedOn(_session: SessionPort): void {
    this.#tellLoggedOn(null);
  }

  loggedOut(_session: SessionPort): void {}

  receive(_session: SessionPort, message: FixMessage): BusinessReject | null {
    this.#onMessage(message);
    return null;
  }

  readComplete(): void {
    this.#onReadComplete?.();
  }

  first(): void {}

  ended(link: SessionLink, reason: string): void {
    this.#stopTicks();
    link.connection.done.then(() => this.#tellClosed(reason));
  }
}

function clientSession(options: FixClientOptions, host: ClientHost): Session {
  const session = new Session({
    config: {
      id: 1,
      senderCompId: options.senderCompId,
      firm: { id: 1, name: options.senderCompId },
      role: "trading",
      username: options.username ?? "",
      password: options.password ?? "",
    },
    venueCompId: options.targetCompId,
    role: "initiator",
    limits: host.limits,
    clock: host.clock,
    log: host.log,
    store: options.store ?? new MemoryStore(),
    validate: options.validate ?? strictFix44,
    adminWriter: new FixWriter(),
    tap: options.tap,
  });
  session.state.expectedSeq = options.numbers?.incoming ?? 1;
  session.state.outbound.nextSeq = options.numbers?.outgoing ?? 1;
  return session;
}
