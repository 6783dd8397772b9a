/**
 * Owns the listening side: sockets, who may log on to which session, timers for all of them, and the orderly
 * end. What a session does is session/'s business; what messages mean is the application's.
 */
import { errorText } from "../../../shared/cli/log.ts";
import { type Dictionary, FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { FixSession } from "../../../shared/protocol/mod.ts";
import type { Application, SessionPort } from "../application.ts";
import {
  authenticationFault,
  Driver,
  firstMessageFault,
  type MessageTap,
  type Session,
  type SessionLimits,
  type SessionStore,
  startsAgain,
} from "../session/mod.ts";
import { AddressLimit } from "./address_limit.ts";
import type { NetClock } from "./clock.ts";
import { type LinkHost, type LinkLimits, SessionLink } from "./session_link.ts";
import { openSessions, readAs } from "./venue_sessions.ts";

/** Limits of an acceptor; VenueLimits fits. */
export interface AcceptorLimits extends SessionLimits, LinkLimits {
  readonly maxConnections: number;
  readonly maxGroupEntries: number;
  readonly logonsPerMinutePerAddress: number;
}

/** Keeps sessions beyond this process: each is fetched before its Logon and given back after its connection. */
export interface LogonKeeper {
  /**
   * Makes the session ready for a Logon, which with `reset` starts the numbers again. Null, or why it cannot be had.
   * Rejects when that cannot be found out.
   */
  acquire(session: Session, reset: boolean): Promise<string | null>;
  /** The Logon was given to the session. */
  entered(session: Session): void;
  /** Null while the session's messages are welcome; else resolves when they are again. */
  ready(session: Session): Promise<void> | null;
  /** The connection is gone. */
  leave(session: Session): Promise<void>;
}

/** What {@link startAcceptor} is made from. */
export interface AcceptorOptions {
  readonly hostname: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Our CompID and the sessions that may log on; Venue fits. */
  readonly venue: {
    readonly targetCompId: string;
    readonly sessions: readonly FixSession[];
    readonly sessionByCompId: ReadonlyMap<string, FixSession>;
  };
  readonly application: Application;
  readonly clock: NetClock;
  readonly log: LinkHost["log"];
  readonly limits: AcceptorLimits;
  /** Where each session keeps what it sent; in memory when absent. */
  readonly storeOf?: (session: FixSession) => SessionStore;
  /** What the messages of a session are held to; FIX 4.4 and the venue's own fields when absent. */
  readonly dictionaryOf?: (session: FixSession) => Dictionary;
  /** Who hears every message of a session; nobody when absent. */
  readonly tapOf?: (session: FixSession) => MessageTap | undefined;
  /** Absent: sessions live and die with this process. */
  readonly keeper?: LogonKeeper;
  /** Whether answers are those that other engines' session suites expect; see SessionSetup. */
  readonly plainAnswers?: boolean;
}

/** A running acceptor. */
export interface Acceptor {
  readonly port: number;
  /** The session `id` of the venue, logged on or not; throws a RangeError when the venue has none. */
  session(id: number): SessionPort;
  /** Connections that are open. */
  readonly connectionCount: number;
  /**
   * Takes no more connections, says Logout with `text` to all, and closes each when it answers or after a
   * limit.
   */
  drain(text: string): Promise<void>;
}

/** How often timers are looked at, ms. */
const TICK_MS = 50;
/** How long {@link Acceptor.drain} takes at most, ms. */
const DRAIN_MS = 5000;
const NEVER = new Promise<never>(() => {});

/** Starts listening. Rejects with one sentence when the port cannot be had. */
export function startAcceptor(options: AcceptorOptions): Promise<Acceptor> {
  return new Promise((resolve) => resolve(new ListeningAcceptor(options, listen(options))));
}

function listen({ hostname, port }: AcceptorOptions): Deno.TcpListener {
  try {
    return Deno.listen({ hostname, port });
  } catch (error) {
    const why = error instanceof Deno.errors.AddrInUse ? "the port is in use" : errorText(error);
    throw new Error(`Cannot listen on ${hostname}:${port} for FIX: ${why}`);
  }
}

class ListeningAcceptor implements Acceptor, LinkHost {
  readonly application: Application;
  readonly driver: Driver;
  readonly clock: NetClock;
  readonly log: LinkHost["log"];
  readonly limits: AcceptorLimits;
  readonly message: FixMessage;
  readonly port: number;
  readonly #options: AcceptorOptions;
  readonly #listener: Deno.TcpListener;
  readonly #sessions: ReadonlyMap<number, Session>;
  readonly #links = new Set<SessionLink>();
  /** Sessions that a Logon is being made ready for. */
  readonly #entering = new Set<Session>();
  readonly #addresses: AddressLimit;
  readonly #stopTicks: () => void;
  readonly #accepting: Promise<void>;
  #draining = false;

  constructor(options: AcceptorOptions, listener: Deno.TcpListener) {
    const { limits, clock } = options;
    this.#options = options;
    this.#listener = listener;
    this.application = options.application;
    this.clock = clock;
    this.log = options.log;
    this.limits = limits;
    this.message = new FixMessage(limits.maxFieldsPerMessage);
    this.driver = new Driver(options.application, new FixMessage(limits.maxFieldsPerMessage));
    this.port = listener.addr.port;
    this.#addresses = new AddressLimit(limits.logonsPerMinutePerAddress);
    this.#sessions = openSessions(options);
    this.#stopTicks = clock.every(TICK_MS, () => this.#tick());
    this.#accepting = this.#accept();
  }

  get connectionCount(): number {
    return this.#links.size;
  }

  session(id: number): SessionPort {
    const session = this.#sessions.get(id);
    if (session === undefined) throw new RangeError(`Cannot find session ${id}: the venue has none`);
    return session;
  }

  async drain(text: string): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    this.#listener.close();
    await this.#accepting;
    for (const link of this.#links) {
      if (link.session?.loggedOn === true) link.session.logout(text);
      else link.end("the gateway stops", true);
    }
    const closed = Promise.all([...this.#links].map((link) => link.connection.done));
    await this.clock.within(closed, DRAIN_MS);
    for (const link of this.#links) link.end("the gateway stops", false);
    this.#stopTicks();
  }

  /** Authenticates before it touches any session. */
  first(link: SessionLink, message: FixMessage, now: number): void {
    const { venue } = this.#options;
    const address = link.connection.remoteAddress;
    if (!this.#addresses.attempt(address, now)) {
      const { logonsPerMinutePerAddress } = this.limits;
      const reason = `more than ${logonsPerMinutePerAddress} Logons in a minute from this address`;
      return link.end(`${reason} (logonsPerMinutePerAddress)`, false);
    }
    const shapeFault = firstMessageFault(
      message,
      venue.targetCompId,
      this.limits.sendingTimeToleranceSec,
      this.clock.wallMs(),
    );
    if (shapeFault !== null) return link.end(shapeFault, false);
    const config = venue.sessionByCompId.get(message.text(49) ?? "");
    const fault = authenticationFault(message, config);
    const session = config === undefined ? undefined : this.#sessions.get(config.id);
    if (fault !== null || session === undefined) return link.end(fault ?? "unknown session", false);
    if (session.connected || this.#entering.has(session)) {
      return link.end(`${session.config.senderCompId} is logged on already`, false);
    }
    if (this.#draining) return link.end("the gateway stops", false);
    const { keeper } = this.#options;
    readAs(message, session, message.buffer, message.start, message.end);
    if (keeper === undefined) return this.#enter(link, session, message, now);
    this.#entering.add(session);
    const again = startsAgain(session.state, message);
    link.hold(this.#whenReady(link, session, message, again, keeper, (logon) => {
      this.#enter(link, session, logon, this.clock.monotonicMs());
    }));
  }

  readyOf(session: Session): Promise<void> | null {
    return this.#options.keeper?.ready(session) ?? null;
  }

  /** A Logon that starts the numbers again waits until that is written down. */
  laterLogon(link: SessionLink, session: Session, message: FixMessage): boolean {
    const { keeper } = this.#options;
    if (keeper === undefined || !startsAgain(session.state, message)) return false;
    link.hold(this.#whenReady(link, session, message, true, keeper, (logon) => {
      this.driver.receive(session, logon, this.clock.monotonicMs());
    }));
    return true;
  }

  ended(link: SessionLink, reason: string): void {
    const { session, connection } = link;
    const fields = { session: session?.config.senderCompId, peer: connection.remoteAddress, reason };
    if (session === null) this.log.warn("connection refused", fields);
    else this.log.info("disconnected", fields);
    connection.done.then(() => this.#links.delete(link));
    if (session !== null) this.#options.keeper?.leave(session);
  }

  #enter(link: SessionLink, session: Session, message: FixMessage, now: number): void {
    link.session = session;
    this.driver.accept(session, message, link.connection.out, now);
    const address = link.connection.remoteAddress;
    if (session.loggedOn) this.log.info("logged on", { session: session.config.senderCompId, address });
  }

  /** Makes the session ready, then gives it its Logon, unless one of the two is gone by then. Never rejects. */
  async #whenReady(
    link: SessionLink,
    session: Session,
    message: FixMessage,
    reset: boolean,
    keeper: LogonKeeper,
    give: (logon: FixMessage) => void,
  ): Promise<void> {
    const bytes = message.buffer.slice(message.start, message.end);
    let refusal: string | null;
    try {
      refusal = await keeper.acquire(session, reset);
    } catch (error) {
      this.log.error("a session's state cannot be reached; its client has to try again", { error });
      refusal = `the state of ${session.config.senderCompId} cannot be reached`;
    }
    this.#entering.delete(session);
    if (refusal !== null) return link.end(refusal, false);
    if (link.over || this.#draining) {
      link.end("the gateway stops", false);
      if (link.session === null) keeper.leave(session);
      return;
    }
    readAs(this.message, session, bytes, 0, bytes.length);
    give(this.message);
    keeper.entered(session);
    link.progress();
  }

  async #accept(): Promise<void> {
    for (;;) {
      try {
        const conn = await this.#listener.accept();
        if (this.#links.size >= this.limits.maxConnections) {
          this.log.warn("connection refused", {
            peer: conn.remoteAddr.hostname,
            reason: `more than ${this.limits.maxConnections} connections (maxConnections)`,
          });
          conn.close();
        } else this.#links.add(new SessionLink(conn, this));
      } catch (error) {
        if (this.#draining) return;
        this.log.error("cannot accept a connection", { error });
        await this.clock.within(NEVER, TICK_MS);
      }
    }
  }

  #tick(): void {
    const now = this.clock.monotonicMs();
    const logonLimitMs = this.limits.logonTimeoutSec * 1000;
    for (const link of this.#links) {
      if (link.session !== null) link.progress();
      else if (now - link.sinceMs >= logonLimitMs) {
        link.end(`no Logon in ${this.limits.logonTimeoutSec} s (logonTimeoutSec)`, false);
      }
    }
  }
}
