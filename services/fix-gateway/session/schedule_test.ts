import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { SessionSchedule } from "../../../shared/protocol/mod.ts";
import { closedText, hoursAt } from "./schedule.ts";

const WEEK = [1, 2, 3, 4, 5, 6, 7];
const WORKING_DAYS = [1, 2, 3, 4, 5];

function schedule(timeZone: string, start: string, end: string, days = WEEK): SessionSchedule {
  const seconds = (text: string) => {
    const [hour, minute, second = 0] = text.split(":").map(Number);
    return hour * 3600 + minute * 60 + second;
  };
  return { timeZone, startSec: seconds(start), endSec: seconds(end), days, resetAtStart: false };
}

/** `open SINCE UNTIL` or `closed until OPENS`, in UTC without the parts that are zero. */
function hours(of: SessionSchedule, at: string): string {
  const found = hoursAt(of, Date.parse(at));
  const text = (ms: number) => new Date(ms).toISOString().replace(/(:00)?\.000Z$/, "Z");
  return found.open
    ? `open ${text(found.sinceMs)} ${text(found.untilMs)}`
    : `closed until ${text(found.opensMs)}`;
}

/** [what, schedule, [instant in UTC, hours]…] */
const TABLES: [string, SessionSchedule, [string, string][]][] = [
  ["a day's hours, both ends of them", schedule("UTC", "08:00", "17:00"), [
    ["2026-01-05T07:59:59.999Z", "closed until 2026-01-05T08:00Z"],
    ["2026-01-05T08:00:00Z", "open 2026-01-05T08:00Z 2026-01-05T17:00Z"],
    ["2026-01-05T16:59:59.999Z", "open 2026-01-05T08:00Z 2026-01-05T17:00Z"],
    ["2026-01-05T17:00:00Z", "closed until 2026-01-06T08:00Z"],
    ["2026-01-05T23:59:59.999Z", "closed until 2026-01-06T08:00Z"],
  ]],
  ["seconds", schedule("UTC", "00:00:01", "23:59:59"), [
    ["2026-01-05T00:00:00.500Z", "closed until 2026-01-05T00:00:01Z"],
    ["2026-01-05T23:59:58.999Z", "open 2026-01-05T00:00:01Z 2026-01-05T23:59:59Z"],
  ]],
  ["overnight, on the day that it opens and on the next", schedule("UTC", "18:00", "17:00"), [
    ["2026-01-05T16:59:59Z", "open 2026-01-04T18:00Z 2026-01-05T17:00Z"],
    ["2026-01-05T17:00:00Z", "closed until 2026-01-05T18:00Z"],
    ["2026-01-05T18:00:00Z", "open 2026-01-05T18:00Z 2026-01-06T17:00Z"],
    ["2026-01-06T00:00:00Z", "open 2026-01-05T18:00Z 2026-01-06T17:00Z"],
  ]],
  ["start and end the same: round the clock, a new day at that time", schedule("UTC", "21:00", "21:00"), [
    ["2026-01-05T20:59:59.999Z", "open 2026-01-04T21:00Z 2026-01-05T21:00Z"],
    ["2026-01-05T21:00:00Z", "open 2026-01-05T21:00Z 2026-01-06T21:00Z"],
  ]],
  ["working days", schedule("UTC", "08:00", "17:00", WORKING_DAYS), [
    ["2026-01-09T17:00:00Z", "closed until 2026-01-12T08:00Z"],
    ["2026-01-10T12:00:00Z", "closed until 2026-01-12T08:00Z"],
    ["2026-01-12T12:00:00Z", "open 2026-01-12T08:00Z 2026-01-12T17:00Z"],
  ]],
  [
    "days are those on which it opens: Sunday's night reaches into Monday, Friday has none",
    schedule("America/Chicago", "17:00", "16:00", [1, 2, 3, 4, 7]),
    [
      ["2026-01-04T22:59:59Z", "closed until 2026-01-04T23:00Z"],
      ["2026-01-05T12:00:00Z", "open 2026-01-04T23:00Z 2026-01-05T22:00Z"],
      ["2026-01-09T21:59:59Z", "open 2026-01-08T23:00Z 2026-01-09T22:00Z"],
      ["2026-01-09T23:30:00Z", "closed until 2026-01-11T23:00Z"],
    ],
  ],
  ["the week day is the time zone's, not UTC's", schedule("Asia/Tokyo", "08:00", "09:00", [1]), [
    ["2026-01-04T22:59:00Z", "closed until 2026-01-04T23:00Z"],
    ["2026-01-04T23:30:00Z", "open 2026-01-04T23:00Z 2026-01-05T00:00Z"],
    ["2026-01-05T08:30:00Z", "closed until 2026-01-11T23:00Z"],
  ]],
  ["a time zone of half an hour", schedule("Asia/Kolkata", "09:15", "15:30"), [
    ["2026-01-05T03:44:59Z", "closed until 2026-01-05T03:45Z"],
    ["2026-01-05T03:45:00Z", "open 2026-01-05T03:45Z 2026-01-05T10:00Z"],
  ]],
  ["the same local hours on both sides of a clock change", schedule("America/New_York", "08:00", "17:00"), [
    ["2026-03-07T20:00:00Z", "open 2026-03-07T13:00Z 2026-03-07T22:00Z"],
    ["2026-03-07T23:00:00Z", "closed until 2026-03-08T12:00Z"],
    ["2026-10-31T20:00:00Z", "open 2026-10-31T12:00Z 2026-10-31T21:00Z"],
    ["2026-11-01T20:00:00Z", "open 2026-11-01T13:00Z 2026-11-01T22:00Z"],
  ]],
  ["an overnight session in spring is 23 hours less one", schedule("America/New_York", "18:00", "17:00"), [
    ["2026-03-08T06:30:00Z", "open 2026-03-07T23:00Z 2026-03-08T21:00Z"],
    ["2026-03-08T07:30:00Z", "open 2026-03-07T23:00Z 2026-03-08T21:00Z"],
  ]],
  ["and in autumn 23 and one", schedule("America/New_York", "18:00", "17:00"), [
    ["2026-11-01T05:30:00Z", "open 2026-10-31T22:00Z 2026-11-01T22:00Z"],
    ["2026-11-01T06:30:00Z", "open 2026-10-31T22:00Z 2026-11-01T22:00Z"],
  ]],
  ["an opening that the clock skips is an hour later", schedule("America/New_York", "02:30", "04:00"), [
    ["2026-03-08T06:59:59Z", "closed until 2026-03-08T07:30Z"],
    ["2026-03-08T07:30:00Z", "open 2026-03-08T07:30Z 2026-03-08T08:00Z"],
    ["2026-03-09T06:30:00Z", "open 2026-03-09T06:30Z 2026-03-09T08:00Z"],
  ]],
  ["of an opening that comes twice the first counts", schedule("America/New_York", "01:30", "02:30"), [
    ["2026-11-01T05:29:59Z", "closed until 2026-11-01T05:30Z"],
    ["2026-11-01T06:30:00Z", "open 2026-11-01T05:30Z 2026-11-01T07:30Z"],
  ]],
  ["hours that a clock change swallows whole", schedule("America/New_York", "02:30", "03:15"), [
    ["2026-03-08T06:00:00Z", "closed until 2026-03-09T06:30Z"],
    ["2026-03-08T07:30:00Z", "closed until 2026-03-09T06:30Z"],
  ]],
];

