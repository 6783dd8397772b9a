import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Dictionary } from "./dictionary.ts";
import { DictionaryError } from "./dictionary_table.ts";
import { FIX44 } from "./fix44.ts";
import { FIX44_TABLE } from "./fix44_table.ts";
import { extended, VENUE_EXTENSION } from "./venue_extension.ts";

const PUBLISHED = new Dictionary(FIX44_TABLE);
const OWN = [5530, 7928, 8000];

describe("the venue's fields", () => {
  it("are all that FIX44 has beyond FIX 4.4 as published", () => {
    const beyond = [...FIX44.fields.keys()].filter((tag) => !PUBLISHED.fields.has(tag));
    assert.deepEqual(beyond, OWN);
    assert.deepEqual([...FIX44.messageNames], [...PUBLISHED.messageNames]);
  });

  it("stand, optional, behind the members of some requests and in nothing that the venue sends", () => {
    const found: Record<string, number[]> = {};
    for (const type of FIX44.messageNames.keys()) {
      const published = PUBLISHED.message(type)!.body.members;
      const members = FIX44.message(type)!.body.members;
      assert.deepEqual(
        members.slice(0, published.length).map(({ tag }) => tag),
        published.map(({ tag }) => tag),
      );
      const own = members.slice(published.length);
      assert.ok(own.every(({ required, group }) => !required && group === null));
      if (own.length > 0) found[type] = own.map(({ tag }) => tag);
    }
    assert.deepEqual(found, { D: [7928, 8000], G: [7928, 8000], q: [5530], AF: [5530] });
  });

  it("have tags that FIX leaves to users, and values of one character", () => {
    for (const tag of OWN) {
      assert.ok(tag >= 5000 && tag <= 9999);
      const { type, values } = FIX44.fields.get(tag)!;
      assert.equal(type === "CHAR", values !== null);
      for (const value of values?.keys() ?? []) assert.equal(value.length, 1);
    }
  });
});

describe("extended", () => {
  it("refuses a tag that is taken and a message that is not there", () => {
    const fields = VENUE_EXTENSION.fields;
    assert.throws(() => extended(FIX44_TABLE, { fields: ["44 Price PRICE"], members: {} }), DictionaryError);
    assert.throws(() => extended(FIX44_TABLE, { fields, members: { U1: "7928" } }), DictionaryError);
  });
});
