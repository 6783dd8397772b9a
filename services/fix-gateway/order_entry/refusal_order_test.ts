import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CommandKind, MAX_TEXT_BYTES } from "../../../shared/protocol/mod.ts";
import { NEW, run } from "./cases.ts";
import { messageOf } from "./fixture.ts";
import { expectationOf, fieldName, sentence } from "./refusal.ts";

describe("translate: a message with many faults", () => {
  it("is refused for the first in the order of docs/fix.md, and for the next once that is mended", () => {
    const mends: [field: string, wrong: string, right: string][] = [
      ["Symbol(55)", "55=NONE", "55=ACME"],
      ["Side(54)", "54=5", "54=1"],
      ["OrdType(40)", "40=3", "40=2"],
      ["TimeInForce(59)", "59=1", "59=0"],
      ["MaxFloor(111)", "|111=1|", "|"],
      ["OrderID(37)", "|37=junk|", "|"],
      ["Price(44)", "44=10.01", "44=10.05"],
      ["OrderQty(38)", "38=1", "38=100"],
    ];
    let body = "11=c1|55=NONE|54=5|60=20261130-12:00:00.000|38=1|40=3|44=10.01|59=1|111=1|37=junk|";
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

  it("say something without an instrument too", () => {
    for (let reason = 0; reason <= 21; reason++) {
      assert.ok(expectationOf(reason as 0, CommandKind.NewOrder, 44, null).length > 0);
    }
  });
});
