/**
 * The network of a simulation: connections of two directions, each a queue of bytes that arrive in order, after delays of
 * their own, in pieces of any size. What a killed process had written may still arrive, or not. Owns listeners and the
 * TCP connections that FIX runs over (Deno.TcpConn as far as our code uses it). Decides by chance alone.
 */
import type { Process, Scheduler } from "./scheduler.ts";

/** How slow things are, µs: most of the time, and now and then. */
export interface Delays {
  readonly usualUs: number;
  readonly rareUs: number;
  readonly rareChance: number;
}

/** Takes what one direction brings. */
export interface Receiver {
  bytes(bytes: Uint8Array): void;
  /** No more will come; the connection is gone when `lost`, else the peer has only ended its side. */
  end(lost: boolean): void;
}

/** One direction of a connection: what is written here is received there, in order. */
export class Pipe {
  readonly #scheduler: Scheduler;
  readonly #name: string;
  readonly #delays: () => Delays;
  /** To whom bytes arrive; null: to the world. */
  readonly #owner: () => Process | null;
  receiver: Receiver | null = null;
  /** Whether what is written together arrives together. */
  whole = false;
  /** No piece arrives before the one in front of it. */
  #lastUs = 0;
  #cut = false;

  constructor(scheduler: Scheduler, name: string, delays: () => Delays, owner: () => Process | null) {
    this.#scheduler = scheduler;
    this.#name = name;
    this.#delays = delays;
    this.#owner = owner;
  }

  /** Sends a copy. */
  write(bytes: Uint8Array): void {
    if (this.#cut || bytes.length === 0) return;
    const { random } = this.#scheduler;
    const at = !this.whole && bytes.length > 1 && random.chance(0.02)
      ? random.between(1, bytes.length - 1)
      : bytes.length;
    this.#send(bytes.slice(0, at));
    if (at < bytes.length) this.#send(bytes.slice(at));
  }

  /** Nothing follows. With `dropChance` (0 … 1) what is on its way is lost, else it arrives first. */
  end(lost: boolean, dropChance = 0): void {
    if (this.#cut) return;
    this.#cut = true;
    if (this.#scheduler.random.chance(dropChance)) {
      const receiver = this.receiver;
      this.receiver = null;
      this.#lastUs = 0;
      this.#later("end", () => receiver?.end(lost));
    } else this.#later("end", () => this.receiver?.end(lost));
  }

  /** Holds up everything for a while. */
  stall(delayUs: number): void {
    this.#lastUs = Math.max(this.#lastUs, this.#scheduler.nowUs + delayUs);
  }

  #send(bytes: Uint8Array): void {
    this.#later("bytes", () => {
      this.#scheduler.noteBytes(bytes);
      this.receiver?.bytes(bytes);
    });
  }

  #later(what: string, act: () => void): void {
    const scheduler = this.#scheduler;
    const { usualUs, rareUs, rareChance } = this.#delays();
    const { random } = scheduler;
    const delayUs = random.chance(rareChance) ? random.between(usualUs, rareUs) : random.between(20, usualUs);
    const atUs = Math.max(scheduler.nowUs + delayUs, this.#lastUs);
    this.#lastUs = atUs;
    scheduler.after(atUs - scheduler.nowUs, this.#owner(), `${this.#name} ${what}`, act);
  }
}

/** A socket as our code uses Deno.TcpConn; received bytes wait until they are read. */
class SimulatedConn implements Receiver {
  readonly remoteAddr: Deno.NetAddr = { transport: "tcp", hostname: "10.0.0.1", port: 1 };
  readonly localAddr: Deno.NetAddr = { transport: "tcp", hostname: "10.0.0.2", port: 1 };
  readonly #out: Pipe;
  #waiting: Uint8Array[] = [];
  #ended = false;
  #lost = false;
  #closed = false;
  #reading: { into: Uint8Array; promise: PromiseWithResolvers<number | null> } | null = null;

  constructor(out: Pipe) {
    this.#out = out;
  }

  setNoDelay(): void {}

