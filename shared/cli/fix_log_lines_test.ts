import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { readableLine } from "./fix_log_lines.ts";

const LOGON =
  "8=FIX.4.4|9=103|35=A|34=1|49=TW|52=20261130-12:00:00.000|56=EX|98=0|108=30|553=tw|554=geheim|10=217|";
const SHOWN = "Logon(A) MsgSeqNum(34)=1 SenderCompID(49)=TW SendingTime(52)=20261130-12:00:00.000 " +
  "TargetCompID(56)=EX EncryptMethod(98)=0 NONE_OTHER HeartBtInt(108)=30 Username(553)=tw Password(554)=***";

describe("readableLine", () => {
  for (const [name, delimiter] of [["|", "|"], ["SOH", "\x01"], ["^A", "^A"], ["<SOH>", "<SOH>"]]) {
    it(`names fields and values of a message delimited by ${name}`, () => {
      assert.equal(readableLine(LOGON.replaceAll("|", delimiter)), SHOWN);
    });
  }

  it("keeps what stands around a message: time, direction, more", () => {
    const line = `2026-11-30T12:00:00.001Z in  TW ${LOGON} (103 bytes)`;
    assert.equal(readableLine(line), `2026-11-30T12:00:00.001Z in  TW ${SHOWN} (103 bytes)`);
  });

  it("writes out each of several messages on one line", () => {
    const beat = "8=FIX.4.4|9=5|35=0|34=2|10=001|";
    assert.equal(
      readableLine(`${beat}${beat} and ${beat}`),
      [
        "Heartbeat(0) MsgSeqNum(34)=2",
        "Heartbeat(0) MsgSeqNum(34)=2 and ",
        "Heartbeat(0) MsgSeqNum(34)=2",
      ].join(""),
    );
  });

  it("shows what there is of a message that was cut off, and never a password", () => {
    assert.equal(readableLine(LOGON.slice(0, LOGON.indexOf("|10="))), SHOWN);
    assert.equal(readableLine(LOGON.slice(0, -1)), SHOWN);
    const cut = LOGON.slice(0, LOGON.indexOf("heim"));
    assert.equal(readableLine(cut), SHOWN);
  });

  it("names tags that FIX 4.4 does not have by number, and unknown messages as such", () => {
    assert.equal(readableLine("8=FIX.4.4|9=1|35=ZZ|5001=x|10=000|"), "unknown message(ZZ) 5001=x");
  });

  it("leaves other lines alone, but for passwords", () => {
    assert.equal(readableLine("session TW logged on"), "session TW logged on");
    assert.equal(readableLine("got 35=A|554=geheim|925=neu|1554=x"), "got 35=A|554=***|925=***|1554=x");
    assert.equal(readableLine(""), "");
  });
});
