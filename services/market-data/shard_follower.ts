/**
 * Follows the events of one shard and publishes what they bring. Owns the reader, the place up to which drop copies
 * are known to have reached the server, and the way back to that place when they may not have. Does I/O.
 *
 * A publish on core NATS is certain only once a later flush has been answered on the same connection. So the position
 * is confirmed by flush, stored behind it, and after a reconnect everything behind it is read and published again.
 */
import { errorText } from "../../shared/cli/log.ts";
import { StreamReader } from "../../shared/nats/stream_reader.ts";
import { watchStatus } from "../../shared/nats/watch_status.ts";
import { type EventPosition, evStream, mdStream } from "../../shared/protocol/mod.ts";
import { BookPublisher, PhasePublisher } from "./book_publisher.ts";
import { type FeedSink, ShardFeed } from "./feed.ts";
import type { FollowerOptions } from "./follower_options.ts";

/** Least time between two writes of the position, ms. */
export const POSITION_INTERVAL_MS = 250;
/** Bytes published but not known to have reached the server, above which reading waits. */
const MAX_UNCONFIRMED_BYTES = 4 * 1024 * 1024;

/** One shard, followed. */
export class ShardFollower {
  readonly #options: FollowerOptions;
  readonly #feed: ShardFeed;
  readonly #books: BookPublisher;
  readonly #phases: PhasePublisher;
  readonly #sink: FeedSink;
  readonly #encoder = new TextEncoder();
  /** Resolves when a reader has reached the end of the stream, or on {@link stop}. */
  readonly #caughtUp = Promise.withResolvers<void>();
  readonly #stopping = new AbortController();
  readonly #unlisted = new Set<string>();
  readonly #stopWatching: () => void;
  #reader: StreamReader | null = null;
  /** Sequences in EV_s: copies handed to the connection, known to be at the server, stored. Falling order. */
  #publishedSeq = 0;
  #confirmedSeq = 0;
  #storedSeq = 0;
  #unconfirmedBytes = 0;
  /** False from a lost connection until {@link #publishedSeq} is back at what is certain. */
  #connected = true;
  #confirming: Promise<void> | null = null;
  #cancelTimer: (() => void) | null = null;
  /** The books hold what EV_s holds up to this sequence; falls only with a new image. */
  #booksEvSeq = 0;
  /** The last sequence in EV_s whose events did not follow those before. */
  #gapSeq = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#feed = new ShardFeed(options.shard, options.venue);
    const { conflationMs, clock } = options;
    const publish = (subject: string, message: unknown) => this.#publish(subject, message);
    this.#books = new BookPublisher(this.#feed, conflationMs, publish, clock);
    this.#phases = new PhasePublisher(this.#feed, conflationMs, publish, clock);
    this.#sink = {
      publish,
      bookChanged: (slot) => this.#books.changed(slot),
      phaseChanged: (slot, entered) => entered ? this.#phases.urgent(slot) : this.#phases.changed(slot),
      traced: options.traced,
      unlisted: (what, id, position) => this.#warnUnlisted(what, id, position),
    };
    this.#stopWatching = watchStatus(options.nc, (type) => this.#onStatus(type));
  }

  /** Resolves once books are complete, published, and the end of the stream has been reached. */
  async start(): Promise<void> {
    const { positions, lastSeqs, shard } = this.#options;
    this.#publishedSeq = this.#confirmedSeq = this.#storedSeq = await named(
      `the drop-copy position of shard ${shard}`,
      positions.load(),
    );
    await this.#loadImage();
    await this.#checkPosition();
    this.#read();
    const symbols = this.#feed.books.map((book) => book.instrument.symbol);
    const last = (kind: "book" | "phase") =>
      named(`the last ${kind}s of ${mdStream(shard)}`, lastSeqs(kind, symbols));
    const [bookSeqs, phaseSeqs] = [await last("book"), await last("phase")];
    await this.#caughtUp.promise;
    if (this.#stopping.signal.aborted) return;
    this.#phases.start(phaseSeqs);
    this.#books.start(bookSeqs);
  }

  /** Publishes what is pending, stores the position and ends. */
  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    this.#caughtUp.resolve();
    this.#stopWatching();
    this.#cancelTimer?.();
    const stopped = this.#reader?.stop();
    this.#phases.stop();
    this.#books.stop();
    await this.#confirm();
    await stopped;
  }

  async #loadImage(): Promise<void> {
    const image = await this.#options.depth(this.#stopping.signal);
    const fault = this.#feed.load(image);
    if (fault !== null) {
      throw new Error(`Cannot use the depth image of shard ${this.#options.shard}: ${fault}`);
    }
    this.#booksEvSeq = image.nextEvSeq - 1;
  }

  /** A position past the end belongs to a stream that is gone: begins with what the present one holds. */
  async #checkPosition(): Promise<void> {
    const { log, shard, lastEvSeq } = this.#options;
    const position = this.#storedSeq;
    const lastSeq = await named(`the end of ${evStream(shard)}`, lastEvSeq());
    if (position <= lastSeq) return;
    log.error("the event stream was replaced: drop copies begin anew", {
      stream: evStream(shard),
      position,
      lastSeq,
    });
    this.#publishedSeq = this.#confirmedSeq = this.#storedSeq = 0;
  }

  /** Reads from the first message that books or drop copies still need. */
  #read(): void {
    const { nc, shard, log } = this.#options;
    this.#feed.seek();
    this.#reader?.stop();
    const reader = this.#reader = new StreamReader({
      nc,
      stream: evStream(shard),
      startSeq: Math.min(this.#publishedSeq, this.#booksEvSeq) + 1,
      onMessage: (seq, _timestampUs, _subject, bytes) => this.#onMessage(seq, bytes),
      onMissing: (from, to) => this.#onMissing(from, to),
      onFatal: (error) => this.#fail(error),
      log,
    });
    reader.caughtUp.then(() => this.#caughtUp.resolve());
  }

  #onMessage(seq: number, bytes: Uint8Array): void {
    const { shard } = this.#options;
    const withCopies = seq > this.#publishedSeq;
    let result = this.#feed.apply(bytes, withCopies, this.#sink);
    if (result.kind === "gap") {
      this.#onGap(seq, result.text);
      result = this.#feed.apply(bytes, withCopies, this.#sink);
    }
    if (result.kind === "fault" || result.kind === "gap") {
      throw new Error(`Cannot apply ${evStream(shard)} sequence ${seq}: ${result.text}`);
    }
    if (withCopies) this.#publishedSeq = seq;
    if (seq > this.#booksEvSeq) this.#booksEvSeq = seq;
    this.#phases.pump();
    this.#books.pump();
    if (this.#unconfirmedBytes > MAX_UNCONFIRMED_BYTES) this.#wait();
    else this.#schedule();
  }

  /** Events are missing though the stream's messages are not. */
  #onGap(seq: number, text: string): void {
    const { log, shard } = this.#options;
    if (seq > this.#gapSeq) {
      log.error("events do not follow each other", { stream: evStream(shard), seq, cause: text });
      this.#gapSeq = seq;
    }
    this.#feed.seek();
    if (!this.#feed.whole) this.#reload();
  }

  /** Messages that the stream no longer holds: their drop copies are lost, and perhaps changes of the books. */
  #onMissing(from: number, to: number): void {
    const { log, shard } = this.#options;
    if (to > this.#publishedSeq) {
      log.error("drop copies lost: the stream no longer holds the events", {
        stream: evStream(shard),
        from: Math.max(from, this.#publishedSeq + 1),
        to,
      });
      this.#publishedSeq = to;
    }
    this.#feed.seek();
    if (to <= this.#booksEvSeq) return;
    this.#feed.lose();
    this.#reload();
  }

  /** Starts over from a new image of the books; drop copies go on where they are. */
  async #reload(): Promise<void> {
    try {
      await this.#reader?.stop();
      await this.#loadImage();
      if (this.#stopping.signal.aborted) return;
      this.#read();
      this.repeat();
    } catch (cause) {
      if (!this.#stopping.signal.aborted) this.#fail(cause);
    }
  }

  /** Publishes every book and phase again: whoever keeps them may have lost them. */
  repeat(): void {
    this.#phases.repeatAll();
    this.#books.repeatAll();
  }

  #publish(subject: string, message: unknown): void {
    const bytes = this.#encoder.encode(JSON.stringify(message));
    this.#unconfirmedBytes += bytes.length;
    this.#options.nc.publish(subject, bytes);
  }

  #onStatus(type: string): void {
    if (type === "disconnect") this.#connected = false;
    if (type !== "reconnect") return;
    this.#connected = true;
    this.#unconfirmedBytes = 0;
    if (this.#reader === null || this.#stopping.signal.aborted) return;
    this.repeat();
    if (this.#publishedSeq === this.#confirmedSeq) return;
    this.#options.log.info("publishing again what the server may not have", {
      from: this.#confirmedSeq + 1,
      to: this.#publishedSeq,
    });
    this.#publishedSeq = this.#confirmedSeq;
    this.#read();
  }

  /** Lets the server catch up before anything more is read. */
  async #wait(): Promise<void> {
    const reader = this.#reader;
    reader?.pause();
    await this.#confirm();
    reader?.resume();
  }

  #schedule(): void {
    if (this.#cancelTimer !== null || this.#publishedSeq === this.#storedSeq) return;
    this.#cancelTimer = this.#options.clock.after(POSITION_INTERVAL_MS, async () => {
      await this.#confirm();
      this.#cancelTimer = null;
      if (!this.#stopping.signal.aborted) this.#schedule();
    });
  }

  /** Makes sure that the server has everything published, then stores how far that is. Never rejects. */
  async #confirm(): Promise<void> {
    while (this.#confirming !== null) await this.#confirming;
    this.#confirming = this.#confirmNow();
    await this.#confirming;
    this.#confirming = null;
  }

  async #confirmNow(): Promise<void> {
    // The next connection would answer, which knows nothing of what was published on the last one.
    if (!this.#connected) return;
    const seq = this.#publishedSeq;
    const bytes = this.#unconfirmedBytes;
    try {
      await this.#options.nc.flush();
      this.#confirmedSeq = Math.max(this.#confirmedSeq, seq);
      this.#unconfirmedBytes -= bytes;
      if (this.#confirmedSeq === this.#storedSeq) return;
      await this.#options.positions.store(this.#confirmedSeq);
      this.#storedSeq = this.#confirmedSeq;
    } catch (cause) {
      this.#options.log.warn("cannot store the drop-copy position yet", { cause: errorText(cause) });
    }
  }

  #warnUnlisted(what: string, id: number, position: EventPosition): void {
    const key = `${what} ${id}`;
    if (this.#unlisted.has(key)) return;
    this.#unlisted.add(key);
    this.#options.log.error(`events name a ${what} that the venue file does not list: not published`, {
      id,
      firstCmdSeq: position.cmdSeq,
    });
  }

  #fail(cause: unknown): void {
    this.#options.onFatal(cause instanceof Error ? cause : new Error(errorText(cause)));
  }
}

/** Says in the error what could not be read. */
async function named<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new Error(`Cannot read ${what}`, { cause });
  }
}
