import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  Phase,
  phaseName,
  phaseOfName,
  type ScheduledPhase,
  type TradingSchedule,
} from "../../../shared/protocol/mod.ts";
import { PhaseSchedule, scheduleGroups } from "./phase_schedule.ts";

const WORKING_DAYS = [1, 2, 3, 4, 5];
const EVERY_DAY = [...WORKING_DAYS, 6, 7];

/** `08:00 pre-open` per phase. */
function schedule(
  timeZone: string,
  days: number[],
  lines: string[],
  holidays: string[] = [],
): TradingSchedule {
  const phases = lines.map((line): ScheduledPhase => {
    const [time, name, ...symbols] = line.split(" ");
    const [hour, minute] = time.split(":").map(Number);
    return {
      atSec: hour * 3600 + minute * 60,
      phase: phaseOfName(name)!,
      symbols: symbols.length === 0 ? null : symbols,
    };
  });
  return { timeZone, days, holidays, phases };
}

const us = (iso: string) => Date.parse(iso) * 1000;

function text(dueUs: number): string {
  return dueUs === Infinity ? "never" : new Date(dueUs / 1000).toISOString().replace(/(:00)?\.000Z$/, "Z");
}

const DAY = ["08:00 pre-open", "09:00 continuous", "17:00 closing-auction", "17:05 closed"];
const NIGHT = ["01:30 closed", "02:15 pre-open", "03:00 continuous"];

/** [what, schedule, [instant in UTC, latest phase, when it was due, when the next is]…] */
const TABLES: [string, TradingSchedule, [string, string, string, string][]][] = [
  ["follow each other through a day", schedule("UTC", EVERY_DAY, DAY), [
    ["2026-01-05T07:59:59.999Z", "closed", "2026-01-04T17:05Z", "2026-01-05T08:00Z"],
    ["2026-01-05T08:00Z", "pre-open", "2026-01-05T08:00Z", "2026-01-05T09:00Z"],
    ["2026-01-05T09:00Z", "continuous", "2026-01-05T09:00Z", "2026-01-05T17:00Z"],
    ["2026-01-05T17:04:59.999Z", "closing-auction", "2026-01-05T17:00Z", "2026-01-05T17:05Z"],
    ["2026-01-05T17:05Z", "closed", "2026-01-05T17:05Z", "2026-01-06T08:00Z"],
  ]],
  ["rest over the weekend", schedule("UTC", WORKING_DAYS, DAY), [
    ["2026-01-09T17:05Z", "closed", "2026-01-09T17:05Z", "2026-01-12T08:00Z"],
    ["2026-01-11T12:00Z", "closed", "2026-01-09T17:05Z", "2026-01-12T08:00Z"],
  ]],
  [
    "rest on holidays, one behind the other and over a weekend",
    schedule("Europe/Berlin", WORKING_DAYS, DAY, ["2026-12-24", "2026-12-25", "2026-12-31", "2027-01-01"]),
    [
      ["2026-12-23T16:05Z", "closed", "2026-12-23T16:05Z", "2026-12-28T07:00Z"],
      ["2026-12-26T12:00Z", "closed", "2026-12-23T16:05Z", "2026-12-28T07:00Z"],
      ["2026-12-31T12:00Z", "closed", "2026-12-30T16:05Z", "2027-01-04T07:00Z"],
    ],
  ],
  ["are of the local day, which may be another than that of UTC", schedule("Asia/Tokyo", WORKING_DAYS, DAY), [
    // Monday 08:00 in Tokyo.
    ["2026-01-04T23:00Z", "pre-open", "2026-01-04T23:00Z", "2026-01-05T00:00Z"],
    ["2026-01-04T22:59Z", "closed", "2026-01-02T08:05Z", "2026-01-04T23:00Z"],
  ]],
  ["come an hour earlier in UTC once summer time begins", schedule("Europe/Berlin", EVERY_DAY, DAY), [
    ["2026-03-28T08:30Z", "continuous", "2026-03-28T08:00Z", "2026-03-28T16:00Z"],
    ["2026-03-29T06:30Z", "pre-open", "2026-03-29T06:00Z", "2026-03-29T07:00Z"],
    ["2026-10-25T07:30Z", "pre-open", "2026-10-25T07:00Z", "2026-10-25T08:00Z"],
  ]],
  [
    // 02:15 is skipped: it counts as 03:15, and what follows does not come before.
    "in the hour that is skipped wait, and do not turn round",
    schedule("Europe/Berlin", EVERY_DAY, NIGHT),
    [
      ["2026-03-29T00:59Z", "closed", "2026-03-29T00:30Z", "2026-03-29T01:15Z"],
      ["2026-03-29T01:14Z", "closed", "2026-03-29T00:30Z", "2026-03-29T01:15Z"],
      ["2026-03-29T01:15Z", "continuous", "2026-03-29T01:15Z", "2026-03-29T23:30Z"],
    ],
  ],
  ["in the hour that comes twice come once, at the first", schedule("Europe/Berlin", EVERY_DAY, NIGHT), [
    ["2026-10-25T00:14Z", "closed", "2026-10-24T23:30Z", "2026-10-25T00:15Z"],
    ["2026-10-25T00:15Z", "pre-open", "2026-10-25T00:15Z", "2026-10-25T02:00Z"],
    ["2026-10-25T01:15Z", "pre-open", "2026-10-25T00:15Z", "2026-10-25T02:00Z"],
    ["2026-10-25T02:00Z", "continuous", "2026-10-25T02:00Z", "2026-10-26T00:30Z"],
  ]],
];

