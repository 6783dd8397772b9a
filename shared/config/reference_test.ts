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

  it("that changed is said as the venue file has it, with how much more has, counting no number that only follows", () => {
    const end = "; undo the change, or start with another store (--store)";
    const rules = (text: string) => of("qtyScale: 0", `qtyScale: 0, switchableTo: [A], ${text}`);
    assert.deepEqual([
      findChange(rules('topMin: "20", topMax: "300"'), rules('topMax: "400"')),
      findChange(of(), of('lot: "10"', 'lot: "1"')),
      findChange(of(), of("priceScale: 2", "priceScale: 3")),
      findChange(
        rules('referencePrice: "1.05"'),
        of('tick: "0.05", priceScale: 2', 'tick: "0.15", priceScale: 2, referencePrice: "1.05"'),
      ),
    ], [
      `instrument 1 (S) has topMin 20 in the store but none in the venue file (and 1 more)${end}`,
      `instrument 1 (S) has lot 10 in the store but 1 in the venue file${end}`,
      `instrument 1 (S) has priceScale 2 in the store but 3 in the venue file${end}`,
      `instrument 1 (S) has tick 0.05 in the store but 0.15 in the venue file${end}`,
    ]);
  });

  it("ends with the remedy that whoever compares it knows", () => {
    const remedies = { otherFile: "go by another", otherRelease: "take that one" };
    const older = { ...of(), layout: {} };
    assert.deepEqual(
      [findChange(of(), of("symbol: S", "symbol: Z"), remedies), findChange(older, of(), remedies)],
      [
        "instrument 1 (S) has symbol S in the store but Z in the venue file; go by another",
        "another release wrote it, whose commands or events this one cannot read; take that one",
      ],
    );
  });

  it("cannot lose an id", () => {
    const more = of("[{ id: 1, name: A }]", "[{ id: 1, name: A }, { id: 2, name: B }]");
    assert.equal(
      findChange(more, of()),
      "firm 2 (B) is in the store but no longer in the venue file; undo the change, or start with another store (--store)",
    );
  });
});
