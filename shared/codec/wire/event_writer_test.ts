/** The memory that event messages are cut from: what is handed out stays, and any length up to the limit fits. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { ByteSlice } from "./byte_slice.ts";
import { TRACE_BYTES } from "./command.ts";
import { EventBatchReader } from "./event_reader.ts";
import { EventBatchWriter } from "./event_writer.ts";
import { fieldsOf, Random, randomEvent, SEED } from "./test_random.ts";

/** The fields of all events in a message. */
function eventsOf(bytes: Uint8Array): unknown[] {
  const reader = new EventBatchReader();
  assert.equal(reader.open(bytes), null);
  const events: unknown[] = [];
  while (reader.nextGroup()) while (reader.nextEvent()) events.push(fieldsOf(reader.event));
  return events;
}

describe("event messages", () => {
  it(`of any length stay as they were while their writer goes on (seed ${SEED})`, () => {
    const random = new Random(SEED);
    const writer = new EventBatchWriter(512 * 1024);
    const kept: { bytes: Uint8Array; copy: Uint8Array; events: unknown[] }[] = [];
    for (let message = 1; message <= 120; message++) {
      const count = message % 10 === 0 ? 300 + random.below(900) : random.below(30);
      writer.begin(1, 1, message, message);
      const events: unknown[] = [];
      for (let i = 0; i < count; i++) {
        const event = randomEvent(random);
        writer.append(event);
        events.push(fieldsOf(event));
      }
      const [bytes, ...more] = writer.end();
      assert.equal(more.length, 0);
      kept.push({ bytes, copy: bytes.slice(), events });
    }
    assert.ok(kept.some(({ bytes }) => bytes.length > 128 * 1024), "one outgrew its slab twice");
    for (const { bytes, copy, events } of kept) {
      assert.deepEqual(bytes, copy);
      assert.deepEqual(eventsOf(bytes), events);
    }
  });

  it("that were begun and not ended leave no trace in the next one", () => {
    const random = new Random(SEED);
    const events = Array.from({ length: 40 }, () => randomEvent(random));
    const trace = new ByteSlice();
    trace.set(new Uint8Array(TRACE_BYTES).fill(7), 0, TRACE_BYTES);
    const message = (writer: EventBatchWriter) => {
      writer.begin(3, 4, 5, 6);
      for (const event of events.slice(0, 3)) writer.append(event);
      return writer.end();
    };
    const writer = new EventBatchWriter(4096);
    writer.begin(9, 9, 9, 9);
    for (const event of events) writer.addTrace(writer.append(event), trace);
    assert.deepEqual(message(writer), message(new EventBatchWriter(4096)));
  });

  it("hold as many traces as fit, also where their slab ends", () => {
    const random = new Random(SEED);
    const writer = new EventBatchWriter(512 * 1024);
    const trace = new ByteSlice();
    for (let message = 1; message <= 50; message++) {
      writer.begin(1, 1, message, 1);
      for (let i = 0; i < 40; i++) {
        trace.set(new Uint8Array(TRACE_BYTES).fill(i), 0, TRACE_BYTES);
        writer.addTrace(writer.append(randomEvent(random)), trace);
      }
      const reader = new EventBatchReader();
      assert.equal(reader.open(writer.end()[0]), null);
      reader.nextGroup();
      assert.equal(reader.traceCount, 40);
      for (let i = 0; i < 40; i++) {
        reader.nextEvent();
        assert.ok(reader.traceOf(i, trace));
        assert.equal(String(trace), String.fromCharCode(i).repeat(TRACE_BYTES));
      }
    }
  });
});
