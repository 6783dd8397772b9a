import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { AddressLimit } from "./address_limit.ts";

describe("address limit", () => {
  it("counts per address and minute", () => {
    const limit = new AddressLimit(2);
    const tries = (address: string, now: number) => limit.attempt(address, now);
    assert.deepEqual([tries("a", 0), tries("a", 1), tries("a", 2), tries("b", 2)], [true, true, false, true]);
    assert.deepEqual([tries("a", 59_999), tries("a", 60_000)], [false, true]);
  });

  it("remembers a bounded number of addresses", () => {
    const limit = new AddressLimit(1);
    for (let i = 0; i <= 10_000; i++) limit.attempt(`${i}`, 0);
    assert.equal(limit.attempt("0", 1), true);
    assert.equal(limit.attempt("9999", 1), false);
  });
});
