/** The gateway dies under load; its sessions do not. `deno task recovery:gateway --client pitwire` runs many more rounds. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { killGateway } from "./gateway_kill.ts";

describe("kill -9 of the gateway under load", () => {
  it("loses no report, executes no order twice, and never goes back in its numbers", async () => {
    const seed = Number(Deno.env.get("PITWIRE_SEED") ?? "5");
    console.log(`seed ${seed} (PITWIRE_SEED)`);
    const { possDups, possResends } = await killGateway({
      rounds: 3,
      seed,
      natsExecutable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
    });
    assert.ok(possDups + possResends > 0, "nothing was resent: the kills came when nothing was on its way");
  });
});
