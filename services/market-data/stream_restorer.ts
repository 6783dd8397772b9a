/**
 * Makes the streams anew that a nats-server which was started again has not: MD_s is in memory. Owns when to try; what they
 * hold is said again by whoever is told. Does I/O.
 */
import { errorText, type Logger } from "../../shared/cli/log.ts";
import type { NatsConnection } from "../../shared/nats/connect.ts";
import { watchStatus } from "../../shared/nats/watch_status.ts";

const RETRY_MS = 100;

/** What to work with. */
export interface RestorerOptions {
  readonly nc: NatsConnection;
  /** Creates what is missing; rejects when it cannot yet. */
  readonly ensure: () => Promise<void>;
  /** Everything is there again, and may be empty. */
  readonly onRestored: () => void;
  readonly log: Logger;
}

/** Watches a connection until it is stopped. */
export class StreamRestorer {
  readonly #options: RestorerOptions;
  readonly #stopWatching: () => void;
  /** Grows with every connection; attempts on an older one end. */
  #connection = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: RestorerOptions) {
    this.#options = options;
    this.#stopWatching = watchStatus(options.nc, (type) => {
      if (type === "disconnect") this.#abandon();
      else if (type === "reconnect") this.#restore(++this.#connection);
    });
  }

  stop(): void {
    this.#stopWatching();
    this.#abandon();
  }

  #abandon(): void {
    this.#connection++;
    clearTimeout(this.#timer);
  }

  async #restore(connection: number): Promise<void> {
    const { ensure, onRestored, log } = this.#options;
    try {
      await ensure();
    } catch (cause) {
      if (connection !== this.#connection) return;
      log.warn("cannot make the streams anew yet", { cause: errorText(cause) });
      this.#timer = setTimeout(() => this.#restore(connection), RETRY_MS);
      return;
    }
    if (connection === this.#connection) onRestored();
  }
}
