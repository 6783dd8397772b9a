/**
 * Publishes to JetStream streams and hears the answers, at the price of a core publish: one subscription for all
 * answers, no promise, no timer and no JSON per message. Owns the numbering of publishes in flight. Never sends
 * anything twice: what an outage leaves unanswered is reported as unknown, and the owner decides. Does I/O.
 */
import type { MsgHdrs, NatsConnection, Subscription } from "@nats-io/nats-core";
import { createInbox } from "@nats-io/nats-core";
import { PublishAck } from "./publish_ack.ts";
import { watchStatus } from "./watch_status.ts";

/** Why a publish was not confirmed. */
export interface PublishFault {
  /**
   * `refused`: the server answered that it did not store the message (see `code`). `unknown`: no answer came before
   * the connection was lost or the time was up; the message may have been stored, or may still be.
   */
  readonly kind: "refused" | "unknown";
  /** JetStream's err_code, 503 when no stream listens, 0 when unknown. */
  readonly code: number;
  readonly description: string;
}

/** Hears how one publish ended: `seq` is its place in the stream, or 0 and a fault. Must not throw. */
export type PublishDone = (seq: number, fault: PublishFault | null) => void;

/** What an owner may set. */
export interface AckedPublisherOptions {
  /** After how long without an answer a publish counts as unknown, ms (default 5000). */
  readonly timeoutMs?: number;
  /** The connection is gone; every publish in flight has been reported unknown. */
  readonly onDisconnect?: () => void;
  /** The connection is back: the owner sends again what it must, in order. */
  readonly onReconnect?: () => void;
}

interface InFlight {
  readonly done: PublishDone;
  /** The number of the tick at which it was published. */
  readonly tick: number;
}

const TICKS_PER_TIMEOUT = 4;

/** Publishes with answers over one connection. Answers arrive in publish order per stream. */
export class AckedPublisher {
  /** False from the loss of the connection until it is back; {@link publish} is then a bug of the owner. */
  connected = true;
  readonly #nc: NatsConnection;
  readonly #options: AckedPublisherOptions;
  readonly #inbox: string;
  readonly #subscription: Subscription;
  readonly #stopWatching: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #ack = new PublishAck();
  /** In publish order, since a Map keeps insertion order. */
  readonly #inFlight = new Map<number, InFlight>();
  #nextNumber = 0;
  #tick = 0;
  #closed = false;

  constructor(nc: NatsConnection, options: AckedPublisherOptions = {}) {
    this.#nc = nc;
    this.#options = options;
    this.#inbox = createInbox() + ".";
    this.#subscription = nc.subscribe(`${this.#inbox}*`, {
      callback: (error, msg) => {
        if (error === null) this.#onAnswer(Number(msg.subject.slice(this.#inbox.length)), msg.data);
      },
    });
    this.#stopWatching = watchStatus(nc, (type) => this.#onStatus(type));
    this.#timer = setInterval(() => this.#onTick(), (options.timeoutMs ?? 5000) / TICKS_PER_TIMEOUT);
  }

  /** Publishes that have not ended yet. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /**
   * Sends one message. `bytes` is referenced until it has left the process (a microtask later): never write to it
   * again. `done` is called exactly once, never within this call. Throws while disconnected or when the message
   * is over the server's size limit.
   */
  publish(subject: string, bytes: Uint8Array, done: PublishDone, headers?: MsgHdrs): void {
    if (!this.connected) throw new Error(`Cannot publish to ${subject}: the connection is lost`);
    const number = this.#nextNumber++;
    this.#inFlight.set(number, { done, tick: this.#tick });
    try {
      this.#nc.publish(subject, bytes, { reply: this.#inbox + number, headers });
    } catch (error) {
      this.#inFlight.delete(number);
      throw error;
    }
  }

  /** Ends the publisher; publishes in flight are forgotten without a call. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.connected = false;
    clearInterval(this.#timer);
    this.#stopWatching();
    this.#inFlight.clear();
    if (!this.#nc.isClosed()) this.#subscription.unsubscribe();
  }

  #onAnswer(number: number, bytes: Uint8Array): void {
    const entry = this.#inFlight.get(number);
    if (entry === undefined) return;
    this.#inFlight.delete(number);
    const ack = this.#ack;
    ack.parse(bytes);
    if (ack.seq > 0) entry.done(ack.seq, null);
    else entry.done(0, { kind: "refused", code: ack.errorCode, description: ack.description });
  }

  #onStatus(type: string): void {
    if (this.#closed) return;
    if (type === "disconnect" || type === "close") {
      this.connected = false;
      this.#endAll("the connection was lost");
      this.#options.onDisconnect?.();
    } else if (type === "reconnect") {
      this.connected = true;
      this.#options.onReconnect?.();
    }
  }

  #onTick(): void {
    this.#tick++;
    for (const [number, entry] of this.#inFlight) {
      if (this.#tick - entry.tick <= TICKS_PER_TIMEOUT) return;
      this.#inFlight.delete(number);
      entry.done(0, { kind: "unknown", code: 0, description: "no answer in time" });
    }
  }

  #endAll(description: string): void {
    const entries = [...this.#inFlight.values()];
    this.#inFlight.clear();
    const fault: PublishFault = { kind: "unknown", code: 0, description };
    for (const entry of entries) entry.done(0, fault);
  }
}
