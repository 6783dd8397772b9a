/** The wandering fair price of one instrument. Pure. */
import type { Instrument } from "../../shared/protocol/mod.ts";
import type { SeededRandom } from "../../shared/testing/seeded_random.ts";

/** The fair price of an instrument in ticks: a random walk that is drawn back to where it began. */
export class RandomWalk {
  readonly instrument: Instrument;
  /** Where it begins; the same for an instrument in every run, so that orders left in a book are met again. */
  readonly baseTicks: number;
  /** The present fair price, ≥ 50. */
  midTicks: number;
  readonly #random: SeededRandom;

  constructor(instrument: Instrument, random: SeededRandom) {
    this.instrument = instrument;
    this.#random = random;
    this.baseTicks = 1000 + instrument.id * 617 % 4000;
    this.midTicks = this.baseTicks;
  }

  /** Moves by one tick, or none. */
  step(): void {
    const pull = (this.baseTicks - this.midTicks) / 80;
    const drift = this.#random.next() / 2 ** 31 - 1 + pull * 0.5;
    if (drift > 0.4) this.midTicks++;
    else if (drift < -0.4) this.midTicks = Math.max(50, this.midTicks - 1);
  }
}
