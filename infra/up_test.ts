import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { connect } from "@nats-io/transport-node";
import { PROJECT_DIR } from "./supervisor/programs.ts";
import { Up } from "./up/up_process.ts";

const FREE_PORTS = ["--fix-port", "0", "--nats-port", "0", "--ws-port", "0"];
describe("deno task up", () => {
  let dir: string;
  beforeEach(async () => void (dir = await Deno.makeTempDir({ prefix: "pitwire-up-" })));
  afterEach(() => Deno.remove(dir, { recursive: true }));

  it("starts, says where everything is in the promised shape, drains in order and removes what was temporary", async () => {
    const up = new Up(["--ephemeral", "--json", ...FREE_PORTS]);
    const report = JSON.parse(await up.line());
    assert.deepEqual(Object.keys(report), ["fix", "nats", "symbols", "store"]);
    assert.deepEqual(Object.keys(report.fix), ["host", "port", "targetCompId", "sessions"]);
    assert.deepEqual(Object.keys(report.nats), ["url", "websocket"]);
    assert.equal(report.fix.host, "127.0.0.1");
    assert.equal(report.fix.targetCompId, "PITWIRE");
    assert.deepEqual(report.fix.sessions[0], {
      senderCompId: "TRADER1",
      role: "trading",
      username: "trader1",
      password: "trader1-dev",
    });
    assert.deepEqual(report.symbols[0], { symbol: "ACME", algorithm: "F", tick: "0.01", lot: "1" });

    (await Deno.connect({ hostname: report.fix.host, port: report.fix.port })).close();
    {
      const guest = await connect({ servers: report.nats.url, reconnect: false });
      await guest.close();
    }
    assert.ok((await Deno.stat(report.store)).isDirectory);

    up.process.kill("SIGINT");
    const { code, signal, lines } = await up.end();
    assert.deepEqual([code, signal], [0, null], lines.join("\n"));
    assert.equal(up.out.trimEnd().split("\n").length, 1);
    const drained = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "draining")
      .map(({ service }) => service);
    assert.deepEqual(drained, ["up", "fix-gateway", "market-data", "matcher"]);
    await assert.rejects(Deno.stat(report.store), Deno.errors.NotFound);
  });

  const wrappers: [name: string, wrap: (args: string[]) => [command: string, args: string[]]][] = [
    ["deno task", (args) => [Deno.execPath(), args]],
    // As npx does: npm, a shell, and in it deno task.
    [
      "the shell of npx",
      (args) => ["sh", ["-c", 'npm_command=exec "$0" "$@"; exit $?', Deno.execPath(), ...args]],
    ],
  ];
  for (const [name, wrap] of wrappers) {
    it(`drains when ${name} is killed, which tells it nothing`, async () => {
      const up = new Up(["--ephemeral", "--json", ...FREE_PORTS], wrap);
      const report = JSON.parse(await up.line());
      up.process.kill("SIGKILL");
      const { signal, lines } = await up.end();
      assert.equal(signal, "SIGKILL");
      const messages = lines.map((line) => JSON.parse(line)).filter(({ service }) => service === "up")
        .map(({ msg }) => msg);
      assert.deepEqual(messages.slice(-2), ["the program that started this one is gone", "draining"]);
      await assert.rejects(Deno.stat(report.store), Deno.errors.NotFound);
    });
  }

  it("prints a table for people, in which a store stands from the root on", async () => {
    const up = new Up(["--store", relative(PROJECT_DIR, join(dir, "s")), ...FREE_PORTS]);
    await up.line();
    up.process.kill("SIGTERM");
    assert.equal((await up.end()).code, 0);
    for (
      const text of [
        "TRADER1",
        "trader1-dev",
        "ACME",
        "FIFO",
        "pro rata",
        "nats://127.0.0.1:",
        `│ ${join(dir, "s")}`,
      ]
    ) {
      assert.ok(up.out.includes(text), `no ${text} in\n${up.out}`);
    }
  });

  it("never shows credentials of another venue than the shipped one", async () => {
    const config = join(dir, "venue.yaml");
    await Deno.copyFile(join(PROJECT_DIR, "infra", "venue.yaml"), config);
    const up = new Up(["--ephemeral", "--json", "--config", config, ...FREE_PORTS]);
    const line = await up.line();
    up.process.kill("SIGTERM");
    const { stderr } = await up.end();
    assert.deepEqual(JSON.parse(line).fix.sessions[0], { senderCompId: "TRADER1", role: "trading" });
    assert.doesNotMatch(line + stderr, /trader1/);
  });

  it("refuses a store that is in use, and takes it over with its ports once the other run was killed", async () => {
    const store = join(dir, "s");
    const first = new Up(["--json", "--store", store, ...FREE_PORTS]);
    const before = JSON.parse(await first.line());
    const second = await new Up(["--json", "--store", store, ...FREE_PORTS]).end();
    assert.equal(second.code, 1);
    assert.match(
      second.lines.at(-1)!,
      /^Cannot use store .*: a venue that is running uses it \(process \d+\); stop that one, or start with another store \(--store\)$/,
    );

    const owner = Number(/process (\d+)/.exec(second.lines.at(-1)!)![1]);
    Deno.kill(owner, "SIGKILL");
    await first.end();
    const port = String(before.fix.port);

    const config = join(dir, "venue.yaml");
    const shipped = await Deno.readTextFile(join(PROJECT_DIR, "infra", "venue.yaml"));
    await Deno.writeTextFile(config, shipped.replace("symbol: ACME", "symbol: ACMX"));
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const taken = FREE_PORTS.with(1, String(listener.addr.port));
    for (
      const [code, ...flags] of [[78, "--config", config, ...FREE_PORTS.with(1, port)], [
        1,
        ...taken,
      ]] as const
    ) {
      const refused = await new Up(["--json", "--store", store, ...flags]).end();
      assert.equal(refused.code, code, refused.stderr);
      assert.doesNotMatch(refused.stderr, /ending/);
      (await Deno.connect({ hostname: "127.0.0.1", port: before.fix.port })).close();
    }
    listener.close();

    const third = new Up([
      "--json",
      "--store",
      store,
      "--nats-port",
      "0",
      "--ws-port",
      "0",
      "--fix-port",
      port,
    ]);
    const text = await third.line();
    if (text !== "") third.process.kill("SIGTERM");
    const { code, stderr } = await third.end();
    assert.equal(code, 0, stderr);
    assert.match(stderr, /"ending nats \(process \d+\), left by a run that was killed"/);
  });

  const mistakes: [name: string, args: (dir: string) => string[], code: number, says: RegExp][] = [
    [
      "an unknown flag",
      () => ["--ephemral"],
      2,
      /^Cannot read "--ephemral": there is no such flag \(see --help\)$/,
    ],
    [
      "a port that is none",
      () => ["--fix-port", "70000"],
      2,
      /^Cannot use --fix-port: expected a whole number from 0 to 65535, got "70000"$/,
    ],
    [
      "a configuration that is not there",
      (dir) => ["--config", join(dir, "none.yaml")],
      78,
      /^Cannot load .*none\.yaml: No such file or directory/,
    ],
    [
      "a faulty configuration",
      (dir) => ["--config", join(dir, "faulty.yaml")],
      78,
      /^Cannot load .*faulty\.yaml: name \(line 1\): expected a name of 1 to 32 .*, got 5 \(and \d+ more problems\)$/,
    ],
    [
      "a negative port",
      () => ["--fix-port", "-1"],
      2,
      /^Cannot use --fix-port: expected a whole number from 0 to 65535, got "-1"$/,
    ],
    [
      "a store with a comma in its path",
      () => ["--store", "/tmp/a,b"],
      2,
      /^Cannot use --store "\/tmp\/a,b": expected a folder without a comma in its path$/,
    ],
    [
      "one port for two",
      () => ["--nats-port", "9878"],
      2,
      /^Cannot use port 9878 twice: expected different ports for --fix-port and --nats-port$/,
    ],
    [
      "an address that is none",
      () => ["--ephemeral", ...FREE_PORTS, "--host", "999.1.1.1"],
      1,
      /^Cannot start gateway: .*Cannot listen on 999\.1\.1\.1:0 for FIX: /,
    ],
    [
      "a store where Deno lets nobody write",
      () => ["--store", "/dev/null/x", ...FREE_PORTS],
      1,
      /^Cannot use store \/dev\/null\/x: "\/dev\/null\/x" is a system path, which Deno keeps from programs$/,
    ],
    [
      "a store that is a file",
      (dir) => ["--store", join(dir, "faulty.yaml"), ...FREE_PORTS],
      1,
      /^Cannot use store .*faulty\.yaml: /,
    ],
  ];
  for (const [name, args, code, says] of mistakes) {
    it(`ends with one sentence for ${name}`, async () => {
      await Deno.writeTextFile(join(dir, "faulty.yaml"), "name: 5\n");
      const result = await new Up(args(dir)).end();
      assert.equal(result.code, code, result.stderr);
      assert.match(result.lines.at(-1)!, says);
      assert.deepEqual(result.lines.slice(0, -1).filter((line) => !line.startsWith("{")), []);
    });
  }

  it("ends with one sentence when a port is in use", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    for (
      const [flag, what] of [["--fix-port", "FIX"], ["--nats-port", "NATS"], [
        "--ws-port",
        "NATS over WebSocket",
      ]]
    ) {
      const ports = FREE_PORTS.with(FREE_PORTS.indexOf(flag) + 1, String(port));
      const { code, lines } = await new Up(["--store", dir, ...ports]).end();
      assert.equal(code, 1);
      await assert.rejects(Deno.stat(join(dir, "reference.json")), Deno.errors.NotFound);
      assert.equal(
        lines.at(-1),
        `Cannot listen on 127.0.0.1:${port} for ${what}: the port is in use (${flag} chooses another port, ${flag} 0 ` +
          "a free one)",
      );
    }
    listener.close();
  });

  it("explains itself", async () => {
    const up = new Up(["--help"]);
    const { code } = await up.end();
    assert.equal(code, 0);
    assert.match(up.out, /--ephemeral .*\n[\s\S]*--trace-sample N/);
  });
});
