import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { FixMessage } from "../../../shared/codec/fix/mod.ts";
import { RecordedSession } from "../link/recorded_session.ts";
import { encode } from "../session/rig.ts";
import { echoSessions } from "./echo_acceptor.ts";
import { EchoApplication, MAX_REMEMBERED_IDS } from "./echo_application.ts";

const REST = "55=INTC|54=1|60=20260105-08:00:00|40=1";

function messageOf(text: string): FixMessage {
  const bytes = encode(text, "TW44", "ISLD", 0);
  const message = new FixMessage(16);
  message.parse(bytes, 0, bytes.length);
  return message;
}

/** Two sessions and an echo; `take` says what session 1 was sent. */
function setUp(startsOverAtLogon = false) {
  const echo = new EchoApplication(startsOverAtLogon);
  const [first, second] = echoSessions(["TW44", "TW45"]).map((config) => new RecordedSession(config));
  const take = (text: string, session = first) => {
    const refusal = echo.receive(session, messageOf(text));
    assert.equal(refusal, null);
    return session.sent.splice(0);
  };
  return { echo, first, second, take };
}

describe("EchoApplication", () => {
  it("returns order, security definition and email with their bodies byte for byte", () => {
    const { take } = setUp();
    assert.deepEqual(take("35=D|34=2|50=desk|40=1|11=a|38=0100.00"), ["D 40=1|11=a|38=0100.00|"]);
    assert.deepEqual(take("35=d|34=3|320=r|454=0"), ["d 320=r|454=0|"]);
    assert.deepEqual(take("35=C|34=4|164=t|95=3|96=a\x01b|33=0"), ["C 164=t|95=3|96=a|b|33=0|"]);
  });

  it("leaves the header's groups and the trailer out", () => {
    const { take } = setUp();
    assert.deepEqual(take("35=D|34=2|627=1|628=HOP|629=20260105-08:00:00|11=a|93=3|89=sig"), ["D 11=a|"]);
  });

  it("refuses every other type as unsupported", () => {
    const { echo, first } = setUp();
    for (const type of ["8", "F", "j", "V"]) {
      const refusal = echo.receive(first, messageOf(`35=${type}|34=2|11=a`));
      assert.deepEqual(refusal, { reason: 3, text: "Unsupported Message Type" });
    }
    assert.deepEqual(first.sent, []);
  });

  it("keeps quiet about an order with PossResend whose ClOrdID was seen in the session", () => {
    const { take, second } = setUp();
    assert.deepEqual(take(`35=D|34=2|11=a|${REST}`), [`D 11=a|${REST}|`]);
    assert.deepEqual(take(`35=D|34=3|97=Y|11=a|${REST}`), []);
    assert.deepEqual(take(`35=D|34=4|97=N|11=a|${REST}`), [`D 11=a|${REST}|`]);
    assert.deepEqual(take(`35=D|34=5|97=Y|11=b|${REST}`), [`D 11=b|${REST}|`]);
    assert.deepEqual(take(`35=D|34=6|97=Y|11=b|${REST}`), []);
    assert.deepEqual(take(`35=D|34=2|97=Y|11=a|${REST}`, second), [`D 11=a|${REST}|`]);
  });

  it("forgets ClOrdIDs at a Logon that begins a new session, and only then", () => {
    for (const startsOver of [false, true]) {
      const { echo, first, take } = setUp(startsOver);
      take(`35=D|34=2|11=a|${REST}`);
      echo.loggedOut();
      echo.loggedOn(first);
      assert.equal(take(`35=D|34=2|97=Y|11=a|${REST}`).length, startsOver ? 1 : 0);
    }
  });

  it("remembers a bounded number of ClOrdIDs, the newest", () => {
    const { take } = setUp();
    for (let i = 0; i <= MAX_REMEMBERED_IDS; i++) take(`35=D|34=2|11=${i}`);
    assert.deepEqual(take("35=D|34=2|97=Y|11=1"), []);
    assert.deepEqual(take("35=D|34=2|97=Y|11=0"), ["D 11=0|"]);
  });
});
