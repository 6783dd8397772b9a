/**
 * A real nats-server for tests: its own port, its own store in a temporary folder, restartable and killable. Test
 * code only.
 */
import { join } from "node:path";
import type { JetStreamManager } from "@nats-io/jetstream";
import { until } from "../testing/awaited.ts";
import { connectNats, type NatsConnection } from "./connect.ts";

const READY_DEADLINE_MS = 15_000;
/** Below the ports that outgoing connections get: a client that reconnects must not take the server's place. */
const FIRST_PORT = 20_000;
const PORTS = 12_000;
const MAX_ATTEMPTS = 5;

/** One nats-server process after another, on one port and store. Always {@link dispose} it. */
export class TestServer {
  readonly port: number;
  readonly url: string;
  readonly store: string;
  #process: Deno.ChildProcess | null = null;
  /** Ends when the process has closed its log. */
  #log: Promise<void> | null = null;

  readonly #executable: string;

  private constructor(port: number, store: string, executable: string) {
    this.#executable = executable;
    this.port = port;
    this.url = `nats://127.0.0.1:${port}`;
    this.store = store;
  }

  /** Starts a server with an empty store on a free port; the tests' own unless `executable` names one. */
  static async start(
    executable: string = Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
  ): Promise<TestServer> {
    const store = await Deno.makeTempDir({ prefix: "pitwire-nats-" });
    for (let attempt = 1;; attempt++) {
      const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
      const server = new TestServer(port, store, executable);
      try {
        await server.start();
        return server;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** Starts the process again, on what the store holds, and waits until it is ready. */
  async start(): Promise<void> {
    const process = new Deno.Command(this.#executable, {
      args: ["-a", "127.0.0.1", "-p", String(this.port), "-js", "-sd", this.store],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    this.#process = process;
    const reader = process.stderr.pipeThrough(new TextDecoderStream()).getReader();
    try {
      await untilReady(reader);
      this.#log = drain(reader);
    } catch (error) {
      await this.stop("SIGKILL");
      throw error;
    }
  }

  /** Has the process take what it is sent and do nothing about it, until it is ended or resumed. */
  pause(): void {
    this.#process?.kill("SIGSTOP");
  }

  /** Lets a paused process go on. */
  resume(): void {
    this.#process?.kill("SIGCONT");
  }

  /** Ends the process: SIGKILL loses nothing acknowledged, SIGTERM is the orderly way. */
  async stop(signal: "SIGKILL" | "SIGTERM" = "SIGTERM"): Promise<void> {
    const process = this.#process;
    this.#process = null;
    if (process === null) return;
    try {
      process.kill(signal);
    } catch {
      // It has ended by itself.
    }
    await process.status;
    await this.#log;
  }

  /**
   * Deletes a stream of the global account, and its files too: nats-server removes them later, and a second deletion
   * of the same name before that leaves files that the next stream of this name would begin with.
   */
  async deleteStream(jsm: JetStreamManager, name: string): Promise<void> {
    await jsm.streams.delete(name);
    const folder = join(this.store, "jetstream", "$G", "streams");
    await until(`the files of ${name} are gone`, async () => {
      for await (const entry of Deno.readDir(folder)) {
        if ([name, `.${name}`].includes(entry.name)) return false;
      }
      return true;
    });
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

/** Reads the server's log until it says that it is ready. */
async function untilReady(reader: ReadableStreamDefaultReader<string>): Promise<void> {
  let log = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    const late = () => reject(new Error(`nats-server is not ready in time; it said: ${log}`));
    timer = setTimeout(late, READY_DEADLINE_MS);
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
}

/** Reads to the end, so that the server never waits for a reader. */
async function drain(reader: ReadableStreamDefaultReader<string>): Promise<void> {
  while (!(await reader.read()).done);
}
