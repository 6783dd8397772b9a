import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { run as book } from "./book.ts";
import { run as bookOnly } from "./book_only.ts";

describe("bench/micro/book and book_only", () => {
  it("run small and compute the same twice", () => {
    const digests = () => [...bookOnly(0.01), ...book(0.001)].map(({ name, hash }) => `${name} ${hash}`);
    const first = digests();
    assert.equal(first.length, 18);
    assert.deepEqual(digests(), first);
  });
});