describe("scheduled phases", () => {
  for (const [what, of, rows] of TABLES) {
    it(what, () => {
      const phases = new PhaseSchedule(of, of.phases);
      const found = rows.map(([at]) => {
        const latest = phases.latest(us(at))!;
        return [at, phaseName(latest.phase), text(latest.dueUs), text(phases.nextUs(us(at)))];
      });
      assert.deepEqual(found, rows);
    });
  }

  it("know the last close", () => {
    const of = schedule("UTC", WORKING_DAYS, DAY);
    const phases = new PhaseSchedule(of, of.phases);
    assert.deepEqual(phases.latestClosed(us("2026-01-12T10:00Z")), {
      dueUs: us("2026-01-09T17:05Z"),
      phase: Phase.Closed,
    });
    const open = schedule("UTC", WORKING_DAYS, DAY.slice(0, 2));
    assert.equal(new PhaseSchedule(open, open.phases).latestClosed(us("2026-01-12T10:00Z")), null);
  });

  it("are none when every day is a holiday", () => {
    const days = Array.from(
      { length: 900 },
      (_, i) => new Date(Date.UTC(2025, 0, 1 + i)).toISOString().slice(0, 10),
    );
    const of = schedule("UTC", EVERY_DAY, DAY, days);
    const phases = new PhaseSchedule(of, of.phases);
    assert.deepEqual([phases.latest(us("2026-03-01T00:00Z")), phases.nextUs(us("2026-03-01T00:00Z"))], [
      null,
      Infinity,
    ]);
  });

  it("are kept for instruments with the same ones together", () => {
    const of = schedule("UTC", EVERY_DAY, ["08:00 pre-open", "08:30 continuous A B", "09:00 continuous C"]);
    const names = (symbols: string[], lines = of) =>
      scheduleGroups(lines, symbols.map((symbol) => ({ symbol }))).map(({ members }) =>
        members.map(({ symbol }) => symbol).join()
      );
    assert.deepEqual(names(["A", "B", "C", "D"]), ["A,B", "C", "D"]);
    assert.deepEqual(names(["A", "D"], schedule("UTC", EVERY_DAY, ["08:00 pre-open A"])), ["A"]);
    assert.deepEqual(scheduleGroups(null, [{ symbol: "A" }]), []);
  });
});
