/** The fast engine against the reference over random flow; `deno task fuzz --target engine` runs it for longer. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { compareEngines } from "./compare.ts";

describe("the fast engine and the reference", () => {
  it("agree on every event, and on the state, over random commands", () => {
    const first = Math.floor(Math.random() * 2 ** 31);
    console.error(`seeds ${first} to ${first + 11}`);
    for (let seed = first; seed < first + 12; seed++) {
      assert.deepEqual(compareEngines(seed, 1000, { stateEvery: 3 }), null, `seed ${seed}`);
    }
  });
});
