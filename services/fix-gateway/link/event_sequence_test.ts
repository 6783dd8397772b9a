import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { EventKind } from "../../../shared/protocol/mod.ts";
import {
  encodeClaim,
  Event,
  type EventBatchReader,
  EventBatchWriter,
  joinEventBatches,
} from "../../../shared/codec/wire/mod.ts";
import { type EventReceiver, EventSequence } from "./event_sequence.ts";

/** The messages of one command's events: `events` order events, cut so that each message holds about `perMessage`. */
function messagesOf(cmdSeq: number, events: number, perMessage = 20, epoch = 1, shard = 0): Uint8Array[] {
  const event = new Event();
  event.kind = EventKind.OrderAccepted;
  event.text.setText("x".repeat(150));
  const writer = new EventBatchWriter(300 + 240 * perMessage);
  writer.begin(shard, epoch, cmdSeq, cmdSeq * 1000);
  for (let i = 0; i < events; i++) {
    event.msgSeqNum = cmdSeq * 1000 + i;
    writer.append(event);
  }
  return writer.end();
}

function join(...messages: Uint8Array[]): Uint8Array {
  const { bytes, taken } = joinEventBatches(messages, 1 << 20);
  assert.equal(taken, messages.length);
  return bytes;
}

/** Writes down what it gets: `3.0` is event 0 of command 3, `3` a group without events. */
class Recorder implements EventReceiver {
  seen: string[] = [];

  group(reader: EventBatchReader, fromIndex: number): void {
    if (reader.eventCount === 0) this.seen.push(`${reader.cmdSeq}`);
    while (reader.nextEvent()) {
      if (reader.eventIndex < fromIndex) continue;
      assert.equal(reader.event.msgSeqNum, reader.cmdSeq * 1000 + reader.eventIndex);
      this.seen.push(`${reader.cmdSeq}.${reader.eventIndex}`);
    }
  }

  taken(): string {
    return this.seen.splice(0).join(" ");
  }
}

function setUp(maxBufferedBytes = 1 << 20): { sequence: EventSequence; recorder: Recorder } {
  const recorder = new Recorder();
  return { sequence: new EventSequence(0, maxBufferedBytes, recorder), recorder };
}

const [M1] = messagesOf(1, 2);
const [M2] = messagesOf(2, 0);
const [M3] = messagesOf(3, 1);
const [M4] = messagesOf(4, 1);
const SPLIT = messagesOf(2, 5, 2);

