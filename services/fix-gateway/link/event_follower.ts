/**
 * Follows the events of one shard: subscribes to the matcher's live messages and reads EV_s whenever the event
 * sequence wants a backfill. Owns the subscription, the reader of a backfill and the periodic look at the end of EV_s
 * (a live message that is lost with nothing after it shows no gap). Does I/O. docs/architecture.md, "Events".
 */
import type { Subscription } from "@nats-io/nats-core";
import type { Logger } from "../../../shared/cli/log.ts";
import {
  type NatsConnection,
  type StoredMessage,
  storedMessage,
  streamExtent,
  StreamReader,
  watchStatus,
} from "../../../shared/nats/mod.ts";
import { evStream, liveSubject } from "../../../shared/protocol/mod.ts";
import { type EventReceiver, EventSequence, type LiveOutcome } from "./event_sequence.ts";

/** What a follower needs. */
export interface EventFollowerOptions {
  readonly nc: NatsConnection;
  readonly shard: number;
  readonly receiver: EventReceiver;
  /** Events are lost: EV_s did not hold them any more. */
  readonly onMissing?: () => void;
  /** The follower has stopped for good: EV_s contradicts itself or cannot be read. */
  readonly onFatal: (error: Error) => void;
  readonly log: Logger;
}

/** A place in a shard's events: the next is event `eventIndex` of command `cmdSeq`. */
export interface EventPlace {
  readonly shard: number;
  readonly cmdSeq: number;
  readonly eventIndex: number;
  /** Everything in EV_s up to this stream sequence lies before it, and before the group that it may be in. */
  readonly evSeq: number;
}

const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;
const CHECK_EVERY_MS = 250;

/** One shard's events, each once and in order, from the moment of {@link EventFollower.locate} on. */
export class EventFollower {
  readonly #options: EventFollowerOptions;
  readonly #sequence: EventSequence;
  readonly #subscription: Subscription;
  readonly #stopWatching: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #reader: StreamReader | null = null;
  #checking = false;
  #started = false;
  #stopped = false;

