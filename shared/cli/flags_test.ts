import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { tieNegatives, UsageError, wholeFlag } from "./flags.ts";

describe("wholeFlag", () => {
  it("takes the bounds and what lies between", () => {
    assert.deepEqual(["5", "007", "9"].map((text) => wholeFlag("--n", text, 5, 9)), [5, 7, 9]);
  });

  for (const text of ["", "4", "10", "-5", "+5", "5.0", "5e0", " 5", "0x5", "five", "1234567890"]) {
    it(`refuses "${text}" and says what it expected`, () => {
      assert.throws(() => wholeFlag("--n", text, 5, 9), (error) => {
        assert.ok(error instanceof UsageError);
        assert.equal(error.message, `Cannot use --n: expected a whole number from 5 to 9, got "${text}"`);
        return true;
      });
    });
  }
});

describe("tieNegatives", () => {
  it("ties negative numbers to the flags that take a value, and leaves everything else", () => {
    const args = [
      "new",
      "--qty",
      "-5",
      "--price",
      "-.5",
      "--id",
      "-x",
      "--json",
      "-1",
      "--qty=-2",
      "-3",
      "--qty",
    ];
    assert.deepEqual(tieNegatives(args, ["qty", "price", "id"]), [
      "new",
      "--qty=-5",
      "--price=-.5",
      "--id",
      "-x",
      "--json",
      "-1",
      "--qty=-2",
      "-3",
      "--qty",
    ]);
  });
});
