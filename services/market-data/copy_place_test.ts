import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { formatPlace, isBefore, lastCommandOf, parsePlace, START } from "./copy_place.ts";

const PLACE = { evSeq: 7, evTimeUs: 1_700_000_000_000_001, cmdSeq: 12, eventIndex: 0, timestampUs: 99 };

describe("the place of drop copies", () => {
  it("is stored as JSON and read again, also when the time of its message is not known", () => {
    assert.equal(
      formatPlace(PLACE),
      '{"evSeq":7,"evTimeUs":1700000000000001,"cmdSeq":12,"eventIndex":0,"timestampUs":99}',
    );
    assert.deepEqual(parsePlace(formatPlace(PLACE)), PLACE);
    assert.deepEqual(parsePlace(formatPlace({ ...PLACE, evTimeUs: NaN })), { ...PLACE, evTimeUs: NaN });
  });

  it("is a sequence alone in an older store", () => {
    assert.deepEqual(parsePlace("182"), { ...START, evSeq: 182 });
  });

  it("is not read from anything else", () => {
    const texts = ["", "x", "-1", "1.5", "null", "[]", "{}", '{"evSeq":7}', '"7"'];
    texts.push(formatPlace({ ...PLACE, cmdSeq: -1 }), formatPlace({ ...PLACE, evTimeUs: 0.5 }));
    for (const text of texts) assert.equal(parsePlace(text), null, text);
  });

  it("names the last command that it has events of", () => {
    const ends = [[0, 0], [1, 0], [12, 0], [12, 1]].map(([cmdSeq, eventIndex]) =>
      lastCommandOf({ cmdSeq, eventIndex, timestampUs: 0 })
    );
    assert.deepEqual(ends, [0, 0, 11, 12]);
  });

  it("lies before a later command, and before a later event of its own", () => {
    const at = { cmdSeq: 5, eventIndex: 2 };
    const others = [[4, 9], [5, 1], [5, 2], [5, 3], [6, 0]];
    assert.deepEqual(others.map(([cmdSeq, eventIndex]) => isBefore(at, { cmdSeq, eventIndex })), [
      false,
      false,
      false,
      true,
      true,
    ]);
  });
});
