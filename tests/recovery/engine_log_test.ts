/** The judge of engines' logs catches what it is there for. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { judgeEngineLog } from "./engine_log.ts";

const theirs = (fields: string) => `20260105-08:00:00: 8=FIX.4.4|9=1|49=PITWIRE|56=A1|${fields}10=000|`;
const ours = (fields: string) => `20260105-08:00:00: 8=FIX.4.4|9=1|49=A1|56=PITWIRE|${fields}10=000|`;
const SENT = "52=20260105-08:00:01.000|";

const GOOD = [
  ours(`35=A|34=7|${SENT}`),
  theirs(`35=A|34=5|${SENT}`),
  ours(`35=2|34=8|${SENT}7=3|16=0|`),
  theirs(`35=2|34=6|${SENT}7=6|16=0|`),
  ours(`35=D|34=6|43=Y|${SENT}122=20260105-08:00:00.000|11=a|`),
  theirs(`35=8|34=3|43=Y|${SENT}122=20260105-08:00:00.000|`),
  theirs(`35=4|34=4|43=Y|${SENT}122=20260105-08:00:01.000|123=Y|36=7|`),
  theirs(`35=8|34=7|97=Y|${SENT}`),
].map((line) => line.replaceAll("|", "\x01"));

/** What is wrong, and the line that shows it after the good ones. */
const BAD: readonly [string, string][] = [
  ["a number that goes back", theirs(`35=8|34=7|${SENT}`)],
  ["a resend without OrigSendingTime", theirs(`35=8|34=3|43=Y|${SENT}`)],
  ["OrigSendingTime after SendingTime", theirs(`35=8|34=3|43=Y|${SENT}122=20260105-08:00:01.001|`)],
  ["a Reject by the gateway", theirs(`35=3|34=8|${SENT}`)],
  ["a Reject by the engine", ours(`35=3|34=9|${SENT}`)],
  ["a Logout for a number too low", ours(`35=5|34=9|${SENT}58=MsgSeqNum too low, expecting 9 but got 3|`)],
];

describe("an engine's log", () => {
  it("that keeps the rules is counted", () => {
    assert.deepEqual(judgeEngineLog(GOOD, ["Received logon"], "A1"), {
      logons: 1,
      possDups: 1,
      possResends: 1,
      resentOrders: 1,
      resendRequests: 1,
      resendRequestsAnswered: 1,
    });
  });
  for (const [what, line] of BAD) {
    it(`is not good with ${what}`, () => {
      assert.throws(() => judgeEngineLog([...GOOD, line], [], "A1"), assert.AssertionError);
    });
  }
  it("is not good when the engine complains", () => {
    assert.throws(
      () => judgeEngineLog(GOOD, ["MsgSeqNum too low, expecting 9 but received 3"], "A1"),
      /the engine complains/,
    );
  });
});
