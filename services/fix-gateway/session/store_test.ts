import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { MemoryStore, type StoredPage } from "./store.ts";

const body = (text: string) => new TextEncoder().encode(text);
const seqs = (page: StoredPage) => page.messages.map(({ seq }) => seq);

describe("memory store", () => {
  it("gives back what it was given, copied", () => {
    const store = new MemoryStore();
    const bytes = body("58=a\x01");
    store.append(7, "8", 1000, true, bytes);
    bytes.fill(0);
    const page = store.read(1, 10, 1000);
    assert.deepEqual(page, {
      messages: [{ seq: 7, msgType: "8", sendingTimeMs: 1000, possResend: true, body: body("58=a\x01") }],
      through: 10,
    });
  });

  const ranges: [number, number, number[], number][] = [
    [1, 20, [2, 4, 6, 8, 10], 20],
    [4, 8, [4, 6, 8], 8],
    [5, 5, [], 5],
    [11, 20, [], 20],
  ];
  for (const [from, to, expected, through] of ranges) {
    it(`reads ${from} to ${to}`, () => {
      const store = new MemoryStore();
      for (let seq = 2; seq <= 10; seq += 2) store.append(seq, "8", 0, false, body("x"));
      const page = store.read(from, to, 1000);
      assert.deepEqual([seqs(page), page.through], [expected, through]);
    });
  }

  it("cuts a page when it has the bytes, and says how far it reaches", () => {
    const store = new MemoryStore();
    for (let seq = 2; seq <= 10; seq += 2) store.append(seq, "8", 0, false, body("xxxx"));
    const first = store.read(1, 20, 8);
    assert.deepEqual([seqs(first), first.through], [[2, 4], 5]);
    const second = store.read(6, 20, 8);
    assert.deepEqual([seqs(second), second.through], [[6, 8], 9]);
  });

  it("forgets the oldest past its limit, segment by segment, and keeps order across segments", () => {
    const store = new MemoryStore(3 * 64 * 1024);
    for (let seq = 1; seq <= 10_000; seq++) store.append(seq, "8", seq, false, body(`58=${seq}\x01`));
    const kept = seqs(store.read(1, 10_000, 1 << 20));
    assert.deepEqual(kept, Array.from({ length: kept.length }, (_, i) => 10_000 - kept.length + 1 + i));
    assert.equal(kept.length, 2 * 512 + 10_000 % 512);
  });

  it("takes a message that is larger than a segment", () => {
    const store = new MemoryStore();
    store.append(1, "B", 0, false, new Uint8Array(200_000).fill(65));
    store.append(2, "8", 0, false, body("x"));
    assert.deepEqual(store.read(1, 2, 1).messages.map((each) => each.body.length), [200_000]);
    assert.deepEqual(seqs(store.read(2, 2, 1)), [2]);
  });

  it("is empty after clear", () => {
    const store = new MemoryStore();
    store.append(1, "8", 0, false, body("x"));
    store.clear();
    assert.deepEqual(store.read(1, 9, 1000), { messages: [], through: 9 });
  });
});
