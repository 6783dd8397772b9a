import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FIX44 } from "../../../shared/codec/fix/mod.ts";
import { EventKind, Reason } from "../../../shared/protocol/mod.ts";
import { venue } from "./fixture.ts";
import { bodyOf, eventOf, POSITION } from "./mass_cases.ts";
import {
  putQuoteStatusReport,
  QuoteAcks,
  quoteEntryRejectReason,
  quoteRejectReason,
} from "./quote_report.ts";

const VENUE = venue();
const QUOTE = { kind: EventKind.QuoteAcknowledged, sessionId: 7, clOrdId: "q1" };

/** One entry of a mass quote: its set, its name, its instrument and what is wrong with it. */
type Entry = readonly [set: string, name: string, instrumentId: number, reason?: Reason];

/** What is told of a mass quote with these entries; null for nothing. */
function toldOf(level: number, entries: readonly Entry[], acks = new QuoteAcks(), cmdSeq = 5): string | null {
  let last = eventOf(QUOTE);
  entries.forEach(([text, origClOrdId, instrumentId, reason = Reason.None], index) => {
    const place = { index: index + 1, total: entries.length, detail: level };
    last = eventOf({ ...QUOTE, ...place, text, origClOrdId, instrumentId, reason });
    assert.equal(acks.add(last, cmdSeq, VENUE), index === entries.length - 1);
  });
  let told = true;
  const body = bodyOf("b", (writer) => {
    told = acks.put(last, writer);
    if (!told) writer.rawBody(new TextEncoder().encode("297=0\x01"));
  });
  return told ? body : null;
}

const MIXED: readonly Entry[] = [
  ["s1", "e1", 1],
  ["s1", "e2", 1, Reason.PriceOffTick],
  ["s2", "e1", 3],
  ["s1", "e4", 0, Reason.UnknownSymbol],
];
const WHY =
  '58=Cannot quote QuoteEntryID(299) "e2": expected BidPx(132) and OfferPx(133) as multiples of 0.05|';

