import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { PROJECT_DIR } from "../supervisor/programs.ts";

const NATS = Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server";

/** What a process hears whose code does `planted` in a callback, and then goes on. */
async function heard(planted: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = `
    import { Socket } from "node:net";
    import { onUncaught } from ${JSON.stringify(import.meta.resolve("./uncaught.ts"))};
    onUncaught((why) => {
      console.log(why);
      setTimeout(() => Deno.exit(7), 0);
    });
    setTimeout(() => {${planted}}, 0);
    setTimeout(() => {}, 3_600_000);
    void Socket;`;
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--no-check", `--config=${join(PROJECT_DIR, "deno.json")}`, script],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trimEnd();
  return { code: output.code, stdout: text(output.stdout), stderr: text(output.stderr) };
}

describe("an error that nobody caught", () => {
  for (
    const [what, planted] of [
      ["is thrown in a callback", 'throw new Error("write after end")'],
      ["comes from a socket without listeners", 'new Socket().emit("error", new Error("write after end"))'],
      ["is that of a promise", 'Promise.reject(new Error("write after end"))'],
    ]
  ) {
    it(`is heard and ends nothing when it ${what}`, async () =>
      assert.deepEqual(await heard(planted), {
        code: 7,
        stdout: "Cannot go on after an error that nobody expected: write after end",
        stderr: "",
      }));
  }

  it("has a venue drained before its supervisor ends with code 1", async () => {
    const dir = await Deno.makeTempDir({ prefix: "pitwire-uncaught-" });
    const script = join(dir, "planted.ts");
    const up = JSON.stringify(import.meta.resolve("../up.ts"));
    await Deno.writeTextFile(
      script,
      `Deno.addSignalListener("SIGUSR2", () => { throw new Error("write after end"); });\nawait import(${up});\n`,
    );
    const ports = ["--fix-port", "0", "--nats-port", "0", "--ws-port", "0"];
    const { tasks } = JSON.parse(await Deno.readTextFile(join(PROJECT_DIR, "deno.json")));
    const [, run, ...words] = tasks.up.split(" ").slice(0, -1);
    const args = [run, "--no-check", `--config=${join(PROJECT_DIR, "deno.json")}`, ...words, script];
    const process = new Deno.Command(Deno.execPath(), {
      args: [...args, "--store", join(dir, "s"), "--json", ...ports],
      env: { NO_COLOR: "1", PATH: `${NATS.slice(0, NATS.lastIndexOf("/"))}:${Deno.env.get("PATH")}` },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const said = new Response(process.stderr).text();
    const ready = process.stdout.getReader();
    await ready.read();
    process.kill("SIGUSR2");
    assert.equal((await process.status).code, 1);
    const lines = (await said).trimEnd().split("\n");
    assert.equal(lines.pop(), "Cannot go on after an error that nobody expected: write after end");
    const drained = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "draining");
    assert.deepEqual(drained.map(({ service }) => service), ["up", "fix-gateway", "market-data", "matcher"]);
    assert.equal(await Deno.readTextFile(join(dir, "s", "children.json")), "[]");
    await ready.cancel();
    await Deno.remove(dir, { recursive: true });
  });
});
