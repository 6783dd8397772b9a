import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { TakenBatches } from "./taken_batches.ts";

function setUp() {
  const lines: string[] = [];
  const taken = new TakenBatches({
    settled: (bytes) => lines.push(`settled ${bytes[0]}`),
    refused: (streamSeq, verdict) => lines.push(`${verdict} ${streamSeq}`),
  });
  const acknowledged = (seq: number, sentOnce = true) =>
    taken.acknowledged(new Uint8Array([seq]), seq, sentOnce);
  return { taken, lines, acknowledged };
}

describe("batches that the stream has", () => {
  it("settle when their events come, whichever of acknowledgement and events is first", () => {
    const { taken, lines, acknowledged } = setUp();
    acknowledged(1);
    acknowledged(3);
    assert.deepEqual([lines, taken.waiting, taken.waitingBytes], [[], 2, 2]);
    taken.group(1, "taken");
    taken.group(2, "taken");
    assert.deepEqual([lines, taken.waiting, taken.waitingBytes], [["settled 1"], 1, 1]);
    taken.group(3, "taken");
    taken.group(3, "taken");
    taken.group(4, "taken");
    acknowledged(4);
    assert.deepEqual(lines, ["settled 1", "settled 3", "settled 4"]);
    assert.deepEqual([taken.waiting, taken.waitingBytes], [0, 0]);
  });

  it("settle when events behind theirs come, since theirs are gone", () => {
    const { taken, lines, acknowledged } = setUp();
    acknowledged(1);
    acknowledged(2);
    taken.group(7, "refused");
    assert.deepEqual([lines, taken.waiting], [["settled 1", "settled 2"], 0]);
  });

  it("are refused once, and nothing settles behind a refusal", () => {
    const { taken, lines, acknowledged } = setUp();
    acknowledged(1);
    acknowledged(2);
    acknowledged(3);
    taken.group(1, "taken");
    taken.group(2, "refused");
    taken.group(3, "refused");
    acknowledged(4);
    taken.group(4, "taken");
    assert.deepEqual(lines, ["settled 1", "refused 2"]);
  });

  it("are refused when the acknowledgement comes behind the events", () => {
    const { taken, lines, acknowledged } = setUp();
    taken.group(1, "refused");
    taken.group(2, "taken");
    acknowledged(1);
    assert.deepEqual(lines, ["refused 1"]);
  });

  it("have nothing to do with refused messages of others, nor with copies that do not count", () => {
    const { taken, lines, acknowledged } = setUp();
    acknowledged(2);
    taken.group(1, "refused");
    taken.group(2, "taken");
    taken.group(3, "refused");
    acknowledged(4);
    taken.group(4, "taken");
    for (let seq = 5; seq < 10_000; seq++) taken.group(seq, "refused");
    taken.group(10_000, "taken");
    acknowledged(10_000);
    acknowledged(10_001);
    assert.deepEqual(lines, ["settled 2", "settled 4", `settled ${10_000 & 255}`]);
  });

  it("are found refused behind any number of others' refusals that a gateway can fall behind by", () => {
    const { taken, lines, acknowledged } = setUp();
    for (let seq = 1; seq <= 4096; seq++) taken.group(seq, "refused");
    acknowledged(1);
    assert.deepEqual(lines, ["refused 1"]);
  });

  it("are refused when their numbers had been applied before, unless they were sent more than once", () => {
    const { taken, lines, acknowledged } = setUp();
    acknowledged(1, false);
    acknowledged(2, false);
    taken.group(1, "repeated");
    taken.group(2, "refused");
    assert.deepEqual(lines, ["settled 1", "refused 2"]);

    const other = setUp();
    other.acknowledged(1);
    other.taken.group(1, "taken");
    other.taken.group(2, "repeated");
    other.acknowledged(2);
    assert.deepEqual(other.lines, ["settled 1", "repeated 2"]);
  });
});
