import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const PROBE = fileURLToPath(new URL("allocation_probe.ts", import.meta.url));
/** Half a byte a command: what V8 keeps for itself, such as code. An object a command would be 16 MB at least. */
const NOISE_BYTES = 512 * 1024;

/** Times and OrderIDs of rare orders are objects on their way: 26 bytes a command, a minor collection per 4 MB. */
const FEATURE_COLLECTIONS = 12;

/** Collections between the two that the probe forces, and by how much the heap grew. */
async function collections(mode: string): Promise<{ minor: number; major: number; grownBytes: number }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--v8-flags=--expose-gc,--trace-gc", PROBE, mode],
  }).output();
  const said = new TextDecoder().decode(stderr);
  assert.ok(success, said);
  const lines = new TextDecoder().decode(stdout).split("\n").filter((line) => / ms: /.test(line));
  const forced = lines.flatMap((line, at) => line.includes("testing") ? [at] : []);
  const between = lines.slice(forced.at(-2)! + 1, forced.at(-1));
  const major = between.filter((line) => line.includes("Mark-Compact")).length;
  const grown = /heap grew by (-?\d+) bytes/.exec(said);
  assert.ok(grown !== null && forced.length >= 2, said);
  return { minor: between.length - major, major, grownBytes: Number(grown[1]) };
}

describe("a million commands through a warm engine", () => {
  it("leave no garbage at all when events are views", async () => {
    const { minor, major, grownBytes } = await collections("views");
    assert.deepEqual({ minor, major }, { minor: 0, major: 0 });
    assert.ok(grownBytes < NOISE_BYTES, `grew by ${grownBytes} bytes`);
  });

  it("cause no major collection and leave nothing when events are messages", async () => {
    const { major, grownBytes } = await collections("messages");
    assert.equal(major, 0);
    assert.ok(grownBytes < NOISE_BYTES, `grew by ${grownBytes} bytes`);
  });

  it("cause no major collection and leave nothing when they are of every kind and type", async () => {
    const { minor, major, grownBytes } = await collections("features");
    assert.equal(major, 0);
    assert.ok(minor < FEATURE_COLLECTIONS, `${minor} minor collections`);
    assert.ok(grownBytes < NOISE_BYTES, `grew by ${grownBytes} bytes`);
  });

  it("would be caught making one object per command", async () => {
    const { minor } = await collections("object");
    assert.ok(minor >= 2, `${minor} collections`);
  });
});
