/**
 * What a session sent and that is not stored, has no number yet, or was not taken by its client: when it is so much that
 * missed reports have to wait, and live ones; that the client is not read any more; that the session has to end. Owns the
 * gate.
 */
import type { Session } from "../session/mod.ts";
import type { OutLog } from "./out_log.ts";

/** Shares of the most that may wait: missed reports stop and go on, live ones wait too. */
const UNSENT_CROWDED = 1 / 16;
const UNSENT_STRAINED = 1 / 4;
/**
 * Share of the live reports that may wait behind missed ones: they go out at once when the latter are made, and the session
 * is to take as many again before live ones have to wait anew.
 */
export const WAITING_SHARE = (UNSENT_STRAINED - UNSENT_CROWDED) / 2;

/** The backlog of one holding. */
export class Backlog {
  readonly #log: OutLog;
  readonly #session: Session;
  readonly #maxBytes: number;
  #gate: PromiseWithResolvers<void> | null = null;

  /** At half of `maxBytes` the gate closes; past it the backlog is {@link over}. */
  constructor(log: OutLog, session: Session, maxBytes: number) {
    this.#log = log;
    this.#session = session;
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return Math.max(this.#log.unstoredBytes, this.#session.state.outbound.reserve.heldBytes);
  }

  /** Whether the session cannot go on. */
  get over(): boolean {
    return this.bytes > this.#maxBytes;
  }

  /** Whether so much is on its way, to the store or to the client, that missed reports have to wait. */
  get crowded(): boolean {
    return this.#unsent > this.#maxBytes * UNSENT_CROWDED || this.#log.unstoredBytes > this.#maxBytes / 4;
  }

  /** Whether so much is on its way that live reports have to wait. */
  get strained(): boolean {
    return this.#unsent > this.#maxBytes * UNSENT_STRAINED || this.bytes > this.#maxBytes / 2;
  }

  get #unsent(): number {
    return this.#session.state.outbound.wire?.unsent ?? 0;
  }

  /** Null while messages are welcome; else resolves when they are again. */
  get ready(): Promise<void> | null {
    if (this.#gate === null && this.bytes > this.#maxBytes / 2) this.#gate = Promise.withResolvers();
    return this.#gate === null ? null : this.#gate.promise;
  }

  /** Opens the gate when there is room again. */
  tick(): void {
    if (this.#gate !== null && this.bytes < this.#maxBytes / 4) this.open();
  }

  /** Opens the gate whatever there is. */
  open(): void {
    this.#gate?.resolve();
    this.#gate = null;
  }
}
