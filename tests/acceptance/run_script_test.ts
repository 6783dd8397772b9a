/** The runner can fail, says where, and shows both messages. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { parseScript } from "./language.ts";
import { runScript } from "./run_script.ts";
import { echoSettings } from "./settings.ts";
import { VirtualTarget } from "./virtual_target.ts";

const LOGON = "connect\nsend 35=A|34=1|98=0|108=30\nexpect 35=A|34=1|98=0|108=30\n";

/** Runs a script behind a Logon (lines 1 to 3); the failure's text, or "" when there is none. */
async function failureOf(rest: string, settings: Record<string, string> = {}): Promise<string> {
  const target = new VirtualTarget(echoSettings(new Map(Object.entries(settings))));
  try {
    await runScript(parseScript(LOGON + rest), "test.fix", target);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("the acceptance runner", () => {
  it("shows expected and received fields side by side, and what went before", async () => {
    const text = await failureOf("send 35=1|34=2|112=x\nexpect 35=0|34=3|112=x|58=y");
    assert.equal(
      text,
      `test.fix:5: the message is another one
                      expected  got
    BeginString(8)    FIX.4.4   FIX.4.4
    SenderCompID(49)  ISLD      ISLD
    SendingTime(52)   <0>       20260105-08:00:00.000
    TargetCompID(56)  TW44      TW44
    MsgType(35)       0         0
  ! MsgSeqNum(34)     3         2
    TestReqID(112)    x         x
  ! Text(58)          y         –
  before:
  line 1: connect
  line 2: sent 8=FIX.4.4|9=63|35=A|34=1|49=TW44|52=20260105-08:00:00.000|56=ISLD|98=0|108=30|10=038|
  line 3: got  8=FIX.4.4|9=63|35=A|34=1|49=ISLD|52=20260105-08:00:00.000|56=TW44|98=0|108=30|10=038|
  line 4: sent 8=FIX.4.4|9=57|35=1|34=2|49=TW44|52=20260105-08:00:00.000|56=ISLD|112=x|10=075|
  line 5: got  8=FIX.4.4|9=57|35=0|34=2|49=ISLD|52=20260105-08:00:00.000|56=TW44|112=x|10=074|`,
    );
  });

  const failures: readonly [what: string, script: string, text: RegExp][] = [
    ["a field too much", "send 35=1|34=2|112=x\nexpect 35=0|34=2", / ! TestReqID\(112\) +– +x\n/],
    [
      "another CompID",
      "send 35=1|34=2|112=x\nexpect 35=0|34=2|49=US|112=x",
      / ! SenderCompID\(49\) +US +ISLD\n/,
    ],
    ["another time", "send 35=1|34=2|112=x\nexpect 35=0|34=2|52=<-60>|112=x", / ! SendingTime\(52\) +<-60> /],
    [
      "silence",
      "expect within 2s 35=0|34=2",
      /^test\.fix:4: expected 35=0\|34=2 within 2000 ms, got nothing\n/,
    ],
    ["no end", "expect within 1s disconnect", /^test\.fix:4: expected disconnect, got nothing\n/],
    [
      "a message too early",
      "wait 40s",
      /^test\.fix:4: expected nothing for 40000 ms, got 8=FIX.4.4\|9=51\|35=0\|/,
    ],
    [
      "an end too early",
      "send 35=5|34=2\nexpect 35=5|34=2\nexpect 35=0",
      /^test\.fix:6: .*, got disconnect\n/,
    ],
    [
      "an unexpected message",
      "send 35=1|34=2|112=x",
      /^test\.fix: connection 1 has more: 8=FIX.4.4\|9=57\|35=0/,
    ],
    ["a connection not opened", "2: send 35=0|34=2", /^test\.fix:4: connection 2 is not open\n/],
    [
      "another order where it counts",
      "send 35=d|34=2|320=r|322=s|323=6|55=X\nexpect ordered 35=d|34=2|322=s|320=r|323=6|55=X",
      /fields in another order: expected 35 34 322 320 323 55, got 35 34 320 322 323 55\n/,
    ],
    [
      "another original time",
      "send 35=d|34=2|320=r|322=s|323=6\nexpect 35=d|34=2|320=r|322=s|323=6\nwait 1s\n" +
      "send 35=2|34=3|7=2|16=2\nexpect 35=d|34=2|43=Y|122=<sent 1>|320=r|322=s|323=6\n" +
      "send 35=2|34=4|7=2|16=2\nexpect 35=d|34=2|43=Y|122=<sent 9>|320=r|322=s|323=6",
      /^test\.fix:10: [^]* ! OrigSendingTime\(122\) +<sent 9> /,
    ],
  ];
  for (const [what, script, text] of failures) {
    it(`notices ${what}`, async () => assert.match(await failureOf(script), text));
  }

  it("takes groups by their order among themselves, other fields in any order", async () => {
    const group = "35=d|34=2|320=r|322=s|323=6|55=X|454=2|455=a|456=1|455=b|456=4";
    assert.equal(
      await failureOf(`send ${group}\nexpect 454=2|455=a|455=b|456=1|456=4|35=d|323=6|34=2|322=s|320=r|55=X`),
      "",
    );
    assert.match(
      await failureOf(`send ${group}\nexpect 35=d|34=2|320=r|322=s|323=6|55=X|454=2|455=b|456=1|455=a|456=4`),
      / ! SecurityAltID\(455\) +b +a\n/,
    );
  });

  it("refuses a setting that it does not know", () => {
    assert.throws(() => echoSettings(new Map([["maxLuck", "7"]])), {
      message: 'Cannot set maxLuck: expected a known name and a fitting value, got "7"',
    });
  });
});
