import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ConfigError, parseVenue } from "../../shared/config/mod.ts";
import { checkReference, recordedReference, recordReference } from "./reference.ts";

const VENUE = `name: v
targetCompId: X
firms: [{ id: 1, name: A }, { id: 2, name: B }]
instruments:
  - { id: 1, symbol: S, algorithm: C, tick: "0.05", priceScale: 2, lot: "10", qtyScale: 0, maxOrderQty: "1000" }
sessions:
  - { id: 1, senderCompId: T, firm: A, role: trading, username: u, password: p }
`;

describe("reference data beside the store", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await Deno.makeTempDir({ prefix: "pitwire-reference-" });
    recordReference(dir, parseVenue(VENUE, "v"));
  });
  afterEach(() => Deno.remove(dir, { recursive: true }));

  /** As a start does that nothing else is in the way of. */
  const check = (from: string, to: string) => {
    const venue = parseVenue(VENUE.replace(from, to), "v");
    checkReference(dir, venue);
    recordReference(dir, venue);
  };

  it("accepts the same venue, and new ids", () => {
    check("", "");
    check("{ id: 2, name: B }", "{ id: 2, name: B }, { id: 3, name: C }");
  });

  it("accepts a new password and other limits", () => {
    check("password: p", "password: q");
    check("targetCompId: X", "targetCompId: X\nlimits: { conflationMs: 100 }");
  });

  it("accepts what commands bring to the engine: other switches, another self-match prevention of a firm", () => {
    check("qtyScale: 0", "qtyScale: 0, switchableTo: [F]");
    check("name: B }", "name: B, selfMatchPrevention: decrement }");
  });

  it("accepts another length of volatility auctions, and rules that say what holds anyway", async () => {
    const banded = (rules: string) => check("qtyScale: 0", rules);
    await Deno.remove(join(dir, "reference.json"));
    banded("qtyScale: 0, bandTicks: 5");
    banded("qtyScale: 0, bandTicks: 5, volatilityAuctionSec: 30, postOnly: reject");
  });

  const remedy = "; undo the change, or start with another store (--store)";
  const changes: [from: string, to: string, why: string][] = [
    ["symbol: S", "symbol: Z", "instrument 1 (S) has symbol S in the store but Z in the venue file"],
    [
      'tick: "0.05"',
      'tick: "0.01"',
      "instrument 1 (S) has tick 0.05 in the store but 0.01 in the venue file",
    ],
    ["algorithm: C", "algorithm: F", "instrument 1 (S) has algorithm C in the store but F in the venue file"],
    [
      'lot: "10"',
      'lot: "1"',
      "instrument 1 (S) has lot 10 in the store but 1 in the venue file",
    ],
    [
      'maxOrderQty: "1000"',
      'maxOrderQty: "2000"',
      "instrument 1 (S) has maxOrderQty 1000 in the store but 2000 in the venue file",
    ],
    [
      'maxOrderQty: "1000"',
      'maxOrderQty: "1000", proRataMin: 2',
      "instrument 1 (S) has proRataMin 1 in the store but 2 in the venue file",
    ],
    [
      "  - { id: 1, symbol",
      "  - { id: 9, symbol",
      "instrument 1 (S) is in the store but no longer in the venue file",
    ],
    [
      "{ id: 2, name: B }",
      "{ id: 2, name: C }",
      "firm 2 (B) has name B in the store but C in the venue file",
    ],
    ["firm: A, role", "firm: B, role", "session 1 (T) has firm A in the store but B in the venue file"],
    [
      "senderCompId: T",
      "senderCompId: U",
      "session 1 (T) has senderCompId T in the store but U in the venue file",
    ],
    [
      "targetCompId: X",
      "targetCompId: X\nlimits: { maxOpenOrders: 100 }",
      "limits of the matcher has maxOpenOrders 1000000 in the store but 100 in the venue file",
    ],
    [
      "qtyScale: 0",
      'qtyScale: 0, referencePrice: "1.05"',
      "instrument 1 (S) has referencePrice none in the store but 1.05 in the venue file",
    ],
    [
      "qtyScale: 0",
      "qtyScale: 0, postOnly: reprice",
      "instrument 1 (S) has postOnly reject in the store but reprice in the venue file",
    ],
    [
      "qtyScale: 0",
      "qtyScale: 0, switchableTo: [T], leadMarketMakers: [{ firm: B, percent: 30 }, { firm: A, percent: 5 }]",
      "instrument 1 (S) has leadMarketMakers none in the store but B 30 %, A 5 % in the venue file",
    ],
    [
      "sessions:",
      'schedule: { timeZone: UTC, phases: [{ at: "08:00", phase: continuous }] }\nsessions:',
      "instrument 1 (S) starts continuous in the store but closed in the venue file (a schedule has come or gone)",
    ],
  ];
  for (const [from, to, why] of changes) {
    it(`refuses: ${why}`, () => {
      assert.throws(() => check(from, to), (error) => {
        assert.ok(error instanceof ConfigError, "exit code 78");
        assert.equal(error.message, `Cannot use store ${dir}: ${why}${remedy}`);
        return true;
      });
      check("", "");
    });
  }

  it("refuses a store whose messages have another layout, or none that is known", async () => {
    const file = join(dir, "reference.json");
    const record = JSON.parse(await Deno.readTextFile(file));
    const { commands, events } = record.layout["of messages"];
    const older = { "of messages": { commands: commands - 1, events } };
    const newer = { "of messages": { commands, events: events + 1 } };
    for (const layout of [undefined, {}, older, newer]) {
      await Deno.writeTextFile(file, JSON.stringify({ ...record, layout }));
      assert.throws(() => check("", ""), {
        name: "ConfigError",
        message:
          `Cannot use store ${dir}: another release wrote it, whose commands or events this one cannot read; ` +
          "start with another store (--store)",
      });
    }
    await Deno.writeTextFile(file, JSON.stringify(record));
    check("", "");
  });

  it("is not remembered before the start may go on: an id that came with one that failed can go again", () => {
    const before = recordedReference(dir);
    checkReference(dir, parseVenue(VENUE.replace("name: B }", "name: B }, { id: 3, name: C }"), "v"));
    assert.deepEqual(recordedReference(dir), before);
    check("", "");
  });

  it("is none before the first run", async () => {
    await Deno.remove(join(dir, "reference.json"));
    assert.equal(recordedReference(dir), null);
  });

  it("refuses a record that it cannot read", async () => {
    await Deno.writeTextFile(join(dir, "reference.json"), "{");
    assert.throws(() => check("", ""), /is not readable reference data$/);
  });
});
