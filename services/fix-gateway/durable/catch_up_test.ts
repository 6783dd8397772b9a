import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Event, EventBatchWriter, joinEventBatches } from "../../../shared/codec/wire/mod.ts";
import { EventKind } from "../../../shared/protocol/mod.ts";
import { CatchUp, type CatchUpOptions, type ReportMaker } from "./catch_up.ts";
import type { Position } from "./position.ts";

const SESSION = 7;

/** The message of one command whose events go to these sessions; 0 is a level change. */
function messageOf(cmdSeq: number, ...sessions: number[]): Uint8Array {
  const writer = new EventBatchWriter(4096);
  writer.begin(0, 1, cmdSeq, 1000);
  const event = new Event();
  for (const session of sessions) {
    event.kind = session === 0 ? EventKind.LevelChanged : EventKind.OrderAccepted;
    event.sessionId = session;
    writer.append(event);
  }
  return writer.end()[0];
}

function place(cmdSeq: number, eventIndex = 0) {
  return { shard: 0, cmdSeq, eventIndex, evSeq: 0 };
}

/** A way on which every event leads to a report, unless `isReported` says otherwise. */
function catchUpOf(
  from: Position,
  live: Position,
  maxWaitingBytes: number,
  isReported: CatchUpOptions["isReported"] = () => true,
): CatchUp {
  return new CatchUp({ session: SESSION, from, live, maxWaitingBytes, isReported });
}

/** Writes down what is made; takes no more than `room`. */
function makerOf(made: string[], room = Infinity): ReportMaker {
  return {
    full: () => made.length >= room,
    make: (reader) => void made.push(`${reader.cmdSeq}-${reader.eventIndex}`),
  };
}

/** Reads message `cmdSeq` (stored at the same sequence) and says what it brought. */
function read(catchUp: CatchUp, cmdSeq: number, ...sessions: number[]): string[] {
  const made: string[] = [];
  catchUp.stored(cmdSeq, messageOf(cmdSeq, ...sessions), makerOf(made));
  return made;
}

const waiting = (cmdSeq: number, eventIndex: number, bytes = 10) => ({
  cmdSeq,
  eventIndex,
  msgType: "8",
  body: new Uint8Array(bytes),
});

