/**
 * Stores event messages in EV_s: joined while an acknowledgement is outstanding, one publish in flight, each with the
 * expected last sequence as the fence. Owns the queue of what is not stored yet and learns after every
 * outage whether the publish in flight was stored. Refuses to write over another matcher: it stops. Does I/O.
 */
import { joinEventBatches } from "../../shared/codec/wire/mod.ts";
import { errorText, type Logger } from "../../shared/cli/log.ts";
import { NO_RESPONDERS, type PublishFault, WRONG_LAST_SEQUENCE } from "../../shared/nats/mod.ts";
import { evStream, evSubject, MAX_MESSAGE_BYTES, NO_SYMBOL } from "../../shared/protocol/mod.ts";
import type { EventStream, EventStreamHooks } from "./event_stream.ts";

/** Whom a store writes for and whom it tells. */
export interface EventStoreOptions {
  readonly shard: number;
  /** Opens EV_s; the store closes it. */
  readonly open: (hooks: EventStreamHooks) => EventStream;
  /** The last sequence of EV_s: the one of the own claim. */
  readonly lastSeq: number;
  readonly log: Logger;
  /** Another matcher has written to EV_s. Nothing more is stored. */
  readonly onFenced: (error: Error) => void;
  /** EV_s cannot be written. Nothing more is stored. */
  readonly onFatal: (error: Error) => void;
  /** Something was stored. */
  readonly onStored: () => void;
}

const MAX_ATTEMPTS = 30;
/** Looks that find no stream, one behind the other, before it counts as gone: a cluster that starts may not know it yet. */
const MAX_ABSENCES = 3;
const BACKOFF_MS = 500;
/** Refusals behind which may be that somebody else has written, or that the stream is gone. */
const LOOKED_INTO: ReadonlySet<number> = new Set([WRONG_LAST_SEQUENCE, NO_RESPONDERS]);

/** The queue in front of EV_s. */
export class EventStore {
  /** Bytes taken and not yet acknowledged. */
  unstoredBytes = 0;
  /** The last sequence of EV_s that is known to be ours. */
  lastSeq: number;
  readonly #options: EventStoreOptions;
  readonly #stream: string;
  readonly #events: EventStream;
  readonly #parts: Uint8Array[] = [];
  /** The symbol of each part. */
  readonly #symbols: string[] = [];
  /** The message in flight or in doubt, and how many parts it holds. */
  #current: { readonly subject: string; readonly bytes: Uint8Array; readonly taken: number } | null = null;
  /** Failed attempts to store or to look, since the last success. */
  #attempts = 0;
  /** Looks that found no stream, since the last that found it. */
  #absences = 0;
  /**
   * Grows with every publish, look, pause, loss of the connection and end: one of them is under way at a time, and
   * what belongs to an earlier turn (its answer, its result, its timer) is ignored.
   */
  #turn = 0;
  #backoffTimer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  #idle: (() => void)[] = [];

