/** The process as a supervisor or a person meets it: flags, faults, exit codes. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const PERMISSIONS = ["--allow-net=127.0.0.1", "--allow-read", "--allow-env=PITWIRE_*,OTEL_*", "--ignore-env"];
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

interface Ended {
  code: number;
  stdout: string;
  /** The messages logged. */
  logged: string[];
}

async function run(...args: string[]): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      "--no-prompt",
      ...PERMISSIONS,
      "services/fix-gateway/main.ts",
      ...args,
    ],
    cwd: ROOT,
    stdin: "null",
  }).output();
  const lines = new TextDecoder().decode(stderr).split("\n").filter((line) => line !== "");
  return {
    code,
    stdout: new TextDecoder().decode(stdout),
    logged: lines.map((line) => JSON.parse(line).msg),
  };
}

/** A port on which nothing listens. */
function deadPort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

describe("the fix-gateway process", () => {
  it("explains itself on --help", async () => {
    const { code, stdout, logged } = await run("--help");
    assert.deepEqual([code, logged], [0, []]);
    for (const flag of ["--config", "--nats", "--host", "--port", "--gateway-id", "--log-level", "--help"]) {
      assert.ok(stdout.includes(`\n  ${flag} `), flag);
    }
  });

  it("refuses a wrong flag with one sentence and exit code 2", async () => {
    assert.deepEqual(await run("--prot", "1"), {
      code: 2,
      stdout: "",
      logged: ['Cannot read "--prot": there is no such flag (see --help)'],
    });
    assert.deepEqual(await run("--port", "70000"), {
      code: 2,
      stdout: "",
      logged: ['Cannot use --port: expected a whole number from 0 to 65535, got "70000"'],
    });
    assert.deepEqual((await run("--gateway-id", "0")).logged, [
      'Cannot use --gateway-id: expected a whole number from 1 to 63999, got "0"',
    ]);
  });

  it("refuses a missing venue file with exit code 78", async () => {
    const { code, stdout, logged } = await run("--config", "no-such-venue.yaml");
    assert.deepEqual([code, stdout, logged.length], [78, "", 1]);
    assert.match(logged[0], /no-such-venue\.yaml/);
  });

  it("ends with one sentence and exit code 1 when there is no NATS server", async () => {
    const url = `nats://127.0.0.1:${deadPort()}`;
    const { code, stdout, logged } = await run("--nats", url, "--port", "0");
    assert.deepEqual([code, stdout, logged.length], [1, "", 1]);
    assert.ok(logged[0].startsWith(`Cannot connect to NATS at ${url}: `), logged[0]);
  });
});
