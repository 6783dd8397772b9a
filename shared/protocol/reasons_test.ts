import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { cxlRejReason, ordRejReason, Reason } from "./mod.ts";

describe("reasons for which a request names no order", () => {
  const unknown = [
    Reason.UnknownOrder,
    Reason.SymbolChanged,
    Reason.ClOrdIdSuperseded,
    Reason.OrderIdContradicts,
  ];
  it("are an unknown order in FIX: CxlRejReason(102) 1, OrdRejReason(103) 5 in the answer to a status request", () => {
    for (const reason of unknown) assert.deepEqual([cxlRejReason(reason), ordRejReason(reason)], [1, 5]);
  });
});
