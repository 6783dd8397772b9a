/** A file that version 1 wrote stays readable for ever: by every later release, and to the same effect. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { loadSnapshot, writeSnapshot } from "./snapshot.ts";
import { GOES_ON, run, STATE_OPTIONS, stateEngine } from "./test_state.ts";

const FILE = Deno.readFileSync(new URL("./testdata/version_1.snapshot", import.meta.url));

describe("a file of version 1", () => {
  it("is read, and goes on as the engine did that it was written of", () => {
    const { engine, header, reason } = { header: null, ...loadSnapshot(FILE, STATE_OPTIONS) };
    assert.equal(reason, null);
    assert.deepEqual(header, {
      length: 2624,
      cmdSeq: 21,
      timestampUs: 21_000_000,
      lastCommand: { length: 99, crc: 0xfedcba98 },
      shard: 3,
      maxOpenOrders: 40,
      clOrdIdHistory: 6,
      stateHash: "3351fa001a7ff765",
      counts: { instruments: 3, openOrders: 14, pastNames: 6, sessions: 3, gateways: 2 },
    });
    assert.deepEqual(engine!.gateway(64_003), { bootId: 5, lastSeq: 3 });
    assert.equal(engine!.volatilitySinceUs(5), 15_000_000);
    assert.deepEqual(run(engine!, GOES_ON), run(stateEngine(), GOES_ON));
  });

  it("is what is written today", () => {
    const written = writeSnapshot(stateEngine(), STATE_OPTIONS, { length: 99, crc: 0xfedcba98 });
    assert.equal(written.toHex(), FILE.toHex());
  });
});
