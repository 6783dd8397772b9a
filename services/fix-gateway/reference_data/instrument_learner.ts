/**
 * Asks matchers what their instruments trade under, again until they say so. Owns the asking. Does I/O.
 * docs/wire.md, "Instruments".
 */
import type { Logger } from "../../../shared/cli/log.ts";
import {
  InstrumentsUnavailableError,
  type NatsConnection,
  requestInstruments,
} from "../../../shared/nats/mod.ts";
import type { InstrumentStates } from "../../../shared/protocol/mod.ts";

/** How long to wait before asking again: a venue that starts is soon ready, one without a matcher may be for long. */
const FIRST_AGAIN_MS = 20;
const LAST_AGAIN_MS = 1000;

/** What a learner needs. */
export interface InstrumentLearnerOptions {
  readonly nc: NatsConnection;
  readonly onLearned: (states: InstrumentStates) => void;
  readonly log: Logger;
}

/** The asking for some shards. */
export class InstrumentLearner {
  readonly #options: InstrumentLearnerOptions;
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();
  #stopped = false;

  constructor(options: InstrumentLearnerOptions) {
    this.#options = options;
  }

  /** Asks until a matcher answers that has applied every command up to `cmdSeq`: what comes later is in events. */
  ask(shard: number, cmdSeq: number): void {
    clearTimeout(this.#timers.get(shard));
    this.#ask(shard, cmdSeq, FIRST_AGAIN_MS);
  }

  /** Nothing is asked or told from now on. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  async #ask(shard: number, cmdSeq: number, againMs: number): Promise<void> {
    const states = await this.#request(shard);
    if (this.#stopped) return;
    if (states !== null && states.ready && states.cmdSeq >= cmdSeq) return this.#options.onLearned(states);
    const nextMs = Math.min(2 * againMs, LAST_AGAIN_MS);
    this.#timers.set(shard, setTimeout(() => this.#ask(shard, cmdSeq, nextMs), againMs));
  }

  async #request(shard: number): Promise<InstrumentStates | null> {
    const { nc, log } = this.#options;
    try {
      return await requestInstruments(nc, shard);
    } catch (error) {
      if (!(error instanceof InstrumentsUnavailableError) && !nc.isClosed()) {
        log.warn("the instruments of a shard could not be read", { shard, error });
      }
      return null;
    }
  }
}
