/**
 * Follows one JetStream stream from a sequence, in order and without a gap, through outages. Owns an ephemeral push
 * consumer (no acknowledgements, flow control, heartbeats) and its core subscription, and makes a new one from the
 * last sequence + 1 whenever it cannot be sure of the old one. Decides nothing about messages that the stream no
 * longer holds: it reports them. Does I/O.
 *
 * Why not the client's ordered consumer: it waits up to 30 s before it notices a dead stream, and its iterator costs
 * a promise per message.
 */
import type { Msg } from "@nats-io/nats-core";
import { createInbox } from "@nats-io/nats-core";
import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { errorText } from "../cli/log.ts";
import type { Delivery } from "./delivery.ts";
import { subscribeDeliveries } from "./delivery_subscription.ts";
import { consumerName, orderedConsumer } from "./ordered_consumer.ts";
import { firstHeld } from "./stored_message.ts";
import { assertSameStream, StreamReplacedError } from "./stream_continuity.ts";
import type { StreamReaderOptions } from "./stream_reader_options.ts";
import { watchStatus } from "./watch_status.ts";

export type { StreamReaderOptions } from "./stream_reader_options.ts";

const MISSED_HEARTBEATS = 3;
const FIRST_BACKOFF_MS = 20;
const LAST_BACKOFF_MS = 1000;
const API_TIMEOUT_MS = 2000;

/** One stream, followed. Starts reading at once. */
export class StreamReader {
  /** Resolves once the reader has delivered everything that the stream held when it began to read. */
  readonly caughtUp: Promise<void>;
  /** Consumers made so far; more than one means that deliveries were interrupted. */
  consumers = 0;
  readonly #options: StreamReaderOptions;
  readonly #heartbeatMs: number;
  readonly #stopWatching: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #resolveCaughtUp: () => void = () => {};
  /** The stream's last sequence when the first consumer was made: under load, `pending` may never reach 0. */
  #lastSeqAtStart = Infinity;
  /** The stream's last sequence when the present consumer was made. */
  #lastSeqAtOpen = 0;
  #looking = false;
  /** When the stream took the last message delivered; NaN when there is none, or others were missing behind it. */
  #lastTimestampUs: number;
  /** The connection was lost: the server may have been, and with it the end of the stream. Or nothing was read yet. */
  #doubtful: boolean;
  /** Grows with every consumer; whatever belongs to an older one is ignored. */
  #generation = 0;
  #subscription: { unsubscribe(): void } | null = null;
  #consumerName = "";
  /** The next stream sequence to deliver. */
  #nextSeq: number;
  /** The last consumer sequence of this generation. */
  #consumerSeq = 0;
  #silentTicks = 0;
  #following = false;
  #connected = true;
  #paused = false;
  #stopped = false;
  #backoffTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: StreamReaderOptions) {
    this.#options = options;
    this.#nextSeq = options.startSeq;
    this.#lastTimestampUs = options.previousUs ?? NaN;
    this.#doubtful = options.previousUs !== undefined;
    this.#heartbeatMs = options.heartbeatMs ?? 500;
    this.caughtUp = new Promise((resolve) => this.#resolveCaughtUp = resolve);
    this.#stopWatching = watchStatus(options.nc, (type) => this.#onStatus(type));
    this.#timer = setInterval(() => this.#onTick(), this.#heartbeatMs);
    this.#restart("start");
  }

  /** The sequence of the last message delivered or reported missing; `startSeq` - 1 before the first. */
  get lastSeq(): number {
    return this.#nextSeq - 1;
  }