describe("hours of a session", () => {
  for (const [what, of, rows] of TABLES) {
    it(what, () => assert.deepEqual(rows.map(([at]) => [at, hours(of, at)]), rows));
  }

  it("every instant lies within what is said of it, and neighbours agree", () => {
    const zones = ["America/New_York", "Australia/Lord_Howe", "Europe/London", "Pacific/Apia", "UTC"];
    for (const zone of zones) {
      for (const [start, end] of [["08:00", "17:00"], ["18:00", "17:00"], ["00:00", "00:00"]]) {
        const of = schedule(zone, start, end);
        for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 7 * 3_600_000 + 1) {
          const found = hoursAt(of, ms);
          const edge = found.open ? found.untilMs : found.opensMs;
          assert.ok(edge > ms && edge - ms <= 25 * 3_600_000, `${zone} ${new Date(ms).toISOString()}`);
          if (found.open) assert.deepEqual(hoursAt(of, found.sinceMs), found);
          else assert.equal(hoursAt(of, edge).open, true);
        }
      }
    }
  });

  it("says when it opens in UTC and in its own time", () => {
    const of = schedule("America/New_York", "08:00", "17:00", WORKING_DAYS);
    assert.equal(
      closedText(of, Date.UTC(2026, 10, 30, 13)),
      "The session is closed; it opens at 20261130-13:00:00 UTC (20261130 08:00:00 America/New_York)",
    );
  });
});
