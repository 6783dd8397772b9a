import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CommandKind, Reason } from "../../../shared/protocol/mod.ts";
import { assertValid, CANCEL, REPLACE, run, STATUS, withField } from "./cases.ts";

describe("translate: requests about orders that are refused through the stream", () => {
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
        'Cannot replace TimeInForce(59): expected 0, 1, 2, 6 or 7 with OrdType(40) 2, got "3"',
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
      assertValid(msgType, body);
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
    bad.push(
      "0-2199023255552-0",
      "0-2199023255552-4095",
      "0-99999999999999-0",
      "+0-1-0",
      "none",
      "0-1-0 ",
      "3-1-0",
      "0-1-a",
    );
    for (const orderId of bad) {
      const { command } = run("F", CANCEL + `37=${orderId}|`);
      assert.deepEqual([command.reason, command.orderId], [Reason.UnknownOrder, undefined], orderId);
    }
    const largest = run("F", CANCEL + "37=0-2199023255551-4095|").command.orderId;
    assert.equal(largest, Number.MAX_SAFE_INTEGER);
  });
});