  private constructor(options: EventFollowerOptions) {
    this.#options = options;
    const { nc, shard, receiver } = options;
    this.#sequence = new EventSequence(shard, MAX_BUFFERED_BYTES, receiver);
    this.#subscription = nc.subscribe(liveSubject(shard), {
      callback: (error, msg) => {
        if (error === null && this.#started) this.#onLive(msg.data);
      },
    });
    this.#stopWatching = watchStatus(nc, (type) => {
      if (type === "reconnect") this.#onReconnect();
    });
  }

  /** A follower that will start behind what EV_s holds now. Throws when it cannot be read. */
  static async locate(options: EventFollowerOptions): Promise<EventFollower> {
    const follower = new EventFollower(options);
    try {
      await follower.#findStart();
    } catch (cause) {
      await follower.stop();
      throw new Error(`Cannot find the end of ${evStream(options.shard)}`, { cause });
    }
    return follower;
  }

  /** Starts handing over, with whatever came since {@link locate}. Call once. */
  follow(): void {
    this.#sequence.interrupted();
    this.#started = true;
    this.#reconcile();
    this.#timer = setInterval(() => this.#check(), CHECK_EVERY_MS);
  }

  /** Every event of commands below this has been handed over. */
  get nextCmdSeq(): number {
    return this.#sequence.nextCmdSeq;
  }

  /** Where the events stand that were handed over. */
  get position(): EventPlace {
    const { nextCmdSeq, nextEventIndex, wholeEvSeq } = this.#sequence;
    return { shard: this.#options.shard, cmdSeq: nextCmdSeq, eventIndex: nextEventIndex, evSeq: wholeEvSeq };
  }

  /** Ends the follower; nothing is handed over after the call. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#stopWatching();
    if (!this.#options.nc.isClosed()) this.#subscription.unsubscribe();
    await this.#reader?.stop();
  }

  /** Behind the last message that ends with a whole group: what a group says together is not cut. */
  async #findStart(): Promise<void> {
    const { nc, shard } = this.#options;
    const { lastSeq } = await streamExtent(nc, evStream(shard));
    for (let seq = lastSeq; seq > 0; seq--) {
      const stored = await storedMessage(nc, evStream(shard), seq);
      if (stored === null) return this.#sequence.missing();
      if (this.#sequence.startBehind(stored.seq, stored.bytes)) return;
    }
  }

  #onLive(bytes: Uint8Array): void {
    if (this.#stopped) return;
    const { log, shard } = this.#options;
    let outcome: LiveOutcome;
    try {
      outcome = this.#sequence.live(bytes);
    } catch (cause) {
      this.#failHandOver(cause);
      return;
    }
    if (outcome === "taken") return;
    if (outcome === "faulty") log.error("unreadable live events", { shard, fault: this.#sequence.fault });
    if (outcome === "superseded") log.warn("live events of a superseded matcher ignored", { shard });
    if (outcome !== "ahead") return;
    log.info("live events were missed", { shard, expected: this.#sequence.nextCmdSeq });
    this.#reconcile();
  }

  #onReconnect(): void {
    if (this.#stopped || !this.#started) return;
    this.#sequence.interrupted();
    this.#reconcile();
  }

  /** Reads EV_s exactly while the sequence wants it. */
  #reconcile(): void {
    if (this.#stopped || this.#sequence.reading === (this.#reader !== null)) return;
    if (this.#reader !== null) {
      const done = this.#reader;
      this.#reader = null;
      done.stop().catch((error) => this.#options.log.debug("the end of a backfill failed", { error }));
      return;
    }
    const { nc, shard, log } = this.#options;
    const stream = evStream(shard);
    const reader = new StreamReader({
      nc,
      stream,
      startSeq: this.#sequence.evSeq + 1,
      onMessage: (seq, _timestampUs, _subject, bytes) => {
        this.#sequence.stored(seq, bytes);
        this.#reconcile();
      },
      onMissing: (from, to) => {
        log.error("events are gone from the stream before they were read", { stream, from, to });
        this.#sequence.missing();
        this.#options.onMissing?.();
      },
      onFatal: (error) => this.#fail(error),
      log,
    });
    this.#reader = reader;
    reader.caughtUp.then(() => {
      if (this.#stopped || this.#reader !== reader) return;
      try {
        this.#sequence.caughtUp();
      } catch (cause) {
        this.#failHandOver(cause);
      }
      this.#reconcile();
    });
  }

  /** Looks whether EV_s holds something new. */
  async #check(): Promise<void> {
    if (this.#checking || this.#sequence.reading) return;
    this.#checking = true;
    const seen = this.#sequence.evSeq;
    const end = await this.#lookAtEnd(seen);
    this.#checking = false;
    if (end === null || this.#stopped) return;
    const { lastSeq, last } = end;
    if (lastSeq < seen) {
      const stream = evStream(this.#options.shard);
      this.#fail(new Error(`Cannot follow ${stream}: it ends at ${lastSeq}, but ${seen} was seen`));
      return;
    }
    if (last === null) return;
    try {
      this.#sequence.newestStored(last.seq, last.bytes);
    } catch (cause) {
      this.#fail(cause as Error);
      return;
    }
    this.#reconcile();
  }

  /** Where EV_s ends, and its newest message when that is behind `seen`; null when only the next look can tell. */
  async #lookAtEnd(seen: number): Promise<{ lastSeq: number; last: StoredMessage | null } | null> {
    const { nc, shard, log } = this.#options;
    const stream = evStream(shard);
    try {
      const { lastSeq } = await streamExtent(nc, stream);
      return { lastSeq, last: lastSeq > seen ? await storedMessage(nc, stream, lastSeq) : null };
    } catch (error) {
      log.debug("the end of the event stream could not be looked at", { shard, error });
      return null;
    }
  }

  #failHandOver(cause: unknown): void {
    this.#fail(new Error(`Cannot hand over the events of shard ${this.#options.shard}`, { cause }));
  }

  #fail(error: Error): void {
    if (this.#stopped) return;
    this.stop().catch(() => {});
    this.#options.onFatal(error);
  }
}
