import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { loggedOn, Rig } from "./rig.ts";

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

  it("6: HeartBtInt 0 means neither", () => {
    const rig = new Rig();
    rig.accept("35=A|34=1|98=0|108=0");
    assert.deepEqual(rig.advanceTo(100), []);
    assert.equal(rig.session.loggedOn, true);
  });
});
