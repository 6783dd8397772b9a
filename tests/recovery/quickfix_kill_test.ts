/** Other people's engines outlive the gateway. `deno task recovery:gateway` runs many more rounds. */
import { afterAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { quickfixGo, quickfixJ } from "../interop/engines.ts";
import { killUnderEngine } from "./quickfix_kill.ts";

const folder = await Deno.makeTempDir({ prefix: "pitwire-quickfixgo-" });
const engines = [await quickfixJ(), await quickfixGo(folder)];

describe("kill -9 of the gateway while two firms trade", () => {
  afterAll(() => Deno.remove(folder, { recursive: true }));

  for (const engine of engines) {
    const name = `through ${engine.name}: no report lost, no order executed twice`;
    if ("missing" in engine) {
      it.skip(`${name} (skipped: ${engine.missing})`, () => {});
      continue;
    }
    it(name, async () => {
      const seed = Number(Deno.env.get("PITWIRE_SEED") ?? "7");
      console.log(`seed ${seed} (PITWIRE_SEED)`);
      const summary = await killUnderEngine(engine, {
        rounds: 2,
        seed,
        natsExecutable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
      });
      const { rounds, logons, possDups, possResends, resentOrders, resendRequests } = summary;
      assert.ok(logons >= 2 * (1 + rounds), `${logons} Logons`);
      assert.ok(resendRequests > 0, "the engines had no gap to ask for");
      assert.ok(possDups + possResends > 0, "no report was sent again");
      assert.ok(resentOrders > 0, "the gateway asked for no order again");
    });
  }
});
