/** The process as somebody meets it who runs another engine's suite against it. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { FixClient } from "../client/mod.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** What `deno task fix:echo` gives, narrowed to the loopback interface. */
const COMMAND = ["run", "--quiet", "--no-check", "--no-prompt", "--allow-net=127.0.0.1", "--ignore-env"];

function command(...args: string[]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: [...COMMAND, "services/fix-gateway/echo/main.ts", ...args],
    cwd: ROOT,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("the fix:echo process", () => {
  it("explains itself on --help", async () => {
    const { code, stdout, stderr } = await command("--help").output();
    assert.deepEqual([code, text(stderr)], [0, ""]);
    assert.match(text(stdout), /^A FIX 4\.4 acceptor .*\n\nUsage: deno task fix:echo --port N/);
  });

  it("refuses a wrong flag with one sentence and exit code 2", async () => {
    const { code, stdout, stderr } = await command("--prot", "1").output();
    assert.deepEqual([code, text(stdout)], [2, ""]);
    assert.equal(JSON.parse(text(stderr)).msg, 'Cannot read "--prot": there is no such flag (see --help)');
  });

  it("says that a port is taken, with exit code 1", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const port = String(listener.addr.port);
    const { code, stderr } = await command("--port", port, "--sender", "A", "--target", "B").output();
    listener.close();
    assert.equal(code, 1);
    assert.match(JSON.parse(text(stderr)).msg, /in use/);
  });

  it("tells its port, returns orders, logs out on SIGTERM and exits with 0", async () => {
    const args = ["--port", "0", "--sender", "ISLD", "--target", "TW44", "--reset-on-logon"];
    const child = command(...args).spawn();
    const stderr = new Response(child.stderr).text();
    const reader = child.stdout.getReader();
    const ready = JSON.parse(text((await reader.read()).value!));
    assert.deepEqual(ready, { ready: "fix-echo", host: "127.0.0.1", port: ready.port });

    const back = Promise.withResolvers<string>();
    const client = await FixClient.connect({
      host: ready.host,
      port: ready.port,
      senderCompId: "TW44",
      targetCompId: "ISLD",
      onMessage: (message) => back.resolve(`${message.msgType} ${message.text(11)} ${message.text(38)}`),
    });
    const writer = client.compose();
    for (const [tag, value] of [[11, "a"], [55, "INTC"], [54, "1"], [60, "20260105-08:00:00"]] as const) {
      writer.text(tag, value);
    }
    writer.text(38, "0100.00");
    writer.text(40, "1");
    client.send("D");
    assert.equal(await back.promise, "D a 0100.00");

    child.kill("SIGTERM");
    assert.match(await client.closed, /The echo is stopping/);
    assert.equal((await child.status).code, 0);
    await reader.cancel();
    await stderr;
  });
});
