import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { EventKind, OrdStatus, Reason } from "../../shared/protocol/mod.ts";
import { dropCopyOf } from "./drop_copy.ts";
import { ACME, AT, eventOf, ORDER, TRADER1, TULIP } from "./test_events.ts";

const COMMON = {
  copyId: "0-12-3",
  session: "TRADER1",
  firm: "ALPHA",
  orderId: "0-12-1",
  clOrdId: "A1",
  transactTime: "2026-03-02T09:30:00.000123Z",
  cmdSeq: 12,
};

describe("dropCopyOf", () => {
  it("copies an execution with all its figures", () => {
    const event = eventOf({
      ...ORDER,
      kind: EventKind.OrderExecuted,
      ordStatus: OrdStatus.PartiallyFilled,
      cumQtyLots: 3,
      leavesQtyLots: 6,
      notionalLow: 41 + 2 * 43,
      lastPxTicks: 43,
      lastQtyLots: 2,
      liquidity: 1,
      tradeIndex: 3,
    });
    assert.deepEqual(dropCopyOf(event, AT, TRADER1, TULIP), {
      kind: "execution-report",
      ...COMMON,
      ordStatus: "1",
      execId: "0-12-3",
      execType: "F",
      secondaryExecId: "0-12-2",
      symbol: "TULIP-DEC",
      side: "2",
      orderQty: "90",
      ordType: "2",
      price: "10.25",
      timeInForce: "0",
      lastQty: "20",
      lastPx: "10.75",
      cumQty: "30",
      leavesQty: "60",
      avgPx: "10.58333333",
      lastLiquidityInd: "1",
    });
  });

  it("copies a refused order for a symbol that the venue does not list", () => {
    const event = eventOf({
      kind: EventKind.OrderRejected,
      ordStatus: OrdStatus.Rejected,
      sessionId: 1,
      side: 1,
      clOrdId: "A1",
      symbol: "NOPE",
      reason: Reason.UnknownSymbol,
      text: 'Cannot accept Symbol(55): expected a listed symbol, got "NOPE"',
    });
    assert.deepEqual(dropCopyOf(event, AT, TRADER1, null), {
      kind: "execution-report",
      ...COMMON,
      orderId: "NONE",
      ordStatus: "8",
      execId: "0-12-3",
      execType: "8",
      symbol: "NOPE",
      side: "1",
      leavesQty: "0",
      cumQty: "0",
      avgPx: "0",
      ordRejReason: 1,
      text: 'Cannot accept Symbol(55): expected a listed symbol, got "NOPE"',
    });
  });

  it("copies a refused cancel as a kind of its own", () => {
    const event = eventOf({
      ...ORDER,
      kind: EventKind.CancelRejected,
      ordStatus: OrdStatus.Filled,
      clOrdId: "C1",
      origClOrdId: "A1",
      reason: Reason.TooLateToCancel,
    });
    assert.deepEqual(dropCopyOf(event, AT, TRADER1, TULIP), {
      kind: "cancel-reject",
      ...COMMON,
      clOrdId: "C1",
      origClOrdId: "A1",
      ordStatus: "2",
      cxlRejResponseTo: "1",
      cxlRejReason: 0,
      text: 'Cannot cancel OrigClOrdID(41): expected an open order, got "A1", which is filled',
    });
  });

  it("copies nothing that is no order's", () => {
    const { LevelChanged, PhaseChanged, AuctionIndicated, AlgorithmChanged } = EventKind;
    const { MassCancelReported, QuoteAcknowledged, QuotesCanceled } = EventKind;
    const kinds = [LevelChanged, PhaseChanged, AuctionIndicated, AlgorithmChanged];
    for (const kind of [...kinds, MassCancelReported, QuoteAcknowledged, QuotesCanceled]) {
      assert.equal(dropCopyOf(eventOf({ kind, sessionId: 1, clOrdId: "Q1" }), AT, TRADER1, ACME), null);
    }
  });

  it("keeps the microseconds of an expiry", () => {
    const expireUs = Date.UTC(2027, 0, 1) * 1000 - 1;
    const event = eventOf({ ...ORDER, kind: EventKind.OrderAccepted, timeInForce: 6, expireUs });
    const copy = dropCopyOf(event, AT, TRADER1, TULIP);
    assert.ok(copy?.kind === "execution-report");
    assert.equal(copy.expireTime, "2026-12-31T23:59:59.999999Z");
  });
});
