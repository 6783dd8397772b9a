/** Owns the judgement that a peer has stopped taking bytes: some wait, and none went for too long. Pure. */

/** What {@link Stall} looks at; an OutBuffer fits. */
export interface Outflow {
  /** Bytes that wait. */
  readonly unsent: number;
  /** Bytes that ever went. */
  readonly written: number;
}

/** Whether one connection's bytes move. */
export class Stall {
  #writtenThen = 0;
  #waiting = false;
  /** While bytes wait: when they were first seen waiting or last seen moving, ms. */
  #sinceMs = 0;

  /** Whether for `timeoutSec` seconds up to `nowMs` bytes have waited and none has gone, as far as looks can tell. */
  lasts(outflow: Outflow, nowMs: number, timeoutSec: number): boolean {
    if (!this.#waiting || outflow.written !== this.#writtenThen) this.#sinceMs = nowMs;
    this.#writtenThen = outflow.written;
    this.#waiting = outflow.unsent > 0;
    return this.#waiting && nowMs - this.#sinceMs >= timeoutSec * 1000;
  }
}
