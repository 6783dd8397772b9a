import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";

type Step = readonly [
  size: number,
  write: (out: ByteWriter) => void,
  read: (from: ByteReader) => unknown,
  unknown,
];

const STEPS: readonly Step[] = [
  [1, (out) => out.u8(0xfe), (from) => from.u8(), 0xfe],
  [2, (out) => out.u16(0xfedc), (from) => from.u16(), 0xfedc],
  [4, (out) => out.word(-2), (from) => from.i32(), -2],
  [8, (out) => out.f64(2 ** 41 + 1), (from) => from.integer(), 2 ** 41 + 1],
  [3, (out) => out.text("abc"), (from) => from.text(3), "abc"],
  [3, (out) => out.bytes(new Uint8Array([9, 1, 2, 3]), 1, 3), (from) => from.text(3), "\x01\x02\x03"],
  [5, (out) => out.skip(5), (from) => from.text(5), "\0\0\0\0\0"],
];

describe("bytes written", () => {
  for (const [size, write, read, want] of STEPS) {
    it(`are read again where the memory grows: ${JSON.stringify(want)}`, () => {
      for (let before = 65536 - size; before <= 65536; before++) {
        const out = new ByteWriter();
        out.skip(before);
        write(out);
        assert.equal(out.length, before + size);
        const from = new ByteReader(out.from(before));
        assert.deepEqual([read(from), from.left, from.failed], [want, 0, false]);
      }
    });
  }

  it("end where they end: what lies behind is zero and a failure", () => {
    const from = new ByteReader(new Uint8Array([1, 2, 3]));
    assert.deepEqual([from.u32(), from.failed, from.left], [0, true, 3]);
    assert.deepEqual([from.u16(), from.u8(), from.u8()], [0x201, 3, 0]);
  });
});
