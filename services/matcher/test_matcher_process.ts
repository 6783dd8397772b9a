/** The matcher as a process of its own for tests: started, watched, killed. Test code only. */
import { fileURLToPath } from "node:url";
import { until } from "../../shared/testing/awaited.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
/** What the thread that takes snapshots runs. */
const THREAD = ["./", "../../shared/", "../../infra/std/"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url))
);

/** A matcher process, its log, and its ready line once it is there. */
export class MatcherProcess {
  ready: { epoch: number; cmdSeq: number } | null = null;
  log = "";
  #ended = false;
  readonly status: Promise<Deno.CommandStatus>;
  readonly #process: Deno.ChildProcess;
  readonly #outputs: Promise<void>[];

  /** Starts one on a server, for a venue file, with the permissions of a venue's. */
  constructor(url: string, config: string, flags: readonly string[] = []) {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        `--allow-net=${new URL(url).host}`,
        `--allow-read=${[config, ...THREAD]}`,
        "--allow-env=PITWIRE_*,OTEL_*",
        "--ignore-env",
        MAIN,
        "--config",
        config,
        "--nats",
        url,
        ...flags,
      ],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.status = this.#process.status;
    this.status.then(() => this.#ended = true);
    this.#outputs = [
      this.#read(this.#process.stdout, (text) => {
        if (text.trim() !== "") this.ready = JSON.parse(text);
      }),
      this.#read(this.#process.stderr, (text) => this.log += text),
    ];
  }

  async #read(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) take(text);
  }

  kill(signal: Deno.Signal): void {
    this.#process.kill(signal);
  }

  /** Ends the process if it lives; resolves with its exit code when its outputs are read. */
  async end(signal: Deno.Signal = "SIGKILL"): Promise<number> {
    try {
      this.kill(signal);
    } catch {
      // It has ended by itself.
    }
    const { code } = await this.status;
    await Promise.all(this.#outputs);
    return code;
  }

  async isReady(): Promise<void> {
    const waited = until("the matcher's ready line", () => this.ready !== null || this.#ended);
    await waited.catch((cause) => {
      throw new Error(`${cause.message}; it said: ${this.log}`, { cause });
    });
    if (this.ready === null) throw new Error(`The matcher ended before it was ready; it said: ${this.log}`);
  }
}
