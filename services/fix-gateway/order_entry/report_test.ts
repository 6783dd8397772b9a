import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import {
  EventKind,
  Liquidity,
  OrdStatus,
  OrdType,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import { ORDER, reportOf, STAMP } from "./report_cases.ts";

describe("report: ExecutionReport", () => {
  const cases: [title: string, event: Record<string, number | string>, index: number, text: string][] = [
    [
      "New",
      { ...ORDER, kind: EventKind.OrderAccepted, ordStatus: OrdStatus.New },
      0,
      "35=8|37=0-1234-5|11=c1|17=0-1234-0|150=0|39=0|55=ACME|54=1|38=100|40=2|44=10.05|59=0|151=100|14=0|6=0|" +
      STAMP,
    ],
    [
      "New market order has no Price",
      {
        ...ORDER,
        kind: EventKind.OrderAccepted,
        ordStatus: OrdStatus.New,
        ordType: OrdType.Market,
        timeInForce: TimeInForce.ImmediateOrCancel,
        priceTicks: 0,
        side: Side.Sell,
      },
      3,
      "35=8|37=0-1234-5|11=c1|17=0-1234-3|150=0|39=0|55=ACME|54=2|38=100|40=1|59=3|151=100|14=0|6=0|" + STAMP,
    ],
    [
      "partial fill that rested",
      {
        ...ORDER,
        kind: EventKind.OrderExecuted,
        ordStatus: OrdStatus.PartiallyFilled,
        leavesQtyLots: 7,
        cumQtyLots: 3,
        notionalLow: 602,
        lastPxTicks: 201,
        lastQtyLots: 2,
        tradeIndex: 2,
        liquidity: Liquidity.Added,
      },
      2,
      "35=8|37=0-1234-5|527=0-1234-1|11=c1|17=0-1234-2|150=F|39=1|55=ACME|54=1|38=100|40=2|44=10.05|59=0|" +
      "32=20|31=10.05|151=70|14=30|6=10.03333333|" + STAMP + "851=1|",
    ],
    [
      "fill that took",
      {
        ...ORDER,
        kind: EventKind.OrderExecuted,
        ordStatus: OrdStatus.Filled,
        leavesQtyLots: 0,
        cumQtyLots: 10,
        notionalLow: 2000,
        lastPxTicks: 200,
        lastQtyLots: 10,
        tradeIndex: 1,
        liquidity: Liquidity.Removed,
      },
      1,
      "35=8|37=0-1234-5|527=0-1234-0|11=c1|17=0-1234-1|150=F|39=2|55=ACME|54=1|38=100|40=2|44=10.05|59=0|" +
      "32=100|31=10|151=0|14=100|6=10|" + STAMP + "851=2|",
    ],
    [
      "Canceled after a partial fill, at the client's request",
      {
        ...ORDER,
        kind: EventKind.OrderCanceled,
        ordStatus: OrdStatus.Canceled,
        leavesQtyLots: 0,
        cumQtyLots: 3,
        notionalLow: 603,
        clOrdId: "c2",
        origClOrdId: "c1",
      },
      0,
      "35=8|37=0-1234-5|11=c2|41=c1|17=0-1234-0|150=4|39=4|55=ACME|54=1|38=100|40=2|44=10.05|59=0|" +
      "151=0|14=30|6=10.05|" + STAMP,
    ],
    [
      "Canceled by nobody's request",
      { ...ORDER, kind: EventKind.OrderCanceled, ordStatus: OrdStatus.Canceled, leavesQtyLots: 0 },
      0,
      "35=8|37=0-1234-5|11=c1|17=0-1234-0|150=4|39=4|55=ACME|54=1|38=100|40=2|44=10.05|59=0|151=0|14=0|6=0|" +
      STAMP,
    ],
    [
      "Replaced",
      {
        ...ORDER,
        kind: EventKind.OrderReplaced,
        ordStatus: OrdStatus.PartiallyFilled,
        orderQtyLots: 20,
        priceTicks: 202,
        leavesQtyLots: 17,
        cumQtyLots: 3,
        notionalLow: 603,
        clOrdId: "c2",
        origClOrdId: "c1",
      },
      0,
      "35=8|37=0-1234-5|11=c2|41=c1|17=0-1234-0|150=5|39=1|55=ACME|54=1|38=200|40=2|44=10.1|59=0|" +
      "151=170|14=30|6=10.05|" + STAMP,
    ],
    [
      "Expired IOC remainder",
      {
        ...ORDER,
        kind: EventKind.OrderExpired,
        ordStatus: OrdStatus.Expired,
        timeInForce: TimeInForce.ImmediateOrCancel,
        leavesQtyLots: 0,
      },
      0,
      "35=8|37=0-1234-5|11=c1|17=0-1234-0|150=C|39=C|55=ACME|54=1|38=100|40=2|44=10.05|59=3|151=0|14=0|6=0|" +
      STAMP,
    ],
    [
      "Rejected with the gateway's text",
      {
        ...ORDER,
        kind: EventKind.OrderRejected,
        ordStatus: OrdStatus.Rejected,
        orderId: 0,
        priceTicks: 0,
        leavesQtyLots: 0,
        reason: Reason.PriceOffTick,
        text: 'Cannot accept Price(44): expected a multiple of 0.05, got "10.03"',
      },
      0,
      "35=8|37=NONE|11=c1|17=0-1234-0|150=8|39=8|103=99|55=ACME|54=1|38=100|40=2|59=0|151=0|14=0|6=0|" +
      STAMP +
      '58=Cannot accept Price(44): expected a multiple of 0.05, got "10.03"|',
    ],
    [
      "Rejected with a text made from the reason",
      {
        ...ORDER,
        kind: EventKind.OrderRejected,
        ordStatus: OrdStatus.Rejected,
        orderId: 0,
        leavesQtyLots: 0,
        reason: Reason.DuplicateClOrdId,
      },
      0,
      "35=8|37=NONE|11=c1|17=0-1234-0|150=8|39=8|103=6|55=ACME|54=1|38=100|40=2|44=10.05|59=0|151=0|14=0|6=0|" +
      STAMP + '58=Cannot accept ClOrdID(11): expected one not used before in this session, got "c1"|',
    ],
    [
      "Rejected with a symbol that the venue does not list, and a short sale",
      {
        kind: EventKind.OrderRejected,
        ordStatus: OrdStatus.Rejected,
        side: 5,
        ordType: OrdType.Limit,
        timeInForce: TimeInForce.Day,
        reason: Reason.UnknownSymbol,
        clOrdId: "c1",
        symbol: "ZZZ",
      },
      0,
      "35=8|37=NONE|11=c1|17=0-1234-0|150=8|39=8|103=1|55=ZZZ|54=5|151=0|14=0|6=0|" + STAMP +
      '58=Cannot accept Symbol(55): expected a listed symbol, got "ZZZ"|',
    ],
    [
      "Order status, with the request's identifier",
      {
        ...ORDER,
        kind: EventKind.OrderStatusReported,
        ordStatus: OrdStatus.PartiallyFilled,
        leavesQtyLots: 7,
        cumQtyLots: 3,
        notionalLow: 603,
        origClOrdId: "ask-1",
      },
      0,
      "35=8|37=0-1234-5|11=c1|790=ask-1|17=0|150=I|39=1|55=ACME|54=1|38=100|40=2|44=10.05|59=0|" +
      "151=70|14=30|6=10.05|" + STAMP,
    ],
    [
      "Order status of an unknown order",
      {
        kind: EventKind.OrderRejected,
        detail: 1,
        ordStatus: OrdStatus.Rejected,
        instrumentId: 1,
        side: Side.Buy,
        reason: Reason.UnknownOrder,
        clOrdId: "c9",
      },
      0,
      "35=8|37=NONE|11=c9|17=0|150=I|39=8|103=5|55=ACME|54=1|151=0|14=0|6=0|" + STAMP +
      '58=Cannot report ClOrdID(11): expected an order of this session or firm, got "c9"|',
    ],
    [
      "fractional amounts and a repeating AvgPx",
      {
        ...ORDER,
        kind: EventKind.OrderExecuted,
        instrumentId: 3,
        ordStatus: OrdStatus.PartiallyFilled,
        orderQtyLots: 10,
        leavesQtyLots: 7,
        cumQtyLots: 3,
        notionalLow: 400,
        priceTicks: 201,
        lastPxTicks: 1,
        lastQtyLots: 1,
        tradeIndex: 1,
        liquidity: Liquidity.Added,
      },
      0,
      "35=8|37=0-1234-5|527=0-1234-0|11=c1|17=0-1234-0|150=F|39=1|55=COIN|54=1|38=0.05|40=2|44=0.000201|59=0|" +
      "32=0.005|31=0.000001|151=0.035|14=0.015|6=0.00013333|" + STAMP + "851=1|",
    ],
  ];
  for (const [title, event, index, expected] of cases) {
    it(title, () => assert.equal(reportOf(event, index), expected));
  }
});