  read(into: Uint8Array): Promise<number | null> {
    if (this.#closed) return Promise.reject(new Deno.errors.BadResource("closed"));
    const promise = Promise.withResolvers<number | null>();
    this.#reading = { into, promise };
    this.#serve();
    return promise.promise;
  }

  write(bytes: Uint8Array): Promise<number> {
    if (this.#closed) return Promise.reject(new Deno.errors.BadResource("closed"));
    if (this.#lost) return Promise.reject(new Deno.errors.BrokenPipe("lost"));
    this.#out.write(bytes);
    return Promise.resolve(bytes.length);
  }

  closeWrite(): Promise<void> {
    this.#out.end(false);
    return Promise.resolve();
  }

  close(): void {
    if (this.#closed) throw new Deno.errors.BadResource("closed");
    this.#closed = true;
    this.#out.end(true);
    this.#reading?.promise.reject(new Deno.errors.Interrupted("closed"));
    this.#reading = null;
  }

  /** What the kernel does when the process is gone. */
  drop(): void {
    this.#closed = true;
    this.#out.end(true, 0.5);
  }

  bytes(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#serve();
  }

  end(lost: boolean): void {
    this.#ended = true;
    this.#lost ||= lost;
    this.#serve();
  }

  #serve(): void {
    const reading = this.#reading;
    if (reading === null || this.#waiting.length === 0 && !this.#ended) return;
    this.#reading = null;
    const first = this.#waiting[0];
    if (first === undefined) return reading.promise.resolve(null);
    const count = Math.min(first.length, reading.into.length);
    reading.into.set(first.subarray(0, count));
    if (count === first.length) this.#waiting.shift();
    else this.#waiting[0] = first.subarray(count);
    reading.promise.resolve(count);
  }
}

/** Accepts connections for its process. */
class SimulatedListener {
  readonly addr: Deno.NetAddr;
  readonly process: Process | null;
  readonly #waiting: SimulatedConn[] = [];
  #accepting: PromiseWithResolvers<SimulatedConn> | null = null;
  closed = false;

  constructor(port: number, process: Process | null) {
    this.addr = { transport: "tcp", hostname: "127.0.0.1", port };
    this.process = process;
  }

  accept(): Promise<SimulatedConn> {
    if (this.closed) return Promise.reject(new Deno.errors.BadResource("closed"));
    const first = this.#waiting.shift();
    if (first !== undefined) return Promise.resolve(first);
    this.#accepting = Promise.withResolvers();
    return this.#accepting.promise;
  }

  take(conn: SimulatedConn): void {
    const accepting = this.#accepting;
    this.#accepting = null;
    if (accepting === null) this.#waiting.push(conn);
    else accepting.resolve(conn);
  }

  close(): void {
    this.closed = true;
    this.#accepting?.reject(new Deno.errors.Interrupted("closed"));
  }
}

/** All TCP of one run. */
export class Network {
  readonly #scheduler: Scheduler;
  readonly #delays: () => Delays;
  readonly #listeners = new Map<number, SimulatedListener>();

  constructor(scheduler: Scheduler, delays: () => Delays) {
    this.#scheduler = scheduler;
    this.#delays = delays;
  }

  /** Deno.listen for the process at hand. */
  listen(port: number): SimulatedListener {
    const listener = new SimulatedListener(port, this.#scheduler.current);
    this.#listeners.set(port, listener);
    return listener;
  }

  /** Deno.connect for the process at hand. */
  connect(port: number): Promise<SimulatedConn> {
    const scheduler = this.#scheduler;
    const client = scheduler.current;
    const { promise, resolve, reject } = Promise.withResolvers<SimulatedConn>();
    const refuse = () => reject(new Deno.errors.ConnectionRefused("nobody listens"));
    scheduler.after(scheduler.random.between(50, 1000), client, "connect", () => {
      const listener = this.#listeners.get(port);
      const server = listener?.process ?? null;
      if (listener === undefined || listener.closed || server?.alive === false) return refuse();
      const there = new Pipe(scheduler, "tcp", this.#delays, () => server);
      const back = new Pipe(scheduler, "tcp", this.#delays, () => client);
      const near = new SimulatedConn(there);
      const far = new SimulatedConn(back);
      there.receiver = far;
      back.receiver = near;
      client?.atEnd.push(() => near.drop());
      server?.atEnd.push(() => far.drop());
      scheduler.after(0, server, "accept", () => listener.take(far));
      resolve(near);
    });
    return promise;
  }
}
