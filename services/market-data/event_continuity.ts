/**
 * What it means for books and drop copies of a shard when events do not follow those before: they are missing, or lie
 * elsewhere in EV_s than they did. Owns how far the books are, and whether copies go on in the right place; reads
 * nothing, but says what has to be read again. Does I/O: it logs, and its sink publishes.
 */
import type { Logger } from "../../shared/cli/log.ts";
import { evStream } from "../../shared/protocol/mod.ts";
import { isAdrift, isBefore, START } from "./copy_place.ts";
import type { CopyProgress } from "./copy_progress.ts";
import type { FeedSink, ShardFeed } from "./feed.ts";
import type { PlacedImage } from "./follower_options.ts";

/** What has to happen before reading goes on: nothing; a new image of the books; that, and all of EV_s is read. */
export type Remedy = "none" | "reload" | "look through";

/** How far copies are, and how that changes. */
export type Copies = Pick<CopyProgress, "published" | "advance" | "lookThrough">;

/** What it works with. */
export interface ContinuityOptions {
  readonly shard: number;
  readonly feed: ShardFeed;
  readonly copies: Copies;
  readonly sink: FeedSink;
  readonly log: Logger;
}

/** The events of one shard, as they follow each other. */
export class EventContinuity {
  readonly #stream: string;
  readonly #feed: ShardFeed;
  readonly #copies: Copies;
  readonly #sink: FeedSink;
  readonly #log: Logger;
  /** Reading began where copies should go on, and has not come to events of which they are wanted. */
  #seeking = false;
  /** The books hold what EV_s holds up to this sequence; falls only with a new image. */
  #booksEvSeq = 0;
  /** The last sequence of which it was said that its events do not follow those before. */
  #gapSeq = 0;

  constructor({ shard, feed, copies, sink, log }: ContinuityOptions) {
    this.#stream = evStream(shard);
    this.#feed = feed;
    this.#copies = copies;
    this.#sink = sink;
    this.#log = log;
  }

  /** Replaces all books by an image. Returns null or what is wrong with it. */
  load(image: PlacedImage): string | null {
    const fault = this.#feed.load(image);
    if (fault === null) this.#booksEvSeq = image.nextEvSeq - 1;
    return fault;
  }

  /** Reading begins anew. Returns the last sequence of EV_s that neither books nor copies need. */
  begin(): number {
    const { published } = this.#copies;
    this.#feed.seek();
    this.#feed.copyFrom(published);
    const behind = Math.min(published.evSeq, this.#booksEvSeq);
    this.#seeking = behind > 0;
    return behind;
  }

  /** Takes one message of EV_s, stored at `evTimeUs`. Throws when it cannot be applied whatever is read again. */
  take(seq: number, evTimeUs: number, bytes: Uint8Array): Remedy {
    const { published } = this.#copies;
    if (seq === published.evSeq && !Number.isNaN(published.evTimeUs) && evTimeUs !== published.evTimeUs) {
      return this.displaced(`its sequence ${seq} is another message than was read before`);
    }
    const withCopies = seq > published.evSeq;
    let remedy: Remedy = "none";
    let result = this.#feed.apply(bytes, withCopies, this.#sink);
    if (result.kind === "hole" && this.#seeking) return this.displaced(result.text);
    // One may show behind the other; what is missing is said once.
    for (let passed = 0; passed < 2 && (result.kind === "gap" || result.kind === "hole"); passed++) {
      if (result.kind === "gap") {
        remedy = this.#passGap(seq, result.text);
      } else {
        if (passed === 0) this.#tellLost({ seq, cause: result.text });
        this.#feed.copyFrom(START);
      }
      result = this.#feed.apply(bytes, withCopies, this.#sink);
    }
    if (result.kind !== "taken") {
      throw new Error(`Cannot apply ${this.#stream} sequence ${seq}: ${result.text}`);
    }
    if (withCopies) this.#advance(seq, evTimeUs);
    if (seq > this.#booksEvSeq) this.#booksEvSeq = seq;
    return remedy;
  }

  /** Messages that the stream no longer holds: their drop copies are lost, and perhaps changes of the books. */
  missing(from: number, to: number): Remedy {
    const { published } = this.#copies;
    // While all are looked through, the next event says whether any is missing.
    if (!isAdrift(published) && to > published.evSeq) {
      this.#tellLost({ from: Math.max(from, published.evSeq + 1), to });
      // Copies go on with whatever comes: what is missing must not be missed again, not by the next process either.
      this.#feed.copyFrom(START);
      this.#copies.advance({ ...START, evSeq: to });
    }
    this.#feed.seek();
    if (to <= this.#booksEvSeq) return "none";
    this.#feed.lose();
    return "reload";
  }

  /** Events do not lie in EV_s where they did: copies go on where the first that was not published lies now. */
  displaced(cause: string): Remedy {
    const { evSeq, cmdSeq, eventIndex } = this.#copies.published;
    this.#log.warn("events do not lie where they did: all are looked through", {
      stream: this.#stream,
      evSeq,
      cmdSeq,
      eventIndex,
      cause,
    });
    this.#copies.lookThrough();
    return "look through";
  }

  /** A message was taken of which copies are wanted. */
  #advance(seq: number, evTimeUs: number): void {
    const { published } = this.#copies;
    const { copied } = this.#feed;
    const isNew = isBefore(published, copied);
    if (isNew) this.#seeking = false;
    // While all are looked through, none of the messages is known to be the one where copies go on.
    if (isNew || !isAdrift(published)) this.#copies.advance({ ...copied, evSeq: seq, evTimeUs });
  }

  /** Events are missing though the stream's messages are not. */
  #passGap(seq: number, text: string): Remedy {
    if (seq > this.#gapSeq) {
      this.#log.error("events do not follow each other", { stream: this.#stream, seq, cause: text });
      this.#gapSeq = seq;
    }
    this.#feed.seek();
    return this.#feed.whole ? "none" : "reload";
  }

  #tellLost(fields: Record<string, unknown>): void {
    this.#log.error("drop copies lost: the stream no longer holds the events", {
      stream: this.#stream,
      ...fields,
    });
  }
}
