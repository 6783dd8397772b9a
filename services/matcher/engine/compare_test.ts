/** The fast engine against the reference over random flow; `deno task fuzz --target engine` runs it for longer. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { compareEngines } from "./compare.ts";

describe("the fast engine and the reference", () => {
  it("agree on every event, hash and level over random commands", () => {
    const first = Math.floor(Math.random() * 2 ** 31);
    console.error(`seeds ${first} to ${first + 19}`);
    for (let seed = first; seed < first + 20; seed++) {
      assert.deepEqual(compareEngines(seed, 1500), null, `seed ${seed}`);
    }
  });
});
