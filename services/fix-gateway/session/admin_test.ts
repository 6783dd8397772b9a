import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { loggedOn, ORDER } from "./rig.ts";

describe("10, 11: SequenceReset", () => {
  it("10: GapFill with the expected number advances to NewSeqNo", () => {
    const sent = loggedOn().receiveAll("35=4|34=2|36=20|123=Y", "35=1|34=20|112=x");
    assert.deepEqual(sent, ["35=0|34=2|112=x"]);
  });

  it("10: GapFill with a greater number is a gap", () => {
    const rig = loggedOn();
    assert.deepEqual(rig.receiveAll("35=4|34=10|36=20|123=Y", "35=1|34=20|112=x"), ["35=2|34=2|7=2|16=0"]);
    assert.deepEqual(rig.receiveAll("35=5|34=2"), ["35=5|34=3"]);
  });

  it("10: GapFill with a lesser number: PossDup is ignored, else Logout", () => {
    const rig = loggedOn();
    const sent = rig.receiveAll(
      "35=4|34=1|43=Y|122=<-1>|36=20|123=Y",
      "35=1|34=2|112=x",
      "35=4|34=1|36=20|123=Y",
    );
    assert.deepEqual(sent, ["35=0|34=2|112=x", "35=5|34=3|58=MsgSeqNum too low, expecting 3 but received 1"]);
  });

  it("10: GapFill that does not go forward: Reject(373=5), number consumed", () => {
    const text = 'Cannot accept NewSeqNo(36): expected more than MsgSeqNum(34) 2, got "2"';
    assert.deepEqual(loggedOn().receiveAll("35=4|34=2|36=2|123=Y", "35=1|34=3|112=x"), [
      `35=3|34=2|45=2|58=${text}|371=36|372=4|373=5`,
      "35=0|34=3|112=x",
    ]);
  });

  for (const flag of ["", "|123=N"]) {
    it(`11: Reset${flag} to a greater number advances, whatever the message's number`, () => {
      const sent = loggedOn().receiveAll(`35=4|34=0|36=25${flag}`, "35=1|34=25|112=x");
      assert.deepEqual(sent, ["35=0|34=2|112=x"]);
    });
    it(`11: Reset${flag} to the expected number is accepted`, () => {
      assert.deepEqual(loggedOn().receiveAll(`35=4|34=0|36=2${flag}`, "35=1|34=2|112=x"), [
        "35=0|34=2|112=x",
      ]);
    });
    it(`11: Reset${flag} to a lesser number: Reject(373=5), nothing consumed`, () => {
      const text = 'Cannot accept NewSeqNo(36): expected at least 2, got "1"';
      assert.deepEqual(loggedOn().receiveAll(`35=4|34=0|36=1${flag}`, "35=1|34=2|112=x"), [
        `35=3|34=2|45=0|58=${text}|372=4|373=5`,
        "35=0|34=3|112=x",
      ]);
    });
  }

  it("11: Reset closes a gap and drops what was queued below it", () => {
    const rig = loggedOn();
    rig.receiveAll("35=0|34=5", "35=4|34=99|36=9");
    assert.deepEqual(rig.receiveAll("35=1|34=9|112=x"), ["35=0|34=3|112=x"]);
  });
});

describe("13: Logout", () => {
  it("13: unsolicited: answered, then closed", () => {
    const rig = loggedOn();
    assert.deepEqual(rig.receiveAll("35=5|34=2|58=bye"), ["35=5|34=2"]);
    assert.equal(rig.session.closeReason, 'the peer logged out: "bye"');
  });

  it("13: ours: closed when it is answered", () => {
    const rig = loggedOn();
    rig.session.logout("the venue closes");
    assert.deepEqual(rig.sent(), ["35=5|34=2|58=the venue closes"]);
    assert.deepEqual(rig.receiveAll("35=5|34=2"), []);
    assert.equal(rig.session.closeReason, "logged out");
  });

  it("13: ours: closed after a limit when it is not answered", () => {
    const rig = loggedOn();
    rig.session.logout("");
    assert.deepEqual(rig.sent(), ["35=5|34=2"]);
    assert.deepEqual(rig.advanceTo(2), []);
    assert.equal(rig.session.closeReason, "our Logout was not answered");
  });

  it("13: after ours, application messages are stored, resends are still answered", () => {
    const rig = loggedOn();
    rig.report("one");
    rig.sent();
    rig.session.logout("");
    rig.report("two");
    assert.deepEqual(rig.receiveAll(`35=D|34=2|${ORDER}`, "35=2|34=3|7=2|16=2"), [
      "35=5|34=3",
      "35=8|34=2|43=Y|122=<0>|58=one",
    ]);
    assert.deepEqual(rig.heard, ["logged on"]);
    rig.receiveAll("35=5|34=4");
    rig.disconnect();
    assert.deepEqual(rig.accept("35=A|34=5|98=0|108=30"), ["35=A|34=5|98=0|108=30", "35=2|34=6|7=2|16=0"]);
  });
});
