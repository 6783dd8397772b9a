/** Coalesced writes of the floor gateway. */

/** One write at a time; what comes meanwhile goes with the next. */
export class ReportWriter {
  readonly #connection: Deno.TcpConn;
  readonly #zeros = new Uint8Array(1024 * 1024);
  #pending = 0;
  #writing = false;

  constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  async write(bytes: number): Promise<void> {
    this.#pending += bytes;
    if (this.#writing) return;
    this.#writing = true;
    while (this.#pending > 0) {
      const count = Math.min(this.#pending, this.#zeros.length);
      const written = await this.#connection.write(this.#zeros.subarray(0, count));
      this.#pending -= written;
    }
    this.#writing = false;
  }
}
