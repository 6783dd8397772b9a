/** `deno task admin` against a running venue: the process, its exit codes, what it prints, and what clients see of it. */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import type { FixClient } from "../../services/fix-gateway/client/mod.ts";
import { PROJECT_DIR } from "../../infra/supervisor/programs.ts";
import { type RunningVenue, startVenue } from "../../infra/venue_process.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { CONFIG } from "./running.ts";
import { connectAs } from "./trader.ts";

/** One run of the command. */
async function admin(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "--config", join(PROJECT_DIR, "deno.json"), "admin", ...args],
    env: { NO_COLOR: "1", USER: "ann" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

describe("deno task admin", () => {
  let dir: string;
  let venue: RunningVenue | null = null;

  beforeEach(async () => void (dir = await Deno.makeTempDir({ prefix: "pitwire-admin-" })));
  afterEach(async () => {
    await venue?.stop();
    await Deno.remove(dir, { recursive: true });
  });

  async function start(): Promise<RunningVenue> {
    return venue = await startVenue({
      config: CONFIG,
      venue: loadVenue(CONFIG),
      store: dir,
      natsExecutable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
      log: nullLogger,
      logLevel: "error",
    });
  }

  function connect(running: RunningVenue, outgoing: number, incoming: number): Promise<FixClient> {
    return connectAs(running, "A1", { numbers: { outgoing, incoming }, onMessage: () => {} });
  }

  const at = (...args: string[]) => admin(...args, "--store", dir);
  /** State, gateway, next out, next in and run of session A1. */
  const shown = async () => {
    const { code, out, err } = await at("session", "show", "A1", "--json");
    assert.deepEqual([code, err], [0, ""]);
    const { state, gateway, numbers } = JSON.parse(out);
    return [state, gateway, numbers.out, numbers.in, numbers.incarnation];
  };

  it("shows and changes numbers, whether the session is connected or not, and keeps the audit", async () => {
    const running = await start();
    assert.deepEqual(await shown(), ["unused", null, 1, 1, 0]);
    const unused = await at("session", "set-next", "A1", "--out", "5");
    assert.equal(unused.code, 1);
    assert.equal(unused.out, "Not changed: A1. A1 has never logged on: both its numbers are 1 already\n");

    const first = await connect(running, 1, 1);
    assert.deepEqual(await shown(), ["connected", 1, 2, 2, 1]);
    const changed = await at("session", "set-next", "A1", "--out", "100", "--in", "50");
    assert.deepEqual([changed.code, changed.err], [0, ""]);
    assert.equal(changed.out, "Changed: A1: next out 3 → 100, next in 3 → 50\n");
    assert.equal(await first.closed, 'the peer logged out: "The operator changes the sequence numbers"');
    assert.deepEqual(await shown(), ["free", null, 100, 50, 1]);

    const second = await connect(running, 50, 100);
    assert.deepEqual(await shown(), ["connected", 1, 101, 51, 1]);
    await second.logout();
    const back = await at("session", "set-next", "A1", "--out", "7");
    assert.equal(back.code, 1);
    assert.match(
      back.out,
      /^Not changed: A1\. Cannot set the next outgoing number: expected at least 102, got 7; /,
    );
    const forced = await at("session", "reset", "A1", "--force", "--by", "Bo", "--json");
    assert.equal(forced.code, 0);
    assert.deepEqual(JSON.parse(forced.out).kind, "changed");
    const third = await connect(running, 1, 1);
    assert.deepEqual(await shown(), ["connected", 1, 2, 2, 2]);
    await third.logout();

    const audit = await at("audit", "--json");
    const entries = audit.out.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(
      entries.map(({ by, via, session, asked, outcome }) =>
        [by, via, session, asked.kind, outcome].join(" ")
      ),
      [
        "ann admin A1 set refused",
        "ann gateway 1 A1 set started",
        "ann gateway 1 A1 set done",
        "ann admin A1 set refused",
        "Bo admin A1 reset started",
        "Bo admin A1 reset done",
      ],
    );
    const table = await at("session", "list");
    assert.match(table.out, /│ A1 +│ 1 +│ trading +│ free +│ 3 +│ 3 +│ 2 +│ \d{4}-/);
    assert.match(table.out, /│ D1 +│ 4 +│ drop-copy +│ unused +│ 1 +│ 1 +│ 0 +│ +│/);
    assert.match(
      (await at("audit", "--last", "1")).out,
      /│ Bo +│ admin +│ A1 +│ reset, forced +│ done +│ out 102 → 1, in 52 → 1 +│/,
    );
  });

  it("changes the numbers of a session whose gateway is gone", async () => {
    const running = await start();
    const client = await connect(running, 1, 1);
    await running.kill("gateway");
    await client.closed;
    await running.whenReady("gateway");
    const [state] = await shown();
    assert.ok(state === "orphaned" || state === "free", state);
    const { out } = await at("session", "set-next", "A1", "--in", "9", "--json");
    const { kind, after } = JSON.parse(out);
    assert.deepEqual([kind, after.in], ["changed", 9]);
    const again = await connect(running, 9, after.out);
    assert.deepEqual((await shown()).slice(0, 4), ["connected", 1, after.out + 1, 10]);
    await again.logout();
  });

  it("sets phases and algorithms and cancels orders, over all shards, and keeps the audit", async () => {
    const running = await start();
    const client = await connect(running, 1, 1);
    const lines = async (...args: string[]) => {
      const { code, out, err } = await at(...args);
      assert.deepEqual([code, err], [0, ""]);
      return out.trimEnd().split("\n");
    };
    assert.deepEqual(await lines("phase", "ACME", "halt"), ["ACME: continuous → halt"]);
    assert.deepEqual((await lines("phase", "--all", "open")).toSorted(), [
      "ACME: halt → continuous",
      "GIZMO: continuous, as before",
      "TULIP: continuous, as before",
    ]);
    assert.deepEqual(await lines("algorithm", "TULIP", "F"), ["TULIP: C → F"]);
    assert.deepEqual(await lines("algorithm", "TULIP", "F"), ["TULIP: F, as before"]);
    await lines("phase", "GIZMO", "pre-open");
    const phases = (await lines("phases", "--json")).map((line) => JSON.parse(line));
    const none = { lastPx: null, indicativePrice: null, indicativeQty: null };
    assert.deepEqual(phases, [
      { symbol: "ACME", shard: 0, phase: "continuous", algorithm: "F", ...none },
      { symbol: "GIZMO", shard: 1, phase: "pre-open", algorithm: "F", ...none },
      { symbol: "TULIP", shard: 0, phase: "continuous", algorithm: "F", ...none },
    ]);
    assert.match((await lines("phases")).join("\n"), /│ GIZMO +│ pre-open +│ F +│ +│ +│/);
    assert.deepEqual(await lines("mass-cancel", "--firm", "ALPHA", "--side", "buy"), ["Cancelled: 0 orders"]);
    await lines("phase", "GIZMO", "no-cancel", "--by", "Bo");
    assert.deepEqual(await lines("mass-cancel"), [
      "Cancelled: 0 orders",
      "Not cancelled: GIZMO is in no-cancel",
    ]);
    const refused = await at("mass-cancel", "--symbol", "GIZMO");
    assert.deepEqual([refused.code, refused.out], [
      1,
      "Not done by shard 1: GIZMO is in no-cancel: nothing was cancelled\n",
    ]);
    const audit = (await lines("audit", "--json", "--last", "100")).map((line) => JSON.parse(line));
    const short = audit.map(({ by, via, asked, outcome }) =>
      [by, via, asked.do, asked.symbol ?? "all", asked.phase ?? asked.algorithm ?? "", outcome].join(" ")
    );
    assert.deepEqual(short.slice(0, 2), [
      "ann matcher 0 phase ACME halt started",
      "ann matcher 0 phase ACME halt done",
    ]);
    assert.deepEqual(short.slice(-2), [
      "ann matcher 1 mass-cancel GIZMO  started",
      "ann matcher 1 mass-cancel GIZMO  refused",
    ]);
    assert.ok(short.includes("Bo matcher 1 phase GIZMO no-cancel done"));
    assert.match(
      (await lines("audit", "--last", "1")).join("\n"),
      /│ ann +│ matcher 1 +│ GIZMO +│ mass-cancel +│ refused +│ GIZMO is in no-cancel: nothing was cancelled +│/,
    );
    await client.logout();
  });

  it("says in one sentence what keeps it from its work", async () => {
    const none = await at("session", "list");
    assert.deepEqual([none.code, none.out], [1, ""]);
    assert.equal(
      none.err,
      `Cannot get into a venue by ${
        join(dir, "operator.json")
      }: no venue runs there; start it with deno task up, ` +
        "or name its folder with --store\n",
    );
    assert.equal((await admin("session", "shwo")).code, 2);
    assert.match((await admin("--help")).out, /^Shows and changes a running venue/);
    await start();
    if (Deno.build.os !== "windows") {
      assert.equal(Deno.statSync(join(dir, "operator.json")).mode! & 0o777, 0o600);
    }
    const unknown = await at("session", "show", "A9");
    assert.deepEqual([unknown.code, unknown.err], [
      1,
      "Cannot find session A9: the venue file has none of that SenderCompID\n",
    ]);
    const symbol = await at("phase", "ACNE", "halt");
    assert.deepEqual([symbol.code, symbol.out, symbol.err], [
      1,
      "",
      "Cannot find symbol ACNE: the venue file has none of that name\n",
    ]);
    const firm = await at("mass-cancel", "--firm", "GAMMA", "--symbol", "ACME");
    assert.deepEqual([firm.code, firm.out], [1, "Not done by shard 0: The venue file has no firm GAMMA\n"]);
    await venue!.stop();
    assert.equal((await at("session", "list")).err, none.err);
  });
});