describe("EventSequence", () => {
  it("takes live messages in order, groups without events included", () => {
    const { sequence, recorder } = setUp();
    assert.deepEqual([M1, M2, M3].map((m) => sequence.live(m)), ["taken", "taken", "taken"]);
    assert.equal(recorder.taken(), "1.0 1.1 2 3.0");
    assert.equal(sequence.nextCmdSeq, 4);
  });

  it("drops what it has taken, also within a joined message", () => {
    const { sequence, recorder } = setUp();
    sequence.live(M1);
    assert.equal(sequence.live(M1), "repeated");
    assert.equal(sequence.live(join(M1, M2, M3)), "taken");
    assert.equal(recorder.taken(), "1.0 1.1 2 3.0");
  });

  it("asks for a backfill at a gap and goes on with the buffered live messages", () => {
    const { sequence, recorder } = setUp();
    sequence.live(M1);
    assert.equal(sequence.live(M3), "ahead");
    assert.equal(sequence.reading, true);
    assert.equal(sequence.live(M4), "buffered");
    sequence.stored(1, M1);
    sequence.stored(2, M2);
    assert.equal(sequence.reading, false, "live messages go on without a gap");
    assert.equal(sequence.evSeq, 2);
    assert.equal(recorder.taken(), "1.0 1.1 2 3.0 4.0");
  });

  it("keeps reading while the live messages are still ahead of what is stored", () => {
    const { sequence, recorder } = setUp();
    sequence.live(M3);
    sequence.stored(1, M1);
    sequence.caughtUp();
    assert.equal(sequence.reading, true);
    sequence.stored(2, M2);
    assert.equal(sequence.reading, false);
    assert.equal(recorder.taken(), "1.0 1.1 2 3.0");
  });

  it("ends a backfill when the stream is caught up and nothing is buffered", () => {
    const { sequence, recorder } = setUp();
    sequence.interrupted();
    sequence.stored(1, join(M1, M2));
    assert.equal(sequence.reading, true);
    sequence.caughtUp();
    assert.equal(sequence.reading, false);
    assert.equal(sequence.live(M3), "taken");
    assert.equal(recorder.taken(), "1.0 1.1 2 3.0");
  });

  it("drops live messages past its bound and finds them in the stream", () => {
    const { sequence, recorder } = setUp(M3.length);
    sequence.interrupted();
    assert.equal(sequence.live(M3), "buffered");
    assert.equal(sequence.live(M4), "dropped");
    sequence.stored(1, M1);
    sequence.stored(2, M2);
    assert.equal(sequence.reading, false);
    sequence.newestStored(4, M4);
    assert.equal(sequence.reading, true);
    sequence.stored(3, M3);
    sequence.stored(4, M4);
    sequence.caughtUp();
    assert.equal(recorder.taken(), "1.0 1.1 2 3.0 4.0");
  });

  it("follows a group that was cut into several messages, and one cut elsewhere in the stream", () => {
    assert.equal(SPLIT.length, 3);
    const { sequence, recorder } = setUp();
    sequence.live(M1);
    sequence.live(SPLIT[0]);
    assert.equal(sequence.live(SPLIT[2]), "ahead");
    sequence.stored(1, M1);
    sequence.stored(2, messagesOf(2, 5, 3)[0]);
    assert.equal(sequence.reading, true);
    sequence.stored(3, messagesOf(2, 5, 3)[1]);
    assert.equal(sequence.reading, false);
    assert.equal(recorder.taken(), "1.0 1.1 2.0 2.1 2.2 2.3 2.4");
    assert.equal(sequence.nextCmdSeq, 3);
  });

  it("ignores live messages of an epoch below the newest seen, but not stored ones", () => {
    const { sequence, recorder } = setUp();
    sequence.live(messagesOf(1, 1, 20, 5)[0]);
    assert.equal(sequence.live(messagesOf(2, 1, 20, 4)[0]), "superseded");
    sequence.interrupted();
    sequence.stored(1, join(messagesOf(1, 1, 20, 4)[0], messagesOf(2, 1, 20, 4)[0]));
    assert.equal(recorder.taken(), "1.0 2.0");
  });

  it("takes a claim's epoch and place, and hands nothing over", () => {
    const { sequence, recorder } = setUp();
    sequence.live(M1);
    sequence.newestStored(2, encodeClaim(0, 4, 1, 0));
    assert.deepEqual([sequence.evSeq, sequence.reading], [2, false]);
    assert.equal(sequence.live(messagesOf(2, 0, 20, 3)[0]), "superseded");
    sequence.interrupted();
    sequence.stored(3, encodeClaim(0, 5, 1, 0));
    sequence.caughtUp();
    assert.equal(sequence.live(messagesOf(2, 0, 20, 4)[0]), "superseded");
    assert.equal(recorder.taken(), "1.0 1.1");
    sequence.interrupted();
    assert.throws(() => sequence.stored(4, encodeClaim(0, 6, 2, 0)), {
      message: "Cannot follow the events of shard 0: message 4 starts at command 3, expected 2 event 0",
    });
    const late = setUp();
    assert.equal(late.sequence.startBehind(9, encodeClaim(0, 1, 1, 2)), false);
    assert.equal(late.sequence.startBehind(9, encodeClaim(0, 1, 1, 0)), true);
    assert.equal(late.sequence.live(SPLIT[0]), "taken");
    assert.equal(late.recorder.taken(), "2.0 2.1");
  });

  it("starts behind a stored message that ends with a whole group", () => {
    const whole = setUp();
    whole.sequence.startBehind(9, join(M1, M2));
    assert.equal(whole.sequence.live(M2), "repeated");
    assert.equal(whole.sequence.live(M3), "taken");
    assert.equal(whole.sequence.evSeq, 9);
    const cut = setUp();
    assert.equal(cut.sequence.startBehind(9, SPLIT[0]), false);
    assert.deepEqual([cut.sequence.nextCmdSeq, cut.sequence.evSeq], [1, 0]);
  });

  it("names a place from which a group that was taken in part is read whole", () => {
    const { sequence } = setUp();
    sequence.interrupted();
    sequence.stored(3, M1);
    sequence.stored(4, SPLIT[0]);
    assert.deepEqual([sequence.nextEventIndex, sequence.evSeq, sequence.wholeEvSeq], [2, 4, 3]);
    SPLIT.slice(1).forEach((part, index) => sequence.stored(5 + index, part));
    const end = 3 + SPLIT.length;
    assert.deepEqual([sequence.nextEventIndex, sequence.evSeq, sequence.wholeEvSeq], [0, end, end]);
  });

  it("moves its place in the stream when a check shows that all is taken", () => {
    const { sequence } = setUp();
    sequence.live(M1);
    sequence.live(SPLIT[0]);
    sequence.newestStored(7, SPLIT[0]);
    assert.deepEqual([sequence.evSeq, sequence.reading], [7, false]);
    sequence.newestStored(8, SPLIT[1]);
    assert.deepEqual([sequence.evSeq, sequence.reading], [7, true]);
  });

  it("takes nothing of a faulty live message and names the fault", () => {
    const { sequence } = setUp();
    assert.equal(sequence.live(M1.subarray(0, 50)), "faulty");
    assert.equal(sequence.fault, "bad length");
    assert.equal(sequence.live(messagesOf(1, 1, 20, 1, 3)[0]), "faulty");
    assert.equal(sequence.fault, "wrong shard");
    sequence.live(M1);
    sequence.live(SPLIT[0]);
    assert.equal(sequence.live(messagesOf(2, 1)[0]), "faulty");
    assert.equal(sequence.fault, "contradicts what was taken");
  });

  it("refuses a stream with a gap, unless it was told that messages are gone", () => {
    const { sequence, recorder } = setUp();
    sequence.interrupted();
    assert.throws(() => sequence.stored(1, M3), {
      message: "Cannot follow the events of shard 0: message 1 starts at command 3, expected 1 event 0",
    });
    sequence.missing();
    sequence.stored(5, M3);
    sequence.stored(6, M4);
    assert.equal(recorder.taken(), "3.0 4.0");
  });
});
