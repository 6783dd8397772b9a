/**
 * A real nats-server for tests: its own port, its own store in a temporary folder, restartable and killable. Test
 * code only.
 */
import { connectNats, type NatsConnection } from "./connect.ts";

const READY_DEADLINE_MS = 15_000;

/** One nats-server process after another, on one port and store. Always {@link dispose} it. */
export class TestServer {
  readonly port: number;
  readonly url: string;
  readonly store: string;
  #process: Deno.ChildProcess | null = null;

  private constructor(port: number, store: string) {
    this.port = port;
    this.url = `nats://127.0.0.1:${port}`;
    this.store = store;
  }

  /** Starts a server with an empty store on a free port. */
  static async start(): Promise<TestServer> {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const port = listener.addr.port;
    listener.close();
    const server = new TestServer(port, await Deno.makeTempDir({ prefix: "pitwire-nats-" }));
    await server.start();
    return server;
  }

  /** Starts the process again, on what the store holds, and waits until it is ready. */
  async start(): Promise<void> {
    const process = new Deno.Command(Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server", {
      args: ["-a", "127.0.0.1", "-p", String(this.port), "-js", "-sd", this.store],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    this.#process = process;
    await readyLine(process.stderr);
  }

  /** Ends the process: SIGKILL loses nothing acknowledged, SIGTERM is the orderly way. */
  async stop(signal: "SIGKILL" | "SIGTERM" = "SIGTERM"): Promise<void> {
    const process = this.#process;
    this.#process = null;
    if (process === null) return;
    process.kill(signal);
    await process.status;
  }

  /** A connection with the services' own options. The caller closes it. */
  connect(name = "test"): Promise<NatsConnection> {
    return connectNats({ url: this.url, name });
  }

  /** Ends the process and removes the store. */
  async dispose(): Promise<void> {
    await this.stop("SIGKILL");
    await Deno.remove(this.store, { recursive: true });
  }
}

/** Reads the server's log until it says that it is ready, then goes on draining it in the background. */
async function readyLine(stderr: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stderr.pipeThrough(new TextDecoderStream()).getReader();
  let log = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`nats-server is not ready in time; it said: ${log}`)),
      READY_DEADLINE_MS,
    );
  });
  try {
    while (!log.includes("Server is ready")) {
      const { value, done } = await Promise.race([reader.read(), deadline]);
      if (done) throw new Error(`nats-server ended before it was ready; it said: ${log}`);
      log += value;
    }
  } finally {
    clearTimeout(timer);
  }
  (async () => {
    while (!(await reader.read()).done);
  })();
}
