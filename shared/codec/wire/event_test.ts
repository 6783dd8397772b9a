import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { ByteSlice } from "./byte_slice.ts";
import { Event, joinEventBatches } from "./event.ts";
import { EventBatchWriter } from "./event_writer.ts";
import { EventBatchReader } from "./event_reader.ts";
import { embedded, fieldsOf, messagesOf, Random, randomEvent, SEED, traceOf } from "./test_random.ts";

interface Group {
  cmdSeq: number;
  timestampUs: number;
  firstEventIndex: number;
  continues: boolean;
  events: Record<string, unknown>[];
  traces: Record<number, string>;
}

/** Reads a message to its end; every slice has to lie inside it. */
function readAll(bytes: Uint8Array): Group[] | string {
  const reader = new EventBatchReader();
  const fault = reader.open(bytes);
  if (fault !== null) return fault;
  const groups: Group[] = [];
  const trace = new ByteSlice();
  while (reader.nextGroup()) {
    const { cmdSeq, timestampUs, firstEventIndex, continues } = reader;
    const group: Group = { cmdSeq, timestampUs, firstEventIndex, continues, events: [], traces: {} };
    while (reader.nextEvent()) {
      const { clOrdId, origClOrdId, symbol, text } = reader.event;
      for (const slice of [clOrdId, origClOrdId, symbol, text]) {
        assert.ok(slice.start >= 0 && slice.start + slice.length <= bytes.length);
      }
      group.events.push(fieldsOf(reader.event));
      if (!reader.traceOf(reader.eventIndex, trace)) continue;
      assert.ok(trace.start + trace.length <= bytes.length);
      group.traces[reader.eventIndex] = String(trace);
    }
    assert.equal(group.events.length, reader.eventCount);
    groups.push(group);
  }
  assert.equal(groups.length, reader.groupCount);
  return groups;
}

