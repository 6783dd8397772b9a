import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { EventKind, Reason, Side } from "../../../shared/protocol/mod.ts";
import { venue } from "./fixture.ts";
import { bodyOf, eventOf, POSITION } from "./mass_cases.ts";
import { putMassCancelReport } from "./mass_report.ts";

const VENUE = venue();
const TIME = "60=20261130-12:34:56.789|";

function reportOf(fields: Record<string, number | string>): string {
  const event = eventOf({ kind: EventKind.MassCancelReported, sessionId: 7, clOrdId: "m1", ...fields });
  return bodyOf("r", (writer) => putMassCancelReport(event, POSITION, VENUE, writer));
}

describe("OrderMassCancelReport(r)", () => {
  it("says how many orders a request for one symbol, or for all, canceled", () => {
    assert.equal(
      reportOf({ instrumentId: 1, side: Side.Buy, total: 12 }),
      `11=m1|37=3-1234-2|530=1|531=1|533=12|55=ACME|54=1|${TIME}`,
    );
    assert.equal(reportOf({ total: 0 }), `11=m1|37=3-1234-2|530=7|531=7|533=0|${TIME}`);
  });

  it("says why nothing was canceled", () => {
    const phase = 'Cannot cancel Symbol(55): expected a phase that takes cancels, got "ACME"';
    assert.equal(
      reportOf({ instrumentId: 1, reason: Reason.PhaseForbids }),
      `11=m1|37=3-1234-2|530=1|531=0|532=0|55=ACME|${TIME}58=${phase}|`,
    );
    const symbol = 'Cannot cancel Symbol(55): expected a listed symbol, got "NONE"';
    for (const text of [symbol, ""]) {
      assert.equal(
        reportOf({ reason: Reason.UnknownSymbol, symbol: "NONE", text }),
        `11=m1|37=3-1234-2|530=1|531=0|532=1|55=NONE|${TIME}58=${symbol}|`,
      );
    }
  });

  it("repeats a type that was refused, and the gateway's text", () => {
    const text = 'Cannot cancel MassCancelRequestType(530): expected 1 or 7, got "6"';
    assert.equal(
      reportOf({ reason: Reason.FieldUnsupported, ordType: 6, text }),
      `11=m1|37=3-1234-2|530=6|531=0|532=0|${TIME}58=${text}|`,
    );
  });
});
