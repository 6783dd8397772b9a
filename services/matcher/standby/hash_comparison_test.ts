import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { HashComparison } from "./hash_comparison.ts";

describe("state hashes of leader and standby", () => {
  it("are compared where both have one, whoever is first", () => {
    const hashes = new HashComparison();
    assert.equal(hashes.own({ cmdSeq: 10, stateHash: "a" }), null);
    assert.equal(hashes.agreed, null);
    assert.equal(hashes.told({ cmdSeq: 12, stateHash: "c" }), null);
    assert.equal(hashes.told({ cmdSeq: 10, stateHash: "a" }), null);
    assert.deepEqual(hashes.agreed, { cmdSeq: 10, stateHash: "a" });
    assert.equal(hashes.own({ cmdSeq: 12, stateHash: "c" }), null);
    assert.deepEqual(hashes.agreed, { cmdSeq: 12, stateHash: "c" });
  });

  it("that differ are told, whoever is first", () => {
    const fault = "state hash b behind command message 7, the leader has a";
    const [early, late] = [new HashComparison(), new HashComparison()];
    assert.equal(early.told({ cmdSeq: 7, stateHash: "a" }), null);
    assert.equal(early.own({ cmdSeq: 7, stateHash: "b" }), fault);
    assert.equal(late.own({ cmdSeq: 7, stateHash: "b" }), null);
    assert.equal(late.told({ cmdSeq: 7, stateHash: "a" }), fault);
  });

  it("that never meet are forgotten, oldest first", () => {
    const hashes = new HashComparison();
    for (let cmdSeq = 1; cmdSeq <= 65; cmdSeq++) hashes.told({ cmdSeq, stateHash: "a" });
    assert.equal(hashes.own({ cmdSeq: 1, stateHash: "b" }), null);
    assert.notEqual(hashes.own({ cmdSeq: 2, stateHash: "b" }), null);
  });
});
