/** What a stream reader is given. Types only. */
import type { NatsConnection } from "@nats-io/nats-core";
import type { Logger } from "../cli/log.ts";

/** What a reader follows and whom it tells. Callbacks are called one at a time, never after `stop`. */
export interface StreamReaderOptions {
  readonly nc: NatsConnection;
  readonly stream: string;
  /** The first sequence wanted, ≥ 1; may lie one past the stream's end, then the reader waits for it. */
  readonly startSeq: number;
  /**
   * When the stream took message `startSeq` - 1, µs: the reader makes sure that it still holds that one, and otherwise stops
   * with a StreamReplacedError as the cause.
   */
  readonly previousUs?: number;
  /** One message. `bytes` is borrowed from the read buffer until the callback returns. Throwing is fatal. */
  readonly onMessage: (seq: number, timestampUs: number, subject: string, bytes: Uint8Array) => void;
  /** Messages `from` … `to` are gone from the stream; the next message is `to` + 1. Stop here if that matters. */
  readonly onMissing: (from: number, to: number) => void;
  /** The reader has stopped for good. */
  readonly onFatal: (error: Error) => void;
  readonly log: Logger;
  /** How often the server says that it is alive when there is nothing to deliver, ms (≥ 100; default 500). */
  readonly heartbeatMs?: number;
  /** Attempts to make a consumer, while connected, before the reader gives up (default 40, about 30 s). */
  readonly maxAttempts?: number;
}
