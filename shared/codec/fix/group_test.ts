import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import type { Scope } from "./dictionary.ts";
import { FIX44 } from "./fix44.ts";
import { GroupCursor } from "./group.ts";
import type { FixMessage } from "./message.ts";
import { bars, parsed } from "./testing.ts";

function groupOf(msgType: string, ...countTags: number[]): Scope {
  let scope = FIX44.message(msgType)!.body;
  for (const tag of countTags) scope = scope.member(tag)!.group!;
  return scope;
}

function value(message: FixMessage, index: number): string {
  return index < 0 ? "-" : bars(message.buffer.subarray(message.valueStart[index], message.valueEnd[index]));
}

const HEAD = "35=D|34=2|49=A|52=20250101-00:00:00.000|56=B|";
const PARTIES = "453=3|448=p|447=D|452=1|802=2|523=s|803=1|523=t|448=q|452=3|448=r|802=1|523=u|";

describe("GroupCursor", () => {
  it("walks entries and the groups nested in them", () => {
    const message = parsed(`${HEAD}11=x|${PARTIES}55=ACME|`);
    const parties = new GroupCursor();
    const subIds = new GroupCursor();
    const seen: string[] = [];
    parties.open(message, groupOf("D", 453), message.find(453));
    while (parties.next()) {
      seen.push(`${value(message, parties.find(448))} ${value(message, parties.find(452))}`);
      subIds.open(message, groupOf("D", 453, 802), parties.find(802));
      while (subIds.next()) {
        seen.push(`  ${value(message, subIds.find(523))} ${value(message, subIds.find(803))}`);
      }
    }
    assert.deepEqual(seen, ["p 1", "  s 1", "  t -", "q 3", "r -", "  u -"]);
    assert.equal(message.tags[parties.end], 55);
    assert.equal(parties.next(), false);
  });

  it("finds only the entry's own fields", () => {
    const message = parsed(`${HEAD}${PARTIES}55=ACME|`);
    const cursor = new GroupCursor();
    cursor.open(message, groupOf("D", 453), message.find(453));
    assert.equal(cursor.next(), true);
    assert.equal(cursor.find(523), -1);
    assert.equal(cursor.find(55), -1);
    assert.deepEqual([cursor.first, cursor.end], [
      message.find(448),
      message.find(448, message.find(448) + 1),
    ]);
  });

  it("is empty for an absent group, a count of zero, and a group that starts with another field", () => {
    const cursor = new GroupCursor();
    assert.equal(cursor.next(), false);
    assert.equal(cursor.find(448), -1);
    for (const body of ["55=ACME|", "453=0|55=ACME|", "453=1|447=D|448=p|", "453=1|"]) {
      const message = parsed(HEAD + body);
      cursor.open(message, groupOf("D", 453), message.find(453));
      assert.equal(cursor.next(), false, body);
    }
  });

  it("ends an entry that validation would refuse at the first field out of order", () => {
    const message = parsed(`${HEAD}453=1|448=p|452=1|447=D|448=q|`);
    const cursor = new GroupCursor();
    cursor.open(message, groupOf("D", 453), message.find(453));
    assert.equal(cursor.next(), true);
    assert.equal(cursor.end, message.find(447));
    assert.equal(cursor.next(), false);
  });

  it("ends with the message and keeps user-defined fields in the entry they stand in", () => {
    const message = parsed(`${HEAD}386=2|336=a|5001=u|625=b|336=c|`);
    const cursor = new GroupCursor();
    cursor.open(message, groupOf("D", 386), message.find(386));
    assert.equal(cursor.next(), true);
    assert.equal(value(message, cursor.find(625)), "b");
    assert.equal(value(message, cursor.find(5001)), "u");
    assert.equal(cursor.next(), true);
    assert.equal(value(message, cursor.find(336)), "c");
    assert.equal(cursor.next(), false);
  });
});
