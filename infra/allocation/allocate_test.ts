/** `deno task allocate` as a process: where the case comes from, exit codes, and what goes to which stream. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { PROJECT_DIR } from "../supervisor/programs.ts";

async function allocate(
  args: readonly string[],
  input = "",
): Promise<{ code: number; out: string; err: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "--config", join(PROJECT_DIR, "deno.json"), "allocate", ...args],
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

const CASE = { algorithm: "C", resting: [100, 200, 300], aggressor: 500 };

describe("deno task allocate", () => {
  it("reads a case from standard input and prints one line of JSON", async () => {
    const { code, out, err } = await allocate(["--case", "-", "--json"], JSON.stringify(CASE));
    assert.deepEqual([code, err, out.split("\n").length], [0, "", 2]);
    assert.deepEqual(JSON.parse(out).fills, [84, 166, 250]);
  });

  it("reads a case from a file and prints tables", async () => {
    const file = await Deno.makeTempFile();
    try {
      await Deno.writeTextFile(file, JSON.stringify({ ...CASE, expect: [84, 166, 250] }));
      const { code, out, err } = await allocate([`--case=${file}`]);
      assert.deepEqual([code, err], [0, ""]);
      assert.match(out, /proRata, pro rata: 500 to share out[^]*That is what the case expects\.\n$/);
    } finally {
      await Deno.remove(file);
    }
  });

  it("fails when the case expects something else, with the sentence beside the JSON", async () => {
    const { code, out, err } = await allocate(
      ["--case", "-", "--json"],
      JSON.stringify({ ...CASE, expect: [83, 166, 250] }),
    );
    assert.deepEqual([code, JSON.parse(out).expectHolds], [1, false]);
    assert.equal(
      err,
      "The case expects 83 for order 1, which receives 84: expected [83,166,250], got [84,166,250]\n",
    );
  });

  it("says in one sentence why it cannot", async () => {
    const cases: [args: string[], input: string, code: number, err: RegExp][] = [
      [
        ["--case", "-"],
        "{}",
        1,
        /^Cannot read resting: expected a list of at least one order, got nothing\n$/,
      ],
      [["--case", "no/such"], "", 1, /^Cannot read the case no\/such: .*\n$/],
      [[], "", 2, /^Cannot do without --case: expected a value, got nothing \(see --help\)\n$/],
      [["--case", ""], "", 2, /^Cannot use --case: expected a value, got nothing \(see --help\)\n$/],
      [["--cases", "-"], "", 2, /^Cannot read "--cases": there is no such flag \(see --help\)\n$/],
      [["--case", "-", "x"], "", 2, /^Cannot read "x"/],
    ];
    for (const [args, input, code, err] of cases) {
      const result = await allocate(args, input);
      assert.deepEqual([result.code, result.out], [code, ""], args.join(" "));
      assert.match(result.err, err);
    }
  });

  it("explains itself", async () => {
    const { code, out } = await allocate(["--help"]);
    assert.deepEqual([code, /Usage: deno task allocate/.test(out)], [0, true]);
  });
});
