import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { formatOrderId, MAX_BATCH_COMMANDS, MAX_SEQUENCE, orderIdOf, parseOrderId } from "./mod.ts";

describe("an OrderID", () => {
  it("is a safe integer up to the last command of the last message that a stream can hold", () => {
    assert.equal(orderIdOf(MAX_SEQUENCE, MAX_BATCH_COMMANDS - 1), Number.MAX_SAFE_INTEGER);
  });

  it("reads back as it was written, at both ends", () => {
    for (const sequence of [1, 2, MAX_SEQUENCE - 1, MAX_SEQUENCE]) {
      for (const index of [0, 1, MAX_BATCH_COMMANDS - 1]) {
        const orderId = orderIdOf(sequence, index);
        const text = formatOrderId(7, orderId);
        assert.equal(text, `7-${sequence}-${index}`);
        assert.equal(parseOrderId(7, text), orderId);
      }
    }
  });

  it("is not read from anything else", () => {
    const other = ["7-2199023255552-0", "7-2199023255552-4095", "7-1-4096", "7-0-0", "6-1-0", "07-1-0"];
    for (const text of [...other, "7-01-0", "7-1-00", "7-1", "NONE", "", "7-1-0 ", "7-9999999999999-0"]) {
      assert.equal(parseOrderId(7, text), 0, text);
    }
  });
});
