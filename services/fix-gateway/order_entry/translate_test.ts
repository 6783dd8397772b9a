import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Command } from "../../../shared/codec/wire/mod.ts";
import {
  CommandFlag,
  CommandKind,
  cxlRejReason,
  ordRejReason,
  Reason,
  type SessionRole,
} from "../../../shared/protocol/mod.ts";
import { ACME, COIN, messageOf, pictureOf, RATE, session, venue } from "./fixture.ts";
import { translate, type Translation } from "./translate.ts";

const VENUE = venue();

/** Translates and returns both the outcome and the command's picture without what every command has. */
function run(
  msgType: string,
  body: string,
  { header = "", role = "trading" as SessionRole } = {},
): { outcome: Translation; command: Record<string, unknown> } {
  const into = new Command();
  into.reason = 99;
  into.text.setText("left over");
  const outcome = translate(messageOf(msgType, body, header), session(role), VENUE, into);
  const { sessionId, firmId, msgSeqNum, ...command } = pictureOf(into);
  if (outcome.kind === "command") assert.deepEqual([sessionId, firmId, msgSeqNum], [7, 9, 42]);
  return { outcome, command };
}

const TIME = "60=20261130-12:00:00.000|";
const NEW = `11=c1|55=ACME|54=1|${TIME}38=100|40=2|44=10.05|`;
const CANCEL = `41=c1|11=c2|55=ACME|54=1|${TIME}`;
const REPLACE = `41=c1|11=c2|55=ACME|54=1|${TIME}38=100|40=2|44=10.05|`;
const STATUS = "11=c1|55=ACME|54=1|";

/** Replaces one field of a body; an empty value takes the field out. */
function withField(body: string, tag: number, value: string): string {
  const field = value === "" ? "" : `${tag}=${value}|`;
  const pattern = new RegExp(`(^|\\|)${tag}=[^|]*\\|`);
  return pattern.test(body) ? body.replace(pattern, `$1${field}`) : body + field;
}

