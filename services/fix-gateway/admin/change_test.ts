import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { takeOver } from "../durable/record.ts";
import { type Changed, changeNumbers, type FreeSession, type NumberChange, numbersOf } from "./change.ts";

const EARLY = [{ shard: 0, cmdSeq: 5, eventIndex: 1, evSeq: 4 }];
const LATE = [{ shard: 0, cmdSeq: 7, eventIndex: 0, evSeq: 6 }];
const CLEAN: FreeSession = {
  record: {
    incarnation: 3,
    sinceMs: 1000,
    owner: null,
    clean: true,
    nextOut: 42,
    reservedOut: 42,
    inDurable: 17,
    appliedIn: 0,
    positions: EARLY,
    stored: { seq: 30, through: 40 },
    writes: 6,
  },
  stored: { incarnation: 3, inDurable: 15, positions: EARLY },
  isLost: false,
};
/** Its gateway died: 100 numbers were reserved, and messages stored behind the record. */
const DEAD: FreeSession = {
  record: { ...CLEAN.record, owner: { gatewayId: 1, bootId: 9 }, clean: false, reservedOut: 142 },
  stored: { incarnation: 3, inDurable: 30, positions: LATE },
  isLost: false,
};

const set = (out: number | null, into: number | null, force = false): NumberChange => ({
  kind: "set",
  out,
  in: into,
  force,
});

describe("numbers of a session that nobody holds", () => {
  it("are those with which its next connection would begin", () => {
    assert.deepEqual(numbersOf(CLEAN), { out: 42, in: 18, incarnation: 3, sinceMs: 1000 });
    assert.deepEqual(numbersOf(DEAD), { out: 142, in: 31, incarnation: 3, sinceMs: 1000 });
    const earlier = { ...DEAD, stored: { incarnation: 2, inDurable: 99, positions: LATE } };
    assert.deepEqual(numbersOf(earlier), { out: 142, in: 18, incarnation: 3, sinceMs: 1000 });
    assert.deepEqual(numbersOf({ ...DEAD, stored: null }).in, 18);
  });

  /** [what, session, change, out, in, incarnation, since] */
  const changes: [string, FreeSession, NumberChange, number, number, number, number][] = [
    ["forward, both", CLEAN, set(50, 20), 50, 20, 3, 1000],
    ["forward, one", CLEAN, set(50, null), 50, 18, 3, 1000],
    ["forward, the other", CLEAN, set(null, 20), 42, 20, 3, 1000],
    ["to what they are", CLEAN, set(42, 18), 42, 18, 3, 1000],
    ["back, forced: another run", CLEAN, set(41, null, true), 41, 18, 4, 5000],
    ["back where they came from, forced", CLEAN, set(null, 17, true), 42, 17, 4, 5000],
    ["to the start", CLEAN, { kind: "reset", force: true }, 1, 1, 4, 5000],
    ["forward after a death", DEAD, set(200, 40), 200, 40, 3, 1000],
    ["to the start after a death", DEAD, { kind: "reset", force: true }, 1, 1, 4, 5000],
    ["to the last number", CLEAN, set(2 ** 31 - 1, 2 ** 31 - 1), 2 ** 31 - 1, 2 ** 31 - 1, 3, 1000],
  ];
  for (const [what, session, change, out, into, incarnation, sinceMs] of changes) {
    it(`may go ${what}`, () => {
      const changed = changeNumbers(session, change, 5000);
      assert.ok(changed.kind === "changed");
      const after = { out, in: into, incarnation, sinceMs };
      assert.deepEqual([changed.before, changed.after], [numbersOf(session), after]);
      const free = { ...session, record: changed.record };
      assert.deepEqual(numbersOf(free), after);
      assert.equal(changed.record.owner, null);
      assert.equal(changed.record.clean, session.record.clean);
      assert.equal(changed.record.writes, 7);
      assert.deepEqual(changed.record.positions, session === DEAD ? LATE : EARLY);
      const taken = takeOver({
        found: changed.record,
        usedIncarnation: 0,
        me: { gatewayId: 2, bootId: 1 },
        liveBoot: null,
        reset: false,
        renewBeforeMs: -Infinity,
        wallMs: 6000,
        now: [],
        block: 10,
      });
      assert.ok(taken.kind === "taken");
      assert.deepEqual([taken.record.nextOut, taken.record.reservedOut], [out, out + 10]);
      assert.equal(taken.unclean, session === DEAD, "reports that may have been sent say so");
    });
  }

  const refusals: [string, FreeSession, NumberChange, string][] = [
    [
      "to the start unless that is forced",
      CLEAN,
      { kind: "reset", force: false },
      "Cannot set the next outgoing number: expected at least 42, got 1; numbers go back only when that is forced",
    ],
    [
      "back",
      CLEAN,
      set(41, 20),
      "Cannot set the next outgoing number: expected at least 42, got 41; numbers go back only when that is forced",
    ],
    [
      "back where they came from",
      CLEAN,
      set(50, 17),
      "Cannot set the next incoming number: expected at least 18, got 17; numbers go back only when that is forced",
    ],
    [
      "into what a dead gateway may have used",
      DEAD,
      set(100, null),
      "Cannot set the next outgoing number: expected at least 142, got 100; numbers go back only when that is forced",
    ],
    [
      "to 0",
      CLEAN,
      set(0, null, true),
      "Cannot set the next outgoing number: expected 1 to 2147483647, got 0",
    ],
    [
      "past the last number",
      CLEAN,
      set(null, 2 ** 31, true),
      "Cannot set the next incoming number: expected 1 to 2147483647, got 2147483648",
    ],
    [
      "to a half",
      CLEAN,
      set(43.5, null),
      "Cannot set the next outgoing number: expected 1 to 2147483647, got 43.5",
    ],
  ];
  for (const [what, session, change, reason] of refusals) {
    it(`may not go ${what}`, () => {
      const refused: Changed = { kind: "refused", reason, before: numbersOf(session) };
      assert.deepEqual(changeNumbers(session, change, 5000), refused);
    });
  }
});
