import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const VENUE = path("../../infra/venue.yaml");

/** Runs the matcher to its end, with the permissions that the supervisor gives it. */
async function run(...args: string[]): Promise<{ code: number; stdout: string; message: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--no-check", `--config=${path("../../deno.json")}`],
      ...["--allow-net=127.0.0.1", `--allow-read=${VENUE}`, "--allow-env=PITWIRE_*,OTEL_*", "--ignore-env"],
      ...[path("./main.ts"), ...args],
    ],
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const message = stderr.length === 0 ? "" : JSON.parse(text(stderr)).msg;
  return { code, stdout: text(stdout), message };
}

describe("the matcher's command line", () => {
  it("explains itself", async () => {
    const { code, stdout, message } = await run("--help");
    assert.deepEqual([code, message], [0, ""]);
    assert.match(stdout, /^The matcher of one shard of a Pitwire venue\.\n\nUsage: deno run/);
  });

  const unreachable = "nats://127.0.0.1:1";
  const rows: [string, string[], number, string][] = [
    ["a wrong flag", ["--shards", "0"], 2, 'Cannot read "--shards": there is no such flag (see --help)'],
    [
      "a shard that the venue has not",
      ["--config", VENUE, "--shard", "0x0", "--nats", unreachable],
      78,
      'Cannot start a matcher: --shard must be one of 0, got "0x0"',
    ],
    [
      "a server that is not there",
      ["--config", VENUE, "--nats", unreachable],
      1,
      `Cannot connect to NATS at ${unreachable}: connection refused`,
    ],
  ];
  for (const [name, args, code, message] of rows) {
    it(`refuses ${name} with exit code ${code}`, async () => {
      const refused = await run(...args);
      assert.deepEqual([refused.code, refused.stdout], [code, ""]);
      assert.ok(refused.message.startsWith(message), refused.message);
    });
  }
});
