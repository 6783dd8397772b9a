import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { createLogger, nullLogger } from "../../shared/cli/log.ts";
import { ConfigError, parseVenue } from "../../shared/config/mod.ts";
import { until } from "../../shared/testing/awaited.ts";
import { checkReference } from "./reference.ts";
import { openStore, userCacheDir, userDataDir } from "./store.ts";

const VENUE = `name: v
targetCompId: X
firms: [{ id: 1, name: A }, { id: 2, name: B }]
instruments:
  - { id: 1, symbol: S, algorithm: C, tick: "0.05", priceScale: 2, lot: "10", qtyScale: 0, maxOrderQty: "1000" }
sessions:
  - { id: 1, senderCompId: T, firm: A, role: trading, username: u, password: p }
`;

describe("state folder", () => {
  let dir: string;
  beforeEach(async () => void (dir = await Deno.makeTempDir({ prefix: "pitwire-store-" })));
  afterEach(() => Deno.remove(dir, { recursive: true }));

  it("is made with the folders above it, and stays", async () => {
    const path = join(dir, "a", "b");
    const store = await openStore(path, nullLogger);
    assert.equal(store.dir, path);
    await store.close();
    assert.ok((await Deno.stat(path)).isDirectory);
  });

  it("is removed at the end when it is temporary", async () => {
    const store = await openStore(null, nullLogger);
    assert.ok((await Deno.stat(store.dir)).isDirectory);
    await store.close();
    await assert.rejects(Deno.stat(store.dir), Deno.errors.NotFound);
  });

  it("belongs to one venue at a time", async () => {
    const first = await openStore(dir, nullLogger);
    await assert.rejects(openStore(dir, nullLogger), {
      message: `Cannot use store ${dir}: a venue that is running uses it (process ${Deno.pid})`,
    });
    await first.close();
    await (await openStore(dir, nullLogger)).close();
  });

  it("cannot be a file", async () => {
    const file = join(dir, "file");
    await Deno.writeTextFile(file, "");
    await assert.rejects(
      openStore(file, nullLogger),
      (error: Error) =>
        error.message.startsWith(`Cannot use store ${file}: `) && !error.message.includes("\n"),
    );
  });

  it("ends a process that a killed run left, and no other that has its number", async () => {
    const lines: string[] = [];
    const log = createLogger("up", "info", { write: (line) => void lines.push(line), now: () => 0 });
    const spawn = () => new Deno.Command("sleep", { args: ["60"], stdin: "null" }).spawn();
    const [leftover, stranger] = [spawn(), spawn()];
    try {
      const killed = await openStore(dir, nullLogger);
      killed.recordChild("matcher", leftover.pid);
      killed.recordChild("gateway", stranger.pid);
      const file = join(dir, "children.json");
      let text = "";
      await until("the record of the gateway", async () => {
        text = await Deno.readTextFile(file).catch(() => "");
        return text.includes("gateway");
      });
      await killed.close();
      const [matcher, gateway] = JSON.parse(text);
      await Deno.writeTextFile(file, JSON.stringify([matcher, { ...gateway, started: "some other time" }]));

      const ended = leftover.status;
      const next = await openStore(dir, log);
      assert.equal((await ended).signal, "SIGTERM");
      Deno.kill(stranger.pid, "SIGCONT");
      assert.deepEqual(lines.map((line) => JSON.parse(line).msg), [
        `ending matcher (process ${leftover.pid}), left by a run that was killed`,
      ]);
      await next.close();
    } finally {
      stranger.kill("SIGKILL");
      await stranger.status;
    }
  });

  it("lies where the platform's convention has it", () => {
    const env = (values: Record<string, string>) => ({ get: (name: string) => values[name] });
    assert.equal(userDataDir(env({ HOME: "/h" }), "linux"), "/h/.local/share");
    assert.equal(userDataDir(env({ HOME: "/h", XDG_DATA_HOME: "/d" }), "linux"), "/d");
    assert.equal(userDataDir(env({ HOME: "/h" }), "darwin"), "/h/Library/Application Support");
    assert.equal(userDataDir(env({}), "linux"), null);
    assert.equal(userCacheDir(env({ HOME: "/h" }), "linux"), "/h/.cache");
    assert.equal(userCacheDir(env({ HOME: "/h", XDG_CACHE_HOME: "/c" }), "linux"), "/c");
  });
});

describe("reference data beside the store", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await Deno.makeTempDir({ prefix: "pitwire-reference-" });
    checkReference(dir, parseVenue(VENUE, "v"));
  });
  afterEach(() => Deno.remove(dir, { recursive: true }));

  const check = (from: string, to: string) => checkReference(dir, parseVenue(VENUE.replace(from, to), "v"));

  it("accepts the same venue, and new ids", () => {
    check("", "");
    check("{ id: 2, name: B }", "{ id: 2, name: B }, { id: 3, name: C }");
  });

  it("accepts a new password and other limits", () => {
    check("password: p", "password: q");
    check("targetCompId: X", "targetCompId: X\nlimits: { conflationMs: 100 }");
  });

  const remedy = "; undo the change, or start with another store (--store)";
  const changes: [from: string, to: string, why: string][] = [
    ["symbol: S", "symbol: Z", "instrument 1 (S) has symbol S in the store but Z in the venue file"],
    ['tick: "0.05"', 'tick: "0.01"', "instrument 1 (S) has tickUnits 5 in the store but 1 in the venue file"],
    ["algorithm: C", "algorithm: F", "instrument 1 (S) has algorithm C in the store but F in the venue file"],
    [
      'lot: "10"',
      'lot: "1"',
      "instrument 1 (S) has lotUnits 10 in the store but 1 in the venue file",
    ],
    [
      'maxOrderQty: "1000"',
      'maxOrderQty: "2000"',
      "instrument 1 (S) has maxOrderQtyLots 100 in the store but 200 in the venue file",
    ],
    [
      'maxOrderQty: "1000"',
      'maxOrderQty: "1000", proRataMin: 2',
      "instrument 1 (S) has proRataMin 1 in the store but 2 in the venue file",
    ],
    [
      "  - { id: 1, symbol",
      "  - { id: 9, symbol",
      "instrument 1 (S) is in the store but no longer in the venue file",
    ],
    [
      "{ id: 2, name: B }",
      "{ id: 2, name: C }",
      "firm 2 (B) has name B in the store but C in the venue file",
    ],
    ["firm: A, role", "firm: B, role", "session 1 (T) has firm A in the store but B in the venue file"],
    [
      "senderCompId: T",
      "senderCompId: U",
      "session 1 (T) has senderCompId T in the store but U in the venue file",
    ],
    [
      "targetCompId: X",
      "targetCompId: X\nlimits: { maxOpenOrders: 100 }",
      "limits of the matcher has maxOpenOrders 1000000 in the store but 100 in the venue file",
    ],
  ];
  for (const [from, to, why] of changes) {
    it(`refuses: ${why}`, () => {
      assert.throws(() => check(from, to), (error) => {
        assert.ok(error instanceof ConfigError, "exit code 78");
        assert.equal(error.message, `Cannot use store ${dir}: ${why}${remedy}`);
        return true;
      });
      check("", "");
    });
  }

  it("refuses a record that it cannot read", async () => {
    await Deno.writeTextFile(join(dir, "reference.json"), "{");
    assert.throws(() => check("", ""), /is not readable reference data$/);
  });
});
