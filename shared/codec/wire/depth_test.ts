import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { DepthImageReader, DepthImageWriter } from "./depth.ts";
import { embedded, everyChange, Random, SEED } from "./test_random.ts";

interface Level {
  instrumentId: number;
  side: number;
  priceTicks: number;
  qtyLots: number;
  orders: number;
}

function randomLevel(random: Random): Level {
  return {
    instrumentId: 1 + random.edge(65534),
    side: 1 + random.below(2),
    priceTicks: 1 + random.edge(2 ** 31 - 2),
    qtyLots: 1 + random.edge(Number.MAX_SAFE_INTEGER - 1),
    orders: 1 + random.edge(2 ** 32 - 2),
  };
}

function imageOf(levels: readonly Level[], maxBytes?: number): Uint8Array[] {
  const writer = new DepthImageWriter(maxBytes);
  writer.begin(4, 2, 900, 77);
  for (const { instrumentId, side, priceTicks, qtyLots, orders } of levels) {
    writer.append(instrumentId, side, priceTicks, qtyLots, orders);
  }
  return writer.end();
}

function readAll(bytes: Uint8Array): Level[] | string {
  const reader = new DepthImageReader();
  const fault = reader.open(bytes);
  if (fault !== null) return fault;
  const levels: Level[] = [];
  while (reader.next()) {
    const { instrumentId, side, priceTicks, qtyLots, orders } = reader;
    levels.push({ instrumentId, side, priceTicks, qtyLots, orders });
  }
  assert.equal(levels.length, reader.levelCount);
  return levels;
}

describe("a depth image", () => {
  it(`reads back as it was written, in as many parts as it takes (seed ${SEED})`, () => {
    const random = new Random(SEED);
    for (let round = 0; round < 200; round++) {
      const levels = Array.from({ length: random.below(100) }, () => randomLevel(random));
      const parts = imageOf(levels, 64 + random.below(2000));
      const read: Level[] = [];
      parts.forEach((bytes, part) => {
        const reader = new DepthImageReader();
        assert.equal(reader.open(embedded(bytes)), null);
        assert.deepEqual(
          [reader.shard, reader.epoch, reader.cmdSeq, reader.nextEvSeq, reader.part, reader.more],
          [4, 2, 900, 77, part, part < parts.length - 1],
        );
        read.push(...readAll(bytes) as Level[]);
      });
      assert.deepEqual(read, levels);
    }
  });

  it("is one part without levels when every book is empty", () => {
    const parts = imageOf([]);
    assert.deepEqual(parts.map(readAll), [[]]);
  });

  it("is refused at every truncation", () => {
    const [bytes] = imageOf([randomLevel(new Random(1)), randomLevel(new Random(2))]);
    for (let length = 0; length < bytes.length; length++) {
      assert.equal(readAll(bytes.subarray(0, length)), length < 40 ? "truncated" : "bad length");
    }
  });

  it(`never throws or reads outside with any one byte changed (seed ${SEED})`, () => {
    const random = new Random(SEED);
    const [bytes] = imageOf([randomLevel(random), randomLevel(random)]);
    for (const changed of everyChange(bytes)) {
      const read = readAll(changed);
      assert.ok(typeof read === "string" || read.length === 2);
    }
  });

  it("is the same bytes whatever its writer wrote before, and read from its beginning", () => {
    const random = new Random(SEED);
    const levels = [randomLevel(random), randomLevel(random)];
    const writer = new DepthImageWriter(200);
    const reader = new DepthImageReader();
    writer.begin(9, 9, 9, 9);
    for (let i = 0; i < 30; i++) writer.append(9, 2, 9, 9, 9);
    reader.open(writer.end()[0]);
    reader.next();
    writer.begin(4, 2, 900, 77);
    for (const { instrumentId, side, priceTicks, qtyLots, orders } of levels) {
      writer.append(instrumentId, side, priceTicks, qtyLots, orders);
    }
    assert.deepEqual(writer.end(), imageOf(levels));
    reader.open(imageOf(levels)[0]);
    assert.equal(reader.next(), true);
    assert.equal(reader.priceTicks, levels[0].priceTicks);
  });

  it("is refused when its lengths disagree", () => {
    const [bytes] = imageOf([randomLevel(new Random(1)), randomLevel(new Random(2))]);
    for (const at of [24, 28]) {
      const copy = bytes.slice();
      copy[at]++;
      assert.equal(readAll(copy), "bad length");
    }
  });

  it("refuses levels that no book can have", () => {
    const level = { instrumentId: 1, side: 1, priceTicks: 1, qtyLots: 1, orders: 1 };
    assert.equal(typeof readAll(imageOf([level])[0]), "object");
    assert.equal(readAll(imageOf([{ ...level, instrumentId: 0 }])[0]), "bad field");
    assert.equal(readAll(imageOf([{ ...level, side: 3 }])[0]), "bad field");
    assert.equal(readAll(imageOf([{ ...level, priceTicks: 0 }])[0]), "bad field");
    assert.equal(readAll(imageOf([{ ...level, qtyLots: 0 }])[0]), "bad field");
    assert.equal(readAll(imageOf([{ ...level, qtyLots: 0.5 }])[0]), "bad field");
    assert.equal(readAll(imageOf([{ ...level, orders: 0 }])[0]), "bad field");
  });
});
