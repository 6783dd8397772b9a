/**
 * How far drop copies are published, known to be at the server, and stored, and what is on the way there. Owns these
 * places and the flushes and writes that move them; decides nothing about what is published. Does I/O.
 *
 * A publish on core NATS is certain only once a later flush has been answered on the same connection. So a place is
 * confirmed by flush, and stored behind that.
 */
import type { NatsConnection } from "@nats-io/nats-core";
import { errorText, type Logger } from "../../shared/cli/log.ts";
import type { Clock } from "./conflated_publisher.ts";
import { type CopyPlace, START } from "./copy_place.ts";
import type { Positions } from "./follower_options.ts";

/** Least time between two writes of the position, ms. */
export const POSITION_INTERVAL_MS = 250;
/** Bytes published but not known to have reached the server, above which reading waits. */
const MAX_UNCONFIRMED_BYTES = 4 * 1024 * 1024;

/** What it works with. */
export interface CopyProgressOptions {
  readonly nc: NatsConnection;
  readonly positions: Positions;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The progress of one shard's copies. */
export class CopyProgress {
  readonly #options: CopyProgressOptions;
  readonly #encoder = new TextEncoder();
  /** Copies handed to the connection, known to be at the server, stored. Falling order. */
  #published = START;
  #confirmed = START;
  #stored = START;
  #unconfirmedBytes = 0;
  /** False from a lost connection until {@link published} is back at what is certain. */
  #connected = true;
  /** Grows whenever places begin anew: what was being confirmed then is none of the new ones. */
  #run = 0;
  #confirming: Promise<void> | null = null;
  #cancelTimer: (() => void) | null = null;
  #stopping = false;

  constructor(options: CopyProgressOptions) {
    this.#options = options;
  }

  /** Begins where the stored position says. Rejects when it cannot be read. */
  async load(): Promise<void> {
    this.#published = this.#confirmed = this.#stored = await this.#options.positions.load();
  }

  /** Every copy before it was handed to the connection. */
  get published(): CopyPlace {
    return this.#published;
  }

  /** Whether reading has to wait for the server. */
  get full(): boolean {
    return this.#unconfirmedBytes > MAX_UNCONFIRMED_BYTES;
  }

  /** Hands a message to the connection. */
  publish(subject: string, message: unknown): void {
    const bytes = this.#encoder.encode(JSON.stringify(message));
    this.#unconfirmedBytes += bytes.length;
    this.#options.nc.publish(subject, bytes);
  }

  /** Every copy before `place` has been handed over. */
  advance(place: CopyPlace): void {
    this.#published = place;
  }

  /** What is on its way may be lost. */
  disconnected(): void {
    this.#connected = false;
  }

  /** There is another connection: copies go on behind what is certain. Returns whether some have to be published again. */
  reconnected(): boolean {
    this.#connected = true;
    this.#unconfirmedBytes = 0;
    const lost = this.#published !== this.#confirmed;
    if (lost) {
      this.#options.log.info("publishing again what the server may not have", {
        from: this.#confirmed.evSeq + 1,
        to: this.#published.evSeq,
      });
    }
    this.#published = this.#confirmed;
    return lost;
  }

  /** EV_s does not hold what it held: copies go on behind what is certain, wherever that is now. */
  lookThrough(): void {
    this.#run++;
    this.#published = this.#confirmed = { ...this.#confirmed, evSeq: 0, evTimeUs: NaN };
  }

  /** Has what is published confirmed before long. */
  schedule(): void {
    if (this.#cancelTimer !== null || this.#published === this.#stored) return;
    this.#cancelTimer = this.#options.clock.after(POSITION_INTERVAL_MS, async () => {
      await this.confirm();
      this.#cancelTimer = null;
      if (!this.#stopping) this.schedule();
    });
  }

  /** Makes sure that the server has everything published, then stores how far that is. Never rejects. */
  async confirm(): Promise<void> {
    while (this.#confirming !== null) await this.#confirming;
    this.#confirming = this.#confirmNow();
    await this.#confirming;
    this.#confirming = null;
  }

  /** Schedules nothing more. */
  stop(): void {
    this.#stopping = true;
    this.#cancelTimer?.();
  }

  async #confirmNow(): Promise<void> {
    // The next connection would answer, which knows nothing of what was published on the last one.
    if (!this.#connected) return;
    const place = this.#published;
    const bytes = this.#unconfirmedBytes;
    const run = this.#run;
    try {
      await this.#options.nc.flush();
      if (run !== this.#run) return;
      if (place.evSeq > this.#confirmed.evSeq) this.#confirmed = place;
      this.#unconfirmedBytes -= bytes;
      const confirmed = this.#confirmed;
      if (confirmed === this.#stored) return;
      await this.#options.positions.store(confirmed);
      this.#stored = confirmed;
    } catch (cause) {
      this.#options.log.warn("cannot store the drop-copy position yet", { cause: errorText(cause) });
    }
  }
}
