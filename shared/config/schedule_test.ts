/** The schedule of trading phases in the venue file: what becomes of it, and what its author is told. */
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Phase } from "../protocol/mod.ts";
import { ConfigError, parseVenue } from "./mod.ts";

const VENUE = `name: v
targetCompId: X
firms: [{ id: 1, name: A }]
instruments:
  - { id: 1, symbol: S, algorithm: F, tick: "0.05", priceScale: 2, lot: "10", qtyScale: 0, maxOrderQty: "1000" }
  - { id: 2, symbol: T, algorithm: F, tick: "0.05", priceScale: 2, lot: "10", qtyScale: 0, maxOrderQty: "1000" }
sessions:
  - { id: 1, senderCompId: T, firm: A, role: trading, username: u, password: p }
`;
const SCHEDULE = `schedule:
  timeZone: Europe/Berlin
  phases:
    - { at: "08:00", phase: pre-open }
    - { at: "08:59:30", phase: no-cancel, symbols: [S] }
    - { at: "09:00", phase: continuous }
    - { at: "17:30", phase: closed }
`;

const venueOf = (schedule: string) => parseVenue(VENUE + schedule, "venue.yaml");

function fault(from: string, to: string): string {
  assert.ok(SCHEDULE.includes(from), `no "${from}" in the sound schedule`);
  try {
    venueOf(SCHEDULE.replace(from, to));
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message.replace("Cannot load venue.yaml: ", "");
  }
  assert.fail(`"${to}" was accepted`);
}

describe("a schedule of trading phases", () => {
  it("is read, and lets instruments begin closed", () => {
    const { schedule, instruments, instrumentBySymbol } = venueOf(SCHEDULE);
    assert.deepEqual(schedule, {
      timeZone: "Europe/Berlin",
      days: [1, 2, 3, 4, 5],
      holidays: [],
      phases: [
        { atSec: 28_800, phase: Phase.PreOpen, symbols: null },
        { atSec: 32_370, phase: Phase.NoCancel, symbols: ["S"] },
        { atSec: 32_400, phase: Phase.Continuous, symbols: null },
        { atSec: 63_000, phase: Phase.Closed, symbols: null },
      ],
    });
    assert.deepEqual(instruments.map(({ rules }) => rules?.initialPhase), [Phase.Closed, Phase.Closed]);
    assert.equal(instrumentBySymbol.get("S"), instruments[0]);
  });

  it("has days and holidays", () => {
    const { schedule } = venueOf(
      SCHEDULE.replace("  phases", '  days: [Sun, Mon]\n  holidays: ["2026-12-25", "2027-01-01"]\n  phases'),
    );
    assert.deepEqual(schedule?.days, [1, 7]);
    assert.deepEqual(schedule?.holidays, ["2026-12-25", "2027-01-01"]);
  });

  it("that is not there means always open", () => {
    const { schedule, instruments } = venueOf("");
    assert.equal(schedule, null);
    assert.deepEqual(instruments.map(({ rules }) => rules?.initialPhase), [undefined, undefined]);
  });

  it("may give symbols phases at the same time", () => {
    const { schedule } = venueOf(
      SCHEDULE.replace(
        '- { at: "09:00", phase: continuous }',
        [
          '- { at: "09:00", phase: continuous, symbols: [S] }',
          '- { at: "09:00", phase: opening-auction, symbols: [T] }',
        ].join("\n    "),
      ),
    );
    assert.equal(schedule?.phases.length, 5);
  });

  it("is what docs/operations.md shows", () => {
    const url = new URL("../../docs/operations.md", import.meta.url);
    const example = /```yaml schedule\n([^]*?)```/.exec(Deno.readTextFileSync(url))![1];
    const { schedule } = venueOf(example.replaceAll("GIZMO", "T"));
    assert.deepEqual([schedule?.phases.length, schedule?.holidays.length], [8, 2]);
  });

  const faults: [name: string, from: string, to: string, message: string][] = [
    [
      "times that run backwards",
      '"17:30"',
      '"08:30"',
      'schedule.phases[3].at (line 15): expected a time at or after phases[2]\'s 09:00, got "08:30"',
    ],
    [
      "two phases of all at one time",
      '"17:30"',
      '"09:00"',
      'schedule.phases[3].at (line 15): expected another time than phases[2] has, of the same symbol, got "09:00"',
    ],
    [
      "a phase of all at the time of one of a symbol",
      '"09:00"',
      '"08:59:30"',
      "schedule.phases[2].at (line 14): expected another time than phases[1] has, of the same symbol, got " +
      '"08:59:30"',
    ],
    [
      "a phase of a symbol at the time of one of all",
      '"08:59:30"',
      '"08:00"',
      'schedule.phases[1].at (line 13): expected another time than phases[0] has, of the same symbol, got "08:00"',
    ],
    [
      "a phase of a symbol, which had one of its own before, at the time of one of all",
      '- { at: "09:00", phase: continuous }',
      '- { at: "09:00", phase: continuous }\n    - { at: "09:00", phase: halt, symbols: [S] }',
      'schedule.phases[3].at (line 15): expected another time than phases[2] has, of the same symbol, got "09:00"',
    ],
    [
      "a symbol that there is not",
      "[S]",
      "[S, U]",
      'schedule.phases[1].symbols[1] (line 13): expected a symbol of the venue, got "U"',
    ],
    [
      "a symbol twice",
      "[S]",
      "[S, S]",
      'schedule.phases[1].symbols (line 13): expected a list of symbols, each once, got ["S","S"]',
    ],
    [
      "a phase that there is not",
      "phase: closed",
      "phase: shut",
      "schedule.phases[3].phase (line 15): expected one of closed, pre-open, no-cancel, opening-auction, continuous, " +
      'halt, closing-auction, got "shut"',
    ],
    [
      "a volatility auction by the clock",
      "phase: closed",
      "phase: volatility-auction",
      "schedule.phases[3].phase (line 15): expected one of closed, pre-open, no-cancel, opening-auction, continuous, " +
      'halt, closing-auction, got "volatility-auction"',
    ],
    [
      "a time of day that there is not",
      '"17:30"',
      '"25:30"',
      'schedule.phases[3].at (line 15): expected a time of day in quotes, such as "08:00" or "17:30:15", got "25:30"',
    ],
    [
      "a day that the calendar has not",
      "  phases",
      '  holidays: ["2026-02-30"]\n  phases',
      'schedule.holidays[0] (line 11): expected a date, such as "2026-12-25", got "2026-02-30"',
    ],
    [
      "an unknown key",
      "phase: closed",
      "phase: closed, symbol: S",
      'schedule.phases[3].symbol (line 15): expected one of the keys at, phase, symbols, got "symbol"',
    ],
    [
      "no phases",
      SCHEDULE.slice(SCHEDULE.indexOf("  phases")),
      "  phases: []\n",
      "schedule.phases (line 11): expected a list of phases, each with at and phase, got []",
    ],
  ];
  for (const [name, from, to, message] of faults) {
    it(`does not have ${name}`, () => assert.equal(fault(from, to), message));
  }
});