  constructor(options: EventStoreOptions) {
    this.#options = options;
    this.#stream = evStream(options.shard);
    this.lastSeq = options.lastSeq;
    this.#events = options.open({
      onDisconnect: () => this.#nextTurn(),
      onReconnect: () => this.#resolveDoubt(),
    });
  }

  /** Takes the next event message, which must never be written to again. */
  store(part: Uint8Array, symbol: string): void {
    if (this.#stopped) return;
    this.#parts.push(part);
    this.#symbols.push(symbol);
    this.unstoredBytes += part.length;
    this.#publishNext();
  }

  /** Resolves when everything taken is stored, or the store has stopped. */
  idle(): Promise<void> {
    if (this.#parts.length === 0 || this.#stopped) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Looks whether somebody else has written, without waiting for the next refused publish. */
  async lookForOthers(): Promise<void> {
    try {
      const lastSeq = await this.#events.lastSeq();
      if (this.#stopped || this.#current !== null || lastSeq === null) return;
      if (lastSeq > this.lastSeq) this.#fence(lastSeq);
    } catch (cause) {
      this.#options.log.debug("cannot look for other writers now", { cause });
    }
  }

  /** Ends the store without waiting. */
  close(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#nextTurn();
    this.#events.close();
    this.#wakeIdle();
  }

  #publishNext(): void {
    if (this.#current !== null || this.#parts.length === 0) return;
    const { bytes, taken } = joinEventBatches(this.#parts, MAX_MESSAGE_BYTES);
    let symbol = this.#symbols[0];
    for (let i = 1; i < taken; i++) if (this.#symbols[i] !== symbol) symbol = NO_SYMBOL;
    this.#current = { subject: evSubject(this.#options.shard, symbol), bytes, taken };
    this.#publishCurrent();
  }

  /** Begins a turn; whatever the one before still waits for no longer counts. */
  #nextTurn(): number {
    clearTimeout(this.#backoffTimer);
    return ++this.#turn;
  }

  #publishCurrent(): void {
    const current = this.#current;
    // Disconnected: the reconnect comes back here by way of resolving the doubt.
    if (current === null || this.#stopped || !this.#events.connected) return;
    const turn = this.#nextTurn();
    this.#events.publish(current.subject, current.bytes, this.lastSeq, (seq, fault) => {
      if (turn === this.#turn) this.#onDone(seq, fault);
    });
  }

  #onDone(seq: number, fault: PublishFault | null): void {
    if (fault === null) {
      if (seq === this.lastSeq + 1) this.#onStored();
      else this.#fail(`stored at sequence ${seq}, expected ${this.lastSeq + 1}`);
    } else if (fault.kind === "refused" && !LOOKED_INTO.has(fault.code)) {
      this.#retryLater(`${fault.description} (${fault.code})`);
    } else this.#resolveDoubt();
  }

  #onStored(): void {
    const { taken } = this.#current!;
    for (let i = 0; i < taken; i++) this.unstoredBytes -= this.#parts[i].length;
    this.#parts.splice(0, taken);
    this.#symbols.splice(0, taken);
    this.#current = null;
    this.#attempts = 0;
    this.lastSeq++;
    if (this.#parts.length === 0) this.#wakeIdle();
    else this.#publishNext();
    this.#options.onStored();
  }

  /** Looks into EV_s whether the message in doubt is there, absent, or somebody else's is. */
  async #resolveDoubt(): Promise<void> {
    const turn = this.#nextTurn();
    const current = this.#current;
    if (current === null || this.#stopped || !this.#events.connected) return;
    const expected = this.lastSeq;
    let lastSeq: number | null;
    let bytes: Uint8Array | null = null;
    try {
      lastSeq = await this.#events.lastSeq();
      if (lastSeq !== null && lastSeq > expected) bytes = await this.#events.bytesAt(expected + 1);
    } catch (cause) {
      if (turn === this.#turn) this.#retryLater(errorText(cause));
      return;
    }
    if (turn !== this.#turn) return;
    if (lastSeq === null) return this.#absent();
    this.#absences = 0;
    if (lastSeq < expected) this.#fail(`it ends at sequence ${lastSeq}, but ${expected} was acknowledged`);
    else if (lastSeq === expected) this.#retryLater("the message in flight was not stored");
    else if (bytes !== null && equalBytes(bytes, current.bytes)) this.#onStored();
    else this.#fence(expected + 1);
  }

  /** A stream that is gone is made again at the next start, and what CMD_s holds commands of is stored once more. */
  #absent(): void {
    if (++this.#absences < MAX_ABSENCES) this.#retryLater("there is no such stream");
    else this.#fail("the stream is gone");
  }

  /** Publishes the same message again (the fence makes a second copy impossible), after a look at the outage. */
  #retryLater(reason: string): void {
    if (this.#stopped || !this.#events.connected) return;
    this.#attempts++;
    if (this.#attempts > MAX_ATTEMPTS) {
      this.#fail(`${reason} (${this.#attempts} attempts)`);
      return;
    }
    this.#options.log.warn("events are not stored yet", {
      stream: this.#stream,
      expectedLastSeq: this.lastSeq,
      attempt: this.#attempts,
      reason,
    });
    this.#nextTurn();
    this.#backoffTimer = setTimeout(() => this.#publishCurrent(), this.#attempts === 1 ? 0 : BACKOFF_MS);
  }

  #fence(seq: number): void {
    this.close();
    this.#options.onFenced(new Error(`Cannot store events: another matcher wrote ${this.#stream} ${seq}`));
  }

  #fail(reason: string): void {
    this.close();
    this.#options.onFatal(new Error(`Cannot store events in ${this.#stream}: ${reason}`));
  }

  #wakeIdle(): void {
    const waiting = this.#idle;
    this.#idle = [];
    for (const resolve of waiting) resolve();
  }
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
