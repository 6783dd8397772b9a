/**
 * The engine's memory: one array that holds every record and table, so that a function reads one array and not ten
 * (bench/micro/book.ts pays for it). Owns the array and hands out regions of it once; knows nothing of their content.
 * Pure. A handle anywhere in the engine is the place of a record's first word; 0 is no record.
 */

/** Regions begin at multiples of this, words: a cache line, when the array does. */
const LINE_WORDS = 16;
const MAX_WORDS = 2 ** 31 - 1;

/** Words, and the same memory as doubles (`doubles[n >> 1]` is word pair n) and bytes (`bytes[n << 2]` is word n). */
export class Memory {
  readonly words: Int32Array;
  readonly doubles: Float64Array;
  readonly bytes: Uint8Array;
  #next = LINE_WORDS;

  /**
   * Room for regions of the given sizes, words, in `buffer` when it fits exactly and is all 0, else of its own, which
   * becomes resident as it is first used. Throws RangeError when that are more than 2^31 - 1 words: places are 32-bit
   * integers. An order takes about 95 words at most.
   */
  constructor(buffer: ArrayBuffer | null, ...regions: readonly number[]) {
    let words = LINE_WORDS;
    for (const region of regions) words += rounded(region);
    if (words > MAX_WORDS) {
      throw new RangeError(
        `Cannot reserve memory for so many orders: ${words} words, the limit is ${MAX_WORDS}`,
      );
    }
    this.words = new Int32Array(buffer?.byteLength === 4 * words ? buffer : new ArrayBuffer(4 * words));
    this.doubles = new Float64Array(this.words.buffer);
    this.bytes = new Uint8Array(this.words.buffer);
  }

  /** The next region: its first word's place. All of it is 0. Throws when it was not planned for: a bug. */
  take(words: number): number {
    const start = this.#next;
    this.#next += rounded(words);
    if (this.#next > this.words.length) throw new RangeError("Cannot take a region: the memory is smaller");
    return start;
  }
}

/** The smallest power of two that is at least `count`. */
export function powerOfTwo(count: number): number {
  let power = 1;
  while (power < count) power *= 2;
  return power;
}

function rounded(words: number): number {
  return Math.ceil(words / LINE_WORDS) * LINE_WORDS;
}
