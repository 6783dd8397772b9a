import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Engine } from "../engine/mod.ts";
import { parseCommand, RecordingSink } from "../engine/test_ledger.ts";
import { ByteWriter } from "./byte_writer.ts";
import { BURST_MS, Bursts, MAX_REST_MS } from "./pace.ts";
import { loadSnapshot, writeSnapshot } from "./snapshot.ts";
import { clearedMemory } from "./spare_memory.ts";
import { STATE_OPTIONS, stateEngine } from "./test_state.ts";

/** Bursts by a clock that stands still but for rests, of which each takes a tenth longer than asked. */
function world() {
  let nowMs = 1000;
  const rests: number[] = [];
  const bursts = new Bursts({
    clockMs: () => nowMs,
    rest(ms) {
      rests.push(ms);
      nowMs += 1.1 * ms;
    },
  });
  const work = (...timesMs: number[]) => {
    for (const ms of timesMs) {
      nowMs += ms;
      bursts.look();
    }
  };
  return { bursts, rests, work };
}

describe("work in bursts", () => {
  it("rests three times as long as a burst has taken, once it has taken long enough", () => {
    const { rests, work } = world();
    work(BURST_MS / 4, BURST_MS / 4, BURST_MS / 4);
    assert.deepEqual(rests, []);
    work(BURST_MS / 2);
    assert.deepEqual(rests.map((ms) => Math.round(ms * 1e6)), [Math.round(3 * 1.25 * BURST_MS * 1e6)]);
    work(BURST_MS / 2);
    assert.equal(rests.length, 1);
    work(BURST_MS);
    assert.deepEqual(rests.map((ms) => Math.round(ms * 1e6)).slice(1), [
      Math.round(3 * 1.5 * BURST_MS * 1e6),
    ]);
  });

  it("never rests for long, however long nobody has looked", () => {
    const { rests, work } = world();
    work(400);
    assert.deepEqual(rests, [MAX_REST_MS]);
  });

  it("does not rest in a hurry, and goes on with whole bursts afterwards", () => {
    const { bursts, rests, work } = world();
    bursts.hurry = () => true;
    work(BURST_MS, 10, BURST_MS / 2);
    bursts.hurry = () => false;
    work(BURST_MS / 4);
    assert.deepEqual(rests, []);
    work(BURST_MS);
    assert.equal(rests.length, 1);
  });
});

/** A pace that counts how often it is asked. */
function counter() {
  const looks = { count: 0, look: () => void looks.count++ };
  return looks;
}

describe("a snapshot that is written and loaded in bursts", () => {
  const mark = { length: 99, crc: 7 };
  const bytes = writeSnapshot(stateEngine(), STATE_OPTIONS, mark);

  it("has the same bytes and gives the same state, into memory that was used before too", () => {
    const out = new ByteWriter();
    for (let i = 0; i < 2; i++) {
      assert.equal(writeSnapshot(stateEngine(), STATE_OPTIONS, mark, counter(), out).toHex(), bytes.toHex());
    }
    const { engine } = loadSnapshot(bytes, STATE_OPTIONS, counter());
    assert.equal(engine!.stateHash(), stateEngine().stateHash());
  });

  it("leaves room for a rest every 16 orders and names, every step of a state hash and every piece", () => {
    const options = { ...STATE_OPTIONS, maxOpenOrders: 300, clOrdIdHistory: 100 };
    const engine = new Engine(options);
    const sink = new RecordingSink();
    for (let i = 1; i <= 264; i++) {
      engine.apply(i, 0, i, parseCommand(`new s1 N${i} buy 1@${100 + i % 3} i2`), sink);
      if (i > 256) continue;
      if (i % 4 === 0) engine.apply(i, 1, i, parseCommand(`cancel s1 C${i} N${i} buy i2`), sink);
    }
    assert.deepEqual([engine.openOrders, engine.books.registry.pastCount], [200, 100]);
    const looks = counter();
    const written = writeSnapshot(engine, options, mark, looks);
    // 200 orders and 100 names by 16, twice: 12 + 7; of the state hash 1 + 1; pieces of 3 sections, and of the whole.
    assert.equal(looks.count, 12 + 7 + 2 + 3 + 1);
    assert.equal(loadSnapshot(written, options, looks).reason, null);
    assert.equal(looks.count, 2 * (12 + 7 + 2 + 3 + 1));
  });

  it("can be loaded into the memory of an engine that is done with", () => {
    const looks = counter();
    const old = stateEngine();
    old.books.words.fill(1);
    const memory = clearedMemory(old, looks);
    assert.equal(looks.count, Math.ceil(memory.byteLength / 4096));
    assert.ok(new Uint8Array(memory).every((byte) => byte === 0));
    const { engine } = loadSnapshot(bytes, { ...STATE_OPTIONS, memory });
    assert.equal(engine!.books.words.buffer, memory);
    assert.equal(writeSnapshot(engine!, STATE_OPTIONS, mark).toHex(), bytes.toHex());
  });

  it("is loaded into memory of its own where that of others does not fit", () => {
    const memory = new ArrayBuffer(64);
    const engine = new Engine({ ...STATE_OPTIONS, memory });
    assert.notEqual(engine.books.words.buffer, memory);
    assert.equal(engine.books.words.length, new Engine(STATE_OPTIONS).books.words.length);
  });
});