  /** Stops deliveries until {@link resume}; may be called from within a callback. */
  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#abandon();
  }

  /** Goes on behind the last message delivered. */
  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#restart("resume");
  }

  /** Ends the reader and its consumer. No callback runs after the call; the promise waits for the server. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#stopWatching();
    await this.#abandon();
  }

  #onStatus(type: string): void {
    if (this.#stopped) return;
    if (type === "disconnect") {
      this.#connected = false;
      this.#doubtful = true;
      this.#abandon();
    } else if (type === "reconnect") {
      this.#connected = true;
      this.#restart("reconnect");
    } else if (type === "close") {
      this.#fail(new Error(`Cannot follow ${this.#options.stream}: the connection was closed`));
    }
  }

  #onTick(): void {
    if (!this.#following) return;
    if (++this.#silentTicks > MISSED_HEARTBEATS) this.#restart("no heartbeat");
  }

  /** Leaves the present consumer, if any; a deliberate loss of everything it might still deliver. */
  #abandon(): Promise<void> {
    this.#generation++;
    this.#following = false;
    clearTimeout(this.#backoffTimer);
    this.#subscription?.unsubscribe();
    this.#subscription = null;
    const name = this.#consumerName;
    this.#consumerName = "";
    if (name === "" || !this.#connected || this.#options.nc.isClosed()) return Promise.resolve();
    // The server removes an abandoned consumer by itself; this only spares it the work until then.
    return this.#manager()
      .then((jsm) => jsm.consumers.delete(this.#options.stream, name))
      .then(() => {}, () => {});
  }

  #restart(reason: string): void {
    if (this.#stopped) return;
    this.#abandon();
    if (this.#paused || !this.#connected) return;
    if (reason !== "start" && reason !== "resume") {
      const { stream, log } = this.#options;
      log.info("stream reader starts a new consumer", { stream, reason, nextSeq: this.#nextSeq });
    }
    this.#establish(this.#generation);
  }

  async #establish(generation: number): Promise<void> {
    const maxAttempts = this.#options.maxAttempts ?? 40;
    let backoffMs = FIRST_BACKOFF_MS;
    for (let attempt = 1; generation === this.#generation; attempt++) {
      try {
        await this.#open(generation);
        return;
      } catch (cause) {
        if (generation !== this.#generation || this.#stopped) return;
        const { stream, log } = this.#options;
        if (cause instanceof StreamReplacedError || attempt >= maxAttempts) {
          const tail = cause instanceof StreamReplacedError ? "" : ` (${attempt} attempts)`;
          this.#fail(new Error(`Cannot follow ${stream}: ${errorText(cause)}${tail}`, { cause }));
          return;
        }
        log.warn("stream reader cannot make a consumer yet", { stream, attempt, cause: errorText(cause) });
        this.#subscription?.unsubscribe();
        this.#subscription = null;
        await this.#backoff(backoffMs);
        backoffMs = Math.min(backoffMs * 2, LAST_BACKOFF_MS);
      }
    }
  }

  async #open(generation: number): Promise<void> {
    const { nc, stream } = this.#options;
    const jsm = await this.#manager();
    const info = await jsm.streams.info(stream);
    const timeUs = this.#doubtful ? this.#lastTimestampUs : NaN;
    await assertSameStream(jsm, stream, info.state.last_seq, this.#nextSeq - 1, timeUs);
    if (generation !== this.#generation) return;
    this.#doubtful = false;
    if (info.state.first_seq > this.#nextSeq) {
      this.#reportMissing(info.state.first_seq);
      if (generation !== this.#generation) return;
    }
    this.#lastSeqAtOpen = info.state.last_seq;
    if (this.#lastSeqAtStart === Infinity) this.#lastSeqAtStart = this.#lastSeqAtOpen;
    const inbox = createInbox();
    const name = consumerName();
    this.#consumerSeq = 0;
    this.#subscription = subscribeDeliveries(nc, { inbox, stream, consumer: name }, {
      onDelivery: (delivery, subject, bytes) => {
        if (generation === this.#generation) this.#onDelivery(delivery, subject, bytes);
      },
      onOther: (error, msg) => {
        if (generation !== this.#generation) return;
        if (error) this.#restart(errorText(error));
        else this.#onControl(msg);
      },
    });
    this.#consumerName = name;
    await jsm.consumers.add(stream, orderedConsumer(name, inbox, this.#nextSeq, this.#heartbeatMs));
    if (generation !== this.#generation) return;
    this.#silentTicks = 0;
    this.#following = true;
    this.consumers++;
    if (this.#nextSeq > this.#lastSeqAtStart) this.#resolveCaughtUp();
  }

  #onDelivery(delivery: Delivery, subject: string, bytes: Uint8Array): void {
    this.#silentTicks = 0;
    if (delivery.consumerSeq !== this.#consumerSeq + 1 || delivery.streamSeq < this.#nextSeq) {
      this.#restart("gap in deliveries");
      return;
    }
    this.#consumerSeq = delivery.consumerSeq;
    const { streamSeq, timestampUs, pending } = delivery;
    const generation = this.#generation;
    if (streamSeq > this.#nextSeq) {
      this.#reportMissing(streamSeq);
      if (generation !== this.#generation) return;
    }
    this.#nextSeq = streamSeq + 1;
    this.#lastTimestampUs = timestampUs;
    try {
      this.#options.onMessage(streamSeq, timestampUs, subject, bytes);
    } catch (cause) {
      this.#failAt(streamSeq, cause);
      return;
    }
    if (streamSeq >= this.#lastSeqAtStart) this.#resolveCaughtUp();
    if (pending === 0) this.#lookAhead();
  }

  /**
   * The consumer has nothing to deliver: what the stream should still hold then cannot be read, since nobody says so of
   * the last messages of a damaged store.
   */
  async #lookAhead(): Promise<void> {
    const { nc, stream } = this.#options;
    const [generation, from] = [this.#generation, this.#nextSeq];
    if (this.#looking || from > this.#lastSeqAtOpen) return;
    this.#looking = true;
    // Without an answer the next heartbeat asks again.
    const held = await firstHeld(nc, stream, from).catch(() => from);
    this.#looking = false;
    if (generation !== this.#generation || from !== this.#nextSeq || held === from) return;
    this.#reportMissing(held ?? this.#lastSeqAtOpen + 1);
    if (this.#nextSeq > this.#lastSeqAtStart) this.#resolveCaughtUp();
  }

  /** The stream goes on at `seq`: what lies before it and was not delivered is gone. */
  #reportMissing(seq: number): void {
    const from = this.#nextSeq;
    this.#nextSeq = seq;
    this.#lastTimestampUs = NaN;
    try {
      this.#options.onMissing(from, seq - 1);
    } catch (cause) {
      this.#failAt(from, cause);
    }
  }

  /** Flow control and heartbeats (status 100), or the end of the consumer (any other status). */
  #onControl(msg: Msg): void {
    this.#silentTicks = 0;
    const headers = msg.headers;
    if (headers === undefined) return;
    if (headers.code !== 100) {
      this.#restart(`status ${headers.code} ${headers.description}`);
      return;
    }
    if (msg.reply) return void msg.respond();
    const stalled = headers.get("Nats-Consumer-Stalled");
    if (stalled !== "") this.#options.nc.publish(stalled);
    if (Number(headers.get("Nats-Last-Consumer")) > this.#consumerSeq) this.#restart("missed deliveries");
    else this.#lookAhead();
  }

  #fail(error: Error): void {
    if (this.#stopped) return;
    this.stop();
    this.#options.onFatal(error);
  }

  #failAt(seq: number, cause: unknown): void {
    const { stream } = this.#options;
    this.#fail(new Error(`Cannot go on at ${stream} sequence ${seq}: ${errorText(cause)}`, { cause }));
  }

  #manager(): Promise<JetStreamManager> {
    return jetstreamManager(this.#options.nc, { checkAPI: false, timeout: API_TIMEOUT_MS });
  }

  /** Resolves after `ms`; never when the generation is abandoned meanwhile, which ends the waiting function. */
  #backoff(ms: number): Promise<void> {
    return new Promise((resolve) => this.#backoffTimer = setTimeout(resolve, ms));
  }
}
