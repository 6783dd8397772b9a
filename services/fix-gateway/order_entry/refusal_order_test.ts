import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Command } from "../../../shared/codec/wire/mod.ts";
import { MAX_TEXT_BYTES, Reason } from "../../../shared/protocol/mod.ts";
import { NEW, run } from "./cases.ts";
import { messageOf } from "./fixture.ts";
import { type EntryReason, expectationOf } from "./expectation.ts";
import { fieldName, sentence } from "./refusal.ts";

describe("translate: a message with many faults", () => {
  it("is refused for the first in the order of docs/fix.md, and for the next once that is mended", () => {
    const mends: [field: string, wrong: string, right: string][] = [
      ["Symbol(55)", "55=NONE", "55=ACME"],
      ["Side(54)", "54=5", "54=1"],
      ["OrdType(40)", "40=5", "40=2"],
      ["TimeInForce(59)", "59=5", "59=0"],
      ["MaxShow(210)", "|210=1|", "|"],
      ["OrderID(37)", "|37=junk|", "|"],
      ["Price(44)", "44=10.01", "44=10.05"],
      ["StopPx(99)", "|99=9|", "|"],
      ["OrderQty(38)", "38=1|", "38=100|"],
      ["MaxFloor(111)", "111=1|", "111=10|"],
      ["MinQty(110)", "110=110|", "110=100|"],
      ["ExecInst(18)", "|18=6|", "|"],
      ["ExpireDate(432)", "|432=20261231|", "|"],
      ["SelfMatchPreventionID(7928)", "7928=0|", "7928=1|"],
      ["SelfMatchPreventionInstruction(8000)", "8000=R|", "8000=O|"],
    ];
    let body = "11=c1|55=NONE|54=5|60=20261130-12:00:00.000|8000=R|7928=0|432=20261231|18=6|110=110|111=1|" +
      "38=1|40=5|44=10.01|99=9|59=5|210=1|37=junk|";
    for (const [field, wrong, right] of mends) {
      assert.equal(String(run("D", body).command.text).split(":")[0], `Cannot accept ${field}`);
      body = body.replace(wrong, right);
    }
    assert.equal(run("D", body).command.kind, undefined);
    assert.equal(run("D", NEW).command.kind, undefined);
  });
});

describe("refusal texts", () => {
  it("stay within the encoding's limit", () => {
    const message = messageOf("D", `58=${"v".repeat(200)}|`);
    const text = sentence("accept", message, message.find(58), 58, "x".repeat(200));
    assert.equal(text, `Cannot accept Text(58): expected ${"x".repeat(200)}`.slice(0, MAX_TEXT_BYTES));
  });

  it("name a field that FIX 4.4 does not define by its tag", () => {
    assert.deepEqual([fieldName(44), fieldName(5001)], ["Price(44)", "5001"]);
  });

  it("are cut at a value's 48th byte", () => {
    const message = messageOf("D", `58=${"v".repeat(49)}|1=${"w".repeat(48)}|`);
    assert.ok(sentence("accept", message, message.find(58), 58, "e").endsWith(`"${"v".repeat(48)}..."`));
    assert.ok(sentence("accept", message, message.find(1), 1, "e").endsWith(`"${"w".repeat(48)}"`));
  });

  it("say something of every field without an instrument too", () => {
    const { UnknownSymbol, PriceOffTick, PriceOverLimit, QtyOffLot, QtyOverLimit } = Reason;
    const { StopPxOffTick, StopPxNotPositive, MaxFloorInvalid, MinQtyInvalid, OrdTypeUnsupported } = Reason;
    const reasons: EntryReason[] = [UnknownSymbol, PriceOffTick, PriceOverLimit, QtyOffLot, QtyOverLimit];
    reasons.push(StopPxOffTick, StopPxNotPositive, MaxFloorInvalid, MinQtyInvalid, OrdTypeUnsupported);
    for (const reason of reasons) {
      assert.ok(expectationOf(reason, new Command(), 44, null).length > 0);
    }
  });
});
