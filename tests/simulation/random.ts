/** The one source of chance of a simulation: everything that is not decided by code is drawn here. Pure. */

/** A seeded generator (xorshift128) of numbers; the same seed gives the same numbers. */
export class SeededRandom {
  readonly #state = new Uint32Array(4);

  constructor(seed: number) {
    let mixed = seed >>> 0;
    for (let i = 0; i < 4; i++) {
      mixed = mixed + 0x9e3779b9 >>> 0;
      let word = mixed;
      word = Math.imul(word ^ word >>> 16, 0x85ebca6b);
      word = Math.imul(word ^ word >>> 13, 0xc2b2ae35);
      this.#state[i] = (word ^ word >>> 16) >>> 0 || 1;
    }
  }

  /** A whole number from 0 to 2^32 - 1. */
  word(): number {
    const state = this.#state;
    const first = state[0] ^ state[0] << 11;
    state[0] = state[1];
    state[1] = state[2];
    state[2] = state[3];
    state[3] = state[3] ^ state[3] >>> 19 ^ first ^ first >>> 8;
    return state[3];
  }

  /** A number from 0 up to, not including, 1. */
  fraction(): number {
    return this.word() / 2 ** 32;
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** A whole number between both, inclusive. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** One of the list. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }
}
