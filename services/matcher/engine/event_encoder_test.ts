/** Events over the wire: what the encoder writes, the reader reads; traces sit on the right events. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { ByteSlice, EventBatchReader, TRACE_BYTES } from "../../../shared/codec/wire/mod.ts";
import { orderIdOf } from "../../../shared/protocol/mod.ts";
import { EventEncoder } from "./mod.ts";
import { RandomFlow } from "../flow/random_flow.ts";
import { ledgerEngine } from "./run_ledger.ts";
import { formatEvent, parseCommand, RecordingSink } from "./test_ledger.ts";

function decode(messages: readonly Uint8Array[]): { lines: string[]; traced: number[]; parts: number } {
  const reader = new EventBatchReader();
  const trace = new ByteSlice();
  const lines: string[] = [];
  const traced: number[] = [];
  for (const message of messages) {
    assert.equal(reader.open(message), null);
    while (reader.nextGroup()) {
      while (reader.nextEvent()) {
        lines.push(formatEvent(reader.event));
        if (reader.traceOf(reader.eventIndex, trace)) traced.push(reader.eventIndex);
      }
    }
  }
  return { lines, traced, parts: messages.length };
}

describe("the event encoder", () => {
  it("loses nothing of any event of a random flow", () => {
    const direct = ledgerEngine();
    const encoded = ledgerEngine();
    const flow = new RandomFlow(20_240_601, [1, 2, 3]);
    const sink = new RecordingSink();
    const encoder = new EventEncoder(4096);
    let events = 0;
    for (let i = 1; i <= 2000; i++) {
      const command = flow.next(orderIdOf(i, 0));
      // The wire carries integers of 32 bits; the flow's fractions and infinities cannot come from a reader.
      command.priceTicks = Math.max(0, command.priceTicks | 0);
      command.qtyLots = Math.max(0, command.qtyLots | 0);
      command.instrumentId &= 0xffff;
      if (command.clOrdId.length > 40 || command.origClOrdId.length > 40) continue;
      direct.apply(i, 0, i, command, sink);
      encoder.begin(0, 1, i, i);
      encoded.apply(i, 0, i, command, encoder);
      const want = sink.take();
      events += want.length;
      assert.deepEqual(decode(encoder.end()).lines, want);
    }
    assert.ok(events > 2000);
  });

  it("cuts a command's many events into messages that follow each other", () => {
    const engine = ledgerEngine();
    const sink = new RecordingSink();
    for (let i = 1; i <= 60; i++) {
      engine.apply(i, 0, i, parseCommand(`new s1 A${i} sell 1@${100 + i}`), sink);
    }
    const encoder = new EventEncoder(4096);
    encoder.begin(0, 1, 61, 61);
    engine.apply(61, 0, 61, parseCommand("new s3 B buy 60@1000"), encoder);
    const { lines, parts } = decode(encoder.end());
    assert.equal(lines.length, 1 + 2 * 60 + 60);
    assert.ok(parts > 1);
    assert.equal(lines[0].split(" ")[0], "accepted");
    assert.equal(lines.at(-1), "level sell 0@160 x0");
  });

  it("puts a trace on the command's first event and on its first level, and on no other command's", () => {
    const engine = ledgerEngine();
    const sink = new RecordingSink();
    engine.apply(1, 0, 1, parseCommand("new s1 A sell 5@10"), sink);
    const traced = parseCommand("new s3 B buy 9@10");
    traced.trace.set(new Uint8Array(TRACE_BYTES).fill(7), 0, TRACE_BYTES);
    const encoder = new EventEncoder(4096);
    encoder.begin(0, 1, 2, 2);
    engine.apply(2, 0, 2, parseCommand("new s1 C sell 5@11"), encoder);
    engine.apply(2, 1, 2, traced, encoder);
    engine.apply(2, 2, 2, parseCommand("new s1 D sell 5@12"), encoder);
    const { lines, traced: indices } = decode(encoder.end());
    assert.deepEqual(indices.map((index) => lines[index].split(" ")[0]), ["accepted", "level"]);
    assert.deepEqual(indices, [2, 5]);
  });
});
