import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { run } from "./codec.ts";

describe("bench/micro/codec", () => {
  it("runs small and computes the same twice", () => {
    const digests = () => run(0.001).map(({ name, hash }) => `${name} ${hash}`);
    const first = digests();
    assert.equal(first.length, 6);
    assert.deepEqual(digests(), first);
  });
});
