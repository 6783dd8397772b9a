/** Reports of what few orders have, and of what the venue does to an order unasked. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import {
  EventKind,
  ExecInst,
  OrdStatus,
  OrdType,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import { ORDER, reportOf, STAMP } from "./report_cases.ts";

const HEAD = "35=8|37=0-1234-5|11=c1|17=0-1234-0|";
const NEW = { ...ORDER, kind: EventKind.OrderAccepted, ordStatus: OrdStatus.New };
const NOTHING_DONE = "151=100|14=0|6=0|";

describe("report: terms of an order", () => {
  const rows: [title: string, event: Record<string, number | string>, text: string][] = [
    [
      "stop",
      {
        ...NEW,
        ordType: OrdType.Stop,
        priceTicks: 0,
        stopPxTicks: 199,
        timeInForce: TimeInForce.GoodTillCancel,
      },
      `${HEAD}150=0|39=0|55=ACME|54=1|38=100|40=3|99=9.95|59=1|${NOTHING_DONE}${STAMP}`,
    ],
    [
      "stop limit that is an iceberg and expires",
      {
        ...NEW,
        ordType: OrdType.StopLimit,
        stopPxTicks: 199,
        maxFloorLots: 3,
        timeInForce: TimeInForce.GoodTillDate,
        expireUs: Date.UTC(2027, 0, 1) * 1000 - 1,
      },
      `${HEAD}150=0|39=0|55=ACME|54=1|38=100|40=4|44=10.05|99=9.95|59=6|126=20261231-23:59:59.999|${NOTHING_DONE}` +
      `${STAMP}111=30|`,
    ],
    [
      "market with leftover as limit",
      { ...NEW, ordType: OrdType.MarketToLimit, priceTicks: 0 },
      `${HEAD}150=0|39=0|55=ACME|54=1|38=100|40=K|59=0|${NOTHING_DONE}${STAMP}`,
    ],
    [
      "post-only",
      { ...NEW, execInst: ExecInst.PostOnly },
      `${HEAD}150=0|39=0|55=ACME|54=1|38=100|40=2|44=10.05|59=0|18=6|${NOTHING_DONE}${STAMP}`,
    ],
    [
      "rejected for the phase: the terms as sent",
      {
        ...NEW,
        kind: EventKind.OrderRejected,
        ordStatus: OrdStatus.Rejected,
        orderId: 0,
        leavesQtyLots: 0,
        execInst: ExecInst.PostOnly,
        maxFloorLots: 3,
        reason: Reason.PhaseForbids,
      },
      "35=8|37=NONE|11=c1|17=0-1234-0|150=8|39=8|103=2|55=ACME|54=1|38=100|40=2|44=10.05|59=0|18=6|151=0|14=0|6=0|" +
      `${STAMP}111=30|58=Cannot accept Symbol(55): expected an instrument in a trading phase that takes this, got ` +
      `"ACME", whose phase now does not: TradingSessionStatusRequest(g), or deno task admin phases, tells which it is|`,
    ],
    [
      "rejected since it would trade on arrival",
      {
        ...NEW,
        kind: EventKind.OrderRejected,
        ordStatus: OrdStatus.Rejected,
        orderId: 0,
        leavesQtyLots: 0,
        execInst: ExecInst.PostOnly,
        reason: Reason.PostOnlyWouldTrade,
      },
      "35=8|37=NONE|11=c1|17=0-1234-0|150=8|39=8|103=99|55=ACME|54=1|38=100|40=2|44=10.05|59=0|18=6|151=0|14=0|6=0|" +
      `${STAMP}58=Cannot accept Price(44): expected one at which ExecInst(18) "6" does not trade on arrival, got ` +
      '"10.05"|',
    ],
    [
      "replaced into an iceberg",
      { ...NEW, kind: EventKind.OrderReplaced, clOrdId: "c2", origClOrdId: "c1", maxFloorLots: 2 },
      "35=8|37=0-1234-5|11=c2|41=c1|17=0-1234-0|150=5|39=0|55=ACME|54=1|38=100|40=2|44=10.05|59=0|" +
      `${NOTHING_DONE}${STAMP}111=20|`,
    ],
  ];
  for (const [title, event, text] of rows) it(title, () => assert.equal(reportOf(event), text));
});

describe("report: what the venue does unasked", () => {
  const restated = { ...ORDER, kind: EventKind.OrderRestated, ordStatus: OrdStatus.New };
  const rows: [title: string, event: Record<string, number | string>, text: string][] = [
    [
      "a stop is triggered",
      {
        ...restated,
        kind: EventKind.OrderTriggered,
        ordType: OrdType.Market,
        priceTicks: 0,
        stopPxTicks: 199,
      },
      `${HEAD}150=D|39=0|378=99|55=ACME|54=1|38=100|40=1|99=9.95|59=0|${NOTHING_DONE}${STAMP}` +
      '58=Triggered: a trade reached StopPx(99) "9.95"|',
    ],
    [
      "the closing auction begins",
      { ...restated, kind: EventKind.OrderTriggered, timeInForce: TimeInForce.AtTheClose },
      `${HEAD}150=D|39=0|378=99|55=ACME|54=1|38=100|40=2|44=10.05|59=7|${NOTHING_DONE}${STAMP}` +
      '58=Activated: the closing auction has begun, for which TimeInForce(59) "7" waits|',
    ],
    [
      "a leftover rests",
      {
        ...restated,
        reason: Reason.LeftoverPriced,
        ordStatus: OrdStatus.PartiallyFilled,
        cumQtyLots: 4,
        leavesQtyLots: 6,
        notionalLow: 804,
      },
      `${HEAD}150=D|39=1|378=3|55=ACME|54=1|38=100|40=2|44=10.05|59=0|151=60|14=40|6=10.05|${STAMP}` +
      `58=Price(44) set to "10.05", the last trade's: what is left rests as a limit order|`,
    ],
    [
      "a post-only order is moved",
      { ...restated, reason: Reason.PostOnlyRepriced, priceTicks: 200, execInst: ExecInst.PostOnly },
      `${HEAD}150=D|39=0|378=3|55=ACME|54=1|38=100|40=2|44=10|59=0|18=6|${NOTHING_DONE}${STAMP}` +
      '58=Price(44) moved to "10": at the one sent the order would have traded on arrival, which ExecInst(18) "6" forbids|',
    ],
    [
      "a self-match costs quantity",
      { ...restated, reason: Reason.SelfMatchPrevented, orderQtyLots: 7, leavesQtyLots: 7 },
      `${HEAD}150=D|39=0|378=5|55=ACME|54=1|38=70|40=2|44=10.05|59=0|151=70|14=0|6=0|${STAMP}` +
      "58=OrderQty(38) reduced: it would have traded with an order of the same firm and SelfMatchPreventionID(7928)|",
    ],
    [
      "a self-match costs the order",
      {
        ...restated,
        kind: EventKind.OrderCanceled,
        ordStatus: OrdStatus.Canceled,
        reason: Reason.SelfMatchPrevented,
        leavesQtyLots: 0,
        msgSeqNum: 7,
      },
      `${HEAD}150=4|39=4|378=8|55=ACME|54=1|38=100|40=2|44=10.05|59=0|151=0|14=0|6=0|${STAMP}` +
      "58=Canceled: it would have traded with an order of the same firm and SelfMatchPreventionID(7928)|",
    ],
    [
      "somebody else's mass cancel",
      {
        ...restated,
        kind: EventKind.OrderCanceled,
        ordStatus: OrdStatus.Canceled,
        reason: Reason.MassCanceled,
        leavesQtyLots: 0,
      },
      `${HEAD}150=4|39=4|378=8|55=ACME|54=1|38=100|40=2|44=10.05|59=0|151=0|14=0|6=0|${STAMP}` +
      "58=Canceled by a mass cancel for orders of its session, its firm or the venue|",
    ],
    [
      "the session's own mass cancel is asked for",
      {
        ...restated,
        kind: EventKind.OrderCanceled,
        ordStatus: OrdStatus.Canceled,
        reason: Reason.MassCanceled,
        leavesQtyLots: 0,
        msgSeqNum: 7,
      },
      `${HEAD}150=4|39=4|55=ACME|54=1|38=100|40=2|44=10.05|59=0|151=0|14=0|6=0|${STAMP}` +
      "58=Canceled by a mass cancel for orders of its session, its firm or the venue|",
    ],
    [
      "the time of a good-till-date order comes",
      {
        ...restated,
        kind: EventKind.OrderExpired,
        ordStatus: OrdStatus.Expired,
        timeInForce: TimeInForce.GoodTillDate,
        expireUs: Date.UTC(2026, 10, 30, 12) * 1000,
        leavesQtyLots: 0,
      },
      `${HEAD}150=C|39=C|55=ACME|54=1|38=100|40=2|44=10.05|59=6|126=20261130-12:00:00.000|151=0|14=0|6=0|${STAMP}`,
    ],
  ];
  for (const [title, event, text] of rows) it(title, () => assert.equal(reportOf(event), text));

  it("a trade of an auction adds and removes no liquidity", () => {
    const event = {
      ...ORDER,
      kind: EventKind.OrderExecuted,
      ordStatus: OrdStatus.Filled,
      leavesQtyLots: 0,
      cumQtyLots: 10,
      notionalLow: 2010,
      lastPxTicks: 201,
      lastQtyLots: 10,
      tradeIndex: 1,
    };
    assert.equal(
      reportOf(event),
      "35=8|37=0-1234-5|527=0-1234-0|11=c1|17=0-1234-0|150=F|39=2|55=ACME|54=1|38=100|40=2|44=10.05|59=0|" +
        `32=100|31=10.05|151=0|14=100|6=10.05|${STAMP}`,
    );
  });
});

describe("report: answers to a mass status request", () => {
  const status = { ...ORDER, kind: EventKind.OrderStatusReported, detail: 2, origClOrdId: "ask-9", total: 2 };

  it("are counted, and the last one says so", () => {
    const [first, last] = [1, 2].map((index) => reportOf({ ...status, index, tradeIndex: index }));
    const rest = `17=0|150=I|39=0|55=ACME|54=1|38=100|40=2|44=10.05|59=0|${NOTHING_DONE}${STAMP}`;
    assert.equal(first, `35=8|37=0-1234-5|11=c1|584=ask-9|911=2|912=N|${rest}`);
    assert.equal(last, `35=8|37=0-1234-5|11=c1|584=ask-9|911=2|912=Y|${rest}`);
  });

  it("say that there is no order", () => {
    const none = {
      kind: EventKind.OrderRejected,
      detail: 2,
      ordStatus: OrdStatus.Rejected,
      reason: Reason.UnknownOrder,
      origClOrdId: "ask-9",
    };
    const rest =
      `151=0|14=0|6=0|${STAMP}58=Cannot report orders: expected an open order that the request is about, ` +
      "got none|";
    assert.equal(
      reportOf(none),
      `35=8|37=NONE|584=ask-9|911=0|912=Y|17=0|150=I|39=8|103=5|55=[N/A]|54=7|${rest}`,
    );
    assert.equal(
      reportOf({ ...none, instrumentId: 1, side: Side.Sell }),
      `35=8|37=NONE|584=ask-9|911=0|912=Y|17=0|150=I|39=8|103=5|55=ACME|54=2|${rest}`,
    );
  });
});

describe("report: no report", () => {
  it("of what is no order's", () => {
    const { MassCancelReported, QuoteAcknowledged, QuotesCanceled } = EventKind;
    const { LevelChanged, PhaseChanged, AuctionIndicated, AlgorithmChanged } = EventKind;
    for (const kind of [MassCancelReported, QuoteAcknowledged, QuotesCanceled]) {
      assert.equal(reportOf({ kind, sessionId: 7, instrumentId: 1, clOrdId: "q1", total: 3 }), null);
    }
    for (const kind of [LevelChanged, PhaseChanged, AuctionIndicated, AlgorithmChanged]) {
      assert.equal(reportOf({ kind, instrumentId: 1, priceTicks: 1 }), null);
    }
  });
});
