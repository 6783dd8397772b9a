import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { encodeClaim, Event, EventBatchWriter, joinEventBatches } from "../../shared/codec/wire/mod.ts";
import { isStored, lastTouchedCmdSeq, readStoredBatch, ReplayCheck } from "./stored_position.ts";

/** The messages of command `cmdSeq` when it causes `events` events; above 40 of them, several. */
function parts(cmdSeq: number, events: number, epoch = 1): Uint8Array[] {
  const writer = new EventBatchWriter(4096);
  writer.begin(0, epoch, cmdSeq, 1000 + cmdSeq);
  for (let i = 0; i < events; i++) {
    const event = new Event();
    event.msgSeqNum = i;
    writer.append(event);
  }
  return writer.end();
}

const join = (...messages: Uint8Array[]) => joinEventBatches(messages, 1e6).bytes;
const firstIndexOf = (part: Uint8Array) => new DataView(part.buffer, part.byteOffset).getUint32(48, true);

describe("the position that a stored message gives", () => {
  it("is its last group when that is whole", () => {
    assert.deepEqual(readStoredBatch(0, join(...parts(4, 1), ...parts(5, 0, 1))), {
      epoch: 1,
      isClaim: false,
      position: { completeCmdSeq: 5, nextEventIndex: 0 },
    });
  });

  it("is within its last group when that goes on", () => {
    const [first, second] = parts(5, 100);
    const events = firstIndexOf(second);
    assert.ok(events > 0);
    assert.deepEqual(readStoredBatch(0, join(...parts(4, 1), first)), {
      epoch: 1,
      isClaim: false,
      position: { completeCmdSeq: 4, nextEventIndex: events },
    });
  });

  it("is what a claim says", () => {
    assert.deepEqual(readStoredBatch(0, encodeClaim(0, 7, 4, 31)), {
      epoch: 7,
      isClaim: true,
      position: { completeCmdSeq: 4, nextEventIndex: 31 },
    });
  });

  it("is refused when the message is damaged or another shard's", () => {
    assert.equal(readStoredBatch(0, parts(4, 1)[0].subarray(0, 50)), "bad length");
    assert.equal(readStoredBatch(3, parts(4, 1)[0]), "shard 0 instead of 3");
  });

  it("tells which parts are stored", () => {
    const position = { completeCmdSeq: 4, nextEventIndex: 31 };
    const rows: [cmdSeq: number, firstEventIndex: number, stored: boolean][] = [
      [3, 0, true],
      [4, 0, true],
      [4, 90, true],
      [5, 0, true],
      [5, 30, true],
      [5, 31, false],
      [6, 0, false],
    ];
    for (const [cmdSeq, index, stored] of rows) assert.equal(isStored(position, cmdSeq, index), stored);
    assert.equal(isStored({ completeCmdSeq: 4, nextEventIndex: 0 }, 5, 0), false);
    assert.equal(lastTouchedCmdSeq(position), 5);
    assert.equal(lastTouchedCmdSeq({ completeCmdSeq: 4, nextEventIndex: 0 }), 4);
  });
});

describe("the replay check", () => {
  const group3 = parts(3, 2);
  const group4 = parts(4, 100);
  const group5 = parts(5, 1);
  const replay = (stored: Uint8Array, groups: [number, Uint8Array[]][]) => {
    const check = new ReplayCheck(stored);
    const agreed = groups.flatMap(([cmdSeq, messages]) =>
      messages.map((part) => check.agrees(cmdSeq, firstIndexOf(part), part))
    );
    return { agreed: agreed.every(Boolean), complete: check.complete };
  };

  it("agrees with the same groups from another epoch, whatever lies before and behind", () => {
    const stored = join(...parts(4, 100, 9), ...parts(5, 1, 9));
    const all: [number, Uint8Array[]][] = [[3, group3], [4, group4], [5, group5], [6, parts(6, 3)]];
    assert.deepEqual(replay(stored, all), { agreed: true, complete: true });
  });

  it("agrees with a message that begins within a group", () => {
    const stored = join(...group4.slice(1), ...group5);
    assert.deepEqual(replay(stored, [[3, group3], [4, group4], [5, group5]]), {
      agreed: true,
      complete: true,
    });
  });

  it("is not complete before every byte has been compared", () => {
    assert.deepEqual(replay(join(...group4, ...group5), [[4, group4]]), { agreed: true, complete: false });
  });

  it("differs by any one byte", () => {
    const stored = join(...group3, ...group5.slice(0, 0));
    for (let at = 40; at < group3[0].length; at++) {
      const other = group3[0].slice();
      other[at] ^= 1;
      assert.equal(new ReplayCheck(stored).agrees(3, 0, other), false, `byte ${at}`);
    }
  });

  it("differs when the replay makes more or fewer events", () => {
    assert.equal(replay(join(...group3), [[3, parts(3, 3)]]).agreed, false);
    assert.equal(replay(join(...group3), [[3, parts(3, 1)]]).agreed, false);
  });
});
