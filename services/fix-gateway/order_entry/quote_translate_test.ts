import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CommandKind, MAX_QUOTE_ENTRIES, Reason, SmpAction } from "../../../shared/protocol/mod.ts";
import { ACME } from "./fixture.ts";
import { translated } from "./mass_cases.ts";

const { CancelQuotes, MassQuote, RefuseOrder } = CommandKind;

/** A MassQuote of one set. */
function quote(entries: readonly string[], { level = "", head = "", set = "s1" } = {}): string {
  const count = entries.length;
  return `117=q1|${level}${head}296=1|302=${set}|304=${count}|295=${count}|${entries.join("")}`;
}

const TWO_SIDED = "299=e1|55=ACME|132=10.05|133=10.15|134=100|135=200|";

describe("MassQuote(i)", () => {
  it("becomes one command, with the entries as records in message order", () => {
    const body = "117=q1|301=2|296=2|302=s1|304=2|295=2|" +
      `${TWO_SIDED}299=e2|55=COIN|132=0.5|134=0.005|302=s2|304=1|295=1|299=e1|55=ACME|133=11|135=10|`;
    assert.deepEqual(translated("i", body), {
      outcome: { kind: "across", shards: [0] },
      command: { kind: MassQuote, scope: 2, clOrdId: "q1" },
      entries: {
        0: [
          ["s1/e1", 1, [201, 10], [203, 20], 0],
          ["s1/e2", 3, [500_000, 1], [0, 0], 0],
          ["s2/e1", 1, [0, 0], [220, 1], 0],
        ],
      },
    });
  });

  it("goes to every shard that its entries concern, each with its own", () => {
    const body = quote([
      "299=e1|55=RATE|132=25|134=1|",
      "299=e2|55=NONE|132=1|134=1|",
      TWO_SIDED.replace("e1", "e3"),
      "299=e4|55=RATE|133=50|135=2|",
    ], { level: "301=1|" });
    assert.deepEqual(translated("i", body), {
      outcome: { kind: "across", shards: [0, 3] },
      command: { kind: MassQuote, scope: 1, clOrdId: "q1" },
      entries: {
        0: [
          ["s1/e2", 0, [0, 0], [0, 0], Reason.UnknownSymbol],
          ["s1/e3", 1, [201, 10], [203, 20], 0],
        ],
        3: [
          ["s1/e1", 2, [1, 1], [0, 0], 0],
          ["s1/e4", 2, [0, 0], [2, 2], 0],
        ],
      },
    });
  });

  it("goes to the lowest shard when the venue lists none of its symbols", () => {
    const { outcome, entries } = translated("i", quote(["299=e1|55=NONE|", "299=e2|"]));
    assert.deepEqual(outcome, { kind: "across", shards: [0] });
    assert.deepEqual(entries[0], [
      ["s1/e1", 0, [0, 0], [0, 0], Reason.UnknownSymbol],
      ["s1/e2", 0, [0, 0], [0, 0], Reason.UnknownSymbol],
    ]);
  });

  const amounts: readonly [fields: string, bid: number[], offer: number[], reason: Reason][] = [
    ["132=10.05|133=0|134=100|135=0|", [201, 10], [0, 0], Reason.None],
    ["132=0.00|134=0|", [0, 0], [0, 0], Reason.None],
    ["132=10.05|", [201, 0], [0, 0], Reason.None],
    ["134=100|", [0, 10], [0, 0], Reason.None],
    ["132=10.06|134=100|", [0, 10], [0, 0], Reason.PriceOffTick],
    ["132=-1|134=100|", [0, 10], [0, 0], Reason.PriceNotPositive],
    ["132=10.05|134=101|", [201, 0], [0, 0], Reason.QtyOffLot],
    ["132=10.05|134=-10|", [201, 0], [0, 0], Reason.QtyNotPositive],
    ["132=10.05|134=99999990|", [201, 0], [0, 0], Reason.QtyOverLimit],
    ["133=999999999999|135=100|", [0, 0], [0, 10], Reason.PriceOverLimit],
    ["132=10.06|133=10.15|134=101|135=200|", [0, 0], [203, 20], Reason.PriceOffTick],
  ];
  for (const [fields, bid, offer, reason] of amounts) {
    it(`carries what needs no book as the entry's reason: ${fields}`, () => {
      const { entries } = translated("i", quote([`299=e1|55=ACME|${fields}`]));
      assert.deepEqual(entries[0], [["s1/e1", 1, bid, offer, reason]]);
    });
  }

  it("is prevented from matching its own firm's orders as the firm has it", () => {
    const { command } = translated("i", quote([TWO_SIDED]), { smpAction: SmpAction.CancelBoth });
    assert.deepEqual(command, { kind: MassQuote, smpAction: SmpAction.CancelBoth, clOrdId: "q1" });
  });

  it("takes the largest number of entries", () => {
    const list = Array.from({ length: MAX_QUOTE_ENTRIES }, (_, i) => `299=e${i}|55=ACME|132=10|134=10|`);
    const { entries } = translated("i", quote(list));
    assert.equal(entries[0].length, MAX_QUOTE_ENTRIES);
    assert.deepEqual(entries[0].at(-1), ["s1/e99", 1, [200, 1], [0, 0], 0]);
  });

  it("reads descriptions, parties and what asks for what happens anyway", () => {
    const head = "537=1|453=1|448=me|447=D|452=1|1=house|581=1|";
    const more = TWO_SIDED.replace("132=", "461=ESXXXX|132=") + "60=20261130-12:00:00.000|15=EUR|";
    const body = quote([more], { head }).replace("304=1|", "304=1|893=Y|");
    assert.deepEqual(translated("i", body).command, { kind: MassQuote, clOrdId: "q1" });
  });

  const many = Array.from({ length: MAX_QUOTE_ENTRIES + 1 }, (_, i) => `299=e${i}|`);
  const refused: readonly [body: string, reason: Reason, text: string, scope?: number][] = [
    [
      quote([TWO_SIDED], { head: "131=r|" }),
      Reason.FieldUnsupported,
      'Cannot quote QuoteReqID(131): expected no such field, got "r"',
    ],
    [
      quote([TWO_SIDED], { head: "537=0|" }),
      Reason.FieldUnsupported,
      'Cannot quote QuoteType(537): expected 1 or 2, got "0"',
    ],
    [
      quote([TWO_SIDED], { head: "293=10|" }),
      Reason.FieldUnsupported,
      'Cannot quote DefBidSize(293): expected no such field, got "10"',
    ],
    [
      quote([`${TWO_SIDED}62=20261130-12:00:00.000|`]),
      Reason.FieldUnsupported,
      'Cannot quote ValidUntilTime(62): expected no such field, got "20261130-12:00:00.000"',
    ],
    [
      quote([TWO_SIDED]).replace("304=1|", "304=1|893=N|"),
      Reason.FieldUnsupported,
      'Cannot quote LastFragment(893): expected Y, got "N"',
    ],
    [
      quote([TWO_SIDED], { set: "s".repeat(17) }),
      Reason.ClOrdIdTooLong,
      `Cannot quote QuoteSetID(302): expected at most 16 bytes, got "${"s".repeat(17)}"`,
    ],
    [
      quote([TWO_SIDED.replace("e1", "e".repeat(25))], { level: "301=1|" }),
      Reason.ClOrdIdTooLong,
      `Cannot quote QuoteEntryID(299): expected at most 24 bytes, got "${"e".repeat(25)}"`,
      1,
    ],
    [
      quote(many),
      Reason.QtyOverLimit,
      `Cannot quote NoQuoteEntries(295): expected at most 100 entries in one message, got "101"`,
    ],
    [
      "117=q1|296=0|",
      Reason.QuoteInvalid,
      'Cannot quote NoQuoteSets(296): expected at least one entry, got "0"',
    ],
  ];
  for (const [body, reason, text, scope] of refused) {
    it(`is refused as a whole: ${text}`, () => {
      const { outcome, command } = translated("i", body);
      assert.deepEqual(outcome, { kind: "command", instrument: null });
      const rest = scope === undefined ? {} : { scope };
      const kind = { kind: RefuseOrder, refusedKind: MassQuote };
      assert.deepEqual(command, { ...kind, reason, text, clOrdId: "q1", ...rest });
    });
  }

  it("is kept out of the stream when no answer could repeat its QuoteID", () => {
    const id = "q".repeat(41);
    assert.deepEqual(translated("i", quote([TWO_SIDED]).replace("q1", id)).outcome, {
      kind: "business-reject",
      reason: 0,
      refId: id,
      text: `Cannot accept QuoteID(117): expected at most 40 bytes, got "${id}"`,
    });
  });
});

