/** Services die under load; nobody loses anything. `deno task kill-test` runs many more rounds. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { killServices, TARGETS } from "./service_kill.ts";

describe("kill -9 under load", () => {
  for (const target of TARGETS) {
    it(`of ${target}: every event is right, every client knows, no number goes back`, async () => {
      const seed = Number(Deno.env.get("PITWIRE_SEED") ?? "5");
      console.log(`seed ${seed} (PITWIRE_SEED)`);
      const summary = await killServices(target, {
        rounds: 2,
        seed,
        natsExecutable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
      });
      assert.ok(summary.kills >= 2 && summary.trades > 100, JSON.stringify(summary));
    });
  }

  it("of matchers that start from snapshots, whose older commands are purged", async () => {
    const seed = Number(Deno.env.get("PITWIRE_SEED") ?? "6");
    console.log(`seed ${seed} (PITWIRE_SEED)`);
    const summary = await killServices("matcher", {
      rounds: 3,
      seed,
      snapshotsEvery: 100,
      untilPurged: true,
      natsExecutable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
    });
    assert.ok(summary.kills >= 3 && summary.purged > 0, JSON.stringify(summary));
  });

  it("of either or both of a pair of matchers, of which the one that stands by takes the snapshots", async () => {
    const seed = Number(Deno.env.get("PITWIRE_SEED") ?? "7");
    console.log(`seed ${seed} (PITWIRE_SEED)`);
    const summary = await killServices("matcher", {
      rounds: 3,
      seed,
      snapshotsEvery: 100,
      untilPurged: true,
      standby: true,
      natsExecutable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
    });
    assert.ok(summary.kills >= 3 && summary.purged > 0, JSON.stringify(summary));
  });
});
