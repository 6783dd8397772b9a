/** The command as its user meets it. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const COMMAND = fileURLToPath(new URL("fix_log.ts", import.meta.url));

async function run(stdin: Uint8Array, ...args: string[]) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--no-prompt", "--allow-read", "--ignore-env", COMMAND, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(stdin);
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  return { code, stdout: new TextDecoder("latin1").decode(stdout), stderr: new TextDecoder().decode(stderr) };
}

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("deno task fix:log", () => {
  it("prints a log line by line, whatever bytes it holds, also without an end of line", async () => {
    const log = "out 8=FIX.4.4|9=1|35=5|34=3|58=\xe9t\xe9|10=000|\nplain\n8=FIX.4.4\x0135=0\x01";
    assert.deepEqual(await run(bytes(log), "-"), {
      code: 0,
      stdout: "out Logout(5) MsgSeqNum(34)=3 Text(58)=\xe9t\xe9\nplain\nunknown message()\n",
      stderr: "",
    });
  });

  it("refuses a wrong command line with exit code 2 and a missing file with 1", async () => {
    const none = new Uint8Array(0);
    const nothing = {
      code: 2,
      stdout: "",
      stderr: "Cannot print a log: expected one FILE, got nothing (see --help)\n",
    };
    assert.deepEqual(await run(none), nothing);
    const bogus = await run(none, "--bogus");
    assert.equal(bogus.stderr, 'Cannot read "--bogus": there is no such flag (see --help)\n');
    assert.equal(bogus.code, 2);
    const missing = await run(none, "/no/such/file");
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /^Cannot read \/no\/such\/file: No such file/);
  });
});
