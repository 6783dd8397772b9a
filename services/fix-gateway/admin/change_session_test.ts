import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { AppliedCommands } from "../durable/ports.ts";
import type { SessionRecord } from "../durable/record.ts";
import type { AuditEntry } from "./audit.ts";
import type { NumberChange } from "./change.ts";
import { changeSession } from "./change_session.ts";

const RECORD: SessionRecord = {
  incarnation: 3,
  sinceMs: 1000,
  owner: null,
  clean: true,
  nextOut: 42,
  reservedOut: 42,
  inDurable: 17,
  appliedIn: 0,
  positions: [],
  stored: { seq: 30, through: 40 },
  writes: 6,
};
const POSITIONS = [{ shard: 0, cmdSeq: 9, eventIndex: 0, evSeq: 8 }];
const BEFORE = { out: 42, in: 18, incarnation: 3, sinceMs: 1000 };
const FORWARD: NumberChange = { kind: "set", out: 50, in: null, force: false };
const AFTER = { ...BEFORE, out: 50 };
const HEAD = { time: "1970-01-01T00:00:05.000Z", by: "me", via: "admin", session: "T", sessionId: 1 };

/** A session, an audit, and everything that was done, in order. */
class World {
  readonly done: string[] = [];
  readonly entries: AuditEntry[] = [];
  record: SessionRecord | null = RECORD;
  written: SessionRecord | null = null;
  write: () => Promise<number | null> = () => Promise.resolve(8);
  auditFails = false;
  liveBoot: number | null = null;
  applied: Awaited<ReturnType<AppliedCommands["of"]>> = { incarnation: 0, highest: 0 };

  change(change: NumberChange) {
    return changeSession({ session: { id: 1, senderCompId: "T" }, change, by: "me", via: "admin" }, {
      records: {
        read: () => Promise.resolve(this.record === null ? null : { record: this.record, revision: 7 }),
        write: (id, record, revision) => {
          this.done.push(`session ${id} at ${revision}: ${record.nextOut} ${record.inDurable + 1}`);
          this.written = record;
          return this.write();
        },
      },
      out: { last: () => Promise.resolve(null) },
      applied: { of: () => Promise.resolve(this.applied) },
      positions: () => POSITIONS,
      leases: { bootOf: () => Promise.resolve(this.liveBoot) },
      audit: {
        write: (entry) => {
          if (this.auditFails) return Promise.reject(new Error("no audit"));
          this.done.push(entry.outcome);
          this.entries.push(entry);
          return Promise.resolve();
        },
      },
      wallMs: () => 5000,
    });
  }
}

describe("a change of a session's numbers", () => {
  it("is in the audit before it is made, and after", async () => {
    const world = new World();
    assert.deepEqual(await world.change(FORWARD), { kind: "changed", before: BEFORE, after: AFTER });
    assert.deepEqual(world.done, ["started", "session 1 at 7: 50 18", "done"]);
    const entry = { ...HEAD, asked: FORWARD, before: BEFORE, after: AFTER };
    assert.deepEqual(world.entries.map(({ reason, ...rest }) => (assert.equal(reason, undefined), rest)), [
      { ...entry, outcome: "started" },
      { ...entry, outcome: "done" },
    ]);
  });

  it("that is refused is in the audit too", async () => {
    const world = new World();
    const back: NumberChange = { kind: "set", out: 2, in: null, force: false };
    const reason =
      "Cannot set the next outgoing number: expected at least 42, got 2; numbers go back only when that is forced";
    assert.deepEqual(await world.change(back), { kind: "refused", reason });
    assert.deepEqual(world.entries, [{ ...HEAD, asked: back, outcome: "refused", before: BEFORE, reason }]);
  });

  it("of a session that was never used is none", async () => {
    const world = new World();
    world.record = null;
    const reason = "T has never logged on: both its numbers are 1 already";
    assert.deepEqual(await world.change({ kind: "reset", force: true }), { kind: "refused", reason });
    assert.deepEqual(world.done, ["refused"]);
  });

  it("of a session whose numbers are lost sets both, or starts them again, in another run", async () => {
    const both: NumberChange = { kind: "set", out: 30, in: 12, force: false };
    for (const [record, positions, out, into] of [[null, POSITIONS, 30, 12], [RECORD, [], 1, 1]] as const) {
      const world = new World();
      world.record = record;
      world.applied = { incarnation: 6, highest: 20 };
      const half = "Cannot set one number of two that are lost: expected both, or a reset";
      assert.deepEqual(await world.change(FORWARD), { kind: "refused", reason: half });
      const change: NumberChange = out === 1 ? { kind: "reset", force: true } : both;
      const revision = record === null ? 0 : 7;
      assert.deepEqual(await world.change(change), {
        kind: "changed",
        before: { out: 1, in: 1, incarnation: 6, sinceMs: 0 },
        after: { out, in: into, incarnation: 7, sinceMs: 5000 },
      });
      assert.deepEqual(world.done, [
        "refused",
        "started",
        `session 1 at ${revision}: ${out} ${into}`,
        "done",
      ]);
      assert.deepEqual(world.written, {
        ...RECORD,
        incarnation: 7,
        sinceMs: 5000,
        nextOut: out,
        reservedOut: out,
        inDurable: into - 1,
        positions,
        stored: null,
        writes: (record?.writes ?? 0) + 1,
      });
    }
  });

  it("is not made while matchers do not say which numbers were used", async () => {
    for (const record of [RECORD, null]) {
      for (const applied of ["silent", "behind"] as const) {
        const world = new World();
        Object.assign(world, { record, applied });
        const reason = "Not every matcher says which numbers the session used: try again";
        assert.deepEqual(await world.change(FORWARD), { kind: "refused", reason });
        assert.deepEqual(world.done, ["refused"]);
      }
    }
  });

  it("is not made while a gateway that is alive holds the session", async () => {
    const world = new World();
    world.record = { ...RECORD, owner: { gatewayId: 4, bootId: 11 }, clean: false };
    world.liveBoot = 11;
    const reason = "The session is held by gateway 4: try again";
    assert.deepEqual(await world.change(FORWARD), { kind: "refused", reason });
    assert.deepEqual(world.done, ["refused"]);
    for (const liveBoot of [null, 12]) {
      world.liveBoot = liveBoot;
      assert.equal((await world.change(FORWARD)).kind, "changed");
    }
  });

  it("is not made when the audit cannot be written", async () => {
    const world = new World();
    world.auditFails = true;
    await assert.rejects(world.change(FORWARD), /no audit/);
    assert.deepEqual(world.done, []);
  });

  it("that comes too late, or whose end is not known, says so", async () => {
    const late = new World();
    late.write = () => Promise.resolve(null);
    const lateReason = "The session was taken by a gateway meanwhile: try again";
    assert.deepEqual(await late.change(FORWARD), { kind: "refused", reason: lateReason });
    const unknown = new World();
    unknown.write = () => Promise.reject(new Error("no answer"));
    const reason = "It is not known whether the numbers were changed: no answer";
    assert.deepEqual(await unknown.change(FORWARD), { kind: "refused", reason });
    for (const [world, why] of [[late, lateReason], [unknown, reason]] as const) {
      assert.deepEqual(world.done, ["started", "session 1 at 7: 50 18", "failed"]);
      assert.equal(world.entries[1].reason, why);
    }
  });
});
