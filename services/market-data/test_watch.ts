/** Waiting for what others bring about, and a proxy that loses bytes. Test code only. */

const DEADLINE_MS = 15_000;

/** Waits until `holds` is true; it is asked again whenever `changed` is called. */
export class Watch {
  #waiting: { holds: () => boolean; resolve: () => void }[] = [];

  changed(): void {
    this.#waiting = this.#waiting.filter(({ holds, resolve }) => {
      if (!holds()) return true;
      resolve();
      return false;
    });
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    if (holds()) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ holds, resolve });
    const timer = setTimeout(() => reject(new Error(`waited in vain until ${what}`)), DEADLINE_MS);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A TCP proxy that can lose what the client sends while the server's bytes still come through. */
export class LossyProxy extends Watch {
  /** What was lost of what the client sent, and what was not, as text. */
  lost = "";
  passed = "";
  /** Connections that {@link hold} keeps waiting. */
  held = 0;
  readonly #listener: Deno.TcpListener;
  readonly #open = new Set<Deno.TcpConn>();
  readonly #accepting: Promise<void>;
  #losing = false;
  #released: PromiseWithResolvers<void> | null = null;

  constructor(targetPort: number) {
    super();
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.#accepting = this.#accept(targetPort);
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#listener.addr.port}`;
  }

  loseUpstream(): void {
    this.#losing = true;
  }

  /** New connections are taken but nothing comes back until {@link release}. */
  hold(): void {
    this.#released = Promise.withResolvers();
  }

  release(): void {
    this.#released?.resolve();
    this.#released = null;
  }

  /** Ends the present connections; new ones lose nothing. */
  cut(): void {
    this.#losing = false;
    for (const conn of this.#open) conn.close();
    this.#open.clear();
  }

  async close(): Promise<void> {
    this.#listener.close();
    this.release();
    this.cut();
    await this.#accepting;
  }

  async #accept(targetPort: number): Promise<void> {
    for await (const client of this.#listener) {
      const upstream = await Deno.connect({ hostname: "127.0.0.1", port: targetPort });
      this.#open.add(client).add(upstream);
      if (this.#released !== null) {
        this.held++;
        this.changed();
        await this.#released.promise;
      }
      this.#pump(client, upstream, true);
      this.#pump(upstream, client, false);
    }
  }

  async #pump(from: Deno.TcpConn, to: Deno.TcpConn, fromClient: boolean): Promise<void> {
    const buffer = new Uint8Array(65536);
    try {
      for (let n = await from.read(buffer); n !== null; n = await from.read(buffer)) {
        if (fromClient) {
          this[this.#losing ? "lost" : "passed"] += new TextDecoder().decode(buffer.subarray(0, n));
          this.changed();
          if (this.#losing) continue;
        }
        for (let at = 0; at < n;) at += await to.write(buffer.subarray(at, n));
      }
    } catch {
      // Either end was cut: that is what this proxy is for.
    }
    for (const conn of [from, to]) if (this.#open.delete(conn)) conn.close();
  }
}
