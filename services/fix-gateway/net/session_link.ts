/**
 * Owns the tie between one connection and the session that speaks over it: frames go to the driver, the
 * session's wish to close becomes a closed socket, a peer that does not read is cut off. The first message is
 * its host's to judge.
 */
import { FIX44, type FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { Application } from "../application.ts";
import { type Driver, type Session, type SessionLog } from "../session/mod.ts";
import type { NetClock } from "./clock.ts";

import { Connection, type ConnectionOwner } from "./connection.ts";
import { Stall } from "./stall.ts";

/** Limits of a connection; VenueLimits fits. */
export interface LinkLimits {
  readonly maxMessageBytes: number;
  readonly maxFieldsPerMessage: number;
  readonly maxUnsentBytes: number;
  /** How long bytes may wait for a peer that takes none of them, seconds. */
  readonly unsentTimeoutSec: number;
}

/** What links of one acceptor or client share. */
export interface LinkHost {
  readonly application: Application;
  readonly driver: Driver;
  readonly clock: NetClock;
  readonly log: SessionLog & { error(message: string, fields?: Readonly<Record<string, unknown>>): void };
  readonly limits: LinkLimits;
  /** Index of the message at hand; one serves all, since messages are dealt with one at a time. */
  readonly message: FixMessage;
  /** A message of a link without a session: attach one, or end the link. */
  first(link: SessionLink, message: FixMessage, now: number): void;
  /** A Logon within a session: true when the host gives it to the session later, having held the link. */
  laterLogon?(link: SessionLink, session: Session, message: FixMessage): boolean;
  /** Null while messages of a session are welcome for all that its host has to do with them. */
  readyOf?(session: Session): Promise<void> | null;
  /** The link gave its session up; called once, also for links that never had one. */
  ended(link: SessionLink, reason: string): void;
}

/** One connection with its session. */
export class SessionLink implements ConnectionOwner {
  readonly connection: Connection;
  /** When the connection was opened, monotonic ms. */
  readonly sinceMs: number;
  session: Session | null = null;
  readonly #host: LinkHost;
  #over = false;
  #held: Promise<void> | null = null;
  readonly #stall = new Stall();

  constructor(conn: Deno.TcpConn, host: LinkHost) {
    this.#host = host;
    this.sinceMs = host.clock.monotonicMs();
    this.connection = new Connection(conn, this, host.limits, host.message);
    this.connection.done.then(() => this.end("the connection was closed", false));
  }

  get ready(): Promise<void> | null {
    if (this.#held !== null) return this.#held;
    const own = this.session === null ? null : this.#host.readyOf?.(this.session) ?? null;
    return own ?? this.#host.application.ready;
  }

  get dataLengthTags(): Uint16Array {
    return this.session?.state.setup.dataLengthTags ?? FIX44.dataLengthTags;
  }

  get paused(): boolean {
    return this.#held !== null;
  }

  /** Whether {@link end} was called. */
  get over(): boolean {
    return this.#over;
  }

  /** Takes no message until `settled`, which must not reject. */
  hold(settled: Promise<void>): void {
    this.#held = settled.then(() => {
      this.#held = null;
    });
  }

  message(message: FixMessage): void {
    const now = this.#host.clock.monotonicMs();
    if (this.session === null) this.#host.first(this, message, now);
    else if (message.msgType === "A" && this.#host.laterLogon?.(this, this.session, message) === true) {
      return;
    } else this.#host.driver.receive(this.session, message, now);
    this.#settle();
  }

  oversized(message: FixMessage): void {
    if (this.session === null) return this.end("a message with too many fields before the Logon", false);
    const { driver, limits, clock } = this.#host;
    driver.oversized(this.session, message, limits.maxFieldsPerMessage, clock.monotonicMs());
    this.#settle();
  }

  garbled(fault: string, tooLong: boolean): void {
    if (this.session === null) return this.end(`no FIX message before the Logon: ${fault}`, false);
    const { log, clock, limits } = this.#host;
    this.session.state.setup.tap?.garbled(fault);
    log.debug("garbled bytes ignored", { session: this.session.config.senderCompId, fault });
    if (!tooLong) return;
    const text = `Cannot accept a message of more than ${limits.maxMessageBytes} bytes (maxMessageBytes)`;
    this.session.logoutAtOnce(text, clock.monotonicMs());
    this.#settle();
  }

  readComplete(): void {
    this.#host.application.readComplete();
    this.#settle();
  }

  progress(): void {
    if (this.session !== null) this.#host.driver.proceed(this.session, this.#host.clock.monotonicMs());
    this.#settle();
  }

  failed(error: unknown): void {
    this.#host.log.error("connection failed", { peer: this.connection.remoteAddress, error });
  }

  /** Gives the session up and closes: after writing what is there when `gently`, else now. */
  end(reason: string, gently: boolean): void {
    if (gently) this.connection.finish(this.#host.clock);
    else this.connection.abort();
    if (this.#over) return;
    this.#over = true;
    if (this.session !== null) this.#host.driver.detach(this.session);
    this.#host.ended(this, reason);
  }

  /**
   * The session may be taken by the next connection as soon as it wants to close: its last bytes are in the
   * buffer.
   */
  #settle(): void {
    const { session, connection } = this;
    const { limits, clock } = this.#host;
    if (session === null || this.#over) return;
    if (connection.out.overflowing) {
      this.end(
        `more than ${limits.maxUnsentBytes} bytes wait for a peer that does not read (maxUnsentBytes)`,
        false,
      );
    } else if (this.#stall.lasts(connection.out, clock.monotonicMs(), limits.unsentTimeoutSec)) {
      this.end(
        `${connection.out.unsent} bytes wait for a peer that took none in ${limits.unsentTimeoutSec} s (unsentTimeoutSec)`,
        false,
      );
    } else if (session.closeReason !== "") this.end(session.closeReason, true);
  }
}
