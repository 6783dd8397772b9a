/**
 * Owns one socket: reads it into a Framer, hands whole messages to its owner, and writes what the session
 * appends, one write in flight at a time, so that everything appended meanwhile leaves together. It knows no
 * session.
 */
import { FixMessage, Framer, FrameStatus, ParseFault } from "../../../shared/codec/fix/mod.ts";
import { OutBuffer } from "../session/mod.ts";
import type { NetClock } from "./clock.ts";

/** What a connection reports to its owner. None of it may throw. */
export interface ConnectionOwner {
  /** The data fields by which messages are read; see FixMessage. */
  readonly dataLengthTags: Uint16Array;
  /** One whole message; `message` is borrowed for the call. */
  message(message: FixMessage): void;
  /** One whole message of more fields than are indexed; the first ones are. */
  oversized(message: FixMessage): void;
  /** Bytes that are no message; `tooLong` when BodyLength passes the limit. */
  garbled(fault: string, tooLong: boolean): void;
  /** All messages of one read were handed over. */
  readComplete(): void;
  /** Null, or what to wait for before reading on. */
  readonly ready: Promise<void> | null;
  /** Whether messages that were read wait, as those not read do, for {@link ready}. */
  readonly paused: boolean;
  /**
   * Bytes were taken by the peer, or {@link OutBuffer.nudge} was called: look whether to go on or to close.
   */
  progress(): void;
  /**
   * Handling this connection failed for a reason that is not the network's: a bug, contained by closing it.
   */
  failed(error: unknown): void;
}

/** How long a closing connection waits for the peer to take the last bytes and to close its side, ms. */
export const LINGER_MS = 1000;

/** One TCP connection and its buffers. */
export class Connection {
  readonly out: OutBuffer;
  readonly remoteAddress: string;
  /** Resolves when the socket is closed and no more will be reported. */
  readonly done: Promise<void>;
  readonly #conn: Deno.TcpConn;
  readonly #owner: ConnectionOwner;
  readonly #framer: Framer;
  readonly #message: FixMessage;
  /** Set when no further bytes are to be handed over. */
  #ending = false;
  #closed = false;
  #writing: Promise<void> | null = null;
  #woken = false;

  /** Takes the socket over. `message` may be shared by the connections of one thread. */
  constructor(
    conn: Deno.TcpConn,
    owner: ConnectionOwner,
    limits: { readonly maxMessageBytes: number; readonly maxUnsentBytes: number },
    message: FixMessage,
  ) {
    this.#conn = conn;
    this.#owner = owner;
    this.#framer = new Framer(limits.maxMessageBytes);
    this.#message = message;
    this.out = new OutBuffer(limits.maxUnsentBytes);
    this.out.wake = () => this.#wake();
    this.remoteAddress = conn.remoteAddr.hostname;
    conn.setNoDelay(true);
    this.done = this.#readLoop();
  }

  /** Whether {@link finish} or {@link abort} was called, or the peer is gone. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Writes what was appended, says that no more follows, waits a little for the peer, closes. */
  async finish(clock: NetClock): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    await clock.within(this.#writeOut(), LINGER_MS);
    if (!this.#closed) await this.#conn.closeWrite().catch(ignore);
    await clock.within(this.done, LINGER_MS);
    this.abort();
  }

  /** Closes now; unwritten bytes are lost. */
  abort(): void {
    this.#ending = true;
    if (this.#closed) return;
    this.#closed = true;
    this.#conn.close();
  }

  /** Starts writing what was appended, unless a write is in flight. */
  flush(): void {
    if (this.#writing !== null || this.#closed) return;
    const bytes = this.out.take();
    if (bytes !== null) this.#writing = this.#writeLoop(bytes);
  }

  async #readLoop(): Promise<void> {
    const framer = this.#framer;
    try {
      while (!this.#closed) {
        const { ready, paused } = this.#owner;
        if (ready !== null && !this.#ending) await ready;
        if (paused) {
          this.#handOver();
          continue;
        }
        const count = await this.#conn.read(framer.writable());
        if (count === null) break;
        framer.commit(count);
        this.#handOver();
      }
    } catch (error) {
      if (!isConnectionLoss(error)) this.#owner.failed(error);
    } finally {
      this.abort();
    }
  }

  /** All messages in the framer; while ending they are dropped, so that the peer's bytes do not pile up. */
  #handOver(): void {
    const framer = this.#framer;
    const owner = this.#owner;
    const message = this.#message;
    while (!owner.paused || this.#ending) {
      const status = framer.next();
      if (status === FrameStatus.NeedMore) break;
      if (this.#ending) continue;
      if (status === FrameStatus.Frame) {
        message.dataLengthTags = owner.dataLengthTags;
        const fault = message.parse(framer.buffer, framer.start, framer.end);
        if (fault === ParseFault.None) owner.message(message);
        else owner.oversized(message);
      } else owner.garbled(framer.fault, status === FrameStatus.TooLong);
    }
    owner.readComplete();
    this.flush();
  }

  /** Appending wakes the writer once per turn of the event loop, so that a burst leaves in one write. */
  #wake(): void {
    if (this.#woken) return;
    this.#woken = true;
    queueMicrotask(() => {
      this.#woken = false;
      if (this.#ending) return;
      this.#owner.progress();
      this.flush();
    });
  }

  async #writeLoop(first: Uint8Array): Promise<void> {
    try {
      for (let bytes: Uint8Array | null = first; bytes !== null; bytes = this.out.take()) {
        let written = 0;
        while (written < bytes.length) {
          const count = await this.#conn.write(bytes.subarray(written));
          this.out.wrote(count);
          written += count;
        }
        this.out.release();
        if (!this.#ending) this.#owner.progress();
      }
    } catch (error) {
      if (!isConnectionLoss(error)) this.#owner.failed(error);
      this.abort();
    } finally {
      this.#writing = null;
    }
  }

  /** Until nothing is left to write. */
  async #writeOut(): Promise<void> {
    while (!this.#closed && this.out.unsent > 0) {
      this.flush();
      if (this.#writing !== null) await this.#writing;
    }
  }
}

function ignore(): void {}

/** Whether an error of a socket operation is the peer's or our own closing, not a bug. */
function isConnectionLoss(error: unknown): boolean {
  return error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.ConnectionAborted || error instanceof Deno.errors.BadResource ||
    error instanceof Deno.errors.Interrupted || error instanceof Deno.errors.TimedOut ||
    error instanceof Deno.errors.NotConnected || error instanceof Deno.errors.UnexpectedEof;
}
