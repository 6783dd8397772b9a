import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { encodeClaim, joinEventBatches } from "../../../shared/codec/wire/mod.ts";
import { eventMessage } from "../test_kit.ts";
import { EventComparison } from "./event_comparison.ts";

const own = (cmdSeq: number) => ({ symbol: "AAA", bytes: eventMessage(cmdSeq) });
const joined = (...cmdSeqs: number[]) => joinEventBatches(cmdSeqs.map(eventMessage), 1 << 20).bytes;
const rest = (comparison: EventComparison) =>
  comparison.takeUnstored().map(({ bytes }) =>
    new DataView(bytes.buffer, bytes.byteOffset).getFloat64(16, true)
  );

describe("a comparison of own events with stored ones", () => {
  it("agrees whichever comes first, and however the leader joined them", () => {
    const comparison = new EventComparison(7);
    for (const cmdSeq of [1, 2, 3]) assert.equal(comparison.made(own(cmdSeq)), null);
    assert.equal(comparison.stored(8, joined(1, 2)), null);
    assert.equal(comparison.evSeq, 8);
    assert.equal(comparison.stored(9, joined(3, 4, 5)), null);
    assert.deepEqual([comparison.evSeq, comparison.unstoredBytes > 0], [8, false]);
    assert.ok(comparison.aheadBytes > 0);
    assert.equal(comparison.made(own(4)), null);
    assert.equal(comparison.evSeq, 8);
    assert.equal(comparison.made(own(5)), null);
    assert.deepEqual([comparison.evSeq, comparison.unstoredBytes, comparison.aheadBytes], [9, 0, 0]);
  });

  it("keeps what EV does not hold, in order, and counts its bytes", () => {
    const comparison = new EventComparison(0);
    for (let cmdSeq = 1; cmdSeq <= 2000; cmdSeq++) comparison.made(own(cmdSeq));
    for (let cmdSeq = 1; cmdSeq <= 1997; cmdSeq++) {
      assert.equal(comparison.stored(cmdSeq, eventMessage(cmdSeq)), null);
    }
    assert.equal(comparison.unstoredBytes, 3 * eventMessage(1).length);
    assert.deepEqual(rest(comparison), [1998, 1999, 2000]);
    assert.deepEqual([comparison.unstoredBytes, rest(comparison)], [0, []]);
  });

  it("passes claims", () => {
    const comparison = new EventComparison(0);
    assert.equal(comparison.stored(1, encodeClaim(0, 1, 0, 0)), null);
    assert.equal(comparison.evSeq, 1);
    comparison.made(own(1));
    comparison.stored(2, encodeClaim(0, 2, 0, 0));
    assert.deepEqual([comparison.evSeq, rest(comparison)], [2, [1]]);
  });

  it("tells of every byte that differs, whichever comes first, and not of the epoch", () => {
    const good = joined(1, 2);
    for (let at = 0; at < good.length; at++) {
      const bytes = good.slice();
      bytes[at] ^= 1;
      const early = new EventComparison(0);
      const late = new EventComparison(0);
      const faults = [early.made(own(1)), early.made(own(2)), early.stored(1, bytes)];
      const others = [late.stored(1, bytes), late.made(own(1)), late.made(own(2))];
      const differs = at < 40 ? undefined : "its events differ from message 1";
      assert.equal(faults.find((fault) => fault !== null), differs, `byte ${at}`);
      assert.equal(others.find((fault) => fault !== null), differs, `byte ${at}`);
    }
  });

  it("tells of a part that is longer than what is stored", () => {
    const comparison = new EventComparison(0);
    comparison.made({ symbol: "AAA", bytes: joined(1, 2) });
    assert.equal(comparison.stored(1, eventMessage(1)), "its events differ from message 1");
  });
});
