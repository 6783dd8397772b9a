/** The floor as a {@link Lane}: fixed-size orders out, fixed-size reports back. */
import { ORDER_BYTES, REPORT_BYTES } from "./sizes.ts";
import type { Lane } from "./load.ts";

/** One TCP connection to the floor's gateway. Dispose it to close. */
export class FloorLane implements Lane, Disposable {
  onReplies: (count: number) => void = () => {};
  readonly #connection: Deno.TcpConn;
  readonly #zeros = new Uint8Array(ORDER_BYTES * 8192);
  #write: Promise<unknown> = Promise.resolve();

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
    connection.setNoDelay(true);
    this.#read();
  }

  /** Connects to the floor's gateway. */
  static async connect(port: number): Promise<FloorLane> {
    return new FloorLane(await Deno.connect({ hostname: "127.0.0.1", port }));
  }

  send(count: number): void {
    const bytes = this.#zeros.subarray(0, count * ORDER_BYTES);
    this.#write = this.#write.then(() => writeAll(this.#connection, bytes));
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(256 * 1024);
    let bytes = 0;
    try {
      for (
        let read = await this.#connection.read(buffer);
        read !== null;
        read = await this.#connection.read(buffer)
      ) {
        bytes += read;
        const replies = Math.floor(bytes / REPORT_BYTES);
        bytes -= replies * REPORT_BYTES;
        if (replies > 0) this.onReplies(replies);
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted)) {
        throw error;
      }
    }
  }
}

/** Writes all of it. */
export async function writeAll(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}
