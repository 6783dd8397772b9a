/**
 * How a thread works that has time beside threads that have none: in bursts that are shorter than what anybody would notice,
 * with rests between. Owns when a rest is due; the clock and the way to rest are its maker's. Decides nothing about the work.
 *
 * A kernel that has more to run than cores lets a thread that works on keep a core for a scheduler's slice, 3 to 4 ms, before
 * another gets it. One that gives it up by itself does not (bench/snapshot pays for it).
 */

/** Asked again and again by whoever works for long. */
export interface Pace {
  /** Rests when a burst is over, else returns at once. Costs a look at the clock. */
  look(): void;
}

/** Works on. */
export const NO_PACE: Pace = { look() {} };

/** A burst ends at the first look after so long, ms. */
export const BURST_MS = 0.3;
/** Rests in bursts: a thread works a quarter of the time. */
const RESTS = 3;
/** The longest rest, ms: behind something that took long although nobody worked. */
export const MAX_REST_MS = 5;

/** What bursts are measured and ended with. */
export interface BurstOptions {
  readonly clockMs: () => number;
  /** Returns after so long, or a little later. */
  readonly rest: (ms: number) => void;
}

/** Bursts and rests. */
export class Bursts implements Pace {
  /** Whether to work on for now: the work is wanted soon. Asked whenever a rest is due. */
  hurry: () => boolean = () => false;
  readonly #options: BurstOptions;
  #startedMs: number;

  constructor(options: BurstOptions) {
    this.#options = options;
    this.#startedMs = options.clockMs();
  }

  look(): void {
    const { clockMs, rest } = this.#options;
    const workedMs = clockMs() - this.#startedMs;
    if (workedMs < BURST_MS) return;
    if (!this.hurry()) rest(Math.min(RESTS * workedMs, MAX_REST_MS));
    this.#startedMs = clockMs();
  }
}

/** Bursts of a thread that may stand still: not of one that has an event loop to serve. */
export function threadBursts(): Bursts {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  return new Bursts({
    clockMs: () => performance.now(),
    rest: (ms) => void Atomics.wait(nothing, 0, 0, ms),
  });
}
