import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { formatRecord, parseRecord, type SessionRecord, takeOver, type TakeOverRequest } from "./record.ts";

const ME = { gatewayId: 2, bootId: 20 };
const THERE = [{ shard: 0, cmdSeq: 5, eventIndex: 1, evSeq: 4 }];
const NOW = [{ shard: 0, cmdSeq: 9, eventIndex: 0, evSeq: 8 }];
const FOUND: SessionRecord = {
  incarnation: 3,
  sinceMs: 1000,
  owner: null,
  clean: true,
  nextOut: 42,
  reservedOut: 42,
  inDurable: 17,
  appliedIn: 0,
  positions: THERE,
  stored: { seq: 30, through: 40 },
  writes: 6,
};

function attempt(request: Partial<TakeOverRequest>): unknown {
  return takeOver({
    found: FOUND,
    usedIncarnation: 0,
    me: ME,
    liveBoot: null,
    reset: false,
    renewBeforeMs: -Infinity,
    wallMs: 5000,
    now: NOW,
    block: 100,
    ...request,
  });
}

const FRESH = {
  stored: null,
  sinceMs: 5000,
  owner: ME,
  clean: false,
  nextOut: 1,
  reservedOut: 101,
  inDurable: 0,
  appliedIn: 0,
};

describe("taking a session over", () => {
  it("goes on with the numbers of a session that was given back", () => {
    const record = { ...FOUND, owner: ME, clean: false, reservedOut: 142, writes: 7 };
    assert.deepEqual(attempt({}), { kind: "taken", record, unclean: false, renewed: false });
  });

  it("starts again with numbers whose day is over, and still owes what was missed", () => {
    const record = { ...FRESH, incarnation: 4, positions: THERE, writes: 7 };
    const renewed = { kind: "taken", record, unclean: false, renewed: true };
    assert.deepEqual(attempt({ renewBeforeMs: 1001 }), renewed);
    const unclean = { ...FOUND, clean: false, reservedOut: 100 };
    assert.deepEqual(attempt({ found: unclean, renewBeforeMs: 1001 }), { ...renewed, unclean: true });
    const record2 = { ...FOUND, owner: ME, clean: false, reservedOut: 142, writes: 7 };
    const kept = { kind: "taken", record: record2, unclean: false, renewed: false };
    assert.deepEqual(attempt({ renewBeforeMs: 1000 }), kept);
  });

  it("starts again where the client says so, and owes nothing", () => {
    const record = { ...FRESH, incarnation: 4, positions: NOW, writes: 7 };
    for (const renewBeforeMs of [-Infinity, 1001]) {
      const taken = { kind: "taken", record, unclean: false, renewed: false };
      assert.deepEqual(attempt({ reset: true, renewBeforeMs }), taken);
    }
  });

  it("starts a session without history where events stand", () => {
    const record = { ...FRESH, incarnation: 1, positions: NOW, writes: 1 };
    const taken = { kind: "taken", record, unclean: false, renewed: false };
    assert.deepEqual(attempt({ found: null, renewBeforeMs: 1001 }), taken);
  });

  it("leaves a session to whoever holds it, over or not its day", () => {
    const owner = { gatewayId: 1, bootId: 10 };
    const found = { ...FOUND, owner, clean: false };
    for (const renewBeforeMs of [-Infinity, 1001]) {
      assert.deepEqual(attempt({ found, liveBoot: 10, renewBeforeMs }), { kind: "refused", owner });
    }
  });
});

describe("the text of a session record", () => {
  it("is read as it was written", () => assert.deepEqual(parseRecord(formatRecord(FOUND)), FOUND));

  it("is the same after it was read, whatever order its fields were put together in", () => {
    const text = formatRecord(FOUND);
    assert.equal(formatRecord(parseRecord(text)), text);
    const { stored, owner, ...rest } = FOUND;
    assert.equal(formatRecord({ stored, ...rest, owner }), text);
  });

  it("is refused when a part is missing or wrong", () => {
    for (const key of Object.keys(FOUND)) {
      assert.throws(() => parseRecord(formatRecord({ ...FOUND, [key]: "x" })), /^Error: Cannot read/, key);
    }
  });
});
