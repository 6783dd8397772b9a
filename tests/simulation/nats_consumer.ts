/**
 * An ephemeral push consumer of the simulated server: delivers a stream in order to an inbox, says that it is alive, and
 * is gone when nobody listens for long. Deliveries may be lost and come twice, numbered as if they had not.
 */
import type { Scheduler } from "./scheduler.ts";
import type { SimulatedStream, Stored } from "./nats_stream.ts";

/** The settings that count here. */
export interface ConsumerSettings {
  readonly name: string;
  readonly deliver_subject: string;
  readonly opt_start_seq?: number;
  /** "last_per_subject" begins with the newest message of each subject; any other with opt_start_seq. */
  readonly deliver_policy?: string;
  readonly filter_subject?: string;
  /** Nanoseconds. */
  readonly idle_heartbeat?: number;
  readonly inactive_threshold?: number;
  readonly flow_control?: boolean;
}

/** What a consumer needs of its server. */
export interface ConsumerHost {
  readonly scheduler: Scheduler;
  /** How likely a delivery is lost, and comes twice. */
  readonly losses: { readonly lost: number; readonly twice: number };
  /** Hands a message to whoever listens on the inbox; false when nobody does. */
  deliver(inbox: string, subject: string, reply: string, headers: string, payload: Uint8Array): boolean;
  listens(inbox: string): boolean;
  /** The consumer is gone. */
  forget(consumer: PushConsumer): void;
}

const NOTHING = new Uint8Array();
const AT_ONCE = 16;

/** One consumer. */
export class PushConsumer {
  readonly stream: SimulatedStream;
  readonly settings: ConsumerSettings;
  readonly #host: ConsumerHost;
  #nextSeq: number;
  /** What comes before {@link #nextSeq}, oldest first. */
  #newest: Stored[];
  #consumerSeq = 0;
  #pumping = false;
  #lastSaidUs = 0;
  #silentSinceUs = -1;
  #over = false;

  constructor(stream: SimulatedStream, settings: ConsumerSettings, host: ConsumerHost) {
    this.stream = stream;
    this.settings = settings;
    this.#host = host;
    const isNewest = settings.deliver_policy === "last_per_subject";
    this.#newest = isNewest ? stream.newest(settings.filter_subject ?? ">") : [];
    this.#nextSeq = isNewest ? stream.lastSeq + 1 : settings.opt_start_seq ?? 1;
    this.pump();
    this.#beat();
  }

  /** Messages that it has not delivered. */
  get pending(): number {
    const { stream, settings: { filter_subject: filter } } = this;
    const rest = filter === undefined
      ? Math.max(0, stream.lastSeq + 1 - Math.max(this.#nextSeq, stream.firstSeq))
      : stream.from(this.#nextSeq, filter, Infinity).length;
    return this.#newest.length + rest;
  }

  /** Ends it. */
  stop(): void {
    this.#over = true;
  }

  /** There may be something to deliver. */
  pump(): void {
    const isThrough = this.#newest.length === 0 && this.#nextSeq > this.stream.lastSeq;
    if (this.#pumping || this.#over || isThrough) return;
    this.#pumping = true;
    const { scheduler } = this.#host;
    scheduler.after(scheduler.random.between(10, 300), null, "deliver", () => {
      this.#pumping = false;
      if (this.#over || !this.#host.listens(this.settings.deliver_subject)) return;
      for (const each of this.#newest.splice(0)) this.#deliver(each, this.#nextSeq);
      const batch = this.stream.from(this.#nextSeq, this.settings.filter_subject, AT_ONCE);
      for (const each of batch) this.#deliver(each, each.seq + 1);
      if (batch.length === 0) this.#nextSeq = this.stream.lastSeq + 1;
      this.pump();
    });
  }

  #deliver(message: Stored, nextSeq: number): void {
    const { scheduler, losses } = this.#host;
    const { name, deliver_subject } = this.settings;
    this.#nextSeq = nextSeq;
    this.#consumerSeq++;
    this.#lastSaidUs = scheduler.nowUs;
    if (scheduler.random.chance(losses.lost)) return;
    const reply = `$JS.ACK.${this.stream.settings.name}.${name}.1.${message.seq}.${this.#consumerSeq}.` +
      `${message.timeUs}000.${this.pending}`;
    const times = scheduler.random.chance(losses.twice) ? 2 : 1;
    for (let i = 0; i < times; i++) {
      this.#host.deliver(deliver_subject, message.subject, reply, message.headers, message.payload);
    }
    if (this.settings.flow_control === true && scheduler.random.chance(0.02)) {
      const control = "NATS/1.0 100 FlowControl Request\r\n\r\n";
      this.#host.deliver(deliver_subject, deliver_subject, `$JS.FC.${name}`, control, NOTHING);
    }
  }

  #beat(): void {
    const { scheduler } = this.#host;
    const everyUs = (this.settings.idle_heartbeat ?? 1e9) / 1000;
    scheduler.after(everyUs, null, "heartbeat", () => {
      if (this.#over) return;
      this.#look();
      if (scheduler.nowUs - this.#lastSaidUs >= everyUs) this.#sayAlive();
      this.#beat();
    });
  }

  #sayAlive(): void {
    const last = `Nats-Last-Consumer: ${this.#consumerSeq}\r\nNats-Last-Stream: ${this.#nextSeq - 1}`;
    const { deliver_subject } = this.settings;
    const headers = `NATS/1.0 100 Idle Heartbeat\r\n${last}\r\n\r\n`;
    this.#host.deliver(deliver_subject, deliver_subject, "", headers, NOTHING);
  }

  #look(): void {
    const { scheduler } = this.#host;
    if (this.#host.listens(this.settings.deliver_subject)) {
      this.#silentSinceUs = -1;
      return;
    }
    if (this.#silentSinceUs === -1) this.#silentSinceUs = scheduler.nowUs;
    if (scheduler.nowUs - this.#silentSinceUs < (this.settings.inactive_threshold ?? 5e9) / 1000) return;
    this.#over = true;
    this.#host.forget(this);
  }
}
