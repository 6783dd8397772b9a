/**
 * Follows the events of one shard and publishes what they bring. Owns the reader and the way back: it reads again when
 * copies may not have reached the server, and what the order of the events asks for (event_continuity.ts). Does I/O.
 */
import { errorText } from "../../shared/cli/log.ts";
import { StreamReader } from "../../shared/nats/stream_reader.ts";
import { StreamReplacedError } from "../../shared/nats/stream_continuity.ts";
import { watchStatus } from "../../shared/nats/watch_status.ts";
import { cmdStream, type EventPosition, evStream, mdStream } from "../../shared/protocol/mod.ts";
import { BookPublisher, PhasePublisher } from "./book_publisher.ts";
import { lastCommandOf } from "./copy_place.ts";
import { CopyProgress } from "./copy_progress.ts";
import { EventContinuity, type Remedy } from "./event_continuity.ts";
import { ShardFeed } from "./feed.ts";
import type { FollowerOptions } from "./follower_options.ts";

/** One shard, followed. */
export class ShardFollower {
  readonly #options: FollowerOptions;
  readonly #feed: ShardFeed;
  readonly #books: BookPublisher;
  readonly #phases: PhasePublisher;
  readonly #copies: CopyProgress;
  readonly #continuity: EventContinuity;
  /** Resolves when a reader has reached the end of the stream, or on {@link stop}. */
  readonly #caughtUp = Promise.withResolvers<void>();
  readonly #stopping = new AbortController();
  readonly #unlisted = new Set<string>();
  readonly #stopWatching: () => void;
  #reader: StreamReader | null = null;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#feed = new ShardFeed(options.shard, options.venue);
    this.#copies = new CopyProgress(options);
    const { shard, conflationMs, clock, log } = options;
    const publish = (subject: string, message: unknown) => this.#copies.publish(subject, message);
    this.#books = new BookPublisher(this.#feed, conflationMs, publish, clock);
    this.#phases = new PhasePublisher(this.#feed, conflationMs, publish, clock);
    this.#continuity = new EventContinuity({
      shard,
      feed: this.#feed,
      copies: this.#copies,
      sink: {
        publish,
        bookChanged: (slot) => this.#books.changed(slot),
        phaseChanged: (slot, entered) => entered ? this.#phases.urgent(slot) : this.#phases.changed(slot),
        traced: options.traced,
        unlisted: (what, id, position) => this.#warnUnlisted(what, id, position),
      },
      log,
    });
    this.#stopWatching = watchStatus(options.nc, (type) => this.#onStatus(type));
  }

  /** Resolves once books are complete, published, and the end of the stream has been reached. */
  async start(): Promise<void> {
    const { lastSeqs, shard } = this.#options;
    await named(`the drop-copy position of shard ${shard}`, this.#copies.load());
    await this.#checkCommands();
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
    this.#copies.stop();
    const stopped = this.#reader?.stop();
    this.#phases.stop();
    this.#books.stop();
    await this.#copies.confirm();
    await stopped;
  }

  async #loadImage(): Promise<void> {
    const image = await this.#options.depth(this.#stopping.signal);
    const fault = this.#continuity.load(image);
    if (fault === null) return;
    throw new Error(`Cannot use the depth image of shard ${this.#options.shard}: ${fault}`);
  }

  /** Throws when CMD_s has lost commands of which copies were published: what they told has not happened. */
  async #checkCommands(): Promise<void> {
    const stream = cmdStream(this.#options.shard);
    const told = lastCommandOf(this.#copies.published);
    const end = told === 0 ? 0 : await named(`the end of ${stream}`, this.#options.lastCmdSeq());
    if (told <= end) return;
    throw new Error(
      `Cannot go on with drop copies: those of ${stream} sequence ${told} were published, but it ends at ${end}: ` +
        "acknowledged orders are lost",
    );
  }

  /** A position past the end: EV_s has lost what was read. */
  async #checkPosition(): Promise<void> {
    const { shard, lastEvSeq } = this.#options;
    const { evSeq } = this.#copies.published;
    const lastSeq = await named(`the end of ${evStream(shard)}`, lastEvSeq());
    if (evSeq <= lastSeq) return;
    this.#continuity.displaced(`it ends at sequence ${lastSeq}, but ${evSeq} was read before`);
  }

  /** Reads from the first message that books or drop copies still need. */
  #read(): void {
    const { nc, shard, log } = this.#options;
    const { evSeq, evTimeUs } = this.#copies.published;
    const behind = this.#continuity.begin();
    const isKnown = behind === evSeq && !Number.isNaN(evTimeUs);
    this.#reader?.stop();
    const reader = this.#reader = new StreamReader({
      nc,
      stream: evStream(shard),
      startSeq: behind + 1,
      ...(isKnown ? { previousUs: evTimeUs } : {}),
      onMessage: (seq, timeUs, _subject, bytes) => this.#onMessage(seq, timeUs, bytes),
      onMissing: (from, to) => {
        this.#follow(this.#continuity.missing(from, to));
        this.#copies.schedule();
      },
      onFatal: (error) => {
        const { cause } = error;
        if (cause instanceof StreamReplacedError) this.#follow(this.#continuity.displaced(cause.message));
        else this.#fail(error);
      },
      log,
    });
    reader.caughtUp.then(() => this.#caughtUp.resolve());
  }

  #onMessage(seq: number, evTimeUs: number, bytes: Uint8Array): void {
    const remedy = this.#continuity.take(seq, evTimeUs, bytes);
    this.#follow(remedy);
    if (remedy === "look through") return;
    this.#phases.pump();
    this.#books.pump();
    if (this.#copies.full) this.#wait();
    else this.#copies.schedule();
  }

  #follow(remedy: Remedy): void {
    if (remedy === "reload") this.#reload();
    if (remedy !== "look through") return;
    // The books may be others, too.
    this.#feed.lose();
    this.#reload(() => this.#checkCommands());
  }

  /** Starts over from a new image of the books, once `ready`; drop copies go on where they are. */
  async #reload(ready: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    try {
      await this.#reader?.stop();
      await ready();
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

  #onStatus(type: string): void {
    if (type === "disconnect") this.#copies.disconnected();
    if (type !== "reconnect") return;
    const lost = this.#copies.reconnected();
    if (this.#reader === null || this.#stopping.signal.aborted) return;
    this.repeat();
    if (lost) this.#read();
  }

  /** Lets the server catch up before anything more is read. */
  async #wait(): Promise<void> {
    const reader = this.#reader;
    reader?.pause();
    await this.#copies.confirm();
    reader?.resume();
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
