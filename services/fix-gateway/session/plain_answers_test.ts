import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FIX44, SessionRejectReason } from "../../../shared/codec/fix/mod.ts";
import { plainText } from "./plain_texts.ts";
import { loggedOn } from "./rig.ts";

describe("plain answers", () => {
  it("give FIX's description of the reason, and no more", () => {
    const rig = loggedOn({ plainAnswers: true });
    assert.deepEqual(rig.receiveAll("35=0|34=2|999=x", "35=0|34=3|55=INTC"), [
      "35=3|34=2|45=2|58=Invalid tag number|371=999|372=0|373=0",
      "35=3|34=3|45=3|58=Tag not defined for this message type|371=55|372=0|373=2",
    ]);
  });

  it("say nothing in the Logout behind a Reject", () => {
    const rig = loggedOn({ plainAnswers: true });
    assert.deepEqual(rig.receiveAll("35=0|34=2|49=OTHER"), [
      "35=3|34=2|45=2|58=CompID problem|372=0|373=9",
      "35=5|34=3",
    ]);
  });

  it("serve a ResendRequest whose number is too low, which consumes nothing", () => {
    const rig = loggedOn({ plainAnswers: true });
    assert.deepEqual(rig.receiveAll("35=0|34=2", "35=2|34=2|7=1|16=0", "35=1|34=3|112=x"), [
      "35=4|34=1|43=Y|122=<0>|36=2|123=Y",
      "35=0|34=2|112=x",
    ]);
    assert.deepEqual(rig.receiveAll("35=0|34=2"), [
      "35=5|34=3|58=MsgSeqNum too low, expecting 4 but received 2",
    ]);
  });

  it("have a description for every reason that FIX 4.4 has", () => {
    const reasons = [...FIX44.fields.get(373)!.values!.keys()].map(Number);
    assert.deepEqual([...reasons].sort(), Object.values(SessionRejectReason).map(Number).sort());
    assert.equal(new Set(reasons.map(plainText)).size, reasons.length);
    assert.equal(plainText(12345), "Other");
  });
});
