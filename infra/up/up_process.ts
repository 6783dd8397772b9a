/** For tests: `deno task up` as people start it, its output line by line. Starts processes. */
import { join } from "node:path";
import { PROJECT_DIR } from "../supervisor/programs.ts";

const NATS = Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server";

/** `deno task up` as a process. */
export class Up {
  readonly process: Deno.ChildProcess;
  readonly #stdout: ReadableStreamDefaultReader<string>;
  readonly #stderr: Promise<string>;
  /** What has been read of standard output. */
  out = "";

  /** `wrap` may put another program around it. */
  constructor(
    args: readonly string[],
    wrap = (inner: string[]): [command: string, args: string[]] => [Deno.execPath(), inner],
  ) {
    const path = NATS.includes("/") ? join(NATS, "..") : "";
    const [command, all] = wrap([
      "task",
      "--quiet",
      "--config",
      join(PROJECT_DIR, "deno.json"),
      "up",
      ...args,
    ]);
    this.process = new Deno.Command(command, {
      args: all,
      env: { NO_COLOR: "1", PATH: `${path}:${Deno.env.get("PATH")}` },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#stdout = this.process.stdout.pipeThrough(new TextDecoderStream()).getReader();
    this.#stderr = new Response(this.process.stderr).text();
  }

  /** Reads standard output until it holds a whole line; empty when it ends before. */
  async line(): Promise<string> {
    while (!this.out.includes("\n")) {
      const { value, done } = await this.#stdout.read();
      if (done) return "";
      this.out += value;
    }
    return this.out.slice(0, this.out.indexOf("\n"));
  }

  /** Reads to the end of its output. */
  async end(): Promise<{ code: number; signal: string | null; stderr: string; lines: string[] }> {
    while (true) {
      const { value, done } = await this.#stdout.read();
      if (done) break;
      this.out += value;
    }
    const { code, signal } = await this.process.status;
    const stderr = await this.#stderr;
    return { code, signal, stderr, lines: stderr.trimEnd().split("\n") };
  }
}
