/**
 * `@std/testing/time` over npm @sinonjs/fake-timers: FakeTime replaces Date, setTimeout, setInterval and their
 * clear functions until restored. It refuses to be installed twice. performance.now is left alone, as in the
 * original.
 */
// @ts-types="npm:@types/sinonjs__fake-timers@15.0.1"
import FakeTimers from "@sinonjs/fake-timers";

let installed: FakeTime | null = null;

/** A virtual clock that takes the place of the global one. */
export class FakeTime {
  readonly #clock: FakeTimers.InstalledClock;
  /** Milliseconds since the epoch at which the clock was started. */
  readonly start: number;

  /** Starts at `start`, by default the real time. Throws when time is already faked. */
  constructor(start?: number | string | Date | null) {
    if (installed !== null) throw new Error("Cannot fake time: it is already faked");
    this.start = start === undefined || start === null ? Date.now() : new Date(start).valueOf();
    this.#clock = FakeTimers.install({
      now: this.start,
      toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"],
    });
    installed = this;
  }

  /** Restores the real clock if one is faked. */
  static restore(): void {
    installed?.restore();
  }

  /** Milliseconds since the epoch. Setting it forward fires what becomes due. */
  get now(): number {
    return this.#clock.now;
  }
  set now(value: number) {
    if (value < this.now) {
      throw new RangeError(`Cannot set time: expected at least ${this.now}, got ${value}`);
    }
    this.#clock.tick(value - this.now);
  }

  /** Advances by `ms` milliseconds, firing what becomes due in order. */
  tick(ms = 0): void {
    this.#clock.tick(ms);
  }

  /** Like {@link tick}; also runs pending microtasks before each timer and at the end. */
  async tickAsync(ms = 0): Promise<void> {
    await this.#clock.tickAsync(ms);
  }

  /** Advances to the next timer and fires it; false, and no change, when there is none. */
  next(): boolean {
    if (this.#clock.countTimers() === 0) return false;
    this.#clock.next();
    return true;
  }

  /** Like {@link next}; also runs pending microtasks first. */
  async nextAsync(): Promise<boolean> {
    await this.runMicrotasks();
    return this.next();
  }

  /** Fires timers until none is left. Throws after a thousand rounds: an interval never ends. */
  runAll(): void {
    this.#clock.runAll();
  }

  /** Like {@link runAll}; also runs pending microtasks between timers. */
  async runAllAsync(): Promise<void> {
    await this.#clock.runAllAsync();
  }

  /** Lets pending microtasks run without advancing the clock. */
  async runMicrotasks(): Promise<void> {
    await this.#clock.tickAsync(0);
  }

  /** Gives the global functions back. Doing so twice is an error, as in the original. */
  restore(): void {
    if (installed !== this) throw new Error("Cannot restore time: it is already restored");
    this.#clock.uninstall();
    installed = null;
  }

  [Symbol.dispose](): void {
    if (installed === this) this.restore();
  }
}