describe("QuoteCancel(Z)", () => {
  it("becomes a command for one symbol, or one for every shard", () => {
    assert.deepEqual(translated("Z", "117=q2|298=1|301=2|295=1|55=ACME|"), {
      outcome: { kind: "command", instrument: ACME },
      command: { kind: CancelQuotes, instrumentId: 1, clOrdId: "q2" },
      entries: {},
    });
    for (const body of ["117=q2|298=4|", "117=q2|298=4|295=0|"]) {
      assert.deepEqual(translated("Z", body), {
        outcome: { kind: "across", shards: [0, 3] },
        command: { kind: CancelQuotes, clOrdId: "q2" },
        entries: {},
      });
    }
  });

  const refused: readonly [body: string, reason: Reason, text: string, rest: Record<string, unknown>][] = [
    [
      "117=q2|298=2|",
      Reason.FieldUnsupported,
      'Cannot cancel QuoteCancelType(298): expected 1 or 4, got "2"',
      {},
    ],
    [
      "117=q2|298=1|",
      Reason.FieldUnsupported,
      "Cannot cancel NoQuoteEntries(295): expected 1 with QuoteCancelType(298) 1, got none",
      {},
    ],
    [
      "117=q2|298=1|295=2|55=ACME|55=RATE|",
      Reason.FieldUnsupported,
      'Cannot cancel NoQuoteEntries(295): expected 1 with QuoteCancelType(298) 1, got "2"',
      { instrumentId: 1 },
    ],
    [
      "117=q2|298=1|295=1|55=NONE|",
      Reason.UnknownSymbol,
      'Cannot cancel Symbol(55): expected a listed symbol, got "NONE"',
      { symbol: "NONE" },
    ],
    [
      "117=q2|298=4|295=1|55=ACME|",
      Reason.FieldUnsupported,
      'Cannot cancel NoQuoteEntries(295): expected no entries with QuoteCancelType(298) 4, got "1"',
      { instrumentId: 1 },
    ],
    [
      "117=q2|298=4|301=1|",
      Reason.FieldUnsupported,
      'Cannot cancel QuoteResponseLevel(301): expected 2, got "1"',
      {},
    ],
    [
      "117=q2|298=4|1=house|",
      Reason.FieldUnsupported,
      'Cannot cancel Account(1): expected no such field, got "house"',
      {},
    ],
  ];
  for (const [body, reason, text, rest] of refused) {
    it(`is refused by tag: ${body}`, () => {
      const { command } = translated("Z", body);
      const kind = { kind: RefuseOrder, refusedKind: CancelQuotes };
      assert.deepEqual(command, { ...kind, reason, text, clOrdId: "q2", ...rest });
    });
  }
});
