import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { TakenBatches } from "./taken_batches.ts";

function setUp() {
  const lines: string[] = [];
  const taken = new TakenBatches({
    settled: (bytes) => lines.push(`settled ${bytes[0]}`),
    refused: (streamSeq) => lines.push(`refused ${streamSeq}`),
  });
  return { taken, lines, acknowledged: (seq: number) => taken.acknowledged(new Uint8Array([seq]), seq) };
}

describe("batches that the stream has", () => {
  it("settle when their events come, whichever of acknowledgement and events is first", () => {
    const { taken, lines, acknowledged } = setUp();
    acknowledged(1);
    acknowledged(3);
    assert.deepEqual([lines, taken.waiting], [[], 2]);
    taken.group(1, false);
    taken.group(2, false);
    assert.deepEqual([lines, taken.waiting], [["settled 1"], 1]);
    taken.group(3, false);
    taken.group(3, false);
    taken.group(4, false);
    acknowledged(4);
    assert.deepEqual([lines, taken.waiting], [["settled 1", "settled 3", "settled 4"], 0]);
  });

  it("settle when events behind theirs come, since theirs are gone", () => {
    const { taken, lines, acknowledged } = setUp();
    acknowledged(1);
    acknowledged(2);
    taken.group(7, true);
    assert.deepEqual([lines, taken.waiting], [["settled 1", "settled 2"], 0]);
  });

  it("are refused once, and nothing settles behind a refusal", () => {
    const { taken, lines, acknowledged } = setUp();
    acknowledged(1);
    acknowledged(2);
    acknowledged(3);
    taken.group(1, false);
    taken.group(2, true);
    taken.group(3, true);
    acknowledged(4);
    taken.group(4, false);
    assert.deepEqual(lines, ["settled 1", "refused 2"]);
  });

  it("are refused when the acknowledgement comes behind the events", () => {
    const { taken, lines, acknowledged } = setUp();
    taken.group(1, true);
    taken.group(2, false);
    acknowledged(1);
    assert.deepEqual(lines, ["refused 1"]);
  });

  it("have nothing to do with refused messages of others, nor with copies that do not count", () => {
    const { taken, lines, acknowledged } = setUp();
    acknowledged(2);
    taken.group(1, true);
    taken.group(2, false);
    taken.group(3, true);
    acknowledged(4);
    taken.group(4, false);
    for (let seq = 5; seq < 10_000; seq++) taken.group(seq, true);
    taken.group(10_000, false);
    acknowledged(10_000);
    acknowledged(10_001);
    assert.deepEqual(lines, ["settled 2", "settled 4", `settled ${10_000 & 255}`]);
  });

  it("are found refused behind any number of others' refusals that a gateway can fall behind by", () => {
    const { taken, lines, acknowledged } = setUp();
    for (let seq = 1; seq <= 4096; seq++) taken.group(seq, true);
    acknowledged(1);
    assert.deepEqual(lines, ["refused 1"]);
  });
});
