import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { isFairEnd } from "./fair_ends.ts";

const SECOND = 1_000_000;

describe("a simulated process that ends by itself", () => {
  it("may because another leads, or since it was asked to, at any time", () => {
    assert.equal(isFairEnd("Cannot lead shard 0: another matcher has claimed EV_0", Infinity), true);
    assert.equal(isFairEnd("drained", 60 * SECOND), true);
  });

  it("may because nobody answers while something is in its way, or was just before, and not else", () => {
    const why = "Cannot read EV_0: no answer on $JS.API.STREAM.INFO.EV_0: the connection was lost";
    const found = [0, SECOND, 6 * SECOND, 6 * SECOND + 1, Infinity].map((since) => isFairEnd(why, since));
    assert.deepEqual(found, [true, true, true, false, false]);
  });

  it("may not for anything else", () => {
    assert.equal(isFairEnd("its events differ from EV_0 sequence 7", 0), false);
  });
});
