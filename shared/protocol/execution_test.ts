import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Event } from "../codec/wire/mod.ts";
import { avgPxText, decimalText, execIdText, execTypeOf, reasonText, tradeIdText } from "./execution.ts";
import { EventKind, type Instrument, OrdStatus, Reason } from "./mod.ts";

const CENTS: Instrument = {
  id: 1,
  symbol: "ACME",
  shard: 0,
  priceScale: 2,
  tickUnits: 1,
  qtyScale: 0,
  lotUnits: 1,
  algorithm: "F",
  proRataMin: 1,
  maxOrderQtyLots: 1000,
  tick: "0.01",
  lot: "1",
};
const QUARTERS: Instrument = { ...CENTS, tickUnits: 25, tick: "0.25" };

function eventOf(
  fields: Partial<Event>,
  texts: { clOrdId?: string; origClOrdId?: string; text?: string } = {},
) {
  const event = Object.assign(new Event(), fields);
  event.clOrdId.setText(texts.clOrdId ?? "");
  event.origClOrdId.setText(texts.origClOrdId ?? "");
  event.text.setText(texts.text ?? "");
  return event;
}

describe("decimalText", () => {
  const rows: [number, number, string][] = [
    [0, 0, "0"],
    [0, 2, "0"],
    [5, 2, "0.05"],
    [50, 2, "0.5"],
    [1000, 2, "10"],
    [1005, 2, "10.05"],
    [1000, 0, "1000"],
    [1, 9, "0.000000001"],
    [Number.MAX_SAFE_INTEGER, 9, "9007199.254740991"],
  ];
  for (const [units, scale, expected] of rows) {
    it(`writes ${units} of 10^-${scale} as ${expected}`, () => {
      assert.equal(decimalText(units, scale), expected);
    });
  }
});

describe("avgPxText", () => {
  const rows: [string, Instrument, number, number, number, string][] = [
    ["nothing executed", CENTS, 0, 0, 0, "0"],
    ["one price", CENTS, 0, 1005 * 7, 7, "10.05"],
    ["a third, rounded down", CENTS, 0, 1000 + 1001 + 1000, 3, "10.00333333"],
    ["two thirds, rounded up", CENTS, 0, 1000 + 1001 + 1001, 3, "10.00666667"],
    ["a half in the ninth decimal, rounded up", CENTS, 0, 2_000_001, 2_000_000, "0.01000001"],
    ["a carry through nines", CENTS, 0, 999_999_999, 1_000_000_000, "0.01"],
    ["ticks of a quarter", QUARTERS, 0, 40 + 41, 2, "10.125"],
    ["more than 2^53 tick-lots, exactly", CENTS, 2 ** 29, 0, 2 ** 30, "21474836.48"],
    ["more than 2^53 tick-lots, with a rest", CENTS, 2 ** 29, 1, 2 ** 30, "21474836.48"],
    ["the largest notional", CENTS, 0x3fffffff, 1, 2 ** 31 - 1, "21474836.47"],
    ["nine decimals when prices have nine", { ...CENTS, priceScale: 9 }, 0, 3, 2, "0.000000002"],
  ];
  for (const [name, instrument, high, low, cumQty, expected] of rows) {
    it(name, () => {
      assert.equal(avgPxText(high, low, cumQty, instrument), expected);
    });
  }
});

describe("execTypeOf", () => {
  const rows: [string, Partial<Event>, string | null][] = [
    ["OrderAccepted", {}, "0"],
    ["OrderRejected", {}, "8"],
    ["OrderRejected", { detail: 1 }, "I"],
    ["OrderExecuted", {}, "F"],
    ["OrderCanceled", {}, "4"],
    ["OrderReplaced", {}, "5"],
    ["OrderExpired", {}, "C"],
    ["CancelRejected", {}, null],
    ["ReplaceRejected", {}, null],
    ["OrderStatusReported", {}, "I"],
    ["LevelChanged", {}, null],
  ];
  for (const [kind, fields, expected] of rows) {
    it(`${kind}${fields.detail === 1 ? " of a status request" : ""} → ${expected}`, () => {
      const event = eventOf({ ...fields, kind: EventKind[kind as keyof typeof EventKind] });
      assert.equal(execTypeOf(event), expected);
    });
  }
});

describe("identifiers", () => {
  it("are 0 for a status and derive from the stream otherwise", () => {
    assert.deepEqual(
      [execIdText("I", 3, 77, 5), execIdText("F", 3, 77, 5), tradeIdText(3, 77, 5)],
      ["0", "3-77-5", "3-77-4"],
    );
  });
});

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
        "a changed order type",
        { kind: ReplaceRejected, reason: Reason.OrdTypeChanged, orderId: 9, ordType: 2 },
        {},
        'Cannot replace OrdType(40): expected the order\'s type, got "1"',
      ],
      [
        "a full book",
        { kind: OrderRejected, reason: Reason.BookFull },
        {},
        'Cannot accept Symbol(55): expected room in its book, got "ACME", whose book is full',
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
        "Cannot replace TimeInForce(59): expected 0",
      ],
    ];
  for (const [name, fields, texts, expected] of rows) {
    it(`names ${name}`, () => {
      assert.equal(reasonText(eventOf(fields, texts), CENTS), expected);
    });
  }
  it("has a text for every reason, naming a tag except where a whole order is meant", () => {
    const untagged = new Set<number>([Reason.FieldUnsupported, Reason.NotPermitted]);
    for (const reason of Object.values(Reason)) {
      if (reason === Reason.None) continue;
      const text = reasonText(eventOf({ kind: OrderRejected, reason }), null);
      assert.match(text, untagged.has(reason) ? /^Cannot accept / : /^Cannot accept \w+\(\d+\): expected /);
    }
  });
});
