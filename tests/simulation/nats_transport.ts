/**
 * The real NATS client over the simulated network: the transport that it is given connects the process at hand with the
 * simulated server. Owns one connection's two pipes.
 */
import { NatsConnectionImpl, setTransportFactory, type Transport } from "@nats-io/nats-core/internal";
import { connectionOptions, type NatsConnection } from "../../shared/nats/mod.ts";
import type { SimulatedNats } from "./nats_server.ts";
import { type Delays, Pipe, type Receiver } from "./network.ts";
import type { Process, Scheduler } from "./scheduler.ts";

/** What stands between a process and what it sends: null changes nothing. Planted faults live here. */
export type Tamper = ((sent: Uint8Array, back: (bytes: Uint8Array) => void) => void) | null;

/** Where transports lead to. */
export interface TransportWorld {
  readonly scheduler: Scheduler;
  readonly nats: SimulatedNats;
  readonly delays: () => Delays;
  /** Hears what a process sends; absent: nobody. */
  readonly tamperOf?: (process: Process) => Tamper;
}

/** Connects the process at hand; rejects when the server is not there. */
export async function connectSimulated(world: TransportWorld, name: string): Promise<NatsConnection> {
  setTransportFactory({ factory: () => new SimulatedTransport(world) });
  const options = connectionOptions({ url: "nats://127.0.0.1:4222", name });
  return await NatsConnectionImpl.connect(options) as unknown as NatsConnection;
}

class SimulatedTransport implements Transport, Receiver {
  readonly lang = "nats.js";
  readonly version = "3.4.0";
  isClosed = false;
  closeError?: Error;
  readonly #world: TransportWorld;
  readonly #closed = Promise.withResolvers<void | Error>();
  #out: Pipe | null = null;
  #tamper: Tamper = null;
  #waiting: Uint8Array[] = [];
  #arrived = Promise.withResolvers<void>();
  /** As the client's own transport has it: a connection is there with the server's first bytes. */
  readonly #opened = Promise.withResolvers<void>();

  constructor(world: TransportWorld) {
    this.#world = world;
  }

  connect(): Promise<void> {
    const { scheduler, nats, delays, tamperOf } = this.#world;
    const process = scheduler.current!;
    const { promise, reject } = this.#opened;
    this.#tamper = tamperOf?.(process) ?? null;
    scheduler.after(scheduler.random.between(50, 2000), process, "nats connect", () => {
      if (!nats.up) return reject(new Error("connection refused"));
      if (this.isClosed) return reject(new Error("closed"));
      const back = new Pipe(scheduler, `nats>${process.name}`, delays, () => process);
      back.receiver = this;
      back.whole = this.#tamper !== null;
      this.#out = new Pipe(scheduler, `${process.name}>nats`, delays, () => null);
      this.#out.receiver = nats.accept(back);
      process.atEnd.push(() => this.#out?.end(true, 0.5));
    });
    return promise;
  }

  bytes(bytes: Uint8Array): void {
    if (this.isClosed) return;
    this.#waiting.push(bytes);
    this.#opened.resolve();
    this.#arrived.resolve();
  }

  end(): void {
    this.#opened.reject(new Error("connection refused"));
    this.#close(undefined);
  }

  async *[Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array> {
    while (!this.isClosed) {
      await this.#arrived.promise;
      for (const bytes of this.#waiting.splice(0)) yield bytes;
      if (this.#waiting.length === 0) this.#arrived = Promise.withResolvers();
      if (this.isClosed) break;
    }
  }

  isEncrypted(): boolean {
    return false;
  }

  send(frame: Uint8Array): void {
    if (this.isClosed || this.#out === null) return;
    this.#out.write(frame);
    this.#tamper?.(frame, (bytes) => this.bytes(bytes));
  }

  close(error?: Error): Promise<void> {
    this.#close(error);
    return Promise.resolve();
  }

  disconnect(): void {
    this.#close(undefined);
  }

  closed(): Promise<void | Error> {
    return this.#closed.promise;
  }

  discard(): void {
    this.isClosed = true;
    this.#arrived.resolve();
    this.#out?.end(true);
  }

  #close(error: Error | undefined): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.closeError = error;
    this.#out?.end(true);
    this.#arrived.resolve();
    this.#closed.resolve(error);
  }
}
