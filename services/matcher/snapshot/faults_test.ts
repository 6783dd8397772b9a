/** Whatever is wrong with a snapshot comes out as a reason: cut, flipped, foreign, of another version, and untrue though checksummed. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import { HEADER, HEADER_BYTES, SECTION_HEADER_BYTES, TRAILER_BYTES } from "./layout.ts";
import { loadSnapshot, writeSnapshot } from "./snapshot.ts";
import { STATE_OPTIONS, stateEngine } from "./test_state.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const BYTES = writeSnapshot(stateEngine(), STATE_OPTIONS, { length: 99, crc: 7 });

/** A copy with every checksum made good again. */
function signed(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  const end = copy.length - TRAILER_BYTES;
  for (let at = HEADER_BYTES; at + SECTION_HEADER_BYTES <= end;) {
    const length = view.getFloat64(at + 8, true);
    if (!(length >= 0 && at + SECTION_HEADER_BYTES + length <= end)) break;
    view.setUint32(
      at + 4,
      crc32(copy.subarray(at + SECTION_HEADER_BYTES, at + SECTION_HEADER_BYTES + length)),
      true,
    );
    at += SECTION_HEADER_BYTES + length;
  }
  view.setUint32(HEADER.Crc, crc32(copy.subarray(0, HEADER.Crc)), true);
  copy.set(createHash("sha256").update(copy.subarray(0, end)).digest(), end);
  return copy;
}

function edited(edit: (view: DataView) => void): Uint8Array {
  const copy = BYTES.slice();
  edit(new DataView(copy.buffer));
  return signed(copy);
}

function reasonOf(bytes: Uint8Array, options = {}): string {
  return loadSnapshot(bytes, { ...STATE_OPTIONS, ...options }).reason ?? "none";
}

describe("a snapshot that is no good", () => {
  it("is told as such wherever it is cut", () => {
    for (let length = 0; length < BYTES.length; length++) {
      assert.notEqual(reasonOf(BYTES.subarray(0, length)), "none", `${length} bytes`);
    }
    assert.equal(
      reasonOf(new Uint8Array([...BYTES, 0])),
      `it has ${BYTES.length + 1} bytes instead of ${BYTES.length}`,
    );
  });

  it("is told as such whatever bit of it is flipped", () => {
    const copy = BYTES.slice();
    for (let at = 0; at < copy.length; at++) {
      for (let bit = 1; bit < 256; bit *= 2) {
        copy[at] ^= bit;
        assert.notEqual(reasonOf(copy), "none", `bit ${bit} of byte ${at}`);
        copy[at] ^= bit;
      }
    }
    assert.equal(reasonOf(copy), "none");
  });

  it("never gives another state, even when its checksums are good", () => {
    console.error(`seed ${SEED}`);
    const random = new SeededRandom(SEED);
    for (let i = 0; i < 4000; i++) {
      const copy = BYTES.slice();
      for (let n = 1 + random.below(3); n > 0; n--) {
        const at = 64 + random.below(copy.length - 64 - TRAILER_BYTES);
        copy[at] = random.oneIn(2) ? copy[at] ^ 1 << random.below(8) : random.pick([0, 1, 127, 128, 255]);
      }
      const loaded = loadSnapshot(signed(copy), STATE_OPTIONS);
      if (loaded.engine !== null) assert.equal(loaded.engine.stateHash(), loaded.header.stateHash);
    }
  });

  const unusable: readonly [string, Uint8Array, object, string][] = [
    [
      "of a later version",
      edited((view) => view.setUint32(HEADER.Version, 2, true)),
      {},
      "it has version 2; this release reads up to 1: start the newer release",
    ],
    [
      "of a version that is not read any more",
      edited((view) => view.setUint32(HEADER.Version, 0, true)),
      {},
      "it has version 0; this release reads 1: start the older release once",
    ],
    ["something else", new Uint8Array(4096), {}, "it is no snapshot"],
    ["of another shard", BYTES, { shard: 4 }, "it is of shard 3 instead of 4"],
    [
      "made with another limit of orders",
      BYTES,
      { maxOpenOrders: 41 },
      "it was made with maxOpenOrders 40, this matcher has 41",
    ],
    [
      "made with another limit of ClOrdIDs",
      BYTES,
      { clOrdIdHistory: 5 },
      "it was made with clOrdIdHistory 6, this matcher has 5",
    ],
    [
      "made with other rules",
      BYTES,
      { instruments: STATE_OPTIONS.instruments.map((each) => ({ ...each, proRataMin: 1 })) },
      "the rules of SYM5 (instrument 5) are others now",
    ],
    [
      "of an instrument that is gone",
      BYTES,
      { instruments: STATE_OPTIONS.instruments.filter(({ id }) => id !== 6) },
      "the venue does not list its instrument 6",
    ],
    [
      "with more orders than its limit",
      edited((view) => view.setUint32(HEADER.OpenOrders, 41, true)),
      {},
      "it claims 41 open orders and 6 past ClOrdIDs, more than its own limits",
    ],
    [
      "with fewer orders than it says",
      edited((view) => view.setUint32(HEADER.OpenOrders, 40, true)),
      {},
      "it holds 14 open orders",
    ],
    [
      "with another state than it says",
      edited((view) => view.setFloat64(HEADER.TimestampUs, 5, true)),
      {},
      "its state hashes to 684e6f2fae57cd63 instead of 3351fa001a7ff765",
    ],
  ];
  for (const [what, bytes, options, reason] of unusable) {
    it(`is refused by name: ${what}`, () => assert.equal(reasonOf(bytes, options), reason));
  }
});

describe("a snapshot that is good", () => {
  it("is read by a matcher to whose venue instruments were added, and whose free rules changed", () => {
    const { instruments } = STATE_OPTIONS;
    const added = { ...instruments[0], id: 3, symbol: "NEW" };
    const changed = {
      ...instruments[1],
      rules: { ...instruments[1].rules, volatilityAuctionSec: 1 },
      switchableTo: [],
    };
    const options = {
      ...STATE_OPTIONS,
      instruments: [added, instruments[0], changed, ...instruments.slice(2)],
    };
    const { engine, reason } = loadSnapshot(BYTES, options);
    assert.equal(reason, null);
    assert.deepEqual(engine!.phaseOf(3), 5);
    assert.equal(engine!.openOrders, stateEngine().openOrders);
  });
});
