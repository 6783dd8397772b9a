import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { loggedOn, LOGON_REPLY, ORDER, Rig } from "./rig.ts";

describe("1, 1a, 1d: Logon", () => {
  it("1: the expected number is answered with the same HeartBtInt", () => {
    const rig = new Rig();
    assert.deepEqual(rig.accept("35=A|34=1|98=0|108=17"), ["35=A|34=1|98=0|108=17"]);
    assert.deepEqual(rig.heard, ["logged on"]);
    assert.equal(rig.session.loggedOn, true);
  });

  it("1a: a number too high is answered, then asked for from the expected number", () => {
    const rig = new Rig();
    assert.deepEqual(rig.accept("35=A|34=5|98=0|108=30"), [LOGON_REPLY, "35=2|34=2|7=1|16=0"]);
    assert.deepEqual(rig.receiveAll("35=5|34=6"), ["35=5|34=3"]);
    assert.equal(rig.session.closeReason, "the peer logged out");
  });

  it("1a: the gap before the Logon filled, the Logon's own number counts as received", () => {
    const rig = new Rig();
    rig.accept("35=A|34=5|98=0|108=30");
    const sent = rig.receiveAll("35=4|34=1|43=Y|122=<0>|36=6|123=Y", "35=1|34=6|112=a");
    assert.deepEqual(sent, ["35=0|34=3|112=a"]);
  });

  it("1a: the Logon's own number needs no filling", () => {
    const rig = new Rig();
    rig.accept("35=A|34=5|98=0|108=30");
    const sent = rig.receiveAll("35=4|34=1|43=Y|122=<0>|36=5|123=Y", "35=1|34=6|112=a");
    assert.deepEqual(sent, ["35=0|34=3|112=a"]);
  });

  const refused: [string, string, string][] = [
    [
      "HeartBtInt out of range",
      "35=A|34=1|98=0|108=301",
      'Cannot accept HeartBtInt(108): expected 0 to 300, got "301"',
    ],
    [
      "a negative HeartBtInt",
      "35=A|34=1|98=0|108=-1",
      'Cannot accept HeartBtInt(108): expected 0 to 300, got "-1"',
    ],
    ["encryption", "35=A|34=1|98=1|108=30", 'Cannot accept EncryptMethod(98): expected 0, got "1"'],
    [
      "a reset that does not start at 1",
      "35=A|34=2|98=0|108=30|141=Y",
      "Cannot accept ResetSeqNumFlag(141)=Y: expected MsgSeqNum(34) 1, got 2",
    ],
    ["a missing HeartBtInt", "35=A|34=1|98=0", "Cannot accept HeartBtInt(108) is missing"],
    [
      "789 beyond what was sent",
      "35=A|34=1|98=0|108=30|789=2",
      "Cannot accept NextExpectedMsgSeqNum(789): expected at most 1, got 2",
    ],
  ];
  it("1: one that a keeper found to be without numbers earns a Logout that says so, until it finds otherwise", () => {
    const rig = new Rig();
    rig.session.state.logonRefusal = "the numbers are lost";
    assert.deepEqual(rig.accept("35=A|34=7|98=0|108=30"), ["35=5|34=1|58=the numbers are lost"]);
    assert.deepEqual([rig.heard, rig.session.loggedOn], [[], false]);
    rig.session.state.logonRefusal = null;
    assert.deepEqual(rig.accept("35=A|34=1|98=0|108=30|141=Y"), ["35=A|34=1|98=0|108=30|141=Y"]);
  });

  for (const [what, logon, text] of refused) {
    it(`1: ${what} earns a Logout that says so`, () => {
      const rig = new Rig();
      assert.deepEqual(rig.accept(logon), [`35=5|34=1|58=${text}`]);
      assert.equal(rig.session.closeReason, text);
      assert.deepEqual(rig.heard, []);
    });
  }

  it("1, 2c: a Logon with a number too low is told the expected one", () => {
    const rig = loggedOn();
    rig.receiveAll("35=0|34=2");
    rig.disconnect();
    const text = "MsgSeqNum too low, expecting 3 but received 1";
    assert.deepEqual(rig.accept(), [`35=5|34=2|58=${text}`]);
    assert.deepEqual(rig.heard, ["logged on", "logged out"]);
  });

  it("141=Y before a session: both numbers start at 1 and nothing stored is owed", () => {
    const rig = loggedOn();
    rig.report("one");
    rig.receiveAll("35=0|34=2");
    rig.disconnect();
    assert.deepEqual(rig.accept("35=A|34=1|98=0|108=30|141=Y"), ["35=A|34=1|98=0|108=30|141=Y"]);
    assert.deepEqual(rig.receiveAll("35=2|34=2|7=1|16=0"), ["35=4|34=1|43=Y|122=<0>|36=2|123=Y"]);
  });

  it("141=Y within a session: both numbers start at 1 again", () => {
    const rig = loggedOn();
    rig.receiveAll("35=0|34=2", "35=1|34=3|112=x");
    assert.deepEqual(rig.receiveAll("35=A|34=1|98=0|108=30|141=Y", "35=1|34=2|112=1"), [
      "35=A|34=1|98=0|108=30|141=Y",
      "35=0|34=2|112=1",
    ]);
  });

  it("141=Y within a session: what was kept under old numbers is forgotten", () => {
    const rig = loggedOn();
    rig.receiveAll(`35=D|34=4|${ORDER}`, "35=A|34=1|98=0|108=30|141=Y", "35=0|34=2", "35=0|34=3");
    assert.deepEqual(rig.receiveAll("35=1|34=4|112=x"), ["35=0|34=2|112=x"]);
    assert.deepEqual(rig.heard, ["logged on"]);
  });

  it("a session that resets on each Logon starts at 1 without 141", () => {
    const rig = new Rig({ resetOnLogon: true });
    rig.accept();
    rig.receiveAll("35=0|34=2");
    rig.disconnect();
    assert.deepEqual(rig.accept(), [LOGON_REPLY]);
  });

  it("789: what the peer misses is resent unasked, and it is told what we miss", () => {
    const rig = loggedOn();
    rig.report("a");
    rig.report("b");
    rig.disconnect();
    assert.deepEqual(rig.accept("35=A|34=4|98=0|108=30|789=3"), [
      "35=A|34=4|98=0|108=30|789=2",
      "35=8|34=3|43=Y|122=<0>|58=b",
    ]);
    assert.deepEqual(rig.receiveAll("35=4|34=2|43=Y|122=<0>|36=5|123=Y", "35=1|34=5|112=x"), [
      "35=0|34=5|112=x",
    ]);
  });

  it("a second Logon without reset on a session that is logged on ends it", () => {
    const text = "Cannot accept MsgType(35) A: logged on already";
    assert.deepEqual(loggedOn().receiveAll("35=A|34=2|98=0|108=30"), [`35=5|34=2|58=${text}`]);
  });
});

