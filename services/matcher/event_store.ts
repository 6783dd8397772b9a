/**
 * Stores event messages in EV_s: joined while an acknowledgement is outstanding, one publish in flight, each with the
 * expected last sequence as the fence (design §4). Owns the queue of what is not stored yet and learns after every
 * outage whether the publish in flight was stored. Refuses to write over another matcher: it stops. Does I/O.
 */
import { headers } from "@nats-io/nats-core";
import { joinEventBatches } from "../../shared/codec/wire/mod.ts";
import type { Logger } from "../../shared/cli/log.ts";
import {
  AckedPublisher,
  messageOf,
  type NatsConnection,
  type PublishFault,
  storedMessage,
  streamExtent,
  WRONG_LAST_SEQUENCE,
} from "../../shared/nats/mod.ts";
import { evStream, evSubject, MAX_MESSAGE_BYTES, NO_SYMBOL } from "../../shared/protocol/mod.ts";

/** Whom a store writes for and whom it tells. */
export interface EventStoreOptions {
  readonly nc: NatsConnection;
  readonly shard: number;
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
const BACKOFF_MS = 500;

/** The queue in front of EV_s. */
export class EventStore {
  /** Bytes taken and not yet acknowledged. */
  unstoredBytes = 0;
  /** The last sequence of EV_s that is known to be ours. */
  lastSeq: number;
  readonly #options: EventStoreOptions;
  readonly #stream: string;
  readonly #publisher: AckedPublisher;
  readonly #parts: Uint8Array[] = [];
  /** The symbol of each part. */
  readonly #symbols: string[] = [];
  /** The message in flight or in doubt, and how many parts it holds. */
  #current: { readonly subject: string; readonly bytes: Uint8Array; readonly taken: number } | null = null;
  /** Failed attempts to store or to look, since the last success. */
  #attempts = 0;
  #backoffTimer: ReturnType<typeof setTimeout> | undefined;
  #looking = false;
  #stopped = false;
  #idle: (() => void)[] = [];

  constructor(options: EventStoreOptions) {
    this.#options = options;
    this.#stream = evStream(options.shard);
    this.lastSeq = options.lastSeq;
    this.#publisher = new AckedPublisher(options.nc, { onReconnect: () => this.#resolveDoubt() });
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
      const { lastSeq } = await streamExtent(this.#options.nc, this.#stream);
      if (!this.#stopped && this.#current === null && lastSeq > this.lastSeq) this.#fence(lastSeq);
    } catch (cause) {
      this.#options.log.debug("cannot look for other writers now", { cause });
    }
  }

  /** Ends the store without waiting. */
  close(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    clearTimeout(this.#backoffTimer);
    this.#publisher.close();
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

  #publishCurrent(): void {
    const current = this.#current;
    // Disconnected: the reconnect comes back here by way of resolving the doubt.
    if (current === null || this.#stopped || !this.#publisher.connected) return;
    const fence = headers();
    fence.set("Nats-Expected-Last-Sequence", String(this.lastSeq));
    this.#publisher.publish(current.subject, current.bytes, (seq, fault) => this.#onDone(seq, fault), fence);
  }

  #onDone(seq: number, fault: PublishFault | null): void {
    if (this.#stopped) return;
    if (fault === null) {
      if (seq === this.lastSeq + 1) this.#onStored();
      else this.#fail(`stored at sequence ${seq}, expected ${this.lastSeq + 1}`);
      return;
    }
    if (fault.kind === "refused" && fault.code !== WRONG_LAST_SEQUENCE) {
      this.#retryLater(`${fault.description} (${fault.code})`);
    } else {
      this.#resolveDoubt();
    }
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
    const current = this.#current;
    if (current === null || this.#looking || this.#stopped || !this.#publisher.connected) return;
    this.#looking = true;
    try {
      const { lastSeq } = await streamExtent(this.#options.nc, this.#stream);
      if (this.#stopped) return;
      if (lastSeq < this.lastSeq) {
        this.#fail(`it ends at sequence ${lastSeq}, but ${this.lastSeq} was acknowledged`);
      } else if (lastSeq === this.lastSeq) {
        this.#retryLater("the message in flight was not stored");
      } else {
        const message = await storedMessage(this.#options.nc, this.#stream, this.lastSeq + 1);
        if (this.#stopped) return;
        if (message !== null && equalBytes(message.bytes, current.bytes)) this.#onStored();
        else this.#fence(this.lastSeq + 1);
      }
    } catch (cause) {
      this.#retryLater(messageOf(cause));
    } finally {
      this.#looking = false;
    }
  }

  /** Publishes the same message again (the fence makes a second copy impossible), after a look at the outage. */
  #retryLater(reason: string): void {
    if (this.#stopped || !this.#publisher.connected) return;
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
    clearTimeout(this.#backoffTimer);
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
