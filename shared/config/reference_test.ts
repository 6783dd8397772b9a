import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { BARE_VENUE } from "../testing/bare_venue.ts";
import { findChange, parseVenue, referenceOf, saysNothingNew } from "./mod.ts";

const of = (from = "", to = "") => referenceOf(parseVenue(BARE_VENUE.replace(from, to), "v"));

describe("reference data", () => {
  it("says nothing new when it is the same, and when what may change has", () => {
    for (const [from, to] of [["", ""], ["password: p", "password: q"], ["name: v", "name: w"]]) {
      assert.deepEqual(
        [findChange(of(), of(from, to)), saysNothingNew(of(), of(from, to))],
        [null, true],
        to,
      );
    }
  });

  it("says something new with a new id, and with a property that an older release did not write", () => {
    const more = of("[{ id: 1, name: A }]", "[{ id: 1, name: A }, { id: 2, name: B }]");
    assert.deepEqual([findChange(of(), more), saysNothingNew(of(), more)], [null, false]);
    const older = of();
    delete older.instrument[1].postOnly;
    assert.deepEqual([findChange(older, of()), saysNothingNew(older, of())], [null, false]);
  });

  it("cannot lose an id", () => {
    const more = of("[{ id: 1, name: A }]", "[{ id: 1, name: A }, { id: 2, name: B }]");
    assert.equal(
      findChange(more, of()),
      "firm 2 (B) is in the store but no longer in the venue file; undo the change, or start with another store (--store)",
    );
  });
});
