/**
 * Repeatable numbers for tests, fuzzing, benches and the traders of the demo: a seed gives the same ones on every machine.
 * Nothing that a venue decides may depend on them. Pure.
 */

/** Whole numbers from a seed. Source of the mixing: mulberry32, T. Ettinger. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from 0 to 2^32 - 1. */
  next(): number {
    this.#state = this.#state + 0x6d2b79f5 | 0;
    let t = this.#state;
    t = Math.imul(t ^ t >>> 15, t | 1);
    t ^= t + Math.imul(t ^ t >>> 7, t | 61);
    return (t ^ t >>> 14) >>> 0;
  }

  /** A whole number from 0 to `limit` - 1; `limit` from 1 to 2^32. */
  below(limit: number): number {
    return this.next() % limit;
  }

  /** True once in `odds`. */
  oneIn(odds: number): boolean {
    return this.below(odds) === 0;
  }

  /** A whole number between both, inclusive; less than 2^32 lie between them. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.next() < probability * 2 ** 32;
  }

  /** One of `values`; undefined when there is none. */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)];
  }
}