describe("translate: what is accepted", () => {
  const limit = {
    clOrdId: "c1",
    instrumentId: 1,
    side: 1,
    ordType: 2,
    priceTicks: 201,
    qtyLots: 10,
  };
  const cases: [title: string, msgType: string, body: string, command: Record<string, unknown>][] = [
    ["limit order, day when TimeInForce is absent", "D", NEW, limit],
    ["limit order, day", "D", NEW + "59=0|", limit],
    ["limit order, IOC", "D", NEW + "59=3|", { ...limit, timeInForce: 3 }],
    ["limit order, FOK", "D", NEW + "59=4|", { ...limit, timeInForce: 4 }],
    ["sell", "D", withField(NEW, 54, "2"), { ...limit, side: 2 }],
    [
      "market order",
      "D",
      `11=m|55=RATE|54=2|${TIME}38=3|40=1|59=3|`,
      { clOrdId: "m", instrumentId: 2, side: 2, ordType: 1, timeInForce: 3, qtyLots: 3 },
    ],
    [
      "fractional quantity and fine tick",
      "D",
      `11=f|55=COIN|54=1|${TIME}38=0.015|40=2|44=.000123|`,
      { clOrdId: "f", instrumentId: 3, side: 1, ordType: 2, priceTicks: 123, qtyLots: 3 },
    ],
    ["zeros behind the last decimal", "D", withField(withField(NEW, 44, "10.0500"), 38, "100.0"), limit],
    ["leading zeros", "D", withField(withField(NEW, 44, "0010.05"), 38, "00100"), limit],
    ["largest price", "D", withField(NEW, 44, "107374182.35"), { ...limit, priceTicks: 2 ** 31 - 1 }],
    ["largest quantity", "D", withField(NEW, 38, "10000000"), { ...limit, qtyLots: 1_000_000 }],
    ["longest ClOrdID", "D", withField(NEW, 11, "x".repeat(40)), { ...limit, clOrdId: "x".repeat(40) }],
    [
      "cancel",
      "F",
      CANCEL + "38=100|",
      { kind: CommandKind.CancelOrder, clOrdId: "c2", origClOrdId: "c1", instrumentId: 1, side: 1 },
    ],
    [
      "cancel by OrderID too",
      "F",
      CANCEL + "37=0-12-3|",
      {
        kind: CommandKind.CancelOrder,
        clOrdId: "c2",
        origClOrdId: "c1",
        instrumentId: 1,
        side: 1,
        orderId: 12 * 4096 + 3,
      },
    ],
    [
      "OrderID NONE is no OrderID",
      "F",
      CANCEL + "37=NONE|",
      { kind: CommandKind.CancelOrder, clOrdId: "c2", origClOrdId: "c1", instrumentId: 1, side: 1 },
    ],
    [
      "replace",
      "G",
      REPLACE + "37=0-1-0|59=0|",
      { ...limit, kind: CommandKind.ReplaceOrder, clOrdId: "c2", origClOrdId: "c1", orderId: 4096 },
    ],
    [
      "status",
      "H",
      STATUS,
      { kind: CommandKind.RequestStatus, clOrdId: "c1", instrumentId: 1, side: 1 },
    ],
    [
      "status with its own identifier, which travels as OrigClOrdID",
      "H",
      STATUS + "790=ask-1|37=0-2-0|",
      {
        kind: CommandKind.RequestStatus,
        clOrdId: "c1",
        origClOrdId: "ask-1",
        instrumentId: 1,
        side: 1,
        orderId: 8192,
      },
    ],
  ];
  for (const [title, msgType, body, expected] of cases) {
    it(title, () => {
      const { outcome, command } = run(msgType, body);
      const instrument = [ACME, RATE, COIN].find((each) => each.id === expected.instrumentId);
      assert.deepEqual(command, expected);
      assert.deepEqual(outcome, { kind: "command", instrument });
    });
  }

  it("fields that only describe, and checked fields with the value that asks for nothing", () => {
    const noted = "1=acct|526=s|583=l|453=1|448=P|447=D|452=24|21=1|63=0|207=XX|167=CS|106=Issuer|58=note|" +
      "528=A|376=c|15=USD|78=0|232=0|423=2|854=0|81=0|114=N|";
    assert.deepEqual(run("D", NEW + noted).command, limit);
  });

  it("PossDupFlag and PossResend become flags", () => {
    const dup = run("D", NEW, { header: "43=Y|122=20261130-11:59:59|" });
    assert.deepEqual(dup.command, { ...limit, flags: CommandFlag.PossDup });
    const both = run("D", NEW, { header: "43=Y|97=Y|" });
    assert.deepEqual(both.command, { ...limit, flags: CommandFlag.PossDup | CommandFlag.PossResend });
    assert.deepEqual(run("D", NEW, { header: "43=N|97=N|" }).command, limit);
  });

  it("slices borrow from the message", () => {
    const message = messageOf("D", NEW);
    const into = new Command();
    translate(message, session(), VENUE, into);
    assert.equal(into.clOrdId.buffer, message.buffer);
  });

  it("outcomes are shared objects, so that nothing is allocated", () => {
    assert.equal(run("D", NEW).outcome, run("F", CANCEL).outcome);
  });

  it("a second venue has its own symbols", () => {
    const other = { ...venue(), instruments: [{ ...ACME, symbol: "OTHER" }] };
    const into = new Command();
    const outcome = translate(messageOf("D", NEW), session(), other, into);
    assert.deepEqual(outcome, { kind: "command", instrument: null });
    assert.deepEqual(run("D", NEW).outcome, { kind: "command", instrument: ACME });
  });
});

