/** Stored events for sessions that missed some: a reader of EV_s per catch-up. Decides nothing. Does I/O. */
import type { Logger } from "../../../shared/cli/log.ts";
import { type NatsConnection, StreamReader } from "../../../shared/nats/mod.ts";
import { evStream } from "../../../shared/protocol/mod.ts";
import type { EventHistory, HistoryReading, HistoryReceiver } from "./ports.ts";

/** EV_s over one connection. */
export class NatsHistory implements EventHistory {
  readonly #nc: NatsConnection;
  readonly #log: Logger;

  constructor(nc: NatsConnection, log: Logger) {
    this.#nc = nc;
    this.#log = log;
  }

  read(shard: number, evSeq: number, receiver: HistoryReceiver): HistoryReading {
    const reader = new StreamReader({
      nc: this.#nc,
      stream: evStream(shard),
      startSeq: evSeq + 1,
      onMessage: (seq, _timestampUs, _subject, bytes) => receiver.stored(seq, bytes),
      onMissing: (from, to) => receiver.missing(from, to),
      onFatal: (error) => receiver.failed(error),
      log: this.#log,
    });
    return {
      pause: () => reader.pause(),
      resume: () => reader.resume(),
      stop: () => {
        reader.stop().catch((error) => this.#log.debug("the end of a catch-up failed", { shard, error }));
      },
    };
  }
}
