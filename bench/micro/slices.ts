/**
 * Time of a long run on a machine that is not ours alone: the run is repeated, cut into the same slices each time, and
 * every slice counts with its best time. A pause that comes in each round counts, one that hits a round does not.
 */

const SLICES = 40;

/** The items `from` … `to - 1`, in slices of about the same length. */
export class Slices {
  readonly #from: number;
  readonly #to: number;
  readonly #best: Float64Array = new Float64Array(SLICES).fill(Infinity);

  constructor(from: number, to: number) {
    this.#from = from;
    this.#to = to;
  }

  /** One round: calls `work` for each slice, in order. */
  run(work: (from: number, to: number) => void): void {
    for (let i = 0; i < SLICES; i++) {
      const from = this.#at(i);
      const to = this.#at(i + 1);
      const start = performance.now();
      work(from, to);
      this.#best[i] = Math.min(this.#best[i], performance.now() - start);
    }
  }

  /** Items per second by the best time of every slice. */
  get perSecond(): number {
    const milliseconds = this.#best.reduce((sum, each) => sum + each, 0);
    return Math.round((this.#to - this.#from) * 1000 / milliseconds);
  }

  #at(slice: number): number {
    return this.#from + Math.floor((this.#to - this.#from) * slice / SLICES);
  }
}
