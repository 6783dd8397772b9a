import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FIX44 } from "../codec/fix/mod.ts";
import { testInstrument } from "../testing/instrument.ts";
import { Event } from "../codec/wire/mod.ts";
import { reasonText } from "./execution_text.ts";
import { EventKind, OrdStatus, Reason } from "./mod.ts";

const CENTS = testInstrument(1, { symbol: "ACME", maxOrderQtyLots: 1000 });

interface Texts {
  readonly clOrdId?: string;
  readonly origClOrdId?: string;
  readonly text?: string;
}

function eventOf(fields: Partial<Event>, texts: Texts = {}) {
  const event = Object.assign(new Event(), fields);
  event.clOrdId.setText(texts.clOrdId ?? "");
  event.origClOrdId.setText(texts.origClOrdId ?? "");
  event.text.setText(texts.text ?? "");
  return event;
}

describe("reasonText", () => {
  const { OrderRejected, CancelRejected, ReplaceRejected } = EventKind;
  const rows: [string, Partial<Event>, { clOrdId?: string; origClOrdId?: string; text?: string }, string][] =
    [
      ["nothing for an accepted order", {}, {}, ""],
      ["the gateway's own text first", { kind: OrderRejected, reason: Reason.PriceOffTick }, {
        text: "as is",
      }, "as is"],
      [
        "a duplicate",
        { kind: OrderRejected, reason: Reason.DuplicateClOrdId },
        { clOrdId: "A1" },
        'Cannot accept ClOrdID(11): expected one not used before in this session, got "A1"',
      ],
      [
        "a cancel of an unknown order",
        { kind: CancelRejected, reason: Reason.UnknownOrder },
        { clOrdId: "C1", origClOrdId: "A9" },
        'Cannot cancel OrigClOrdID(41): expected an order of this session or firm, got "A9"',
      ],
      [
        "the status of an unknown order",
        { kind: OrderRejected, detail: 1, reason: Reason.UnknownOrder },
        { clOrdId: "A9" },
        'Cannot report ClOrdID(11): expected an order of this session or firm, got "A9"',
      ],
      [
        "a ClOrdID that the order does not go by any more",
        { kind: CancelRejected, reason: Reason.ClOrdIdSuperseded },
        { clOrdId: "C1", origClOrdId: "A1" },
        'Cannot cancel OrigClOrdID(41): expected the ClOrdID(11) that the order goes by now, got "A1"',
      ],
      [
        "an OrderID that is another order's",
        { kind: ReplaceRejected, reason: Reason.OrderIdContradicts },
        { clOrdId: "C1", origClOrdId: "A1" },
        'Cannot replace OrderID(37): expected that of the order that OrigClOrdID(41) "A1" names, got another one',
      ],
      [
        "an OrderID that is another order's, in a status request",
        { kind: OrderRejected, detail: 1, reason: Reason.OrderIdContradicts },
        { clOrdId: "A1" },
        'Cannot report OrderID(37): expected that of the order that ClOrdID(11) "A1" names, got another one',
      ],
      [
        "the wrong side in a status request: the event has what was sent",
        { kind: OrderRejected, detail: 1, reason: Reason.SideChanged, side: 2 },
        { clOrdId: "A1" },
        'Cannot report Side(54): expected the order\'s side, got "2"',
      ],
      [
        "a cancel too late",
        { kind: CancelRejected, reason: Reason.TooLateToCancel, ordStatus: OrdStatus.Filled },
        { origClOrdId: "A1" },
        'Cannot cancel OrigClOrdID(41): expected an open order, got "A1", which is filled',
      ],
      [
        "a changed side: the event has the order's own",
        { kind: ReplaceRejected, reason: Reason.SideChanged, orderId: 9, side: 1 },
        {},
        'Cannot replace Side(54): expected the order\'s side, got "2"',
      ],
      [
        "a full shard",
        { kind: OrderRejected, reason: Reason.BookFull, total: 1000 },
        {},
        'Cannot accept Symbol(55): expected room on its shard, got "ACME", where 1000 orders are open, ' +
        'as many as may be: cancel some, or send TimeInForce(59) "3" or "4"',
      ],
      [
        "a quantity over the limit",
        { kind: OrderRejected, reason: Reason.QtyOverLimit, orderQtyLots: 1001 },
        {},
        'Cannot accept OrderQty(38): expected at most 1000, got "1001"',
      ],
      [
        "a quantity over the limit in a replace, of which the event does not tell the value",
        { kind: ReplaceRejected, reason: Reason.QtyOverLimit, orderId: 9, orderQtyLots: 5 },
        {},
        "Cannot replace OrderQty(38): expected at most 1000",
      ],
      [
        "a time in force that a replace cannot have",
        { kind: ReplaceRejected, reason: Reason.TimeInForceUnsupported, orderId: 9 },
        {},
        'Cannot replace TimeInForce(59): expected 0, 1 or 6 in the place of the order\'s "0"',
      ],
      [
        "a time in force that a replace cannot leave",
        { kind: ReplaceRejected, reason: Reason.TimeInForceUnsupported, orderId: 9, timeInForce: 7 },
        {},
        'Cannot replace TimeInForce(59): expected the order\'s own "7"',
      ],
    ];
  for (const [name, fields, texts, expected] of rows) {
    it(`names ${name}`, () => {
      assert.equal(reasonText(eventOf(fields, texts), CENTS), expected);
    });
  }
  it("has a text for every reason and kind, naming fields by their names", () => {
    for (const kind of [OrderRejected, CancelRejected, ReplaceRejected]) {
      for (const reason of Object.values(Reason)) {
        const text = reasonText(eventOf({ kind, reason }), null);
        assert.equal(text === "", reason === Reason.None);
        for (const [, name, key] of text.matchAll(/\b([A-Z][A-Za-z]+)\((\w+)\)/g)) {
          const known = FIX44.fields.get(Number(key))?.name ?? FIX44.messageNames.get(key);
          assert.equal(known, name, text);
        }
      }
    }
  });

  it("names a tag and what was expected in every refusal, except where a whole order is meant", () => {
    const whole = new Set<number>([Reason.FieldUnsupported, Reason.NotPermitted]);
    const unasked = new Set<number>([
      Reason.SelfMatchPrevented,
      Reason.MassCanceled,
      Reason.PostOnlyRepriced,
      Reason.LeftoverPriced,
    ]);
    for (const reason of Object.values(Reason)) {
      if (reason === Reason.None || unasked.has(reason)) continue;
      const text = reasonText(eventOf({ kind: OrderRejected, reason }), null);
      assert.match(text, whole.has(reason) ? /^Cannot accept / : /^Cannot accept \w+\(\d+\): expected /);
    }
  });
});
