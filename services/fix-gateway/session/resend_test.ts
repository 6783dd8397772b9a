import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { loggedOn, ORDER, Rig } from "./rig.ts";

describe("7, 8: Reject and ResendRequest", () => {
  it("7: a Reject consumes its number and is logged", () => {
    const rig = loggedOn();
    assert.deepEqual(rig.receiveAll("35=3|34=2|45=1", "35=1|34=3|112=x"), ["35=0|34=2|112=x"]);
    assert.deepEqual(rig.logged, ["warn peer rejected a message"]);
  });

  it("7: a faulty Reject is not rejected", () => {
    assert.deepEqual(loggedOn().receiveAll("35=3|34=2", "35=1|34=3|112=x"), ["35=0|34=2|112=x"]);
  });

  function withHistory(): Rig {
    const rig = loggedOn();
    rig.receiveAll("35=1|34=2|112=x", "35=1|34=3|112=x", "35=1|34=4|112=x");
    rig.nowMs += 5000;
    rig.report("five");
    rig.report("six", true);
    rig.receiveAll("35=1|34=5|112=x", "35=1|34=6|112=x");
    rig.report("nine");
    rig.nowMs += 5000;
    rig.sent();
    return rig;
  }
  const fill = (from: number, to: number) => `35=4|34=${from}|43=Y|122=<10>|36=${to}|123=Y`;
  const five = "35=8|34=5|43=Y|122=<5>|58=five";
  const six = "35=8|34=6|43=Y|97=Y|122=<5>|58=six";
  const nine = "35=8|34=9|43=Y|122=<5>|58=nine";
  const ranges: [number, number, string[]][] = [
    [2, 4, [fill(2, 5)]],
    [2, 6, [fill(2, 5), five, six]],
    [2, 8, [fill(2, 5), five, six, fill(7, 9)]],
    [2, 9, [fill(2, 5), five, six, fill(7, 9), nine]],
    [1, 0, [fill(1, 5), five, six, fill(7, 9), nine]],
    [5, 5, [five]],
    [6, 7, [six, fill(7, 8)]],
    [9, 999999, [nine]],
  ];
  for (const [from, to, expected] of ranges) {
    it(`8: ${from} to ${to}: application messages again, runs of others as one GapFill`, () => {
      assert.deepEqual(withHistory().receiveAll(`35=2|34=7|7=${from}|16=${to}`), expected);
    });
  }

  it("8: a message that carries a route back carries it again", () => {
    const rig = loggedOn({ refuse: () => ({ reason: 6, text: "no", refId: undefined }) });
    const [refused] = rig.receiveAll(`35=D|34=2|128=A|129=B|${ORDER}`);
    assert.equal(refused, "35=j|34=2|115=A|116=B|45=2|58=no|372=D|380=6");
    assert.deepEqual(rig.receiveAll("35=2|34=3|7=2|16=2"), [
      "35=j|34=2|43=Y|122=<0>|115=A|116=B|45=2|58=no|372=D|380=6",
    ]);
  });

  it("8: the next new number follows what was sent before the resend", () => {
    const rig = withHistory();
    rig.receiveAll("35=2|34=7|7=2|16=0");
    assert.deepEqual(rig.receiveAll("35=1|34=8|112=x"), ["35=0|34=10|112=x"]);
  });

  for (
    const [from, to, tag, text] of [
      [10, 0, 7, 'BeginSeqNo(7): expected 1 to 9, got "10"'],
      [0, 0, 7, 'BeginSeqNo(7): expected 1 to 9, got "0"'],
      [5, 4, 16, 'EndSeqNo(16): expected 0 or at least BeginSeqNo(7) 5, got "4"'],
    ]
  ) {
    it(`8: ${from} to ${to} is no range: Reject(373=5)`, () => {
      const sent = withHistory().receiveAll(`35=2|34=7|7=${from}|16=${to}`);
      assert.deepEqual(sent, [`35=3|34=10|45=7|58=Cannot accept ${text}|371=${tag}|372=2|373=5`]);
    });
  }

  it("8: the same range again and again is slowed down, then the peer is logged out", () => {
    const rig = loggedOn();
    const answers: number[] = [];
    for (let i = 0; i < 30 && rig.session.loggedOn; i++) {
      answers.push(rig.receiveAll(`35=2|34=${i + 2}|7=1|16=1`).length);
      answers[i] += rig.advanceTo((i + 1) * 1.5).filter((text) => text.includes("35=4")).length;
    }
    assert.deepEqual(answers, [...Array(21).fill(1), 1]);
    assert.equal(
      rig.session.closeReason,
      "Cannot resend from 1: asked for nothing new more than 20 times in a minute (maxResendRepeats)",
    );
  });

  it("what was sent while logged off is resent when the peer asks after its next Logon", () => {
    const rig = loggedOn();
    rig.receiveAll("35=5|34=2");
    rig.disconnect();
    rig.report("missed");
    assert.deepEqual(rig.accept("35=A|34=3|98=0|108=30"), ["35=A|34=4|98=0|108=30"]);
    assert.deepEqual(rig.receiveAll("35=2|34=4|7=3|16=0"), [
      "35=8|34=3|43=Y|122=<0>|58=missed",
      "35=4|34=4|43=Y|122=<0>|36=5|123=Y",
    ]);
  });
});
