import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { loggedOn, ORDER, Rig } from "./rig.ts";

describe("2: receiving", () => {
  it("2a: messages in sequence reach the application once each", () => {
    const rig = loggedOn();
    assert.deepEqual(rig.receiveAll(`35=D|34=2|${ORDER}`, `35=D|34=3|${ORDER}`), []);
    assert.deepEqual(rig.heard, ["logged on", "D 2", "D 3"]);
  });

  it("2b: a number too high: one ResendRequest, the rest queued and processed in order", () => {
    const rig = loggedOn();
    const sent = rig.receiveAll(`35=D|34=4|${ORDER}`, "35=1|34=5|112=x", `35=D|34=6|${ORDER}`);
    assert.deepEqual(sent, ["35=2|34=2|7=2|16=0"]);
    assert.deepEqual(rig.heard, ["logged on"]);
    const after = rig.receiveAll(`35=D|34=2|43=Y|122=<0>|${ORDER}`, `35=D|34=3|43=Y|122=<0>|${ORDER}`);
    assert.deepEqual(after, ["35=0|34=3|112=x"]);
    assert.deepEqual(rig.heard, ["logged on", "D 2", "D 3", "D 4", "D 6"]);
  });

  it("2b: resent copies of what was queued are ignored", () => {
    const rig = loggedOn();
    rig.receiveAll(
      `35=D|34=3|${ORDER}`,
      `35=D|34=2|43=Y|122=<0>|${ORDER}`,
      `35=D|34=3|43=Y|122=<0>|${ORDER}`,
    );
    assert.deepEqual(rig.heard, ["logged on", "D 2", "D 3"]);
  });

  it("2b: the queue is bounded; what did not fit is asked for again", () => {
    const rig = loggedOn({ limits: { maxQueuedMessages: 2 } });
    rig.receiveAll("35=0|34=3", "35=0|34=4", "35=0|34=5", "35=0|34=6");
    assert.deepEqual(rig.receiveAll("35=0|34=2|43=Y|122=<0>"), ["35=2|34=3|7=5|16=0"]);
    assert.deepEqual(rig.receiveAll("35=0|34=7", "35=0|34=8"), []);
    assert.deepEqual(rig.receiveAll("35=4|34=5|43=Y|122=<0>|36=7|123=Y", "35=1|34=9|112=x"), [
      "35=0|34=4|112=x",
    ]);
  });

  it("2b: what did not fit is asked for also when nothing comes behind it, until it is there", () => {
    const rig = loggedOn({ limits: { maxQueuedMessages: 1 } });
    assert.deepEqual(rig.receiveAll("35=0|34=3", "35=0|34=4", "35=0|34=6", "35=0|34=5"), [
      "35=2|34=2|7=2|16=0",
    ]);
    assert.deepEqual(rig.receiveAll("35=0|34=2|43=Y|122=<0>"), ["35=2|34=3|7=4|16=0"]);
    const resent = ["35=0|34=4|43=Y|122=<0>", "35=0|34=5|43=Y|122=<0>"];
    assert.deepEqual(rig.receiveAll(...resent, "35=0|34=7", "35=0|34=8"), []);
    assert.deepEqual(rig.receiveAll("35=0|34=6|43=Y|122=<0>"), ["35=2|34=4|7=8|16=0"]);
    assert.deepEqual(rig.receiveAll("35=0|34=8|43=Y|122=<0>", "35=1|34=9|112=x"), ["35=0|34=5|112=x"]);
  });

  it("2b: a gap is closed also when the message that showed it was not kept", () => {
    const rig = loggedOn({ limits: { maxQueuedMessages: 0 } });
    assert.deepEqual(rig.receiveAll("35=0|34=3", "35=0|34=2|43=Y|122=<0>"), [
      "35=2|34=2|7=2|16=0",
      "35=2|34=3|7=3|16=0",
    ]);
    const resent = ["35=0|34=3|43=Y|122=<0>", "35=0|34=3|43=Y|122=<0>"];
    assert.deepEqual(rig.receiveAll(...resent, "35=1|34=4|112=x"), ["35=0|34=4|112=x"]);
  });

  it("2b: a message of too many fields fills its gap, too: what waited follows, and nothing more is asked for", () => {
    const rig = loggedOn();
    assert.deepEqual(rig.receiveAll("35=1|34=3|112=three"), ["35=2|34=2|7=2|16=0"]);
    rig.driver.oversized(rig.session, rig.parse(`35=D|34=2|43=Y|122=<0>|${ORDER}`), 10, rig.nowMs);
    const [reject, ...rest] = rig.sent();
    assert.match(reject, /^35=3\|34=3\|45=2\|/);
    assert.deepEqual(rest, ["35=0|34=4|112=three"]);
    assert.deepEqual(rig.receiveAll("35=1|34=4|112=four"), ["35=0|34=5|112=four"]);
  });

  it("2b: a second gap behind the first is asked for once the first is filled", () => {
    const rig = loggedOn();
    assert.deepEqual(rig.receiveAll("35=0|34=4", "35=0|34=7"), ["35=2|34=2|7=2|16=0"]);
    assert.deepEqual(rig.receiveAll("35=4|34=2|43=Y|122=<0>|36=4|123=Y"), ["35=2|34=3|7=5|16=0"]);
    assert.deepEqual(rig.receiveAll("35=4|34=5|43=Y|122=<0>|36=7|123=Y", "35=1|34=8|112=x"), [
      "35=0|34=4|112=x",
    ]);
  });

  it("2b: a request that brings nothing is repeated after 10 s, thrice in all, then the peer is logged out", () => {
    const rig = loggedOn();
    rig.accept("35=A|34=2|98=0|108=0");
    assert.deepEqual(rig.receiveAll("35=0|34=9"), ["35=2|34=3|7=3|16=0"]);
    assert.deepEqual(rig.advanceTo(60), [
      "10: 35=2|34=4|7=3|16=0",
      "20: 35=2|34=5|7=3|16=0",
      "30: 35=5|34=6|58=Cannot continue: messages from 3 on were not resent",
    ]);
  });

  it("2c: a number too low without PossDup: Logout naming both, disconnect", () => {
    const rig = loggedOn();
    const text = "MsgSeqNum too low, expecting 3 but received 2";
    assert.deepEqual(rig.receiveAll("35=0|34=2", "35=0|34=2"), [`35=5|34=2|58=${text}`]);
    assert.equal(rig.session.closeReason, text);
  });

  it("2e: PossDup already processed is ignored, not yet processed is processed", () => {
    const rig = loggedOn();
    const dup = `43=Y|122=<0>|${ORDER}`;
    assert.deepEqual(rig.receiveAll(`35=D|34=2|${ORDER}`, `35=D|34=2|${dup}`, `35=D|34=3|${dup}`), []);
    assert.deepEqual(rig.heard, ["logged on", "D 2", "D 3"]);
  });

  for (const [seq, what] of [[2, "already processed"], [3, "in sequence"]] as const) {
    it(`2f: OrigSendingTime later than SendingTime, ${what}: Reject and Logout`, () => {
      const rig = loggedOn();
      rig.receiveAll("35=0|34=2");
      const sent = rig.receiveAll(`35=D|34=${seq}|43=Y|122=20260105-08:00:10.000|${ORDER}`);
      const text =
        'Cannot accept OrigSendingTime(122): expected at most SendingTime(52), got "20260105-08:00:10.000"';
      assert.deepEqual(sent, [`35=3|34=2|45=${seq}|58=${text}|372=D|373=10`, `35=5|34=3|58=${text}`]);
      assert.deepEqual(rig.receiveAll("35=5|34=4"), []);
      assert.equal(rig.session.closeReason, "logged out");
      assert.deepEqual(rig.heard, ["logged on"]);
    });
  }

  it("2g: PossDup without OrigSendingTime: Reject; only the expected number is consumed", () => {
    const rig = loggedOn();
    rig.receiveAll("35=0|34=2");
    const text = "58=Cannot accept PossDupFlag(43)=Y: OrigSendingTime(122) is missing";
    assert.deepEqual(
      rig.receiveAll(`35=D|34=2|43=Y|${ORDER}`, `35=D|34=3|43=Y|${ORDER}`, "35=1|34=4|112=x"),
      [
        `35=3|34=2|45=2|${text}|371=122|372=D|373=1`,
        `35=3|34=3|45=3|${text}|371=122|372=D|373=1`,
        "35=0|34=4|112=x",
      ],
    );
  });

  it("2i: another BeginString: Logout, and disconnect when it is answered", () => {
    const rig = loggedOn();
    assert.deepEqual(rig.receiveAll("8=FIX.4.1|35=1|34=2|112=x"), ["35=5|34=2|58=Incorrect BeginString"]);
    assert.equal(rig.session.closeReason, "");
    rig.receiveAll("35=5|34=3");
    assert.equal(rig.session.closeReason, "logged out");
  });

  it("2i: another BeginString: disconnect also when the Logout is not answered", () => {
    const rig = loggedOn();
    rig.receiveAll("8=FIX.4.1|35=1|34=2|112=x");
    rig.advanceTo(1.9);
    assert.equal(rig.session.closeReason, "");
    rig.advanceTo(2);
    assert.equal(rig.session.closeReason, "our Logout was not answered");
  });

  for (const [field, name] of [["49=WT", "SenderCompID(49)"], ["56=WT", "TargetCompID(56)"]]) {
    it(`2k: another ${name}: Reject and Logout`, () => {
      const rig = loggedOn();
      const text = `Cannot accept ${name}: expected that of the Logon, got "WT"`;
      assert.deepEqual(rig.receiveAll(`35=D|34=2|${field}|${ORDER}`), [
        `35=3|34=2|45=2|58=${text}|372=D|373=9`,
        `35=5|34=3|58=${text}`,
      ]);
      assert.deepEqual(rig.heard, ["logged on"]);
    });
  }

  for (const [seconds, shown] of [[-121, "07:57:59"], [121, "08:02:01"]] as const) {
    it(`2o: SendingTime ${seconds} s off: Reject and Logout`, () => {
      const rig = loggedOn();
      const text =
        `Cannot accept SendingTime(52): expected within 120 s of our clock, got "20260105-${shown}.000"`;
      assert.deepEqual(rig.receiveAll(`35=0|34=2|52=<${seconds}>`), [
        `35=3|34=2|45=2|58=${text}|372=0|373=10`,
        `35=5|34=3|58=${text}`,
      ]);
    });
  }

  it("2o: SendingTime exactly at the limit is accepted", () => {
    assert.deepEqual(loggedOn().receiveAll("35=1|34=2|52=<-120>|112=x"), ["35=0|34=2|112=x"]);
  });

  it("2q: a MsgType that FIX does not have: Reject(373=11)", () => {
    const text = 'Cannot accept MsgType(35): "*" is unknown';
    const sent = loggedOn().receiveAll("35=*|34=2", "35=1|34=3|112=x");
    assert.deepEqual(sent, [`35=3|34=2|45=2|58=${text}|372=*|373=11`, "35=0|34=3|112=x"]);
  });

  it("2r: a MsgType that the application does not take: BusinessMessageReject(380=3)", () => {
    const rig = loggedOn({ refuse: () => ({ reason: 3, text: "Cannot take MsgType(35) E", refId: "list" }) });
    const sent = rig.receiveAll("35=8|34=2|37=id|17=id|150=0|39=0|55=WLRI|54=1|151=100|14=0|6=0.0");
    assert.deepEqual(sent, ["35=j|34=2|45=2|58=Cannot take MsgType(35) E|372=8|379=list|380=3"]);
  });

  it("a MsgSeqNum that is no number ends the session", () => {
    const text = 'Cannot accept MsgSeqNum(34): expected 1 to 2147483647, got "two"';
    assert.deepEqual(loggedOn().receiveAll("35=0|34=two"), [`35=5|34=2|58=${text}`]);
  });
});

