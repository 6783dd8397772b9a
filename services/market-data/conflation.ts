/**
 * When a conflated message may go out: the first change after silence at once, later ones at most one per interval,
 * the last state always. Owns the timing of numbered slots and knows not what they hold; the caller brings the time
 * (any monotonic clock, ms) and asks what is due. Pure.
 */

/** Send times of `slots` independent subjects. */
export class Conflation {
  readonly #intervalMs: number;
  /** When the slot's last message went out; -Infinity before the first. */
  readonly #sentMs: Float64Array;
  /** Slots with a change that has not gone out, each once, in the order of their first change. */
  readonly #pending: number[] = [];
  readonly #isPending: Uint8Array;

  /** At most one message per `intervalMs` (≥ 0) in each of `slots` slots. */
  constructor(intervalMs: number, slots: number) {
    this.#intervalMs = intervalMs;
    this.#sentMs = new Float64Array(slots).fill(-Infinity);
    this.#isPending = new Uint8Array(slots);
  }

  /** The slot's state changed. */
  changed(slot: number): void {
    if (this.#isPending[slot] === 1) return;
    this.#isPending[slot] = 1;
    this.#pending.push(slot);
  }

  /** The slot's state changed in a way that does not wait: its message is due at once. */
  urgent(slot: number): void {
    this.#sentMs[slot] = -Infinity;
    this.changed(slot);
  }

  /**
   * Takes a slot whose message is due at `nowMs`, or -1 when none is. The caller publishes its state and calls
   * {@link sent}; if there is nothing new to say it does neither.
   */
  take(nowMs: number): number {
    for (let i = 0; i < this.#pending.length; i++) {
      const slot = this.#pending[i];
      if (this.#sentMs[slot] + this.#intervalMs > nowMs) continue;
      this.#pending.splice(i, 1);
      this.#isPending[slot] = 0;
      return slot;
    }
    return -1;
  }

  /** The slot's message went out at `nowMs`. */
  sent(slot: number, nowMs: number): void {
    this.#sentMs[slot] = nowMs;
  }

  /** The earliest time at which {@link take} has something to give; Infinity when nothing is pending. */
  dueMs(): number {
    let due = Infinity;
    for (const slot of this.#pending) due = Math.min(due, this.#sentMs[slot] + this.#intervalMs);
    return due;
  }
}