describe("MassQuoteAcknowledgement(b)", () => {
  it("tells of every entry at level 2", () => {
    assert.equal(
      toldOf(2, MIXED),
      `117=q1|297=0|301=2|${WHY}296=3|302=s1|304=2|295=2|299=e1|55=ACME|299=e2|55=ACME|368=8|` +
        "302=s2|304=1|295=1|299=e1|55=COIN|302=s1|304=1|295=1|299=e4|368=1|",
    );
    assert.equal(
      toldOf(2, [["s1", "e1", 1]]),
      "117=q1|297=0|301=2|296=1|302=s1|304=1|295=1|299=e1|55=ACME|",
    );
  });

  it("tells of rejected entries only at level 1, and nothing when there are none", () => {
    assert.equal(
      toldOf(1, MIXED),
      `117=q1|297=0|301=1|${WHY}296=1|302=s1|304=2|295=2|299=e2|55=ACME|368=8|299=e4|368=1|`,
    );
    assert.equal(toldOf(1, [["s1", "e1", 1]]), null);
  });

  it("tells nothing at level 0", () => {
    assert.equal(toldOf(0, MIXED), null);
  });

  it("is a rejection when every entry is rejected", () => {
    assert.equal(
      toldOf(1, [["s1", "e1", 1, Reason.QuoteCrossed], ["s1", "e2", 1, Reason.PhaseForbids]]),
      '117=q1|297=5|300=7|301=1|58=Cannot quote QuoteEntryID(299) "e1": ' +
        "expected BidPx(132) below OfferPx(133)|" +
        "296=1|302=s1|304=2|295=2|299=e1|55=ACME|368=7|299=e2|55=ACME|368=2|",
    );
  });

  it("says of the first rejected entry what its instrument would take", () => {
    const texts = [Reason.PhaseForbids, Reason.PriceOverLimit, Reason.QtyOverLimit].map((reason) =>
      /58=(.*?)\|/.exec(toldOf(1, [["s1", "e1", 1, reason]])!)![1]
    );
    const entry = 'Cannot quote QuoteEntryID(299) "e1": expected';
    assert.deepEqual(texts, [
      `${entry} a Symbol(55) in a trading phase that takes quotes, got "ACME", whose phase now does not: ` +
      "TradingSessionStatusRequest(g), or deno task admin phases, tells which it is",
      `${entry} BidPx(132) and OfferPx(133) of at most 107374182.35`,
      `${entry} BidSize(134) and OfferSize(135) of at most 10000000`,
    ]);
  });

  it("answers a message that was refused as a whole at every level", () => {
    const text = 'Cannot quote QuoteType(537): expected 1 or 2, got "0"';
    for (const detail of [0, 1, 2]) {
      const acks = new QuoteAcks();
      const event = eventOf({ ...QUOTE, detail, reason: Reason.FieldUnsupported, text });
      assert.equal(acks.add(event, 5, VENUE), true);
      assert.equal(
        bodyOf("b", (writer) => acks.put(event, writer)),
        `117=q1|297=5|300=99|301=${detail}|58=${text}|`,
      );
    }
  });

  it("begins anew with each command message", () => {
    const acks = new QuoteAcks();
    acks.add(eventOf({ ...QUOTE, index: 1, total: 2, detail: 2, text: "old" }), 4, VENUE);
    const once = toldOf(2, MIXED, acks, 5);
    assert.equal(once, toldOf(2, MIXED, acks, 6));
    assert.ok(!once?.includes("old"));
  });

  it("has a FIX code for every reason that an entry can have", () => {
    const codes = Object.entries(Reason).map(([name, reason]) => {
      const entry = quoteEntryRejectReason(reason);
      assert.ok(FIX44.fields.get(300)!.values!.has(String(quoteRejectReason(reason))), name);
      assert.ok(FIX44.fields.get(368)!.values!.has(String(entry)), name);
      return [name, entry] as const;
    });
    const special = codes.filter(([, code]) => code !== 8);
    assert.deepEqual(Object.fromEntries(special), {
      UnknownSymbol: 1,
      PhaseForbids: 2,
      QtyOverLimit: 3,
      PriceOverLimit: 3,
      BookFull: 3,
      QuoteCrossed: 7,
      NotPermitted: 9,
    });
  });
});

describe("QuoteStatusReport(AI)", () => {
  const TIME = "60=20261130-12:34:56.789|";
  const reportOf = (fields: Record<string, number | string>) => {
    const event = eventOf({ kind: EventKind.QuotesCanceled, sessionId: 7, clOrdId: "q2", ...fields });
    return bodyOf("AI", (writer) => putQuoteStatusReport(event, POSITION, VENUE, writer));
  };

  it("says how many orders a QuoteCancel took out", () => {
    assert.equal(
      reportOf({ instrumentId: 1, total: 2 }),
      `117=q2|55=ACME|${TIME}297=1|58=Orders of quotes canceled: 2|`,
    );
    assert.equal(
      reportOf({ instrumentId: 1, total: 0 }),
      `117=q2|55=ACME|${TIME}297=9|58=Orders of quotes canceled: 0|`,
    );
    assert.equal(reportOf({ total: 0 }), `117=q2|55=[N/A]|${TIME}297=4|58=Orders of quotes canceled: 0|`);
  });

  it("says why none was", () => {
    assert.equal(
      reportOf({ instrumentId: 1, reason: Reason.PhaseForbids }),
      `117=q2|55=ACME|${TIME}297=5|58=Cannot cancel Symbol(55): expected an instrument in a trading ` +
        'phase that lets quotes be canceled, got "ACME", which is in no-cancel|',
    );
    const text = 'Cannot cancel Symbol(55): expected a listed symbol, got "NONE"';
    assert.equal(
      reportOf({ reason: Reason.UnknownSymbol, symbol: "NONE", text }),
      `117=q2|55=NONE|${TIME}297=5|58=${text}|`,
    );
  });
});
