/** Seeded chance, and the wandering fair price of one instrument. Pure. */
import type { Instrument } from "../../shared/protocol/mod.ts";

/** A small seeded generator (mulberry32): equal seeds give equal numbers. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = this.#state + 0x6d2b79f5 | 0;
    let t = Math.imul(this.#state ^ this.#state >>> 15, 1 | this.#state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }
}

/** The fair price of an instrument in ticks: a random walk that is drawn back to where it began. */
export class RandomWalk {
  readonly instrument: Instrument;
  /** Where it begins; the same for an instrument in every run, so that orders left in a book are met again. */
  readonly baseTicks: number;
  /** The present fair price, ≥ 50. */
  midTicks: number;
  readonly #random: Random;

  constructor(instrument: Instrument, random: Random) {
    this.instrument = instrument;
    this.#random = random;
    this.baseTicks = 1000 + instrument.id * 617 % 4000;
    this.midTicks = this.baseTicks;
  }

  /** Moves by one tick, or none. */
  step(): void {
    const pull = (this.baseTicks - this.midTicks) / 80;
    const chance = this.#random.next() * 2 - 1 + pull * 0.5;
    if (chance > 0.4) this.midTicks++;
    else if (chance < -0.4) this.midTicks = Math.max(50, this.midTicks - 1);
  }
}
