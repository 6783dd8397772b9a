import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { createLogger, nullLogger } from "../../shared/cli/log.ts";
import { until } from "../../shared/testing/awaited.ts";
import { PROCESSES } from "./leftover.ts";
import { type CheckStart, openStore, userCacheDir, userDataDir } from "./store.ts";

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
      message:
        `Cannot use store ${dir}: a venue that is running uses it (process ${Deno.pid}); stop that one, or start with another store (--store)`,
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

  it("ends what a killed run left in the order of the flow, each after the one before is gone", async () => {
    const children = ["nats", "gateway", "matcher", "market-data", "matcher-b"].map((name) => {
      const process = new Deno.Command("sleep", { args: ["60"], stdin: "null" }).spawn();
      return { name, pid: process.pid, ended: process.status };
    });
    const alive = new Set(children.map(({ name }) => name));
    for (const { name, ended } of children) ended.then(() => alive.delete(name));
    /** Who is alive when a service is about to be ended, beside its twin. */
    const before: Record<string, string[]> = {};
    const write = (line: string) => {
      const name = /ending (\S+)/.exec(line)![1];
      before[name] = [...alive].filter((each) => !(name.startsWith("matcher") && each.startsWith("matcher")));
    };
    const log = createLogger("up", "info", { write, now: () => 0 });
    const killed = await openStore(dir, nullLogger);
    for (const { name, pid } of children) killed.recordChild(name, pid);
    const file = join(dir, "children.json");
    let text = "";
    await until("the last record", async () => {
      text = await Deno.readTextFile(file).catch(() => "");
      return text.includes("matcher-b");
    });
    await killed.close();
    await Deno.writeTextFile(file, text);
    await (await openStore(dir, log)).close();
    assert.deepEqual(before, {
      gateway: ["nats", "gateway", "matcher", "market-data", "matcher-b"],
      "market-data": ["nats", "matcher", "market-data", "matcher-b"],
      matcher: ["nats"],
      "matcher-b": ["nats"],
      nats: ["nats"],
    });
  });

  const sleeper = () => {
    const process = new Deno.Command("sleep", { args: ["60"], stdin: "null" }).spawn();
    return { process, ended: process.status };
  };
  const recordOf = async (pid: number) =>
    JSON.stringify([{ name: "nats", pid, started: await PROCESSES.startOf(pid), ports: [4222] }]);

  it("is refused with all going on that a killed run left, which the check is told", async () => {
    const { process, ended } = sleeper();
    const record = await recordOf(process.pid);
    const file = join(dir, "children.json");
    await Deno.writeTextFile(file, record);
    const told: unknown[] = [];
    const check: CheckStart = (left, store) => {
      told.push(left, store);
      throw new Error("not so");
    };
    await assert.rejects(openStore(dir, nullLogger, check), { message: "not so" });
    assert.deepEqual(told, [JSON.parse(record), dir]);
    assert.notEqual(await PROCESSES.startOf(process.pid), null);
    assert.equal(await Deno.readTextFile(file), record);
    await (await openStore(dir, nullLogger)).close();
    assert.equal((await ended).signal, "SIGTERM");
  });

  it("is not left behind when it is temporary and refused", async () => {
    let made = "";
    const check: CheckStart = (_, store) => {
      made = store;
      throw new Error("not so");
    };
    await assert.rejects(openStore(null, nullLogger, check), { message: "not so" });
    await assert.rejects(Deno.stat(made), Deno.errors.NotFound);
  });

  it("ends and removes, when it is temporary, what a killed run left in another such folder", async () => {
    const { process, ended } = sleeper();
    const running = await openStore(null, nullLogger);
    const killed = await Deno.makeTempDir({ prefix: "pitwire-ephemeral-" });
    await Deno.writeTextFile(join(killed, "lock"), "1");
    await Deno.writeTextFile(join(killed, "children.json"), await recordOf(process.pid));
    await (await openStore(null, nullLogger)).close();
    assert.equal((await ended).signal, "SIGTERM");
    await until("the removal", () => Deno.stat(killed).then(() => false, () => true));
    assert.ok((await Deno.stat(running.dir)).isDirectory);
    await running.close();
  });

  it("remembers its ports with each process, those too that are started again", async () => {
    const store = await openStore(dir, nullLogger);
    const records = async (count: number) => {
      let all: { name: string; ports?: number[] }[] = [];
      await until("the records", async () => {
        all = JSON.parse(await Deno.readTextFile(join(dir, "children.json")).catch(() => "[]"));
        return all.filter(({ ports }) => ports !== undefined).length === count;
      });
      return all.map(({ name, ports }) => [name, ports]);
    };
    store.recordChild("nats", Deno.pid);
    store.recordPorts([9878, 4222]);
    assert.deepEqual(await records(1), [["nats", [9878, 4222]]]);
    store.recordChild("gateway", Deno.pid);
    assert.deepEqual(await records(2), [["nats", [9878, 4222]], ["gateway", [9878, 4222]]]);
    await store.close();
  });

  it("is let go of though its disk takes no more: processes that end are no reason to end the venue", async () => {
    const lines: string[] = [];
    const log = createLogger("up", "warn", { write: (line) => void lines.push(line), now: () => 0 });
    const store = await openStore(dir, log);
    await Deno.mkdir(join(dir, "children.json"));
    store.recordChild("matcher", Deno.pid);
    await store.close();
    assert.deepEqual(lines.map((line) => JSON.parse(line).msg), [
      "a process is not recorded: the next start would not end it",
      "cannot write the store's records",
    ]);
    await Deno.remove(join(dir, "children.json"));
    await (await openStore(dir, nullLogger)).close();
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
