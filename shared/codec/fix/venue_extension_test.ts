import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Dictionary, type Scope } from "./dictionary.ts";
import { DictionaryError } from "./dictionary_table.ts";
import { FIX44 } from "./fix44.ts";
import { FIX44_TABLE } from "./fix44_table.ts";
import { extended, VENUE_EXTENSION } from "./venue_extension.ts";

const PUBLISHED = new Dictionary(FIX44_TABLE);
const OWN = [969, 1140, 1142, 5530, 7928, 8000];

/** Tags of a scope, those of its groups behind their counts. */
function tagsOf({ members }: Scope): number[] {
  return members.flatMap(({ tag, group }) => group === null ? [tag] : [tag, ...tagsOf(group)]);
}

describe("the venue's fields", () => {
  it("are all that FIX44 has beyond FIX 4.4 as published", () => {
    const beyond = [...FIX44.fields.keys()].filter((tag) => !PUBLISHED.fields.has(tag));
    assert.deepEqual(beyond, OWN);
    assert.deepEqual([...FIX44.messageNames], [...PUBLISHED.messageNames]);
  });

  it("stand, optional, in some requests and in what is told of instruments, and in no report about an order", () => {
    const found: Record<string, number[]> = {};
    for (const type of FIX44.messageNames.keys()) {
      const { body } = FIX44.message(type)!;
      const published = tagsOf(PUBLISHED.message(type)!.body);
      assert.deepEqual(tagsOf(body).filter((tag) => !OWN.includes(tag)), published);
      assert.ok(body.required.every(({ tag }) => !OWN.includes(tag)));
      const own = tagsOf(body).filter((tag) => OWN.includes(tag));
      if (own.length > 0) found[type] = own;
    }
    const [order, list] = [[7928, 8000], [969, 1140, 1142]];
    assert.deepEqual(found, { D: order, G: order, q: [5530], r: [5530], AF: [5530], y: list, d: list });
    assert.deepEqual(
      FIX44.message("y")!.body.member(146)!.group!.members.slice(-3).map((
        { tag, required },
      ) => [tag, required]),
      list.map((tag) => [tag, false]),
    );
  });

  it("have values of one character, where they are enumerated", () => {
    for (const tag of OWN) {
      const { type, values } = FIX44.fields.get(tag)!;
      assert.equal(type === "CHAR", values !== null);
      for (const value of values?.keys() ?? []) assert.equal(value.length, 1);
    }
  });
});

describe("extended", () => {
  it("refuses a tag that is taken, and a message or group that is not there", () => {
    const fields = VENUE_EXTENSION.fields;
    assert.throws(() => extended(FIX44_TABLE, { fields: ["44 Price PRICE"], members: {} }), DictionaryError);
    assert.throws(() => extended(FIX44_TABLE, { fields, members: { U1: "7928" } }), DictionaryError);
    assert.throws(() => extended(FIX44_TABLE, { fields, members: { "y/78": "7928" } }), DictionaryError);
  });
});