describe("an event batch", () => {
  it(`reads back as it was written, traces included (seed ${SEED})`, () => {
    const random = new Random(SEED);
    const writer = new EventBatchWriter(65536);
    for (let round = 0; round < 300; round++) {
      const events = Array.from({ length: random.below(12) }, () => randomEvent(random));
      const traces: Record<number, string> = {};
      writer.begin(9, 4, 17, 99);
      for (const event of events) {
        const index = writer.append(event);
        if (random.below(3) > 0) continue;
        const trace = traceOf(random);
        writer.addTrace(index, trace);
        traces[index] = String(trace);
      }
      const messages = writer.end();
      assert.equal(messages.length, 1);
      const bytes = embedded(messages[0]);
      const reader = new EventBatchReader();
      assert.equal(reader.open(bytes), null);
      assert.deepEqual(
        [reader.shard, reader.epoch, reader.firstCmdSeq, reader.lastCmdSeq, reader.groupCount],
        [9, 4, 17, 17, 1],
      );
      assert.deepEqual(readAll(bytes), [{
        cmdSeq: 17,
        timestampUs: 99,
        firstEventIndex: 0,
        continues: false,
        events: events.map(fieldsOf),
        traces,
      }]);
    }
  });

  it("keeps the expiry of an order event that has no strings, in a slab that held others", () => {
    const writer = new EventBatchWriter(4096);
    const event = new Event();
    event.expireUs = 1_700_000_000_000_000;
    const [bytes] = messagesOf(writer, 3, [event, event]);
    const [{ events }] = readAll(bytes) as Group[];
    assert.deepEqual(events, [fieldsOf(event), fieldsOf(event)]);
  });

  it("is one group even when its command caused nothing", () => {
    const [bytes] = messagesOf(new EventBatchWriter(4096), 3, []);
    assert.equal(bytes.length, 40 + 32);
    assert.deepEqual(readAll(bytes), [{
      cmdSeq: 3,
      timestampUs: 1_700_000_000_000_003,
      firstEventIndex: 0,
      continues: false,
      events: [],
      traces: {},
    }]);
  });

  it(`is cut between events when they pass the largest message, and nothing is lost (seed ${SEED})`, () => {
    const random = new Random(SEED);
    const writer = new EventBatchWriter(4096);
    for (let round = 0; round < 50; round++) {
      const events = Array.from({ length: 40 + random.below(200) }, () => randomEvent(random));
      const messages = messagesOf(writer, 8, events);
      assert.ok(messages.length > 1);
      const read: Record<string, unknown>[] = [];
      messages.forEach((bytes, i) => {
        assert.ok(bytes.length <= 4096);
        const groups = readAll(bytes) as Group[];
        assert.equal(groups.length, 1);
        assert.equal(groups[0].firstEventIndex, read.length);
        assert.equal(groups[0].continues, i < messages.length - 1);
        read.push(...groups[0].events);
      });
      assert.deepEqual(read, events.map(fieldsOf));
    }
  });

  it("keeps a trace with its event when the group is cut", () => {
    const random = new Random(5);
    const writer = new EventBatchWriter(4096);
    const expected: Record<number, string> = {};
    writer.begin(2, 5, 8, 0);
    for (let i = 0; i < 100; i++) {
      const index = writer.append(randomEvent(random));
      const trace = traceOf(random);
      writer.addTrace(index, trace);
      expected[index] = String(trace);
    }
    const found: Record<number, string> = {};
    for (const bytes of writer.end()) {
      for (const group of readAll(bytes) as Group[]) Object.assign(found, group.traces);
    }
    assert.deepEqual(found, expected);
  });

  it("finds the traces of some events, asked for in order, in each group anew", () => {
    const random = new Random(7);
    const writer = new EventBatchWriter(65536);
    const messages = [20, 21].map((cmdSeq) => {
      writer.begin(2, 5, cmdSeq, 0);
      for (let i = 0; i < 40; i++) {
        const index = writer.append(randomEvent(random));
        if (i % 3 === 1) writer.addTrace(index, traceOf(random));
      }
      return writer.end()[0];
    });
    const reader = new EventBatchReader();
    const trace = new ByteSlice();
    assert.equal(reader.open(joinEventBatches(messages, 1e6).bytes), null);
    while (reader.nextGroup()) {
      assert.equal(reader.traceCount, 13);
      const found = [0, 1, 1, 7, 8, 30, 37, 38, 39, 40].filter((index) => reader.traceOf(index, trace));
      assert.deepEqual(found, [1, 1, 7, 37]);
    }
  });

  it("says that its command message was refused, until the next begins", () => {
    const writer = new EventBatchWriter(4096);
    const refused = (cmdSeq: number, refuse: boolean) => {
      writer.begin(2, 5, cmdSeq, 0);
      if (refuse) writer.refuse();
      return writer.end()[0];
    };
    const { bytes } = joinEventBatches([refused(1, false), refused(2, true), refused(3, false)], 65536);
    const reader = new EventBatchReader();
    assert.equal(reader.open(bytes), null);
    const groups = [];
    while (reader.nextGroup()) groups.push([reader.cmdSeq, reader.refused, reader.continues]);
    assert.deepEqual(groups, [[1, false, false], [2, true, false], [3, false, false]]);
    writer.begin(2, 5, 4, 0);
    writer.append(randomEvent(new Random(1)));
    assert.throws(() => writer.refuse(), /Cannot refuse a command message that has caused events/);
  });

  it("says in its last part that commands had been applied before, until the next begins", () => {
    const writer = new EventBatchWriter(4096);
    writer.begin(2, 5, 1, 0);
    for (let i = 0; i < 60; i++) writer.append(randomEvent(new Random(1)));
    writer.repeat();
    const messages = writer.end();
    writer.begin(2, 5, 2, 0);
    writer.repeat();
    messages.push(...writer.end());
    writer.begin(2, 5, 3, 0);
    messages.push(...writer.end());
    const reader = new EventBatchReader();
    const groups = [];
    for (const bytes of messages) {
      assert.equal(reader.open(bytes), null);
      while (reader.nextGroup()) groups.push([reader.cmdSeq, reader.continues, reader.repeated]);
    }
    const parts = groups.length - 3;
    assert.ok(parts > 0);
    const cut = Array.from({ length: parts }, () => [1, true, false]);
    assert.deepEqual(groups, [...cut, [1, false, true], [2, false, true], [3, false, false]]);
  });

  it(`joined from several equals the several one after the other (seed ${SEED})`, () => {
    const random = new Random(SEED);
    for (let round = 0; round < 100; round++) {
      const writer = new EventBatchWriter(4096);
      const messages: Uint8Array[] = [];
      for (let cmdSeq = 10; cmdSeq < 14; cmdSeq++) {
        const events = Array.from({ length: random.below(60) }, () => randomEvent(random));
        messages.push(...messagesOf(writer, cmdSeq, events));
      }
      const expected = messages.flatMap((bytes) => readAll(bytes) as Group[]);
      const maxBytes = 4096 + random.below(40_000);
      const joined: Group[] = [];
      for (let at = 0; at < messages.length;) {
        const { bytes, taken } = joinEventBatches(messages.slice(at), maxBytes);
        assert.ok(taken >= 1 && bytes.length <= maxBytes);
        const reader = new EventBatchReader();
        assert.equal(reader.open(bytes), null);
        const groups = readAll(bytes) as Group[];
        assert.equal(reader.firstCmdSeq, groups[0].cmdSeq);
        assert.equal(reader.lastCmdSeq, groups[groups.length - 1].cmdSeq);
        joined.push(...groups);
        at += taken;
      }
      assert.deepEqual(joined, expected);
    }
  });

  it("joined takes one message even when that alone is over the limit", () => {
    const messages = messagesOf(new EventBatchWriter(4096), 1, []);
    assert.deepEqual(joinEventBatches([messages[0], messages[0]], 10), { bytes: messages[0], taken: 1 });
  });

  it("joined from joined ones counts every group", () => {
    const writer = new EventBatchWriter(4096);
    const joined = (...cmdSeqs: number[]) =>
      joinEventBatches(cmdSeqs.map((cmdSeq) => messagesOf(writer, cmdSeq, [])[0]), 65536).bytes;
    const { bytes, taken } = joinEventBatches([joined(1, 2, 3), joined(4), joined(5, 6)], 65536);
    assert.equal(taken, 3);
    assert.deepEqual((readAll(bytes) as Group[]).map(({ cmdSeq }) => cmdSeq), [1, 2, 3, 4, 5, 6]);
  });

  it("is the same bytes whatever its writer wrote before", () => {
    const random = new Random(SEED);
    const events = Array.from({ length: 20 }, () => randomEvent(random));
    const writer = new EventBatchWriter(16384);
    messagesOf(writer, 2 ** 40, Array.from({ length: 90 }, () => randomEvent(random)));
    const trace = traceOf(random);
    writer.begin(65535, 9, 1, 1);
    writer.addTrace(writer.append(events[0]), trace);
    writer.end();
    assert.deepEqual(messagesOf(writer, 8, events), messagesOf(new EventBatchWriter(16384), 8, events));
  });

  it("is refused when a group is missing, repeated or out of order", () => {
    const writer = new EventBatchWriter(4096);
    const group = (cmdSeq: number) => messagesOf(writer, cmdSeq, [])[0];
    const join = (...cmdSeqs: number[]) => joinEventBatches(cmdSeqs.map(group), 65536).bytes;
    assert.equal((readAll(join(4, 5, 6)) as Group[]).length, 3);
    assert.equal(readAll(join(4, 6)), "bad field");
    assert.equal(readAll(join(4, 4)), "bad field");
    assert.equal(readAll(join(5, 4)), "bad field");
  });

  it("is refused when a part of a cut group is missing", () => {
    const random = new Random(3);
    const parts = messagesOf(
      new EventBatchWriter(4096),
      8,
      Array.from({ length: 100 }, () => randomEvent(random)),
    );
    assert.ok(parts.length >= 3);
    assert.equal(typeof readAll(joinEventBatches(parts, 1e6).bytes), "object");
    assert.equal(readAll(joinEventBatches([parts[0], ...parts.slice(2)], 1e6).bytes), "bad field");
  });
});
