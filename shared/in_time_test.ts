import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { inTime } from "./in_time.ts";

/** Longer than any test waits. A timer that is left keeps the test from ending well. */
const LONG_MS = 600_000;

describe("inTime", () => {
  it("gives what the promise resolves to, and leaves no timer", async () => {
    assert.equal(await inTime(Promise.resolve(7), LONG_MS, null), 7);
  });

  it("rejects as the promise does, and leaves no timer", async () => {
    await assert.rejects(inTime(Promise.reject(new Error("lost")), LONG_MS, null), /^Error: lost$/);
  });

  it("gives the other value when the promise takes too long, and ignores how it ends then", async () => {
    const { promise, reject } = Promise.withResolvers<number>();
    assert.equal(await inTime(promise, 0, "late"), "late");
    reject(new Error("lost"));
  });
});
