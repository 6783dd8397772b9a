import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { simulate } from "./simulate.ts";

const SMOKE_SEEDS = 25;

describe("the simulated venue", () => {
  it("keeps its invariants under trouble, seeds 1 to 25", async () => {
    for (let seed = 1; seed <= SMOKE_SEEDS; seed++) {
      const { fault } = await simulate({ seed });
      assert.equal(fault, null, `seed ${seed}`);
    }
  });

  it("does exactly the same again for the same seed, and something else for another", async () => {
    const first = await simulate({ seed: 3 });
    const again = await simulate({ seed: 3 });
    const other = await simulate({ seed: 4 });
    assert.deepEqual(again, first);
    assert.notEqual(other.digest, first.digest);
  });

  it("does exactly the same in a fresh process", async () => {
    const { digest } = await simulate({ seed: 2 });
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--ignore-env", "tests/simulation/main.ts", "--seeds", "1", "--seed", "2"],
    }).output();
    assert.match(new TextDecoder().decode(stdout), new RegExp(`digest ${digest},`));
  });
});
