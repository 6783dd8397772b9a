/** Real time for sessions: the only place of the FIX layer that reads the clock or sets timers. */
import type { SessionClock } from "../session/mod.ts";

/** Time and a repeating timer, so that tests can bring their own. */
export interface NetClock extends SessionClock {
  /** Calls `tick` about every `intervalMs` until the returned function is called. */
  every(intervalMs: number, tick: () => void): () => void;
  /** Resolves when `awaited` settles, or after `limitMs`, whichever is first. */
  within(awaited: Promise<unknown>, limitMs: number): Promise<void>;
}

/** The system's clock. */
export const systemClock: NetClock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  every(intervalMs, tick) {
    const id = setInterval(tick, intervalMs);
    return () => clearInterval(id);
  },
  within(awaited, limitMs) {
    return new Promise((resolve) => {
      const id = setTimeout(resolve, limitMs);
      const settled = () => {
        clearTimeout(id);
        resolve();
      };
      awaited.then(settled, settled);
    });
  },
};
