import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { loggedOn, Rig } from "./rig.ts";

/** The largest number, one more, the largest of 32 bits, one more, more than a double holds, more than that. */
const TOO_LARGE = ["2147483648", "4294967295", "4294967296", "9007199254740993", "99999999999999999999"];
const LARGEST = 2 ** 31 - 1;

describe("MsgSeqNum(34) and NewSeqNo(36) at their bounds", () => {
  for (const seq of TOO_LARGE) {
    it(`a message numbered ${seq} ends the session and reaches nobody`, () => {
      for (const type of ["D|11=id|21=1|38=100|40=1|54=1|55=INTC|60=<0>", "0", "1|112=A", "2|7=1|16=0"]) {
        const rig = loggedOn();
        const [msgType, ...fields] = type.split("|");
        const text = `Cannot accept MsgSeqNum(34): expected 1 to ${LARGEST}, got "${seq}"`;
        const sent = rig.receiveAll([`35=${msgType}`, `34=${seq}`, ...fields].join("|"));
        assert.deepEqual(sent, [`35=5|34=2|58=${text}`]);
        assert.equal(rig.session.closeReason, text);
        assert.deepEqual(rig.heard, ["logged on"]);
        assert.equal(rig.session.state.expectedSeq, 2);
      }
    });

    it(`a Logon numbered ${seq} is refused`, () => {
      const rig = new Rig();
      const expected = Number(seq) > Number.MAX_SAFE_INTEGER ? "a whole number" : `1 to ${LARGEST}`;
      const text = `Cannot accept MsgSeqNum(34): expected ${expected}, got "${seq}"`;
      assert.deepEqual(rig.accept(`35=A|34=${seq}|98=0|108=30`), [`35=5|34=1|58=${text}`]);
      assert.equal(rig.session.state.expectedSeq, 1);
    });

    it(`NewSeqNo ${seq} is rejected in either mode`, () => {
      for (const gapFill of ["N", "Y"]) {
        const rig = loggedOn();
        const [reject, ...more] = rig.receiveAll(`35=4|34=2|36=${seq}|123=${gapFill}`);
        assert.match(reject, /^35=3\|34=2\|45=2\|58=/);
        assert.deepEqual(more, []);
        assert.ok(rig.session.state.expectedSeq <= 3);
      }
    });
  }

  it("the largest number is taken, and nothing comes behind it but a reset", () => {
    const rig = loggedOn();
    rig.receiveAll(`35=4|34=2|36=${LARGEST}`);
    assert.equal(rig.session.state.expectedSeq, LARGEST);
    assert.deepEqual(rig.receiveAll(`35=D|34=${LARGEST}|11=id|21=1|38=100|40=1|54=1|55=INTC|60=<0>`), []);
    assert.deepEqual(rig.heard, ["logged on", `D ${LARGEST}`]);
    assert.deepEqual(rig.receiveAll("35=A|34=1|98=0|108=30|141=Y"), ["35=A|34=1|98=0|108=30|141=Y"]);
    assert.equal(rig.session.state.expectedSeq, 2);
  });
});
