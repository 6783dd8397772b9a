/**
 * A stream read message by message by whoever asks, up to a sequence: a StreamReader that waits while too much lies unread.
 * Does I/O.
 */
import { nullLogger } from "../../../shared/cli/log.ts";
import { type NatsConnection, StreamReader } from "../../../shared/nats/mod.ts";

/** A message, the caller's; or the news that the stream does not hold the messages from `seq` to `to`. */
export type Pulled =
  | {
    readonly kind: "message";
    readonly seq: number;
    readonly timestampUs: number;
    readonly bytes: Uint8Array;
  }
  | { readonly kind: "missing"; readonly seq: number; readonly to: number };

/** Bytes unread at which reading pauses; it goes on at a quarter. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/** One stream, from a sequence on. Always {@link stop} it. */
export class PulledStream {
  #endSeq: number;
  #seq: number;
  #unread: Pulled[] = [];
  /** The first of {@link #unread} that has not been pulled. */
  #at = 0;
  #unreadBytes = 0;
  #paused = false;
  #error: Error | null = null;
  #wake: () => void = () => {};
  readonly #reader: StreamReader;

  /**
   * Reads from `startSeq` to `endSeq`, which the stream must hold; Infinity: until {@link endAt} says where. `pace` is asked
   * behind every message that comes.
   */
  constructor(
    nc: NatsConnection,
    stream: string,
    startSeq: number,
    endSeq: number,
    pace?: { look(): void },
  ) {
    this.#seq = startSeq - 1;
    this.#endSeq = endSeq;
    this.#reader = new StreamReader({
      nc,
      stream,
      startSeq,
      log: nullLogger,
      onMessage: (seq, timestampUs, _subject, bytes) => {
        this.#unreadBytes += bytes.length;
        this.#push({ kind: "message", seq, timestampUs, bytes: new Uint8Array(bytes) });
        pace?.look();
      },
      onMissing: (seq, to) => this.#push({ kind: "missing", seq, to }),
      onFatal: (error) => {
        this.#error = error;
        this.#wake();
      },
    });
  }

  /** Sets another end. */
  endAt(endSeq: number): void {
    this.#endSeq = endSeq;
    this.#wake();
  }

  /** The next message; null behind the end. Rejects when the stream cannot be read. */
  async next(): Promise<Pulled | null> {
    while (this.#at === this.#unread.length) {
      if (this.#seq >= this.#endSeq) return null;
      if (this.#error !== null) throw this.#error;
      this.#unread = [];
      this.#at = 0;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    if (this.#seq >= this.#endSeq) return null;
    const pulled = this.#unread[this.#at++];
    if (pulled.kind === "message") this.#unreadBytes -= pulled.bytes.length;
    if (this.#paused && this.#unreadBytes < MAX_UNREAD_BYTES / 4) {
      this.#paused = false;
      this.#reader.resume();
    }
    this.#seq = pulled.kind === "message" ? pulled.seq : pulled.to;
    return pulled;
  }

  /** Ends reading. */
  stop(): Promise<void> {
    return this.#reader.stop();
  }

  #push(pulled: Pulled): void {
    this.#unread.push(pulled);
    if (!this.#paused && this.#unreadBytes > MAX_UNREAD_BYTES) {
      this.#paused = true;
      this.#reader.pause();
    }
    this.#wake();
  }
}
