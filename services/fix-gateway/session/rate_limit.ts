/**
 * Owns how many messages one session may send in a time: a token bucket, in whole thousandths of a message, so that
 * no rounding gives or takes any. Time is an input. Pure.
 */

const WHOLE = 1000;

/**
 * Lets `perSecond` messages through at once, and gets `perSecond` back in every second that passes. What it refuses
 * costs nothing: who sends too much still gets `perSecond` messages through in a second.
 */
export class RateLimit {
  readonly #perSecond: number;
  /** Thousandths of messages that may pass now; 0 ≤ it ≤ 1000 × perSecond. */
  #left: number;
  /** When `#left` was right, whole ms; -Infinity: it is full. */
  #atMs = -Infinity;

  /** `perSecond` is a whole number ≥ 1, or Infinity for no limit. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond * WHOLE;
  }

  /**
   * Whether one more message may pass at `nowMs` of a clock that should be monotonic: a step back gives nothing and
   * takes nothing.
   */
  take(nowMs: number): boolean {
    const now = Math.floor(nowMs);
    const elapsed = now - this.#atMs;
    this.#atMs = now;
    if (elapsed > 0) this.#left = Math.min(this.#perSecond * WHOLE, this.#left + elapsed * this.#perSecond);
    if (this.#left < WHOLE) return false;
    this.#left -= WHOLE;
    return true;
  }
}
