import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { EventKind } from "../../protocol/mod.ts";
import { ByteSlice } from "./byte_slice.ts";
import { encodeClaim, Event, joinEventBatches } from "./event.ts";
import { EventBatchWriter } from "./event_writer.ts";
import { EventBatchReader } from "./event_reader.ts";
import { embedded, messagesOf, Random, randomEvent, SEED, traceOf } from "./test_random.ts";

/** Reads a message as far as it can be read, keeping nothing. Returns the events, or the fault. */
function walk(bytes: Uint8Array): number | string {
  const reader = new EventBatchReader();
  const fault = reader.open(bytes);
  if (fault !== null) return fault;
  const trace = new ByteSlice();
  let events = 0;
  while (reader.nextGroup()) {
    while (reader.nextEvent()) {
      events++;
      const { text } = reader.event;
      if (reader.traceOf(reader.eventIndex, trace)) assert.ok(trace.start + trace.length <= bytes.length);
      assert.ok(text.start + text.length <= bytes.length);
    }
  }
  return events;
}

describe("a damaged event batch", () => {
  const level = randomEvent(new Random(1));
  level.kind = EventKind.LevelChanged;
  const random = new Random(SEED);
  const writer = new EventBatchWriter(8192);
  writer.begin(2, 5, 20, 7);
  for (let i = 0; i < 3; i++) writer.addTrace(writer.append(randomEvent(random)), traceOf(random));
  const [first] = writer.end();
  const [second] = messagesOf(writer, 21, [level]);
  const whole = joinEventBatches([first, second], 1e6).bytes;

  it("is refused at every truncation", () => {
    for (let length = 0; length < whole.length; length++) {
      assert.equal(
        walk(embedded(whole.subarray(0, length))),
        length < 40 ? "truncated" : "bad length",
        `length ${length}`,
      );
    }
  });

  it("names what is wrong", () => {
    const bytes = second;
    const with_ = (at: number, value: number) => {
      const copy = bytes.slice();
      copy[at] = value;
      return walk(embedded(copy));
    };
    assert.equal(with_(0, 0), "bad magic");
    assert.equal(with_(2, 1), "unsupported version");
    assert.equal(with_(3, 1), "bad field", "reserved byte");
    assert.equal(with_(6, 0), "bad field", "groups in what says that it is a claim");
    assert.equal(with_(6, 2), "truncated", "a group too many");
    assert.equal(with_(15, 0x80), "bad field", "negative epoch");
    assert.equal(with_(16, 1), "bad field", "another first command");
    assert.equal(with_(24, 1), "bad field", "another last command");
    assert.equal(with_(40, 31), "truncated", "a group shorter than its header");
    assert.equal(with_(40, 72), "truncated", "a group longer than the message");
    assert.equal(with_(40 + 4, 0), "bad length", "an event that is not counted");
    assert.equal(with_(40 + 4, 2), "truncated", "an event too many");
    assert.equal(with_(40 + 4, 3), "bad length", "more events than there is room for");
    assert.equal(with_(40 + 12, 1), "truncated", "a trace that is not there");
    assert.equal(with_(40 + 14, 8), "bad field", "unknown flag");
    for (const both of [3, 5, 6, 7]) {
      assert.equal(with_(40 + 14, both), "bad field", "flags that exclude each other");
    }
    assert.equal(with_(40 + 14, 2), "bad field", "events of a refused message");
    assert.equal(with_(40 + 31, 0x80), "bad field", "negative time");
    assert.equal(with_(72, 40), "bad length", "a level of another size");
    assert.equal(with_(72 + 2, 0), "bad field", "no kind");
    assert.equal(with_(72 + 2, 15), "bad field", "unknown kind");
    assert.equal(with_(72 + 2, 1), "truncated", "an order event that ends with a level's bytes");
  });

  it("is refused when an event of an instrument has what its kind does not, or no integer", () => {
    const at = { detail: 3, cause: 4, price: 8, word: 12, quantity: 16, surplus: 24 };
    const rows: [EventKind, (keyof typeof at)[]][] = [
      [EventKind.LevelChanged, ["detail", "price", "word", "quantity"]],
      [EventKind.PhaseChanged, ["detail", "cause", "price", "word"]],
      [EventKind.AuctionIndicated, ["price", "quantity", "surplus"]],
      [EventKind.AlgorithmChanged, ["detail", "price"]],
    ];
    for (const [kind, has] of rows) {
      const event = new Event();
      event.kind = kind;
      const [bytes] = messagesOf(new EventBatchWriter(4096), 21, [event]);
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      assert.equal(walk(bytes), 1);
      for (const name of ["detail", "cause", "price", "word"] as const) {
        bytes[72 + at[name]] = 1;
        assert.equal(walk(bytes), has.includes(name) ? 1 : "bad field", `${kind} ${name}`);
        bytes[72 + at[name]] = 0;
      }
      for (const name of ["quantity", "surplus"] as const) {
        for (const value of [1, -1, 0.5, NaN, Infinity, 2 ** 53, -(2 ** 53)]) {
          view.setFloat64(72 + at[name], value, true);
          const may = has.includes(name) && (value === 1 || value === -1 && name === "surplus");
          assert.equal(walk(bytes), may ? 1 : "bad field", `${kind} ${name} ${value}`);
        }
        view.setFloat64(72 + at[name], 0, true);
      }
    }
  });

  it("is refused when an order's number or expiry is no integer", () => {
    const [bytes] = messagesOf(new EventBatchWriter(4096), 21, [new Event()]);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    for (const at of [8, 80]) {
      for (const value of [0.5, NaN, Infinity, 2 ** 53]) {
        view.setFloat64(72 + at, value, true);
        assert.equal(walk(bytes), "bad field", `${at} ${value}`);
      }
      view.setFloat64(72 + at, 1, true);
      assert.equal(walk(bytes), 1);
    }
    view.setFloat64(72 + 80, -1, true);
    assert.equal(walk(bytes), "bad field");
  });

  it("is refused when a trace names an event that is not there", () => {
    const bytes = first.slice();
    assert.equal(walk(bytes), 3);
    bytes[bytes.length - 32] = 3;
    assert.equal(walk(bytes), "bad field");
  });

  it("is refused when its traces are not in the order of their events, or two are of one", () => {
    for (const index of [1, 2]) {
      const bytes = first.slice();
      bytes[bytes.length - 64] = index;
      bytes[bytes.length - 32] = 1;
      assert.equal(walk(bytes), "bad field");
    }
  });

  it("is refused when a trace names an event of the part before", () => {
    const cut = new EventBatchWriter(4096);
    cut.begin(2, 5, 20, 7);
    let index = 0;
    while (index < 200) index = cut.append(level);
    cut.addTrace(index, traceOf(random));
    const bytes = cut.end().at(-1)!;
    const reader = new EventBatchReader();
    assert.equal(reader.open(bytes), null);
    reader.nextGroup();
    assert.ok(reader.firstEventIndex > 0);
    bytes[bytes.length - 32] = reader.firstEventIndex;
    assert.equal(reader.open(bytes), null);
    bytes[bytes.length - 32] = reader.firstEventIndex - 1;
    assert.equal(reader.open(bytes), "bad field");
  });

  it("is refused when it is cut and its length made to fit", () => {
    for (let length = 40; length < whole.length; length++) {
      const cut = whole.slice(0, length);
      new DataView(cut.buffer).setUint32(32, length, true);
      assert.equal(typeof walk(embedded(cut)), "string", `length ${length}`);
    }
  });

  it(`never throws or reads outside with any one byte changed (seed ${SEED})`, () => {
    const copy = embedded(whole);
    for (let at = 0; at < whole.length; at++) {
      for (let value = 0; value < 256; value++) {
        copy[at] = value;
        const read = walk(copy);
        assert.ok(typeof read === "string" || read === 4);
      }
      copy[at] = whole[at];
    }
  });
});

