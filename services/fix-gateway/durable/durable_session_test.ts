import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FakeProcess, FakeWorld } from "./fake_world.ts";

/** Work that notes when it is done, and whether anybody holds the session then. */
function errand(process: FakeProcess, done: string[]) {
  return () => {
    done.push(`work while ${process.world.read()?.record.owner === null ? "free" : "held"}`);
    return Promise.resolve("done");
  };
}

describe("work on a session that must be free", () => {
  it("is done at once when it is, and a Logon waits for it", async () => {
    const world = new FakeWorld();
    const process = new FakeProcess(world, 1, 1);
    await process.logon();
    await process.durable.leave();
    const done: string[] = [];
    const work = process.durable.whileFree("text", errand(process, done));
    const logon = process.logon().then(() => done.push("logon"));
    assert.equal(await work, "done");
    await logon;
    assert.deepEqual(done, ["work while free", "logon"]);
  });

  it("waits until its client is gone, and comes before the next Logon", async () => {
    const world = new FakeWorld();
    const process = new FakeProcess(world, 1, 1);
    await process.logon();
    assert.deepEqual(process.durable.numbers, { out: 1, in: 1, incarnation: 1, sinceMs: 0 });
    const done: string[] = [];
    const work = process.durable.whileFree("text", errand(process, done));
    const second = process.durable.whileFree("text", errand(process, done));
    assert.equal(done.length, 0);
    process.durable.leave();
    const logon = process.logon().then(() => done.push("logon"));
    assert.deepEqual([await work, await second], ["done", "done"]);
    await logon;
    assert.deepEqual(done, ["work while free", "work while free", "logon"]);
  });

  it("that fails keeps nobody out", async () => {
    const process = new FakeProcess(new FakeWorld(), 1, 1);
    await assert.rejects(process.durable.whileFree("text", () => Promise.reject(new Error("no"))), /no/);
    assert.equal(await process.logon(), null);
  });
});
