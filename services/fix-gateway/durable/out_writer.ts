/**
 * Stores what a session sent, one record on its way at a time, each fenced by the sequence of the one before. Owns the
 * decision what became of a publish whose answer was lost, and whether the session is still this gateway's. Reaches
 * the stream through a port. docs/adr/0003-durable-sessions.md.
 */
import type { OutLog, Progress } from "./out_log.ts";
import { isEqual } from "./out_record.ts";
import type { OutStream } from "./ports.ts";
import type { StoredMark } from "./record.ts";

/** What a writer asks and tells. */
export interface OutWriterHost {
  /** How far the session is with everything that it sent. */
  progress(): Progress;
  /** Another owner has written: nothing more can be stored. */
  lost(reason: string): void;
  /** A record was refused and will be tried again. */
  refused(reason: string): void;
  /** There is more to store, though not enough to hurry. */
  dirty(): void;
}

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1000;

/** The writer of one session's records. */
export class OutWriter {
  /** Stream sequence of the session's newest record. */
  lastSeq: number;
  readonly #session: number;
  readonly #log: OutLog;
  readonly #out: OutStream;
  readonly #delay: (ms: number) => Promise<void>;
  readonly #host: OutWriterHost;
  #running: Promise<void> | null = null;
  #draining = false;
  #closed = false;

  constructor(
    session: number,
    log: OutLog,
    lastSeq: number,
    ports: { readonly out: OutStream; readonly delay: (ms: number) => Promise<void> },
    host: OutWriterHost,
  ) {
    this.#session = session;
    this.#log = log;
    this.lastSeq = lastSeq;
    this.#out = ports.out;
    this.#delay = ports.delay;
    this.#host = host;
  }

  /** What the stream holds of the session. */
  get stored(): StoredMark {
    return { seq: this.lastSeq, through: this.#log.storedThrough };
  }

  /** Starts storing what is there, unless that is happening. */
  pump(): void {
    if (this.#closed || this.#running !== null || this.#log.idle) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      if (!this.#closed && !this.#log.idle) this.#host.dirty();
    });
  }

  /** Resolves when everything is stored (true), or the writer was closed or has lost the session (false). */
  async drained(): Promise<boolean> {
    this.#draining = true;
    while (!this.#closed && !this.#log.idle) {
      this.pump();
      await this.#running;
    }
    return !this.#closed;
  }

  /** Publishes nothing more. */
  close(): void {
    this.#closed = true;
  }

  async #run(): Promise<void> {
    do {
      const record = this.#log.take(this.#host.progress());
      if (record === null) return;
      await this.#store(record);
    } while (!this.#closed && (this.#draining || this.#log.hurried));
  }

  async #store(record: Uint8Array): Promise<void> {
    let uncertain = false;
    for (let waitMs = FIRST_RETRY_MS; !this.#closed; waitMs = Math.min(2 * waitMs, LAST_RETRY_MS)) {
      const outcome = await this.#out.publish(this.#session, record, this.lastSeq);
      if (outcome.kind === "stored") return this.#stored(outcome.seq);
      if (outcome.kind === "conflict") {
        const seq = uncertain ? await this.#seqOf(record) : null;
        if (seq !== null) return this.#stored(seq);
        if (this.#closed) return;
        this.#closed = true;
        this.#host.lost("another owner has stored what it sent");
        return;
      }
      if (outcome.kind === "unknown") uncertain = true;
      else this.#host.refused(outcome.reason);
      await this.#delay(waitMs);
    }
  }

  #stored(seq: number): void {
    this.lastSeq = seq;
    this.#log.stored();
  }

  /** The place of `record` when it is the session's newest, else null: the copy without an answer was stored after all. */
  async #seqOf(record: Uint8Array): Promise<number | null> {
    while (!this.#closed) {
      try {
        const last = await this.#out.last(this.#session);
        return last !== null && isEqual(last.bytes, record) ? last.seq : null;
      } catch {
        await this.#delay(FIRST_RETRY_MS);
      }
    }
    return null;
  }
}
