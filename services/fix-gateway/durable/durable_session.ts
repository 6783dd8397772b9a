/**
 * One FIX session of the venue at this gateway, held or not: the store that the session writes to, and the order of
 * taking it over and giving it back. Owns nothing but the current holding.
 */
import type { FixSession } from "../../../shared/protocol/mod.ts";
import type { Session, SessionStore, StoredPage } from "../session/mod.ts";
import { Holding } from "./holding.ts";
import type { ReportPort } from "./lanes.ts";
import type { DurableHost } from "./ports.ts";
import { take } from "./take.ts";

/** One session. */
export class DurableSession implements SessionStore {
  readonly config: FixSession;
  readonly #host: DurableHost;
  readonly #dirty: (session: DurableSession) => void;
  #holding: Holding | null = null;
  #leaving: Promise<void> = Promise.resolve();

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
   * of the session cannot be read or written.
   */
  async acquire(session: Session, reset: boolean): Promise<string | null> {
    await this.#leaving;
    if (this.#holding !== null && !this.#holding.over) {
      return reset ? await this.#holding.prepareReset() : null;
    }
    const { config } = this;
    const { renewBefore: renewBeforeMs, state } = session;
    const cause = { reset, renewBeforeMs, wallMs: state.setup.clock.wallMs() };
    const taken = await take(config.id, cause, this.#host);
    if (taken.kind === "refused") return taken.reason;
    // Whether the numbers start again is decided: the session is not to judge by a clock that has moved on.
    state.numbersSinceMs = taken.renewed ? -Infinity : Infinity;
    const dirty = () => this.#dirty(this);
    this.#holding = new Holding({ config, session, taken, reset, host: this.#host, dirty });
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
    });
    return this.#leaving;
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
