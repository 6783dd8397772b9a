import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Digest } from "./digest.ts";
import { ledger, ledgerEngine } from "./run_ledger.ts";
import { SESSION_WINDOW, SessionSequences } from "./session_sequences.ts";
import { parseCommand, RecordingSink } from "./test_ledger.ts";

describe("a session's sequence", () => {
  it("takes each number once, in whatever order", () => {
    const sessions = new SessionSequences();
    const taken = [1, 3, 2, 3, 1, 40, 39, 40, 4].map((seq) => sessions.admit(7, 1, seq));
    assert.deepEqual(taken, [true, true, true, false, false, true, true, false, true]);
    assert.deepEqual(sessions.of(7), { incarnation: 1, highest: 40 });
    assert.deepEqual(sessions.of(8), { incarnation: 0, highest: 0 });
  });

  it("starts again with the next incarnation, and takes nothing of an earlier one", () => {
    const sessions = new SessionSequences();
    const taken = ([[1, 5], [2, 5], [1, 6], [2, 6], [2, 5], [9, 1], [2, 7]] as const)
      .map(([incarnation, seq]) => sessions.admit(65535, incarnation, seq));
    assert.deepEqual(taken, [true, true, false, true, false, true, false]);
  });

  it("remembers a whole window, and counts what is older as seen", () => {
    const sessions = new SessionSequences();
    assert.equal(sessions.admit(1, 1, 10), true);
    assert.equal(sessions.admit(1, 1, 10 + SESSION_WINDOW - 1), true);
    assert.equal(sessions.admit(1, 1, 10), false, "the oldest in the window");
    assert.equal(sessions.admit(1, 1, 11), true);
    assert.equal(sessions.admit(1, 1, 10 + SESSION_WINDOW), true);
    assert.equal(sessions.admit(1, 1, 10), false, "below the window");
    assert.equal(sessions.admit(1, 1, 9), false, "below the window and never seen");
    assert.equal(sessions.admit(1, 1, 12), true);
  });

  it("forgets bits that a jump passes over", () => {
    const sessions = new SessionSequences();
    for (let seq = 1; seq <= 100; seq++) sessions.admit(1, 1, seq);
    assert.equal(sessions.admit(1, 1, 50 + SESSION_WINDOW), true);
    assert.equal(sessions.admit(1, 1, 20 + SESSION_WINDOW), true, "shares its bit with 20");
    assert.equal(sessions.admit(1, 1, 500 + 3 * SESSION_WINDOW), true);
    assert.equal(sessions.admit(1, 1, 499 + 3 * SESSION_WINDOW), true);
  });

  it("is part of the digest", () => {
    const digestOf = (...numbers: [number, number, number][]) => {
      const sessions = new SessionSequences();
      for (const [session, incarnation, seq] of numbers) sessions.admit(session, incarnation, seq);
      const digest = new Digest();
      sessions.digest(digest);
      return digest.hex();
    };
    const all = [
      digestOf(),
      digestOf([1, 1, 1]),
      digestOf([2, 1, 1]),
      digestOf([1, 2, 1]),
      digestOf([1, 1, 2]),
      digestOf([1, 1, 1], [1, 1, 2]),
    ];
    assert.equal(new Set(all).size, all.length);
    assert.equal(digestOf([1, 1, 2], [1, 1, 1]), all[5], "the order of arrival does not count");
  });
});

describe("a message sent again", () => {
  it("has no effect and no event, whatever it became the first time", () => {
    ledger(`
      > new s1 A buy 10@100 m5 n1
      accepted s1 A #1.0 buy 10@100 day New 0+10 m5
      level buy 10@100 x1
      > new s1 A buy 10@100 m5 n1 dup
      > new s1 A buy 10@100 m5 n1
      > new s1 B buy 0@100 m6 n1
      rejected s1 B buy Rejected 0+0 QtyNotPositive m6
      > new s1 B buy 0@100 m6 n1 dup
      > cancel s1 C NOPE buy m7 n1
      cancel-rejected s1 C<NOPE buy Rejected 0+0 UnknownOrder m7
      > cancel s1 C NOPE buy m7 n1 dup
      > status s1 A buy m8 n1
      status s1 A #1.0 buy 10@100 day New 0+10 m8
      > status s1 A buy m8 n1 dup
    `);
  });

  it("is processed when its number never came, though PossDup is set", () => {
    ledger(`
      > new s1 B buy 5@100 m6 n1
      accepted s1 B #1.0 buy 5@100 day New 0+5 m6
      level buy 5@100 x1
      > new s1 A buy 10@100 m5 n1 dup
      accepted s1 A #2.0 buy 10@100 day New 0+10 m5 flags=1
      level buy 15@100 x2
    `);
  });

  it("of an earlier incarnation is dropped; the same number of the next one counts", () => {
    const engine = ledgerEngine();
    const sink = new RecordingSink();
    const apply = (line: string) => {
      engine.apply(engine.cmdSeq + 1, 0, 1000, parseCommand(line), sink);
      return sink.take().length;
    };
    assert.equal(apply("new s1 A buy 1@10 m1 n2"), 2);
    assert.equal(apply("new s1 B buy 1@10 m2 n1"), 0);
    assert.equal(apply("new s1 C buy 1@10 m1 n3"), 2);
    assert.equal(engine.openOrders, 2);
  });
});