describe("catching up", () => {
  it("makes the session's reports from its place on, and no others", () => {
    const catchUp = catchUpOf(place(2, 1), place(5), 1000);
    assert.deepEqual(read(catchUp, 1, SESSION), []);
    assert.deepEqual(read(catchUp, 2, SESSION, SESSION, 0, 8), ["2-1"]);
    assert.deepEqual(read(catchUp, 3, 0, 8), []);
    assert.equal(catchUp.joined, false);
    assert.deepEqual(read(catchUp, 4, 8, SESSION), ["4-1"]);
    assert.equal(catchUp.joined, true);
    assert.deepEqual(catchUp.at, { shard: 0, cmdSeq: 5, eventIndex: 0, evSeq: 4 });
  });

  it("lets live reports follow that stored events did not bring, in order", () => {
    const catchUp = catchUpOf(place(2), place(4, 1), 1000);
    catchUp.wait(waiting(4, 1));
    catchUp.wait(waiting(5, 0));
    read(catchUp, 2, 8);
    read(catchUp, 3, 8);
    assert.equal(catchUp.joined, false);
    assert.deepEqual(read(catchUp, 4, SESSION, SESSION), ["4-0", "4-1"]);
    assert.equal(catchUp.joined, true);
    assert.deepEqual(catchUp.finish().map(({ cmdSeq, eventIndex }) => [cmdSeq, eventIndex]), [[5, 0]]);
  });

  it("forgets waiting reports that are too many: stored events bring them", () => {
    const catchUp = catchUpOf(place(2), place(4), 2 * 140);
    catchUp.wait(waiting(4, 0));
    catchUp.wait(waiting(4, 1));
    catchUp.wait(waiting(5, 2));
    catchUp.wait(waiting(6, 0));
    for (const cmdSeq of [2, 3, 4]) read(catchUp, cmdSeq, SESSION);
    assert.equal(catchUp.joined, false, "reports 4-0 to 5-2 do not wait any more");
    assert.deepEqual(read(catchUp, 5, SESSION, SESSION, SESSION), ["5-0", "5-1", "5-2"]);
    assert.equal(catchUp.joined, true);
    assert.deepEqual(catchUp.finish().map(({ cmdSeq }) => cmdSeq), [6]);
  });

  it("stops at a gap, unless it was told of one", () => {
    const catchUp = catchUpOf(place(2), place(9), 1000);
    assert.throws(
      () => read(catchUp, 4, SESSION),
      /message 4 starts at command 4 event 0, expected 2 event 0/,
    );
    catchUp.missing();
    assert.deepEqual(read(catchUp, 4, SESSION), ["4-0"]);
    assert.throws(() => read(catchUp, 6, SESSION), /expected 5 event 0/);
  });

  it("takes joined messages apart", () => {
    const catchUp = catchUpOf(place(3), place(5), 1000);
    const joined = joinEventBatches(
      [messageOf(2, SESSION), messageOf(3, SESSION), messageOf(4, SESSION)],
      4096,
    );
    const made: string[] = [];
    catchUp.stored(1, joined.bytes, makerOf(made));
    assert.deepEqual(made, ["3-0", "4-0"]);
    assert.equal(catchUp.joined, true);
  });

  it("asks about the events before its place too, and reads a group that was cut from its beginning again", () => {
    const asked: number[] = [];
    const catchUp = catchUpOf(place(2, 1), place(9), 1000, (reader) => {
      asked.push(reader.eventIndex);
      return reader.eventIndex !== 2;
    });
    const writer = new EventBatchWriter(400);
    writer.begin(0, 1, 2, 1000);
    const event = new Event();
    event.kind = EventKind.QuoteAcknowledged;
    event.sessionId = SESSION;
    for (let i = 0; i < 6; i++) writer.append(event);
    const parts = writer.end();
    assert.ok(parts.length > 1);
    const made: string[] = [];
    const places: Position[] = [];
    parts.forEach((bytes, index) => {
      catchUp.stored(index + 1, bytes, makerOf(made));
      places.push(catchUp.at);
    });
    assert.deepEqual(asked, [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(made, ["2-1", "2-3", "2-4", "2-5"]);
    assert.deepEqual(places.map(({ evSeq }) => evSeq), [...parts.slice(1).map(() => 0), parts.length]);
  });

  it("stops anywhere in a message when the session takes no more, and goes on there: each event is asked about once", () => {
    const messages = [messageOf(2, SESSION, 0, SESSION, 8, SESSION), messageOf(3, 8, SESSION, SESSION)];
    const joined = joinEventBatches(messages, 4096).bytes;
    const expected = ["2-2", "2-4", "3-1", "3-2"];
    for (let room = 0; room <= expected.length; room++) {
      const asked: string[] = [];
      const catchUp = catchUpOf(place(2, 1), place(4), 1000, (reader) => {
        asked.push(`${reader.cmdSeq}-${reader.eventIndex}`);
        return true;
      });
      const made: string[] = [];
      catchUp.stored(5, joined, makerOf(made, room));
      assert.deepEqual(made, expected.slice(0, room));
      assert.equal(catchUp.cut, room < expected.length, `room ${room}`);
      const [cmdSeq, eventIndex] = (expected[room] ?? "4-0").split("-").map(Number);
      assert.deepEqual(catchUp.at, { ...place(cmdSeq, eventIndex), evSeq: catchUp.cut ? 0 : 5 });
      catchUp.goOn(makerOf(made, room));
      for (let more = room + 1; catchUp.cut; more++) catchUp.goOn(makerOf(made, more));
      assert.deepEqual(made, expected);
      assert.deepEqual(asked, ["2-0", ...expected]);
      assert.deepEqual(catchUp.at, { ...place(4), evSeq: 5 });
      assert.equal(catchUp.joined, true);
    }
  });

  it("leaves to the stored events what it is told to forget, and what waits before it", () => {
    const catchUp = catchUpOf(place(2), place(2), 1000);
    catchUp.wait(waiting(2, 0));
    catchUp.forget(2, 1);
    catchUp.wait(waiting(3, 0));
    assert.equal(catchUp.joined, false);
    assert.deepEqual(read(catchUp, 2, SESSION, SESSION), ["2-0", "2-1"]);
    assert.equal(catchUp.joined, true);
    assert.deepEqual(catchUp.finish(), [waiting(3, 0)]);
  });
});