describe("14, 15, 19, 20, 21 and the rest of the table", () => {
  it("14b: a header without TargetCompID, a body without Symbol: Reject, numbers consumed", () => {
    assert.deepEqual(loggedOn().receiveAll("35=0|34=2|56=-", `35=D|34=3|11=a|21=1|40=1|54=1|60=<0>`), [
      "35=3|34=2|45=2|58=Cannot accept TargetCompID(56) is missing|371=56|372=0|373=1",
      "35=3|34=3|45=3|58=Cannot accept Symbol(55) is missing|371=55|372=D|373=1",
    ]);
  });

  it("15: fields in another order are accepted", () => {
    const rig = loggedOn();
    rig.receiveAll("35=D|56=EXCH|34=2|52=<0>|49=TW|60=<0>|55=INTC|54=1|40=1|38=100|21=1|11=id");
    assert.deepEqual(rig.heard, ["logged on", "D 2"]);
  });

  it("19: PossResend reaches the application under its new number", () => {
    const rig = loggedOn();
    rig.receiveAll(`35=D|34=2|${ORDER}`, `35=D|34=3|97=Y|${ORDER}`);
    assert.deepEqual(rig.heard, ["logged on", "D 2", "D 3"]);
  });

  it("20: both sides ask at once: both are answered, without a loop", () => {
    const rig = loggedOn();
    rig.report("two");
    rig.report("three");
    rig.sent();
    assert.deepEqual(rig.receiveAll("35=0|34=7"), ["35=2|34=4|7=2|16=0"]);
    assert.deepEqual(rig.receiveAll("35=2|34=8|7=2|16=3"), [
      "35=8|34=2|43=Y|122=<0>|58=two",
      "35=8|34=3|43=Y|122=<0>|58=three",
    ]);
    const dup = "43=Y|122=<0>";
    assert.deepEqual(
      rig.receiveAll(`35=4|34=2|${dup}|36=7|123=Y`, `35=0|34=7|${dup}`, `35=2|34=8|${dup}|7=2|16=3`),
      [],
    );
    assert.deepEqual(rig.receiveAll("35=1|34=9|112=x", "35=5|34=7"), ["35=0|34=5|112=x", "35=5|34=6"]);
  });

  const routes: [string, string][] = [
    ["115=A", "128=A"],
    ["128=A", "115=A"],
    ["115=A|116=B|144=C", "128=A|129=B|145=C"],
    ["128=A|129=B|145=C", "115=A|116=B|144=C"],
  ];
  for (const [there, back] of routes) {
    it(`routing tags ${there} come back as ${back} in a Reject`, () => {
      const sent = loggedOn().receiveAll(`35=D|34=2|${there}|11=a|21=1|40=w|54=1|55=I|60=<0>`);
      const text = 'Cannot accept OrdType(40): "w" is not one of its values';
      assert.deepEqual(sent, [`35=3|34=2|${back}|45=2|58=${text}|371=40|372=D|373=5`]);
    });
  }

  it("empty routing tags are not reversed", () => {
    const sent = loggedOn().receiveAll(`35=D|34=2|115=A|116=|${ORDER}`);
    const text = "Cannot accept OnBehalfOfSubID(116) has no value";
    assert.deepEqual(sent, [`35=3|34=2|128=A|45=2|58=${text}|371=116|372=D|373=4`]);
  });

  it("a resent message can be rejected, and the kept ones follow in order", () => {
    const rig = loggedOn();
    assert.deepEqual(rig.receiveAll("35=1|34=3|112=HELLO1"), ["35=2|34=2|7=2|16=0"]);
    const sent = rig.receiveAll(
      `35=D|34=2|43=Y|122=<0>|${ORDER}|126=20040415`,
      "35=1|34=4|112=HELLO2",
      "35=5|34=11",
    );
    const text =
      'Cannot accept ExpireTime(126): expected YYYYMMDD-HH:MM:SS or YYYYMMDD-HH:MM:SS.sss, got "20040415"';
    assert.deepEqual(sent, [
      `35=3|34=3|45=2|58=${text}|371=126|372=D|373=6`,
      "35=0|34=4|112=HELLO1",
      "35=0|34=5|112=HELLO2",
      "35=5|34=6",
    ]);
  });

  it("369: every message says what was processed last, when the session is set so", () => {
    const rig = new Rig({ lastMsgSeqNumProcessed: true });
    rig.accept();
    assert.deepEqual(rig.receiveAll("35=1|34=2|112=x"), ["35=0|34=2|369=2|112=x"]);
  });
});
