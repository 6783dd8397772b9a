/**
 * Publishes the conflated messages of one shard's instruments. Owns each one's sequence number and what was last said;
 * takes time, timers, the messages and the way out from its caller and so needs no network to be tested.
 */
import { Conflation } from "./conflation.ts";

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

/** What is published, by slot. */
export interface ConflatedSource<M> {
  /** How many slots there are. */
  readonly slots: number;
  /** Whether the messages can be made now: nothing that they need is missing. */
  readonly whole: () => boolean;
  /** The message of a slot under this sequence number. */
  readonly messageOf: (slot: number, seq: number) => M;
  /** What two messages have in common that say the same. */
  readonly contentOf: (message: M) => string;
  /** Sends; must not throw. */
  readonly publish: (message: M) => void;
}

/** Messages on their way out. */
export class ConflatedPublisher<M> {
  readonly #source: ConflatedSource<M>;
  readonly #clock: Clock;
  readonly #conflation: Conflation;
  /** Sequence of each slot's last message. */
  readonly #seqs: Float64Array;
  /** Content of each slot's last message; empty when the next one goes out whatever it says. */
  readonly #said: string[];
  #cancelTimer: (() => void) | null = null;
  #live = false;

  /** At most one message per `conflationMs` and slot, but for urgent ones. Nothing goes out before {@link start}. */
  constructor(source: ConflatedSource<M>, conflationMs: number, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
    this.#conflation = new Conflation(conflationMs, source.slots);
    this.#seqs = new Float64Array(source.slots);
    this.#said = Array(source.slots).fill("");
  }

  /** Begins with every slot; `lastSeqs` are the sequences by slot that subscribers have seen already, 0 for none. */
  start(lastSeqs: readonly number[]): void {
    this.#seqs.set(lastSeqs);
    this.#live = true;
    this.repeatAll();
  }

  /** What this slot says changed. Call {@link pump} after a batch of changes. */
  changed(slot: number): void {
    this.#conflation.changed(slot);
  }

  /** What this slot says changed in a way that no later message makes up for: it is sent now. */
  urgent(slot: number): void {
    this.#conflation.urgent(slot);
    this.pump();
  }

  /** Sends every slot again, changed or not: what was sent may have been lost. */
  repeatAll(): void {
    this.#said.fill("");
    for (let slot = 0; slot < this.#said.length; slot++) this.#conflation.changed(slot);
    this.pump();
  }

  /** Sends what is due and sets the timer for what is not. Does nothing while the source is not whole. */
  pump(): void {
    if (!this.#live || !this.#source.whole()) return;
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

  /** Sends what is pending without waiting, if the source is whole, and stops. */
  stop(): void {
    if (!this.#live) return;
    this.#live = false;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (!this.#source.whole()) return;
    for (let slot = this.#conflation.take(Infinity); slot >= 0; slot = this.#conflation.take(Infinity)) {
      this.#say(slot);
    }
  }

  /** Sends the message of a slot unless it says what was said last. */
  #say(slot: number): boolean {
    const message = this.#source.messageOf(slot, this.#seqs[slot] + 1);
    const content = this.#source.contentOf(message);
    if (content === this.#said[slot]) return false;
    this.#said[slot] = content;
    this.#seqs[slot]++;
    this.#source.publish(message);
    return true;
  }
}