describe("translate: what is refused through the stream", () => {
  const cases: [
    title: string,
    msgType: string,
    body: string,
    reason: Reason,
    text: string,
    more: Record<string, unknown>,
  ][] = [
    [
      "unknown symbol",
      "D",
      withField(NEW, 55, "ACM"),
      Reason.UnknownSymbol,
      'Cannot accept Symbol(55): expected a listed symbol, got "ACM"',
      { instrumentId: 0, symbol: "ACM", priceTicks: 0, qtyLots: 0 },
    ],
    [
      "price off tick",
      "D",
      withField(NEW, 44, "10.03"),
      Reason.PriceOffTick,
      'Cannot accept Price(44): expected a multiple of 0.05, got "10.03"',
      { priceTicks: 0 },
    ],
    [
      "price with more decimals than the scale",
      "D",
      withField(NEW, 44, "10.051"),
      Reason.PriceOffTick,
      'Cannot accept Price(44): expected a multiple of 0.05, got "10.051"',
      { priceTicks: 0 },
    ],
    [
      "price zero",
      "D",
      withField(NEW, 44, "0.00"),
      Reason.PriceNotPositive,
      'Cannot accept Price(44): expected a value above 0, got "0.00"',
      { priceTicks: 0 },
    ],
    [
      "price negative",
      "D",
      withField(NEW, 44, "-10.05"),
      Reason.PriceNotPositive,
      'Cannot accept Price(44): expected a value above 0, got "-10.05"',
      { priceTicks: 0 },
    ],
    [
      "price beyond the encoding",
      "D",
      withField(NEW, 44, "107374182.40"),
      Reason.PriceOverLimit,
      'Cannot accept Price(44): expected at most 107374182.35, got "107374182.40"',
      { priceTicks: 0 },
    ],
    [
      "price beyond safe integers",
      "D",
      withField(NEW, 44, "99999999999999999999"),
      Reason.PriceOverLimit,
      'Cannot accept Price(44): expected at most 107374182.35, got "99999999999999999999"',
      { priceTicks: 0 },
    ],
    [
      "limit order without price",
      "D",
      withField(NEW, 44, ""),
      Reason.PriceMissing,
      "Cannot accept Price(44): expected a value with OrdType(40) 2, got none",
      { priceTicks: 0 },
    ],
    [
      "market order with price",
      "D",
      withField(NEW, 40, "1"),
      Reason.PriceForbidden,
      'Cannot accept Price(44): expected none with OrdType(40) 1, got "10.05"',
      { ordType: 1, priceTicks: 0 },
    ],
    [
      "quantity off lot",
      "D",
      withField(NEW, 38, "105"),
      Reason.QtyOffLot,
      'Cannot accept OrderQty(38): expected a multiple of 10, got "105"',
      { qtyLots: 0 },
    ],
    [
      "quantity with more decimals than the scale",
      "D",
      withField(NEW, 38, "100.5"),
      Reason.QtyOffLot,
      'Cannot accept OrderQty(38): expected a multiple of 10, got "100.5"',
      { qtyLots: 0 },
    ],
    [
      "quantity zero",
      "D",
      withField(NEW, 38, "0"),
      Reason.QtyNotPositive,
      'Cannot accept OrderQty(38): expected a value above 0, got "0"',
      { qtyLots: 0 },
    ],
    [
      "quantity negative",
      "D",
      withField(NEW, 38, "-100"),
      Reason.QtyNotPositive,
      'Cannot accept OrderQty(38): expected a value above 0, got "-100"',
      { qtyLots: 0 },
    ],
    [
      "quantity absent",
      "D",
      withField(NEW, 38, ""),
      Reason.QtyNotPositive,
      "Cannot accept OrderQty(38): expected a value above 0, got none",
      { qtyLots: 0 },
    ],
    [
      "quantity over the instrument's limit",
      "D",
      withField(NEW, 38, "10000010"),
      Reason.QtyOverLimit,
      'Cannot accept OrderQty(38): expected at most 10000000, got "10000010"',
      { qtyLots: 0 },
    ],
    [
      "quantity beyond safe integers",
      "D",
      withField(NEW, 38, "99999999999999999999"),
      Reason.QtyOverLimit,
      'Cannot accept OrderQty(38): expected at most 10000000, got "99999999999999999999"',
      { qtyLots: 0 },
    ],
    [
      "stop order",
      "D",
      withField(NEW, 40, "3") + "99=9|",
      Reason.OrdTypeUnsupported,
      'Cannot accept OrdType(40): expected 1 or 2, got "3"',
      { ordType: 3 },
    ],
    [
      "pegged order",
      "D",
      withField(NEW, 40, "P"),
      Reason.OrdTypeUnsupported,
      'Cannot accept OrdType(40): expected 1 or 2, got "P"',
      { ordType: 25 },
    ],
    [
      "good till cancel",
      "D",
      NEW + "59=1|",
      Reason.TimeInForceUnsupported,
      'Cannot accept TimeInForce(59): expected 0, 3 or 4, got "1"',
      { timeInForce: 1 },
    ],
    [
      "good till date",
      "D",
      NEW + "59=6|432=20261231|",
      Reason.TimeInForceUnsupported,
      'Cannot accept TimeInForce(59): expected 0, 3 or 4, got "6"',
      { timeInForce: 6 },
    ],
    [
      "short sale",
      "D",
      withField(NEW, 54, "5"),
      Reason.FieldUnsupported,
      'Cannot accept Side(54): expected 1 or 2, got "5"',
      { side: 5 },
    ],
  ];
  for (const [title, msgType, body, reason, text, more] of cases) {
    it(title, () => {
      const { outcome, command } = run(msgType, body);
      const expected: Record<string, unknown> = {
        kind: CommandKind.RefuseOrder,
        refusedKind: CommandKind.NewOrder,
        clOrdId: "c1",
        instrumentId: 1,
        side: 1,
        ordType: 2,
        priceTicks: 201,
        qtyLots: 10,
        ...more,
        reason,
        text,
      };
      for (const [name, value] of Object.entries(expected)) if (value === 0) delete expected[name];
      assert.deepEqual(command, expected);
      assert.deepEqual(outcome, { kind: "command", instrument: more.instrumentId === 0 ? null : ACME });
    });
  }

  it("cancels, replacements and status requests by their own verbs", () => {
    const rows: [string, string, CommandKind, Reason, string][] = [
      [
        "F",
        withField(CANCEL, 55, "ZZZ"),
        CommandKind.CancelOrder,
        Reason.UnknownSymbol,
        'Cannot cancel Symbol(55): expected a listed symbol, got "ZZZ"',
      ],
      [
        "F",
        CANCEL + "37=1-12-3|",
        CommandKind.CancelOrder,
        Reason.UnknownOrder,
        'Cannot cancel OrderID(37): expected an order of this venue, got "1-12-3"',
      ],
      [
        "F",
        CANCEL + "152=5000|",
        CommandKind.CancelOrder,
        Reason.FieldUnsupported,
        'Cannot cancel CashOrderQty(152): expected no such field, got "5000"',
      ],
      [
        "G",
        withField(REPLACE, 44, "10.01"),
        CommandKind.ReplaceOrder,
        Reason.PriceOffTick,
        'Cannot replace Price(44): expected a multiple of 0.05, got "10.01"',
      ],
      [
        "G",
        REPLACE + "59=3|",
        CommandKind.ReplaceOrder,
        Reason.TimeInForceUnsupported,
        'Cannot replace TimeInForce(59): expected 0, got "3"',
      ],
      [
        "G",
        withField(REPLACE, 38, "0"),
        CommandKind.ReplaceOrder,
        Reason.QtyNotPositive,
        'Cannot replace OrderQty(38): expected a value above 0, got "0"',
      ],
      [
        "H",
        withField(STATUS, 54, "6"),
        CommandKind.RequestStatus,
        Reason.FieldUnsupported,
        'Cannot report Side(54): expected 1 or 2, got "6"',
      ],
      [
        "H",
        STATUS + "37=junk|",
        CommandKind.RequestStatus,
        Reason.UnknownOrder,
        'Cannot report OrderID(37): expected an order of this venue, got "junk"',
      ],
    ];
    for (const [msgType, body, refusedKind, reason, text] of rows) {
      const { command } = run(msgType, body);
      assert.deepEqual(
        [command.kind, command.refusedKind, command.reason, command.text],
        [CommandKind.RefuseOrder, refusedKind, reason, text],
      );
      assert.equal(command.clOrdId, msgType === "H" ? "c1" : "c2");
      assert.equal(command.origClOrdId, msgType === "H" ? undefined : "c1");
    }
  });

  it("every malformed OrderID", () => {
    const bad = [
      "0",
      "0-1",
      "0-1-",
      "-1-1",
      "0--1",
      "0-0-0",
      "00-1-0",
      "0-01-0",
      "0-1-00",
      "0-1-4096",
      "0-1-0-0",
    ];
    bad.push("0-2199023255553-0", "0-99999999999999-0", "+0-1-0", "none", "0-1-0 ", "3-1-0", "0-1-a");
    for (const orderId of bad) {
      const { command } = run("F", CANCEL + `37=${orderId}|`);
      assert.deepEqual([command.reason, command.orderId], [Reason.UnknownOrder, undefined], orderId);
    }
    assert.equal(run("F", CANCEL + "37=0-2199023255552-4095|").command.orderId, 2 ** 41 * 4096 + 4095);
  });

  it("a text never passes 160 bytes and stays printable", () => {
    const { command } = run("D", NEW + `848=${"\xe9".repeat(300)}|`);
    assert.equal(
      command.text,
      `Cannot accept TargetStrategyParameters(848): expected no such field, got "${"?".repeat(48)}..."`,
    );
  });

  it("every reason has FIX codes for the messages that it answers", () => {
    for (const reason of Object.values(Reason)) {
      assert.equal(typeof ordRejReason(reason), "number");
      assert.equal(typeof cxlRejReason(reason), "number");
    }
  });
});

