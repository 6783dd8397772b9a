import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { formatOrderId, MAX_BATCH_COMMANDS, MAX_SEQUENCE, orderIdOf } from "./mod.ts";

describe("an OrderID", () => {
  it("is a safe integer up to the last command of the last message that a stream can hold", () => {
    assert.equal(orderIdOf(MAX_SEQUENCE, MAX_BATCH_COMMANDS - 1), Number.MAX_SAFE_INTEGER);
  });

  it("says shard, message and command", () => {
    for (const sequence of [1, 2, MAX_SEQUENCE - 1, MAX_SEQUENCE]) {
      for (const index of [0, 1, MAX_BATCH_COMMANDS - 1]) {
        assert.equal(formatOrderId(7, orderIdOf(sequence, index)), `7-${sequence}-${index}`);
      }
    }
    assert.equal(formatOrderId(7, 0), "NONE");
  });
});