describe("a claim", () => {
  it("reads back as it was written, and holds no group", () => {
    const reader = new EventBatchReader();
    assert.equal(reader.open(encodeClaim(3, 8, 41, 6)), null);
    assert.deepEqual(
      [reader.shard, reader.epoch, reader.firstCmdSeq, reader.lastCmdSeq, reader.groupCount],
      [3, 8, 42, 41, 0],
    );
    assert.equal(reader.nextEventIndex, 6);
    assert.equal(reader.nextGroup(), false);
  });

  it("may stand before everything", () => {
    const reader = new EventBatchReader();
    assert.equal(reader.open(encodeClaim(0, 1, 0, 0)), null);
    assert.deepEqual([reader.firstCmdSeq, reader.lastCmdSeq, reader.nextEventIndex], [1, 0, 0]);
  });

  it("never throws with any one byte changed, and is refused at every truncation", () => {
    const bytes = encodeClaim(3, 8, 41, 6);
    for (let at = 0; at < bytes.length; at++) {
      assert.equal(typeof walk(bytes.subarray(0, at)), "string");
      const copy = embedded(bytes);
      for (let value = 0; value < 256; value++) {
        copy[at] = value;
        walk(copy);
      }
    }
  });

  it("is the only message that tells events of the group before it", () => {
    const [bytes] = messagesOf(new EventBatchWriter(4096), 3, []);
    bytes[36] = 1;
    assert.equal(walk(bytes), "bad field");
  });
});
