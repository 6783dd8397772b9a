import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { ancestorGone } from "./parent.ts";

/** Parents as they are at look 1, 2, …; the last stays. Resolves with the number of looks, or null when there is no end. */
async function looksUntilGone(
  parents: readonly number[],
  grandparents: readonly (number | null)[],
  underNpm: boolean,
): Promise<number | null> {
  let looks = 0;
  const at = <T>(values: readonly T[]) => values[Math.min(looks, values.length - 1)];
  const enough = Promise.withResolvers<null>();
  const gone = ancestorGone({
    underNpm,
    parent: () => {
      const parent = at(parents);
      if (++looks > 10) enough.resolve(null);
      return parent;
    },
    parentOf: () => Promise.resolve(at(grandparents)),
  }, 0);
  if (parents[0] <= 1) return null;
  return await Promise.race([gone.then(() => looks), enough.promise]);
}

describe("whoever started the supervisor", () => {
  it("is gone when the parent is another", async () => {
    assert.equal(await looksUntilGone([50, 50, 50, 1], [40], false), 4);
    assert.equal(await looksUntilGone([50, 50, 900], [40], false), 3);
  });

  it("is gone under npm when the parent's parent is another, and only there", async () => {
    assert.equal(await looksUntilGone([50], [40, 40, 40, 1], true), 3);
    assert.equal(await looksUntilGone([50], [40, 40, 40, 1], false), null);
  });

  it("is not gone because it cannot be looked at", async () => {
    assert.equal(await looksUntilGone([50], [null], true), null);
    assert.equal(await looksUntilGone([50], [40, 40, null], true), null);
  });

  it("is never gone when there was nobody", async () => {
    assert.equal(await looksUntilGone([1], [0], true), null);
  });
});
