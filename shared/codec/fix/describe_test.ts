import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { describeMessage, rawMessage } from "./describe.ts";
import { FIX44 } from "./fix44.ts";
import { framed, soh } from "./testing.ts";

describe("describeMessage", () => {
  it("names message, fields and enumerated values, in message order", () => {
    const order = soh(
      framed("35=D|34=2|49=A|56=B|11=x|54=1|38=100|40=2|44=10.05|18=1 G|58=two words|5001=u|"),
    );
    assert.equal(
      describeMessage(order, FIX44),
      "NewOrderSingle(D) MsgSeqNum(34)=2 SenderCompID(49)=A TargetCompID(56)=B ClOrdID(11)=x Side(54)=1 BUY " +
        "OrderQty(38)=100 OrdType(40)=2 LIMIT Price(44)=10.05 ExecInst(18)=1 G NOT_HELD+ALL_OR_NONE " +
        'Text(58)="two words" 5001=u',
    );
  });

  it("shows no password, no control character, and what has no name as it is", () => {
    assert.equal(
      describeMessage(soh(framed("35=A|34=1|553=u|554=secret|925=more|96=\x1b[2J|bad|")), FIX44),
      'Logon(A) MsgSeqNum(34)=1 Username(553)=u Password(554)=*** 925=*** RawData(96)=?[2J malformed field "bad"'
        .replace("925=", "NewPassword(925)="),
    );
    assert.equal(describeMessage(soh(framed("35=U9|34=1|")), FIX44), "unknown message(U9) MsgSeqNum(34)=1");
  });

  it("falls back to the raw form on bytes that are no message", () => {
    assert.equal(describeMessage(soh("nonsense"), FIX44), "nonsense");
    assert.equal(describeMessage(new Uint8Array(0), FIX44), "");
  });
});

describe("rawMessage", () => {
  it("shows SOH as | and other unprintable bytes as ?", () => {
    assert.equal(rawMessage(soh("8=FIX.4.4|58=a\x00b\x7f\xe9|")), "8=FIX.4.4|58=a?b?\xe9|");
  });
});
