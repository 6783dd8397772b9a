import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { EventKind, OrdStatus, Reason, Side } from "../../../shared/protocol/mod.ts";
import { ORDER, reportOf, STAMP } from "./report_cases.ts";

describe("report: OrderCancelReject", () => {
  it("of a cancel for a filled order", () => {
    const event = {
      ...ORDER,
      kind: EventKind.CancelRejected,
      ordStatus: OrdStatus.Filled,
      leavesQtyLots: 0,
      clOrdId: "c2",
      origClOrdId: "c1",
      reason: Reason.TooLateToCancel,
    };
    assert.equal(
      reportOf(event),
      "35=9|37=0-1234-5|11=c2|41=c1|39=2|" + STAMP + "434=1|102=0|" +
        '58=Cannot cancel OrigClOrdID(41): expected an open order, got "c1", which is filled|',
    );
  });

  it("of a replace for an unknown order", () => {
    const event = {
      kind: EventKind.ReplaceRejected,
      ordStatus: OrdStatus.Rejected,
      instrumentId: 1,
      side: Side.Buy,
      clOrdId: "c2",
      origClOrdId: "c1",
      reason: Reason.UnknownOrder,
    };
    assert.equal(
      reportOf(event),
      "35=9|37=NONE|11=c2|41=c1|39=8|" + STAMP + "434=2|102=1|" +
        '58=Cannot replace OrigClOrdID(41): expected an order of this session or firm, got "c1"|',
    );
  });

  it("of a replace of a triggered stop into a stop, and of one for which the phase is wrong", () => {
    const event = {
      ...ORDER,
      kind: EventKind.ReplaceRejected,
      ordStatus: OrdStatus.New,
      clOrdId: "c2",
      origClOrdId: "c1",
      reason: Reason.StopTriggered,
    };
    const head = `35=9|37=0-1234-5|11=c2|41=c1|39=0|${STAMP}434=2|`;
    assert.equal(
      reportOf(event),
      `${head}102=2|58=Cannot replace OrdType(40): expected no stop type for an order whose stop has been triggered|`,
    );
    assert.equal(
      reportOf({ ...event, reason: Reason.PhaseForbids }),
      `${head}102=2|58=Cannot replace Symbol(55): expected an instrument in a trading phase that takes this, got ` +
        '"ACME", whose phase now does not: TradingSessionStatusRequest(g), or deno task admin phases, tells which it is|',
    );
  });
});
