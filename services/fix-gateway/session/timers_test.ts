import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { loggedOn, Rig } from "./rig.ts";

function asText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll("\x01", "|");
}

describe("4, 6: silence", () => {
  it("4a: a Heartbeat whenever HeartBtInt passed without sending", () => {
    const rig = new Rig();
    rig.accept("35=A|34=1|98=0|108=3");
    assert.deepEqual(rig.advanceTo(3.3), ["3: 35=0|34=2"]);
    assert.deepEqual(rig.receiveAll("35=0|34=2"), []);
    assert.deepEqual(rig.advanceTo(6), ["6: 35=0|34=3"]);
  });

  it("4b: a TestRequest is answered with its TestReqID", () => {
    assert.deepEqual(loggedOn().receiveAll("35=1|34=2|112=HELLO"), ["35=0|34=2|112=HELLO"]);
  });

  it("6: silence earns a TestRequest, then the end; an answer starts over", () => {
    const rig = new Rig();
    rig.accept("35=A|34=1|98=0|108=3");
    assert.deepEqual(rig.advanceTo(4), ["3: 35=0|34=2", "3.6: 35=1|34=3|112=TEST"]);
    rig.receiveAll("35=0|34=2|112=TEST");
    assert.deepEqual(rig.advanceTo(20), ["6.6: 35=0|34=4", "7.6: 35=1|34=5|112=TEST"]);
    assert.equal(rig.session.closeReason, "silent after our TestRequest");
  });

  it("no interval depends on the wall clock, whatever it is set to", () => {
    for (const stepMs of [-100_000, 100_000]) {
      const rig = new Rig();
      rig.accept("35=A|34=1|98=0|108=3");
      rig.wallStepMs = stepMs;
      assert.deepEqual(rig.advanceTo(2.9), []);
      assert.deepEqual(rig.advanceTo(3), ["3: 35=0|34=2"]);
      rig.receiveAll("35=0|34=2");
      rig.wallStepMs = 0;
      assert.deepEqual(rig.advanceTo(6), ["6: 35=0|34=3"]);
      rig.wallStepMs = stepMs;
      assert.deepEqual(rig.advanceTo(6.6), ["6.6: 35=1|34=4|112=TEST"]);
      rig.wallStepMs = -stepMs;
      assert.deepEqual(rig.advanceTo(10.1), []);
      assert.equal(rig.session.closeReason, "");
      rig.advanceTo(10.2);
      assert.equal(rig.session.closeReason, "silent after our TestRequest");
    }
  });

  it("nor does the wait for answers to our Logon and our Logout, or for a resend", () => {
    for (const stepMs of [-100_000, 100_000]) {
      const initiator = new Rig({ role: "initiator" });
      initiator.start();
      initiator.wallStepMs = stepMs;
      initiator.advanceTo(9.9);
      assert.equal(initiator.session.closeReason, "");
      initiator.advanceTo(10);
      assert.equal(initiator.session.closeReason, "our Logon was not answered");

      const leaving = loggedOn();
      leaving.session.logout("");
      leaving.wallStepMs = stepMs;
      leaving.advanceTo(1.9);
      assert.equal(leaving.session.closeReason, "");
      leaving.advanceTo(2);
      assert.equal(leaving.session.closeReason, "our Logout was not answered");

      const missing = loggedOn();
      assert.deepEqual(missing.receiveAll("35=0|34=4"), ["35=2|34=2|7=2|16=0"]);
      missing.wallStepMs = stepMs;
      assert.deepEqual(missing.advanceTo(10), ["10: 35=2|34=3|7=2|16=0"]);
    }
  });

  it("messages carry the wall clock's time, and a resent one no later OrigSendingTime than its SendingTime", () => {
    const rig = loggedOn();
    rig.wallStepMs = 5000;
    rig.report("before");
    assert.match(asText(rig.takeBytes()), /\|52=20260105-08:00:05\.000\|/);
    rig.wallStepMs = -1000;
    rig.nowMs += 500;
    rig.driver.receive(rig.session, rig.parse("35=2|34=2|7=2|16=0"), rig.nowMs);
    const resent = asText(rig.takeBytes());
    assert.match(resent, /\|52=20260105-07:59:59\.500\|/);
    assert.match(resent, /\|122=20260105-07:59:59\.500\|/);
    rig.wallStepMs = 60_000;
    rig.driver.receive(rig.session, rig.parse("35=2|34=3|7=2|16=0"), rig.nowMs);
    assert.match(asText(rig.takeBytes()), /\|52=20260105-08:01:00\.500\|.*122=20260105-08:00:05\.000\|/);
  });

  it("6: HeartBtInt 0 means neither", () => {
    const rig = new Rig();
    rig.accept("35=A|34=1|98=0|108=0");
    assert.deepEqual(rig.advanceTo(100), []);
    assert.equal(rig.session.loggedOn, true);
  });
});
