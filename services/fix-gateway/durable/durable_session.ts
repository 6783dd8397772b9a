/**
 * One FIX session of the venue at this gateway, held or not: the store that the session writes to, and the order of
 * taking it over and giving it back. Owns nothing but the current holding.
 */
import type { FixSession } from "../../../shared/protocol/mod.ts";
import type { Session, SessionStore, StoredPage } from "../session/mod.ts";
import { Holding } from "./holding.ts";
import { tellLostMessages } from "./lost_messages.ts";
import type { ReportPort } from "./lanes.ts";
import { disconnect } from "./disconnect.ts";
import type { DurableHost } from "./ports.ts";
import type { Numbers } from "./record.ts";
import { take } from "./take.ts";
import { tellOutdatedRecord } from "./outdated_record.ts";

/** How long a client that is to be logged out may take over its answer before its connection is cut, ms. */
const LOGOUT_MS = 3000;

/** One session. */
export class DurableSession implements SessionStore {
  readonly config: FixSession;
  readonly #host: DurableHost;
  readonly #dirty: (session: DurableSession) => void;
  #holding: Holding | null = null;
  /** Whether this process has held the session: its record is then none of before the start. */
  #wasHeld = false;
  #leaving: Promise<void> = Promise.resolve();
  /** What is to be done when the session is given back, before it is taken again here. */
  readonly #errands: (() => Promise<void>)[] = [];

  /** `dirty` hears that there is something to {@link store}. */
  constructor(config: FixSession, host: DurableHost, dirty: (session: DurableSession) => void) {
    this.config = config;
    this.#host = host;
    this.#dirty = dirty;
  }

  /** What holds the session; null when this gateway does not. */
  get holding(): Holding | null {
    return this.#holding;
  }

  /**
   * Makes `session` ready for its Logon: owned, with its numbers. With `reset` they start again at 1 as soon as the
   * session clears its store. Resolves with null, or with the reason why it cannot be had now. Rejects when the state
   * of the session cannot be read or written. When its numbers are lost, the Logon is to be refused by the session.
   */
  async acquire(session: Session, reset: boolean): Promise<string | null> {
    await this.#leaving;
    if (this.#holding !== null && !this.#holding.over) {
      return reset ? await this.#holding.prepareReset() : null;
    }
    const { config } = this;
    const { renewBefore: renewBeforeMs, state } = session;
    const cause = { reset, renewBeforeMs, wallMs: state.setup.clock.wallMs() };
    const taken = await take(config.id, cause, !this.#wasHeld, this.#host);
    if (taken.kind === "refused") return taken.reason;
    state.logonRefusal = taken.kind === "lost" ? this.#lostText(taken.incarnation) : null;
    if (taken.kind === "lost") return null;
    this.#wasHeld = true;
    // Whether the numbers start again is decided: the session is not to judge by a clock that has moved on.
    state.numbersSinceMs = taken.renewed ? -Infinity : Infinity;
    const dirty = () => this.#dirty(this);
    this.#holding = new Holding({ config, session, taken, reset, host: this.#host, dirty });
    if (taken.outdated !== null) tellOutdatedRecord(config, taken.outdated, this.#host.log);
    if (taken.lost !== null) tellLostMessages(config, taken.lost, this.#host.log);
    const { incarnation, nextOut } = taken.record;
    this.#host.log.info("session taken over", {
      session: config.senderCompId,
      incarnation,
      nextOut,
      expected: session.state.expectedSeq,
      unclean: taken.unclean,
    });
    return null;
  }

  /** The connection is gone. Resolves when the session is given back, or cannot be any more. */
  leave(): Promise<void> {
    const holding = this.#holding;
    if (holding?.session === undefined) return this.#leaving;
    this.#leaving = holding.giveBack().then(() => {
      if (this.#holding === holding) this.#holding = null;
      return this.#runErrands();
    });
    return this.#leaving;
  }

  /** Where the numbers stand while the session is held here; else null. */
  get numbers(): Numbers | null {
    const state = this.#holding?.session?.state;
    if (this.#holding === null || state === undefined) return null;
    const { incarnation, sinceMs } = this.#holding;
    return { out: state.outbound.nextSeq, in: state.expectedSeq, incarnation, sinceMs };
  }

  /**
   * Logs the client out with `text` and gives the session back, if it is held here; then has `work` done, while a Logon
   * at this gateway waits.
   */
  whileFree<T>(text: string, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#errands.push(() => work().then(resolve, reject));
    const session = this.#holding?.session;
    if (session === undefined) this.#leaving = this.#leaving.then(() => this.#runErrands());
    else {
      session.logout(text);
      this.#host.ports.delay(LOGOUT_MS).then(() => {
        if (this.#holding?.session === session && this.#errands.length > 0) disconnect(session, text);
      });
    }
    return promise;
  }

  /** Tells everybody that the numbers are lost. */
  #lostText(incarnation: number): string {
    const { senderCompId } = this.config;
    this.#host.log.error("a session's numbers are lost: its client has to start them again", {
      session: senderCompId,
      incarnation,
    });
    return `Cannot go on with the numbers of ${senderCompId}: they are lost; log on with ResetSeqNumFlag(141)=Y`;
  }

  async #runErrands(): Promise<void> {
    for (let errand = this.#errands.shift(); errand !== undefined; errand = this.#errands.shift()) {
      await errand();
    }
  }

  /** Where a report of this event goes now, or null. */
  recipient(shard: number, cmdSeq: number, eventIndex: number): ReportPort | null {
    return this.#holding?.recipient(shard, cmdSeq, eventIndex) ?? null;
  }

  append(seq: number, msgType: string, sendingTimeMs: number, possResend: boolean, body: Uint8Array): void {
    this.#holding?.append(seq, msgType, sendingTimeMs, possResend, body);
  }

  read(from: number, to: number, maxBytes: number): StoredPage | Promise<StoredPage> {
    return this.#holding?.read(from, to, maxBytes) ?? { messages: [], through: to };
  }

  clear(): void {
    this.#holding?.clear();
  }
}
