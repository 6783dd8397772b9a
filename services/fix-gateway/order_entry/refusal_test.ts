import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FIX44 } from "../../../shared/codec/fix/mod.ts";
import { CommandKind, cxlRejReason, ordRejReason, Reason } from "../../../shared/protocol/mod.ts";
import { assertValid, NEW, run, withField } from "./cases.ts";
import { ACME } from "./fixture.ts";

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
      "pegged order",
      "D",
      withField(NEW, 40, "P"),
      Reason.OrdTypeUnsupported,
      'Cannot accept OrdType(40): expected 1, 2, 3, 4 or K, got "P"',
      { ordType: 25 },
    ],
    [
      "market on close",
      "D",
      withField(NEW, 40, "5"),
      Reason.OrdTypeUnsupported,
      'Cannot accept OrdType(40): expected 1, 2, 3, 4 or K, got "5"',
      { ordType: 5 },
    ],
    [
      "good till crossing",
      "D",
      NEW + "59=5|",
      Reason.TimeInForceUnsupported,
      'Cannot accept TimeInForce(59): expected 0, 1, 2, 3, 4, 6 or 7 with OrdType(40) 2, got "5"',
      { timeInForce: 5 },
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
      assertValid(msgType, body);
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

  it("a text never passes 160 bytes and stays printable", () => {
    const { command } = run("D", NEW + `848=${"\xe9".repeat(300)}|`);
    assert.equal(
      command.text,
      `Cannot accept TargetStrategyParameters(848): expected no such field, got "${"?".repeat(48)}..."`,
    );
  });

  it("every reason has FIX codes for the messages that it answers", () => {
    const known = (tag: number, code: number) => FIX44.fields.get(tag)!.values!.has(String(code));
    for (const reason of Object.values(Reason)) {
      assert.ok(known(103, ordRejReason(reason)), `OrdRejReason of ${reason}`);
      assert.ok(known(102, cxlRejReason(reason)), `CxlRejReason of ${reason}`);
    }
  });
});
