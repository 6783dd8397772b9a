/**
 * Publishes the books of one shard, conflated. Owns each symbol's sequence number and what was last said; takes time,
 * timers and the way out from its caller and so needs no network to be tested.
 */
import { type BookMessage } from "../../shared/protocol/market_data.ts";
import { bookSubject } from "../../shared/protocol/mod.ts";
import { Conflation } from "./conflation.ts";
import type { ShardFeed } from "./feed.ts";

/** Monotonic time and one-shot timers; replaced in tests. */
export interface Clock {
  /** Milliseconds, never running backwards. */
  nowMs(): number;
  /** Runs `action` once after `delayMs`; the result cancels it. */
  after(delayMs: number, action: () => void): () => void;
}

/** The process's own clock. */
export const SYSTEM_CLOCK: Clock = {
  nowMs: () => performance.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Sends one book message; must not throw. */
export type PublishBook = (subject: string, message: BookMessage) => void;

/** The books of one shard on their way out. */
export class BookPublisher {
  readonly #feed: ShardFeed;
  readonly #publish: PublishBook;
  readonly #clock: Clock;
  readonly #conflation: Conflation;
  /** Sequence of each slot's last message. */
  readonly #seqs: Float64Array;
  /** Levels of each slot's last message as JSON; empty when the next one goes out whatever it says. */
  readonly #said: string[];
  #cancelTimer: (() => void) | null = null;
  #live = false;

  /** At most one message per `conflationMs` and symbol. Nothing goes out before {@link start}. */
  constructor(feed: ShardFeed, conflationMs: number, publish: PublishBook, clock: Clock) {
    this.#feed = feed;
    this.#publish = publish;
    this.#clock = clock;
    this.#conflation = new Conflation(conflationMs, feed.books.length);
    this.#seqs = new Float64Array(feed.books.length);
    this.#said = feed.books.map(() => "");
  }

  /** Begins with every book; `lastSeqs` are the sequences by slot that subscribers have seen already, 0 for none. */
  start(lastSeqs: readonly number[]): void {
    this.#seqs.set(lastSeqs);
    this.#live = true;
    this.repeatAll();
  }

  /** The best levels of this slot's book changed. Call {@link pump} after a batch of changes. */
  changed(slot: number): void {
    this.#conflation.changed(slot);
  }

  /** Sends every book again, changed or not: what was sent may have been lost. */
  repeatAll(): void {
    this.#said.fill("");
    for (let slot = 0; slot < this.#said.length; slot++) this.#conflation.changed(slot);
    this.pump();
  }

  /** Sends what is due and sets the timer for what is not. Does nothing while the books are not whole. */
  pump(): void {
    if (!this.#live || !this.#feed.whole) return;
    const now = this.#clock.nowMs();
    for (let slot = this.#conflation.take(now); slot >= 0; slot = this.#conflation.take(now)) {
      if (this.#say(slot)) this.#conflation.sent(slot, now);
    }
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const due = this.#conflation.dueMs();
    if (due === Infinity) return;
    this.#cancelTimer = this.#clock.after(Math.ceil(due - now), () => {
      this.#cancelTimer = null;
      this.pump();
    });
  }

  /** Sends what is pending without waiting, if the books are whole, and stops. */
  stop(): void {
    if (!this.#live) return;
    this.#live = false;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (!this.#feed.whole) return;
    for (let slot = this.#conflation.take(Infinity); slot >= 0; slot = this.#conflation.take(Infinity)) {
      this.#say(slot);
    }
  }

  /** Sends the book of a slot unless it says what was said last. */
  #say(slot: number): boolean {
    const message = this.#feed.bookOf(slot, this.#seqs[slot] + 1);
    const levels = JSON.stringify([message.bids, message.asks]);
    if (levels === this.#said[slot]) return false;
    this.#said[slot] = levels;
    this.#seqs[slot]++;
    this.#publish(bookSubject(this.#feed.shard, message.symbol), message);
    return true;
  }
}
