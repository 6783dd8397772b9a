import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { OutBuffer } from "./out_buffer.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (taken: Uint8Array | null) => taken === null ? null : new TextDecoder().decode(taken);

describe("out buffer", () => {
  it("hands over what was appended, and collects what comes meanwhile", () => {
    const out = new OutBuffer(100);
    assert.equal(out.take(), null);
    out.append(bytes("one "));
    out.append(bytes("two"));
    const first = out.take();
    out.append(bytes("three"));
    assert.equal(text(first), "one two");
    assert.equal(out.take(), null);
    assert.equal(out.unsent, 12);
    out.release();
    assert.equal(text(out.take()), "three");
    out.release();
    assert.equal(out.unsent, 0);
    assert.equal(out.take(), null);
  });

  it("tells once that there is something to write", () => {
    const out = new OutBuffer(100);
    let told = 0;
    out.wake = () => void told++;
    out.append(bytes("a"));
    out.append(bytes("b"));
    assert.equal(told, 1);
    out.take();
    out.append(bytes("c"));
    assert.equal(told, 2);
  });

  it("overflows past its limit, bytes in flight included, tells it, and takes nothing more", () => {
    const out = new OutBuffer(10);
    let told = 0;
    out.wake = () => void told++;
    out.append(bytes("12345"));
    out.take();
    out.append(bytes("67890"));
    assert.equal(out.overflowing, false);
    out.append(bytes("x"));
    assert.equal(out.overflowing, true);
    assert.equal(told, 3);
    out.append(bytes(""));
    assert.equal(out.unsent, 10);
  });

  it("grows, and keeps every byte", () => {
    const out = new OutBuffer(1 << 20);
    let whole = "";
    for (let i = 0; i < 5000; i++) {
      out.append(bytes(`${i},`));
      whole += `${i},`;
    }
    assert.equal(text(out.take()), whole);
  });
});
