/** What a wall clock that is set back an hour does to a session's hours and to the time of messages. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Rig, START_MS } from "./rig.ts";

const HOUR_MS = 3_600_000;
/** The rig's day begins at 08:00 UTC, and so do these hours: set back an hour, the clock shows a time before them. */
const SCHEDULE = {
  timeZone: "UTC",
  startSec: 8 * 3600,
  endSec: 7 * 3600 + 1800,
  days: [1, 2, 3, 4, 5, 6, 7],
  resetAtStart: true,
};

describe("a wall clock that is set back an hour", () => {
  it("ends no session that is logged on, and begins its day's numbers once", () => {
    const rig = new Rig({ schedule: SCHEDULE });
    rig.nowMs = 60_000;
    assert.deepEqual(rig.accept("35=A|34=1|98=0|108=300"), ["35=A|34=1|98=0|108=300"]);
    rig.wallStepMs = -HOUR_MS;
    assert.deepEqual(rig.advanceTo(120), []);
    assert.equal(rig.session.closeReason, "");
    assert.equal(rig.session.renewBefore, START_MS - 24 * HOUR_MS, "07:02 is of the day before, until 07:30");
    // 08:00 comes a second time: numbers that began behind the first are of this day.
    rig.nowMs = HOUR_MS + 30_000;
    assert.equal(rig.session.renewBefore, START_MS);
    assert.ok(rig.session.state.numbersSinceMs >= START_MS);
  });

  it("closes the session to Logons while it shows a time outside of its hours", () => {
    const rig = new Rig({ schedule: SCHEDULE });
    rig.wallStepMs = -HOUR_MS / 2;
    const text = "The session is closed; it opens at 20260105-08:00:00 UTC (20260105 08:00:00 UTC)";
    assert.deepEqual(rig.accept(), [`35=5|34=1|58=${text}`]);
  });

  it("refuses messages of clients whose clock is right, and says why", () => {
    const rig = new Rig();
    rig.accept();
    const sent = rig.parse("35=0|34=2");
    rig.wallStepMs = -HOUR_MS;
    rig.driver.receive(rig.session, sent, rig.nowMs);
    const text =
      'Cannot accept SendingTime(52): expected within 120 s of our clock, got "20260105-08:00:00.000"';
    assert.deepEqual(rig.sent(), [`35=3|34=2|45=2|58=${text}|372=0|373=10`, `35=5|34=3|58=${text}`]);
  });
});
