/**
 * Owns a script's end of a TCP connection: whole messages come out of it, in the time allowed or not at all.
 */
import { Framer, FrameStatus } from "../../shared/codec/fix/mod.ts";
import type { Peer, Received } from "./run_script.ts";

const MAX_MESSAGE_BYTES = 1 << 20;

/** A peer over TCP. */
export class SocketPeer implements Peer {
  readonly #conn: Deno.TcpConn;
  readonly #framer = new Framer(MAX_MESSAGE_BYTES);
  /** The read in flight; resolves with what it brought, 0 for the end. */
  #reading: Promise<number> | null = null;
  #open = true;
  #ended = false;

  private constructor(conn: Deno.TcpConn) {
    this.#conn = conn;
    conn.setNoDelay(true);
  }

  /** Connects to 127.0.0.1. */
  static async connect(port: number): Promise<SocketPeer> {
    return new SocketPeer(await Deno.connect({ hostname: "127.0.0.1", port }));
  }

  /**
   * Writes everything; what the other side has closed against is dropped, since the script will see the end.
   */
  async send(bytes: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < bytes.length;) at += await this.#conn.write(bytes.subarray(at));
    } catch {
      this.#ended = true;
    }
  }

  /** See {@link Peer}. Bytes that are no message fail the script: nothing of the kind may ever be sent. */
  async receive(withinMs: number): Promise<Received> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const status = this.#framer.next();
      if (status === FrameStatus.Frame) {
        const { buffer, start, end } = this.#framer;
        return { kind: "message", bytes: buffer.slice(start, end) };
      }
      if (status !== FrameStatus.NeedMore) throw new Error(`Cannot read what came: ${this.#framer.fault}`);
      if (this.#ended) return { kind: "disconnect" };
      const count = await this.#read(deadline - performance.now());
      if (count === null) return { kind: "nothing" };
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#conn.close();
  }

  /** Bytes read; null when the time is over, in which case the read goes on. */
  async #read(limitMs: number): Promise<number | null> {
    this.#reading ??= this.#readOnce();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) =>
      timer = setTimeout(() => resolve(null), Math.max(0, limitMs))
    );
    const count = await Promise.race([this.#reading, late]);
    clearTimeout(timer);
    return count;
  }

  async #readOnce(): Promise<number> {
    const chunk = new Uint8Array(16_384);
    const count = await this.#conn.read(chunk).catch(() => null);
    this.#reading = null;
    if (count === null) this.#ended = true;
    else this.#framer.push(chunk.subarray(0, count));
    return count ?? 0;
  }
}
