/** Owns how often one address may log on, well or badly. Pure: time is an input. */

const WINDOW_MS = 60_000;
/** Addresses remembered; beyond, the oldest give way. */
const MAX_ADDRESSES = 10_000;

/** Attempts per address in the minute that began with the first of them. */
export class AddressLimit {
  readonly #perMinute: number;
  readonly #attempts = new Map<string, { sinceMs: number; count: number }>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts an attempt; false when there were too many. */
  attempt(address: string, now: number): boolean {
    let entry = this.#attempts.get(address);
    if (entry === undefined || now - entry.sinceMs >= WINDOW_MS) {
      this.#attempts.delete(address);
      entry = { sinceMs: now, count: 0 };
      this.#attempts.set(address, entry);
      if (this.#attempts.size > MAX_ADDRESSES) this.#attempts.delete(this.#attempts.keys().next().value!);
    }
    entry.count++;
    return entry.count <= this.#perMinute;
  }
}