describe("initiator", () => {
  it("says who it is and waits for the answer", () => {
    const rig = new Rig({ role: "initiator" });
    assert.deepEqual(rig.start(30, true), ["35=A|34=1|98=0|108=30|141=Y|553=user|554=secret"]);
    assert.equal(rig.session.loggedOn, false);
    assert.deepEqual(rig.receiveAll("35=A|34=1|98=0|108=30|141=Y"), []);
    assert.deepEqual(rig.heard, ["logged on"]);
  });

  it("gives up when its Logon is not answered, or not by a Logon", () => {
    const silent = new Rig({ role: "initiator" });
    silent.start();
    silent.advanceTo(10);
    assert.equal(silent.session.closeReason, "our Logon was not answered");
    const refused = new Rig({ role: "initiator" });
    refused.start();
    assert.deepEqual(refused.receiveAll("35=5|34=1|58=not today"), []);
    assert.equal(
      refused.session.closeReason,
      'the peer answered our Logon with MsgType(35) "5": "not today"',
    );
  });

  it("asks for what it missed while away", () => {
    const rig = new Rig({ role: "initiator" });
    rig.start();
    assert.deepEqual(rig.receiveAll("35=A|34=4|98=0|108=30"), ["35=2|34=2|7=1|16=0"]);
    rig.receiveAll(
      "35=8|34=1|43=Y|122=<0>|37=1|17=1|150=0|39=0|55=I|54=1|151=1|14=0|6=0",
      "35=4|34=2|43=Y|122=<0>|36=5|123=Y",
    );
    assert.deepEqual(rig.heard, ["logged on", "8 1"]);
    assert.equal(rig.session.state.expectedSeq, 5);
  });
});
