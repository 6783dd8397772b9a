/** Two matchers for a shard as `deno task up --standby` runs them: leaders go, sessions notice a delay and nothing else. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { PROJECT_DIR } from "../../infra/supervisor/programs.ts";
import { TestVenue } from "../integration/running.ts";
import { failover } from "./failover.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const NATS = Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server";

async function shard(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "--config", join(PROJECT_DIR, "deno.json"), "admin", "shard", ...args],
    env: { NO_COLOR: "1", USER: "ann" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

describe("a pair of matchers", () => {
  it(`survives its leader's death, pause and hand-over under trading sessions (seed ${SEED})`, async () => {
    const rounds = await failover({
      departures: ["kill", "handover", "pause"],
      seed: SEED,
      natsExecutable: NATS,
    });
    assert.deepEqual(rounds.map(({ from, to }) => [from, to]), [
      ["matcher-0", "matcher-0-b"],
      ["matcher-0-b", "matcher-0"],
      ["matcher-0", "matcher-0-b"],
    ]);
  });

  it("is handed over by an operator, who is told who leads", async () => {
    await using venue = await TestVenue.start({ standby: true });
    const store = ["--store", venue.running.address.store];
    assert.deepEqual(await venue.running.roles(), [
      { shard: 0, leader: "matcher-0", standby: "matcher-0-b" },
      { shard: 1, leader: "matcher-1", standby: "matcher-1-b" },
    ]);
    const [leader, standby] = ["matcher-0", "matcher-0-b"].map((name) => venue.running.pid(name));
    const before = await shard("status", "--shard", "0", ...store);
    assert.deepEqual([before.code, before.err], [0, ""]);
    assert.match(
      before.out,
      new RegExp(
        `^shard 0: process ${leader} leads \\(epoch 1, command message \\d+\\); process ${standby} stands by, 0 behind\n$`,
      ),
    );
    const handed = await shard("handover", "--shard", "0", "--json", ...store);
    assert.deepEqual([handed.code, handed.err], [0, ""]);
    const { pausedMs, ...answer } = JSON.parse(handed.out);
    assert.deepEqual(answer, { kind: "handed-over", shard: 0, from: 1, to: 2 });
    assert.ok(pausedMs > 0 && pausedMs < 1000, `paused for ${pausedMs} ms`);
    assert.equal((await venue.running.roles())[0].leader, "matcher-0-b");
    await venue.running.whenReady("matcher-0");
    assert.notEqual(venue.running.pid("matcher-0"), leader);

    const [a1] = await venue.logon("A1");
    a1.order("1", { price: "100" });
    assert.match((await a1.next(1))[0], /150=0/);
    assert.deepEqual(await shard("handover", "--shard", "7", ...store), {
      code: 1,
      out: "",
      err: "Cannot find shard 7: the venue has no shards but 0, 1\n",
    });
  });

  it("needs two: one alone is not handed over", async () => {
    await using venue = await TestVenue.start();
    const { code, out } = await shard("handover", "--store", venue.running.address.store);
    const why =
      "no standby follows it (one that was just started needs a few seconds: deno task admin shard status)";
    assert.deepEqual([code, out], [
      1,
      `Not handed over: shard 0: ${why}\nNot handed over: shard 1: ${why}\n`,
    ]);
    assert.deepEqual(await venue.running.roles(), []);
  });
});
