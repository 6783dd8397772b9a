/**
 * The simulated nats-server: connections, subscriptions, and streams that are filled behind a queue of their own, as the
 * real one does. It may lose core messages, answers and deliveries, hand them out twice, refuse to store, and die: then
 * connections, consumers and what was not stored yet are gone, and what was stored is not.
 */
import { answerApi, type ApiHost } from "./nats_api.ts";
import type { PushConsumer } from "./nats_consumer.ts";
import { ClientLines, matches, messageLine, type Publish } from "./nats_lines.ts";
import { type Refusal, SimulatedStream } from "./nats_stream.ts";
import type { Pipe, Receiver } from "./network.ts";
import type { Scheduler } from "./scheduler.ts";
import { START_MS } from "./virtual_globals.ts";

/** What goes wrong at the server now, as probabilities. */
export interface ServerFaults {
  /** Live events and requests between clients. */
  coreLost: number;
  coreTwice: number;
  /** Answers of JetStream. */
  answerLost: number;
  deliveryLost: number;
  deliveryTwice: number;
  /** Publishes to streams that are refused. */
  refused: number;
}

/** Nothing goes wrong. */
export const NO_FAULTS: ServerFaults = {
  coreLost: 0,
  coreTwice: 0,
  answerLost: 0,
  deliveryLost: 0,
  deliveryTwice: 0,
  refused: 0,
};

interface Client {
  readonly out: Pipe;
  readonly lines: ClientLines;
  readonly subscriptions: Map<string, { readonly subject: string; max: number; received: number }>;
  echo: boolean;
  /** In which life of the server it was made. */
  readonly life: number;
}

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();
const NO_RESPONDERS = "NATS/1.0 503\r\n\r\n";
const UNAVAILABLE: Refusal = { code: 503, err_code: 10023, description: "insufficient resources" };