describe("translate: what never enters the stream", () => {
  const cases: [
    string,
    string,
    string,
    { header?: string; role?: SessionRole },
    number,
    string | undefined,
    string,
  ][] = [
    [
      "message type of the dictionary that order entry does not take",
      "V",
      "262=x|",
      {},
      3,
      undefined,
      'Cannot accept MsgType(35): expected D, F, G or H, got "V"',
    ],
    [
      "order on a drop-copy session",
      "D",
      NEW,
      { role: "drop-copy" },
      6,
      "c1",
      'Cannot accept MsgType(35): expected no order message on a drop-copy session, got "D"',
    ],
    [
      "status request on a market-data session",
      "H",
      STATUS,
      { role: "market-data" },
      6,
      "c1",
      'Cannot accept MsgType(35): expected no order message on a market-data session, got "H"',
    ],
    [
      "ClOrdID too long",
      "D",
      withField(NEW, 11, "x".repeat(41)),
      {},
      0,
      "x".repeat(41),
      `Cannot accept ClOrdID(11): expected at most 40 bytes, got "${"x".repeat(41)}"`,
    ],
    [
      "OrigClOrdID too long",
      "F",
      withField(CANCEL, 41, "y".repeat(41)),
      {},
      1,
      "c2",
      `Cannot accept OrigClOrdID(41): expected at most 40 bytes, got "${"y".repeat(41)}"`,
    ],
    [
      "OrdStatusReqID too long",
      "H",
      STATUS + `790=${"z".repeat(41)}|`,
      {},
      0,
      "c1",
      `Cannot accept OrdStatusReqID(790): expected at most 40 bytes, got "${"z".repeat(41)}"`,
    ],
    [
      "Symbol absent",
      "D",
      withField(NEW, 55, ""),
      {},
      5,
      "c1",
      "Cannot accept Symbol(55): expected a symbol, got none",
    ],
    [
      "Symbol too long",
      "D",
      withField(NEW, 55, "S".repeat(25)),
      {},
      2,
      "c1",
      `Cannot accept Symbol(55): expected at most 24 bytes, got "${"S".repeat(25)}"`,
    ],
    [
      "delivery to another firm",
      "D",
      NEW,
      { header: "128=OTHER|" },
      7,
      "c1",
      'Cannot accept DeliverToCompID(128): expected no third-party routing, got "OTHER"',
    ],
    [
      "on behalf of another firm",
      "D",
      NEW,
      { header: "115=OTHER|" },
      6,
      "c1",
      'Cannot accept OnBehalfOfCompID(115): expected no third-party routing, got "OTHER"',
    ],
  ];
  for (const [title, msgType, body, options, reason, refId, text] of cases) {
    it(title, () => {
      assert.deepEqual(run(msgType, body, options).outcome, { kind: "business-reject", reason, refId, text });
    });
  }
});
