/** Time for tests. Test code only. Pure. */
import type { Clock } from "./conflated_publisher.ts";

/** A clock that moves when told. */
export class VirtualClock implements Clock {
  #now = 0;
  #timers: { at: number; action: () => void }[] = [];

  nowMs(): number {
    return this.#now;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { at: this.#now + delayMs, action };
    this.#timers.push(timer);
    return () => this.#timers = this.#timers.filter((each) => each !== timer);
  }

  get timers(): number[] {
    return this.#timers.map(({ at }) => at);
  }

  advanceTo(nowMs: number): void {
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= nowMs).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.#now = next.at;
      next.action();
    }
    this.#now = nowMs;
  }
}
