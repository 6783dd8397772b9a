import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { createLogger } from "../../shared/cli/log.ts";
import { StoreLimit } from "./given_up.ts";

const said = (text: string) => `[7] 2026/11/30 12:00:00.000000 ${text}`;
const LIMIT = said("[ERR] JetStream file resource limits exceeded for server");

/** With room for `room.bytes` now, `stored` of them taken, and what was warned of. */
function limited(bytes: number | null, stored = 0) {
  const room = { bytes };
  const warned: string[] = [];
  const write = (line: string) => void warned.push(JSON.parse(line).msg);
  const log = createLogger("nats", "warn", { write, now: () => 0 });
  const disk = { room: () => room.bytes, stored: () => stored };
  return { room, warned, limit: new StoreLimit("/d", "/d/jetstream", log, disk) };
}

describe("a nats-server that takes nothing more", () => {
  it("is started again after a failed write, and by no other line than that of its limit", () => {
    const { limit, warned } = limited(1600);
    limit.atStart();
    assert.deepEqual(
      [
        "[ERR] Filestore [KV_lease] Critical write error: no space left on device",
        "[ERR] JetStream memory resource limits exceeded for server",
        "[WRN] JetStream file resource limits exceeded for server",
      ].map((text) => limit.isLast(said(text))),
      [true, false, false],
    );
    assert.deepEqual(warned, []);
  });

  it("is started again at its limit when there is room for a sixteenth more than at its start, which it gets", () => {
    const { room, limit, warned } = limited(1600);
    assert.equal(limit.atStart(), 1600);
    room.bytes = 1701;
    assert.equal(limit.isLast(LIMIT), true);
    assert.equal(limit.atStart(), 1701);
    assert.deepEqual(warned, []);
  });

  it("is left running at its limit while there is no more room: that is warned of once", () => {
    const { room, limit, warned } = limited(1600);
    limit.atStart();
    for (const bytes of [0, 1600, 1700, null]) {
      room.bytes = bytes;
      assert.equal(limit.isLast(LIMIT), false);
    }
    assert.deepEqual(warned, [
      "the streams fill the three quarters of the disk that nats-server may use, and orders are refused: make room on the " +
      "disk of /d, and it is started again with more",
    ]);
  });

  it("is left running while there is room for more than at its start, but not for what it has stored", () => {
    const { room, limit, warned } = limited(1600, 2000);
    limit.atStart();
    room.bytes = 2000;
    assert.equal(limit.isLast(LIMIT), false);
    assert.equal(warned.length, 1);
    room.bytes = 2001;
    assert.equal(limit.isLast(LIMIT), true);
  });

  it("is warned of anew after another start, which goes by the most that there was", () => {
    const { room, limit, warned } = limited(1600);
    limit.atStart();
    limit.isLast(LIMIT);
    room.bytes = 100;
    assert.equal(limit.atStart(), 1600);
    limit.isLast(LIMIT);
    assert.equal(warned.length, 2);
  });

  it("is started again when it is known only now how much there is", () => {
    const { room, limit } = limited(null);
    assert.equal(limit.atStart(), 0);
    room.bytes = 1;
    assert.equal(limit.isLast(LIMIT), true);
  });
});
