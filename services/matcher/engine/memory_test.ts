import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Memory, powerOfTwo } from "./memory.ts";

describe("the engine's memory", () => {
  it("hands out what was planned, once, apart from each other and never the place 0", () => {
    const memory = new Memory(null, 1, 16, 17);
    assert.deepEqual([memory.take(1), memory.take(16), memory.take(17)], [16, 32, 48]);
    assert.equal(memory.words.length, 80);
    assert.throws(() => memory.take(1), new RangeError("Cannot take a region: the memory is smaller"));
  });

  it("is the buffer that it is given when that has its size, and else its own", () => {
    const [fits, other] = [new ArrayBuffer(4 * 32), new ArrayBuffer(4 * 33)];
    assert.equal(new Memory(fits, 16).words.buffer, fits);
    assert.deepEqual(new Memory(other, 16).words, new Int32Array(32));
    assert.notEqual(new Memory(other, 16).words.buffer, other);
  });

  it("is the same whether seen as words, doubles or bytes", () => {
    const memory = new Memory(null, 16);
    const at = memory.take(16);
    memory.doubles[at >> 1] = 1;
    assert.deepEqual([memory.words[at], memory.words[at + 1], memory.bytes[(at << 2) + 7]], [
      0,
      0x3ff00000,
      0x3f,
    ]);
  });

  it("is refused where places would pass 32 bits", () => {
    assert.throws(
      () => new Memory(null, 2 ** 30, 2 ** 30),
      new RangeError(
        "Cannot reserve memory for so many orders: 2147483664 words, the limit is 2147483647",
      ),
    );
  });

  it("counts in powers of two", () => {
    assert.deepEqual([1, 2, 3, 4096, 4097].map(powerOfTwo), [1, 2, 4, 4096, 8192]);
  });
});
