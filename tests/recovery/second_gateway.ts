/** One more gateway for a running venue, as a process of the test's own. Test code only. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunningVenue } from "../../infra/venue_process.ts";
import { within } from "../../shared/testing/awaited.ts";
import type { GatewayAddress } from "./lasting_trader.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const CONFIG = join(PROJECT, "tests/integration/venue.yaml");

/** Gateway number 2. */
export class SecondGateway {
  readonly address: GatewayAddress;
  readonly #process: Deno.ChildProcess;
  #ended = false;

  private constructor(process: Deno.ChildProcess, address: GatewayAddress) {
    this.#process = process;
    this.address = address;
  }

  /** Starts it; resolves when clients can log on. */
  static async start({ address }: RunningVenue): Promise<SecondGateway> {
    const process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-prompt",
        "--no-check",
        `--config=${join(PROJECT, "deno.json")}`,
        "--allow-net=127.0.0.1",
        `--allow-read=${CONFIG}`,
        "--allow-env=PITWIRE_*,OTEL_*",
        "--ignore-env",
        join(PROJECT, "services/fix-gateway/main.ts"),
        ...["--config", CONFIG, "--nats", address.natsUrl, "--port", "0", "--gateway-id", "2"],
      ],
      env: {
        PITWIRE_NATS_USER: address.natsUser,
        PITWIRE_NATS_PASSWORD: address.natsPassword,
        PITWIRE_LOG_LEVEL: Deno.env.get("PITWIRE_TEST_LOG") ?? "error",
      },
      stdin: "null",
      stdout: "piped",
      stderr: Deno.env.get("PITWIRE_TEST_LOG") === undefined ? "null" : "inherit",
    }).spawn();
    const ready = await within("the second gateway", firstLine(process.stdout));
    return new SecondGateway(process, { host: "127.0.0.1", port: Number(JSON.parse(ready).port) });
  }

  /** Sends a signal to the process. */
  signal(signal: Deno.Signal): void {
    this.#process.kill(signal);
  }

  /** Ends it as a crash would. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Ends it in good order, if it still runs. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  async #end(signal: Deno.Signal): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#process.kill(signal);
    await this.#process.status;
  }
}

/** The first line of a stream, which is then read to its end in the background. */
async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error("the second gateway ended before it was ready");
    text += value;
  }
  (async () => {
    while (!(await reader.read()).done);
  })().catch(() => {});
  return text.slice(0, text.indexOf("\n"));
}
