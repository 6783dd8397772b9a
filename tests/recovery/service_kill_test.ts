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

  const FROM_SNAPSHOTS = [
    ["matchers that start from snapshots, whose older commands are purged", { standby: false, ownSeed: "6" }],
    ["either or both of a pair of matchers, of which the one that stands by takes the snapshots", {
      standby: true,
      ownSeed: "7",
    }],
  ] as const;
  for (const [of, { standby, ownSeed }] of FROM_SNAPSHOTS) {
    it(`of ${of}`, async () => {
      const seed = Number(Deno.env.get("PITWIRE_SEED") ?? ownSeed);
      console.log(`seed ${seed} (PITWIRE_SEED)`);
      const summary = await killServices("matcher", {
        rounds: 3,
        seed,
        snapshotsEvery: 100,
        untilPurged: true,
        standby,
        natsExecutable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
      });
      assert.ok(summary.kills >= 3 && summary.purged > 0, JSON.stringify(summary));
    });
  }
});
