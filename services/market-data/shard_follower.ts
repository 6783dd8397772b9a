/**
 * Follows the events of one shard and publishes what they bring. Owns the reader, the place from which it reads, and the
 * way back when copies may not have reached the server, or EV_s does not hold any more what it held. Does I/O.
 */
import { errorText } from "../../shared/cli/log.ts";
import { StreamReader } from "../../shared/nats/stream_reader.ts";
import { StreamReplacedError } from "../../shared/nats/stream_continuity.ts";
import { watchStatus } from "../../shared/nats/watch_status.ts";
import { cmdStream, type EventPosition, evStream, mdStream } from "../../shared/protocol/mod.ts";
import { BookPublisher, PhasePublisher } from "./book_publisher.ts";
import { lastCommandOf, START } from "./copy_place.ts";
import { CopyProgress } from "./copy_progress.ts";
import { type FeedResult, type FeedSink, ShardFeed } from "./feed.ts";
import type { FollowerOptions } from "./follower_options.ts";

/** One shard, followed. */
export class ShardFollower {
  readonly #options: FollowerOptions;
  readonly #feed: ShardFeed;
  readonly #books: BookPublisher;
  readonly #phases: PhasePublisher;
  readonly #sink: FeedSink;
  readonly #copies: CopyProgress;
  /** Resolves when a reader has reached the end of the stream, or on {@link stop}. */
  readonly #caughtUp = Promise.withResolvers<void>();
  readonly #stopping = new AbortController();
  readonly #unlisted = new Set<string>();
  readonly #stopWatching: () => void;
  #reader: StreamReader | null = null;
  /** Reading began where copies should go on, and has not come to events of which they are wanted. */
  #seeking = false;
  /** It has been said that events are gone: the next ones need not follow. */
  #goneTold = false;
  /** The books hold what EV_s holds up to this sequence; falls only with a new image. */
  #booksEvSeq = 0;
  /** The last sequence in EV_s whose events did not follow those before. */
  #gapSeq = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#feed = new ShardFeed(options.shard, options.venue);
    this.#copies = new CopyProgress(options);
    const { conflationMs, clock } = options;
    const publish = (subject: string, message: unknown) => this.#copies.publish(subject, message);
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
    const fault = this.#feed.load(image);
    if (fault !== null) {
      throw new Error(`Cannot use the depth image of shard ${this.#options.shard}: ${fault}`);
    }
    this.#booksEvSeq = image.nextEvSeq - 1;
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
    if (evSeq > lastSeq) this.#displaced(`it ends at sequence ${lastSeq}, but ${evSeq} was read before`);
  }

  /** Events do not lie in EV_s where they did: copies go on where the first that was not published lies now. */
  #displaced(cause: string): void {
    const { log, shard } = this.#options;
    const { evSeq, cmdSeq, eventIndex } = this.#copies.published;
    log.warn("events do not lie where they did: all are looked through", {
      stream: evStream(shard),
      evSeq,
      cmdSeq,
      eventIndex,
      cause,
    });
    this.#copies.lookThrough();
  }

  /** Starts over after {@link #displaced}: the books may be others, too. */
  async #lookThrough(cause: string): Promise<void> {
    this.#displaced(cause);
    this.#feed.lose();
    await this.#reload(() => this.#checkCommands());
  }

  /** Reads from the first message that books or drop copies still need. */
  #read(): void {
    const { nc, shard, log } = this.#options;
    const { published } = this.#copies;
    this.#feed.seek();
    this.#feed.copyFrom(published);
    this.#reader?.stop();
    const behind = Math.min(published.evSeq, this.#booksEvSeq);
    this.#seeking = behind > 0;
    this.#goneTold = false;
    const isKnown = behind === published.evSeq && !Number.isNaN(published.evTimeUs);
    const reader = this.#reader = new StreamReader({
      nc,
      stream: evStream(shard),
      startSeq: behind + 1,
      ...(isKnown ? { previousUs: published.evTimeUs } : {}),
      onMessage: (seq, timeUs, _subject, bytes) => this.#onMessage(seq, timeUs, bytes),
      onMissing: (from, to) => this.#onMissing(from, to),
      onFatal: (error) => {
        if (error.cause instanceof StreamReplacedError) this.#lookThrough(error.cause.message);
        else this.#fail(error);
      },
      log,
    });
    reader.caughtUp.then(() => this.#caughtUp.resolve());
  }

  #onMessage(seq: number, evTimeUs: number, bytes: Uint8Array): void {
    const { shard } = this.#options;
    const { published } = this.#copies;
    if (seq === published.evSeq && !Number.isNaN(published.evTimeUs) && evTimeUs !== published.evTimeUs) {
      return void this.#lookThrough(`its sequence ${seq} is another message than was read before`);
    }
    const withCopies = seq > published.evSeq;
    let result = this.#feed.apply(bytes, withCopies, this.#sink);
    if (result.kind === "hole" && this.#seeking) return void this.#lookThrough(result.text);
    for (let more = 0; more < 2 && this.#passOver(seq, result); more++) {
      result = this.#feed.apply(bytes, withCopies, this.#sink);
    }
    if (result.kind !== "taken") {
      throw new Error(`Cannot apply ${evStream(shard)} sequence ${seq}: ${result.text}`);
    }
    if (withCopies) {
      this.#seeking = this.#goneTold = false;
      this.#copies.advance({ evSeq: seq, evTimeUs, ...this.#feed.copied });
    }
    if (seq > this.#booksEvSeq) this.#booksEvSeq = seq;
    this.#phases.pump();
    this.#books.pump();
    if (this.#copies.full) this.#wait();
    else this.#copies.schedule();
  }

  /** Whether the message at `seq` can be taken all the same, which does not follow what came before. */
  #passOver(seq: number, result: FeedResult): boolean {
    if (result.kind === "hole") {
      if (!this.#goneTold) this.#tellLost({ seq, cause: result.text });
      this.#feed.copyFrom(START);
      return true;
    }
    if (result.kind !== "gap") return false;
    this.#onGap(seq, result.text);
    return true;
  }

  /** Events are missing though the stream's messages are not. */
  #onGap(seq: number, text: string): void {
    const { log, shard } = this.#options;
    if (seq > this.#gapSeq) {
      log.error("events do not follow each other", { stream: evStream(shard), seq, cause: text });
      this.#gapSeq = seq;
    }
    this.#feed.seek();
    this.#goneTold = true;
    if (!this.#feed.whole) this.#reload();
  }

  #tellLost(fields: Record<string, unknown>): void {
    const { log, shard } = this.#options;
    this.#goneTold = true;
    log.error("drop copies lost: the stream no longer holds the events", {
      stream: evStream(shard),
      ...fields,
    });
  }

  /** Messages that the stream no longer holds: their drop copies are lost, and perhaps changes of the books. */
  #onMissing(from: number, to: number): void {
    const { published } = this.#copies;
    // While all are looked through, the next event says whether any is missing.
    const isKnown = published.evSeq > 0 || published.cmdSeq === 0;
    if (isKnown && to > published.evSeq) {
      this.#tellLost({ from: Math.max(from, published.evSeq + 1), to });
      this.#seeking = false;
      this.#copies.advance({ ...published, evSeq: to, evTimeUs: NaN });
    }
    this.#feed.seek();
    if (to <= this.#booksEvSeq) return;
    this.#feed.lose();
    this.#reload();
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