/** One server, over all its lives. */
export class SimulatedNats implements ApiHost {
  readonly scheduler: Scheduler;
  readonly streams: Map<string, SimulatedStream> = new Map();
  consumers: Map<string, PushConsumer> = new Map();
  faults: ServerFaults = NO_FAULTS;
  up = true;
  /** Stopped, its connections open. */
  paused = false;
  /** How far its clock is from the run's, µs. */
  clockOffsetUs = 0;
  /** Planted faults: streams that do not look at what is expected, and what becomes of a message before it is stored. */
  isDeafTo: (stream: string) => boolean = () => false;
  rewrite: (stream: string, payload: Uint8Array) => Uint8Array = (_stream, payload) => payload;
  rewriteRequest: (subject: string, payload: Uint8Array) => Uint8Array = (_subject, payload) => payload;
  /** Hears of everything stored. */
  onStored: (stream: SimulatedStream) => void = () => {};
  onPurged: (stream: SimulatedStream) => void = () => {};
  #clients = new Set<Client>();
  /** What came due while it was paused, in order. */
  readonly #held: (() => void)[] = [];
  /** Grows with every death: what belongs to an earlier life does not happen. */
  #life = 0;
  /** When each stream, and the API, will be through with what they have. */
  readonly #busyUntilUs = new Map<string, number>();

  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler;
  }

  get losses(): { lost: number; twice: number } {
    return { lost: this.faults.deliveryLost, twice: this.faults.deliveryTwice };
  }

  wallUs(): number {
    return START_MS * 1000 + this.scheduler.nowUs + this.clockOffsetUs;
  }

  /** A connection has arrived: `out` leads to the client. What the client sends goes to the result. */
  accept(out: Pipe): Receiver {
    const client: Client = {
      out,
      lines: new ClientLines(),
      subscriptions: new Map(),
      echo: true,
      life: this.#life,
    };
    this.#clients.add(client);
    const about = { server_id: "S", version: "2.12.1", proto: 1, headers: true, max_payload: 1048576 };
    const info = encoder.encode(`INFO ${JSON.stringify({ ...about, jetstream: true })}\r\n`);
    this.#whenRunning(() => out.write(info));
    return {
      // What a connection that was cut had sent still counts.
      bytes: (bytes) => this.#whenRunning(() => this.#take(client, bytes)),
      end: () => this.#whenRunning(() => this.#clients.delete(client)),
    };
  }

  /** Nothing happens at it until {@link resume}. */
  pause(): void {
    this.paused = true;
  }

  /** What came due meanwhile happens now. */
  resume(): void {
    this.paused = false;
    for (const act of this.#held.splice(0)) act();
    for (const consumer of this.consumers.values()) consumer.pump();
  }

  /** A consumer is deleted, by whomever. */
  loseConsumer(): void {
    const consumer = this.scheduler.random.pick([...this.consumers.values()]);
    if (consumer === undefined) return;
    consumer.stop();
    this.forget(consumer);
  }

  #whenRunning(act: () => void): void {
    if (this.paused) this.#held.push(act);
    else act();
  }

  /** The process dies and all that it had not stored. */
  die(): void {
    this.up = false;
    this.paused = false;
    this.#held.length = 0;
    this.#life++;
    for (const { out } of this.#clients) out.end(true, 0.5);
    this.#clients.clear();
    for (const consumer of this.consumers.values()) consumer.stop();
    this.consumers.clear();
    this.#busyUntilUs.clear();
  }

  /** It is started again. */
  start(): void {
    this.up = true;
  }

  /** Cuts one of the connections. */
  cutOne(): void {
    const client = this.scheduler.random.pick([...this.#clients]);
    if (client === undefined) return;
    this.#clients.delete(client);
    client.out.end(true, 0.5);
  }

  listens(inbox: string): boolean {
    if (this.paused) return false;
    for (const { subscriptions } of this.#clients) {
      for (const { subject } of subscriptions.values()) if (matches(subject, inbox)) return true;
    }
    return false;
  }

  deliver(inbox: string, subject: string, reply: string, headers: string, payload: Uint8Array): boolean {
    if (this.paused) return false;
    return this.#route(inbox, subject, reply, headers, payload, null);
  }

  forget(consumer: PushConsumer): void {
    this.consumers.delete(consumer.settings.name);
  }

  #take(client: Client, bytes: Uint8Array): void {
    if (client.life !== this.#life) return;
    for (const line of client.lines.take(bytes)) {
      if (line.kind === "pub") this.#publish(client, line);
      else if (line.kind === "sub") {
        client.subscriptions.set(line.sid, { subject: line.subject, max: 0, received: 0 });
        this.#pump(({ settings }) => matches(line.subject, settings.deliver_subject));
      } else if (line.kind === "unsub") this.#unsubscribe(client, line.sid, line.max);
      else if (line.kind === "connect") client.echo = line.options.echo !== false;
      else if (line.kind === "ping") client.out.write(encoder.encode("PONG\r\n"));
    }
  }

  #pump(isMeant: (consumer: PushConsumer) => boolean): void {
    for (const consumer of this.consumers.values()) if (isMeant(consumer)) consumer.pump();
  }

  #unsubscribe({ subscriptions }: Client, sid: string, max: number): void {
    const subscription = subscriptions.get(sid);
    if (subscription === undefined) return;
    if (max > subscription.received) subscription.max = max;
    else subscriptions.delete(sid);
  }

  #publish(client: Client, publish: Publish): void {
    const { subject, reply, headers, payload } = publish;
    if (subject.startsWith("$JS.API.")) return this.#queue("API", () => this.#answer(publish));
    if (subject.startsWith("$JS.FC.")) return;
    const stream = [...this.streams.values()].find((each) => each.takes(subject));
    if (stream !== undefined) this.#queue(stream.settings.name, () => this.#store(stream, publish));
    const { random } = this.scheduler;
    const isAnswer = subject.startsWith("_INBOX.");
    const isLost = random.chance(this.faults.coreLost);
    const times = isLost ? 0 : random.chance(this.faults.coreTwice) && !isAnswer ? 2 : 1;
    let heard = isLost;
    for (let i = 0; i < times; i++) {
      heard = this.#route(subject, subject, reply, headers, payload, client) || heard;
    }
    if (!heard && stream === undefined && reply !== "") {
      this.#route(reply, reply, "", NO_RESPONDERS, NOTHING, null);
    }
  }

  /** What a part of the server does in its own turn, one after the other. */
  #queue(part: string, act: () => void): void {
    const { scheduler } = this;
    const delayUs = scheduler.random.chance(0.02)
      ? scheduler.random.between(300, 20_000)
      : scheduler.random.between(20, 300);
    const atUs = Math.max(scheduler.nowUs + delayUs, this.#busyUntilUs.get(part) ?? 0);
    this.#busyUntilUs.set(part, atUs);
    const life = this.#life;
    scheduler.after(atUs - scheduler.nowUs, null, part, () => {
      this.#whenRunning(() => life === this.#life && act());
    });
  }

  #store(stream: SimulatedStream, { subject, reply, headers, payload }: Publish): void {
    const { random } = this.scheduler;
    const { name } = stream.settings;
    const stored = random.chance(this.faults.refused) ? UNAVAILABLE : stream.append(
      subject,
      this.isDeafTo(name) ? "" : headers,
      this.rewrite(name, payload),
      this.wallUs(),
    );
    const text = typeof stored === "number"
      ? `{"stream":"${name}","seq":${stored}}`
      : JSON.stringify({ error: stored, stream: name, seq: 0 });
    if (typeof stored === "number") {
      this.onStored(stream);
      this.#pump((consumer) => consumer.stream === stream);
    }
    if (reply === "" || random.chance(this.faults.answerLost)) return;
    this.#route(reply, reply, "", "", encoder.encode(text), null);
  }

  #answer({ subject, reply, payload }: Publish): void {
    const answers = answerApi(this, subject, this.rewriteRequest(subject, payload));
    if (reply === "" || this.scheduler.random.chance(this.faults.answerLost)) return;
    for (const each of answers) this.#route(reply, reply, "", each.headers, each.payload, null);
  }

  #route(
    to: string,
    subject: string,
    reply: string,
    headers: string,
    payload: Uint8Array,
    from: Client | null,
  ): boolean {
    let heard = false;
    for (const client of this.#clients) {
      if (client === from && !client.echo) continue;
      for (const [sid, subscription] of client.subscriptions) {
        if (!matches(subscription.subject, to)) continue;
        heard = true;
        client.out.write(messageLine(subject, sid, reply, headers, payload));
        if (++subscription.received === subscription.max) client.subscriptions.delete(sid);
      }
    }
    return heard;
  }
}
