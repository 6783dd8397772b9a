/**
 * A TCP proxy in front of nats-server that holds back what a client sends, and lets it go later: a publish that is on the wire
 * for as long as a test wants. Test code only.
 */
import { until } from "../../shared/testing/awaited.ts";

/** One proxy for any number of connections; what the server sends always passes. */
export class HoldingProxy {
  readonly url: string;
  readonly #listener: Deno.TcpListener;
  readonly #serverPort: number;
  readonly #connections: Deno.TcpConn[] = [];
  readonly #pumps: Promise<void>[] = [];
  #held: { readonly to: Deno.TcpConn; readonly bytes: Uint8Array }[] = [];
  #holding = false;
  /** Holding begins with the chunk in which this is sent. */
  #trigger: string | null = null;
  /** Writes to servers, one after the other. */
  #writing = Promise.resolve();

  /** In front of the server at `serverPort`. Always {@link close} it. */
  constructor(serverPort: number) {
    this.#serverPort = serverPort;
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.url = `nats://127.0.0.1:${this.#listener.addr.port}`;
    this.#accept();
  }

  /** Holds what clients send from now on, or from the moment on that they send `text`. */
  hold(text: string | null = null): void {
    this.#trigger = text;
    this.#holding = text === null;
  }

  /** Resolves when something that contains `text` is held. */
  async holds(text: string): Promise<void> {
    await until(`"${text}" on the wire`, () => this.#heldText().includes(text));
  }

  /** How often `text` is in what is held. */
  countHeld(text: string): number {
    return this.#heldText().split(text).length - 1;
  }

  /** Lets go of what is held, in order, and holds no more. Resolves when the server has been given it. */
  async release(): Promise<void> {
    this.#trigger = null;
    this.#holding = false;
    for (const { to, bytes } of this.#held.splice(0)) this.#write(to, bytes);
    await this.#writing;
  }

  /** Ends it and every connection through it. */
  async close(): Promise<void> {
    this.#listener.close();
    for (const each of this.#connections) close(each);
    await Promise.all(this.#pumps);
    await this.#writing;
  }

  #heldText(): string {
    const decoder = new TextDecoder("latin1");
    return this.#held.map(({ bytes }) => decoder.decode(bytes)).join("");
  }

  #write(to: Deno.TcpConn, bytes: Uint8Array): void {
    this.#writing = this.#writing.then(() => writeAll(to, bytes)).catch(() => {});
  }

  async #accept(): Promise<void> {
    try {
      for await (const client of this.#listener) {
        const server = await Deno.connect({ hostname: "127.0.0.1", port: this.#serverPort });
        this.#connections.push(client, server);
        this.#pumps.push(this.#up(client, server), down(server, client));
      }
    } catch {
      // Closed.
    }
  }

  async #up(client: Deno.TcpConn, server: Deno.TcpConn): Promise<void> {
    await eachChunk(client, (bytes) => {
      if (this.#trigger !== null && new TextDecoder("latin1").decode(bytes).includes(this.#trigger)) {
        this.hold();
      }
      if (this.#holding) this.#held.push({ to: server, bytes });
      else this.#write(server, bytes);
    });
    // A client that is gone leaves what is on the wire on the wire.
    if (!this.#holding) close(server);
  }
}

async function down(server: Deno.TcpConn, client: Deno.TcpConn): Promise<void> {
  let writing = Promise.resolve();
  await eachChunk(
    server,
    (bytes) => void (writing = writing.then(() => writeAll(client, bytes)).catch(() => {})),
  );
  await writing;
  close(client);
}

async function eachChunk(connection: Deno.TcpConn, take: (bytes: Uint8Array) => void): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (let read; (read = await connection.read(buffer)) !== null;) take(buffer.slice(0, read));
  } catch {
    // Closed, or reset by a process that was killed.
  }
}

async function writeAll(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // Closed before.
  }
}
