import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Command } from "../../../shared/codec/wire/mod.ts";
import { CommandFlag, CommandKind } from "../../../shared/protocol/mod.ts";
import { assertValid, CANCEL, NEW, REPLACE, run, STATUS, TIME, withField } from "./cases.ts";
import { ACME, COIN, messageOf, RATE, session, venue } from "./fixture.ts";
import { translate } from "./translate.ts";

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
      assertValid(msgType, body);
      const instrument = [ACME, RATE, COIN].find((each) => each.id === expected.instrumentId);
      assert.deepEqual(command, expected);
      assert.deepEqual(outcome, { kind: "command", instrument });
    });
  }

  it("fields that only describe, and checked fields with the value that asks for nothing", () => {
    const noted = "526=s|583=l|453=1|448=P|447=D|452=24|21=1|63=0|207=XX|167=CS|106=Issuer|58=note|" +
      "528=A|376=c|15=USD|78=0|232=0|423=2|854=0|81=0|114=N|";
    assertValid("D", NEW + noted);
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
    translate(message, session(), venue(), into);
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
