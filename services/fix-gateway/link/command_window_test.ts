import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import {
  Command,
  CommandBatchReader,
  CommandBatchWriter,
  setFirstGatewaySeq,
} from "../../../shared/codec/wire/mod.ts";
import type { CommandTransport, CommandWindowLimits } from "./command_transport.ts";
import { CommandWindow } from "./command_window.ts";

const LIMITS: CommandWindowLimits = {
  maxCommands: 10,
  ackTimeoutMs: 2000,
  minBackoffMs: 50,
  maxBackoffMs: 400,
  giveUpAfterMs: 10_000,
};

const writer = new CommandBatchWriter();
const reader = new CommandBatchReader();

/** A batch whose commands are named by their MsgSeqNum. */
function batchOf(...names: number[]): Uint8Array {
  const command = new Command();
  writer.begin(1, 7, 1);
  for (const name of names) {
    command.msgSeqNum = name;
    writer.append(command);
  }
  return writer.finish().slice();
}

function namesIn(bytes: Uint8Array): number[] {
  assert.equal(reader.open(bytes), null);
  const names = [];
  while (reader.next()) names.push(reader.command.msgSeqNum);
  return names;
}

/** Writes down what the window does, as lines `send <copy>: <first number> [names]`. */
class Recorder implements CommandTransport {
  lines: string[] = [];
  acknowledgedNames: number[] = [];
  /** Those of batches that were sent more than once. */
  sentAgainNames: number[] = [];

  send(subject: string, bytes: Uint8Array, copy: number): void {
    const names = namesIn(bytes);
    this.lines.push(`send ${copy} on ${subject}: #${reader.firstGatewaySeq} [${names}]`);
  }

  acknowledged(bytes: Uint8Array, _streamSeq: number, sentOnce: boolean): void {
    this.acknowledgedNames.push(...namesIn(bytes));
    if (!sentOnce) this.sentAgainNames.push(...namesIn(bytes));
  }

  givenUp(bytes: Uint8Array, reason: string): void {
    this.lines.push(`given up [${namesIn(bytes)}]: ${reason}`);
  }

  taken(): string[] {
    return this.lines.splice(0);
  }
}

function setUp(connected = true): { window: CommandWindow; recorder: Recorder } {
  const recorder = new Recorder();
  return { window: new CommandWindow(LIMITS, recorder, connected), recorder };
}

describe("CommandWindow", () => {
  it("numbers batches gaplessly in the order in which they are sent", () => {
    const { window, recorder } = setUp();
    window.enqueue("cmd.0.A", batchOf(1, 2, 3), 3, 0);
    window.enqueue("cmd.0.B", batchOf(4), 1, 0);
    window.enqueue("cmd.0.A", batchOf(5, 6), 2, 1);
    assert.deepEqual(recorder.taken(), [
      "send 1 on cmd.0.A: #1 [1,2,3]",
      "send 2 on cmd.0.B: #4 [4]",
      "send 3 on cmd.0.A: #5 [5,6]",
    ]);
  });

  it("holds commands until they are acknowledged, and is full from its bound on", () => {
    const { window } = setUp();
    window.enqueue("s", batchOf(1, 2, 3, 4, 5), 5, 0);
    assert.equal(window.full, false);
    window.enqueue("s", batchOf(6, 7, 8, 9, 10), 5, 0);
    assert.equal(window.full, true);
    window.acknowledged(1, 100, 1);
    assert.equal(window.full, false);
    assert.equal(window.commands, 5);
    assert.equal(window.lastStreamSeq, 100);
    window.acknowledged(2, 101, 1);
    assert.equal(window.commands, 0);
    assert.equal(window.deadlineMs, Infinity);
  });

  it("lets batches leave in order when acknowledgements are swapped on the way", () => {
    const { window, recorder } = setUp();
    window.enqueue("s", batchOf(1), 1, 0);
    window.enqueue("s", batchOf(2), 1, 0);
    window.acknowledged(2, 11, 1);
    assert.equal(window.commands, 2);
    assert.deepEqual(recorder.acknowledgedNames, []);
    window.acknowledged(1, 10, 1);
    assert.equal(window.commands, 0);
    assert.deepEqual(recorder.acknowledgedNames, [1, 2]);
  });

  it("sends everything from a refused batch again after the backoff, stored successors included", () => {
    const { window, recorder } = setUp();
    for (const name of [1, 2, 3]) window.enqueue("s", batchOf(name), 1, 0);
    recorder.taken();
    window.acknowledged(1, 10, 1);
    window.refused(2, "maximum bytes exceeded", 1);
    window.acknowledged(3, 11, 1);
    assert.equal(window.commands, 2);
    assert.equal(window.deadlineMs, 51);
    window.tick(50);
    assert.deepEqual(recorder.taken(), []);
    window.tick(51);
    assert.deepEqual(recorder.taken(), ["send 4 on s: #2 [2]", "send 5 on s: #3 [3]"]);
    window.acknowledged(4, 12, 52);
    window.acknowledged(5, 13, 52);
    assert.equal(window.commands, 0);
  });

  it("does not count a late acknowledgement of an earlier round", () => {
    const { window, recorder } = setUp();
    window.enqueue("s", batchOf(1), 1, 0);
    window.enqueue("s", batchOf(2), 1, 0);
    window.refused(1, "full", 1);
    window.tick(51);
    recorder.taken();
    window.acknowledged(3, 12, 52);
    window.acknowledged(2, 11, 52);
    assert.equal(window.commands, 1, "copy 2 stands behind a gap: the matcher refused it");
    window.acknowledged(4, 13, 53);
    assert.equal(window.commands, 0);
  });

  it("sends again when an acknowledgement shows a batch stored before its predecessor", () => {
    const { window, recorder } = setUp();
    window.enqueue("s", batchOf(1), 1, 0);
    window.enqueue("s", batchOf(2), 1, 0);
    recorder.taken();
    window.acknowledged(1, 11, 1);
    window.acknowledged(2, 10, 1);
    window.tick(51);
    assert.deepEqual(recorder.taken(), ["send 3 on s: #2 [2]"]);
  });

  it("takes silence for a fault and doubles its backoff up to the limit", () => {
    const { window, recorder } = setUp();
    window.enqueue("s", batchOf(1), 1, 0);
    const sentAt = [0];
    let now = 0;
    while (now < 9000) {
      recorder.taken();
      now = window.deadlineMs;
      window.tick(now);
      if (recorder.taken().length > 0) sentAt.push(now);
    }
    assert.deepEqual(sentAt, [0, 2050, 4150, 6350, 8750]);
  });

  it("holds everything while disconnected and sends it in order when the connection is back", () => {
    const { window, recorder } = setUp();
    window.enqueue("s", batchOf(1), 1, 0);
    window.disconnected(1);
    window.enqueue("s", batchOf(2), 1, 2);
    window.tick(500);
    recorder.taken();
    window.reconnected(600);
    assert.deepEqual(recorder.taken(), ["send 2 on s: #1 [1]", "send 3 on s: #2 [2]"]);
  });

  it("gives up what the stream has refused for the whole bound, and reuses its numbers", () => {
    const { window, recorder } = setUp();
    window.enqueue("s", batchOf(1), 1, 0);
    window.enqueue("s", batchOf(2, 3), 2, 0);
    window.acknowledged(1, 10, 0);
    let copy = 2;
    for (let now = 0; now < 10_000; now = window.deadlineMs) {
      window.tick(now);
      recorder.taken();
      window.refused(copy++, "full", now);
    }
    window.tick(10_000);
    assert.deepEqual(recorder.taken(), ["given up [2,3]: full"]);
    assert.equal(window.commands, 0);
    window.enqueue("s", batchOf(4), 1, 10_001);
    assert.deepEqual(recorder.taken(), [`send ${copy} on s: #2 [4]`]);
  });

  it("never gives up what a client sends again: an earlier gateway may have stored it", () => {
    const { window, recorder } = setUp();
    window.enqueue("s", batchOf(1), 1, 0, true);
    window.enqueue("s", batchOf(2), 1, 0);
    let copy = 1;
    for (let now = 0; now < 11_000; now = window.deadlineMs) {
      window.tick(now);
      window.refused(copy++, "full", now);
      window.refused(copy++, "full", now);
    }
    assert.deepEqual(recorder.taken().filter((line) => line.startsWith("given")), ["given up [2]: full"]);
    assert.equal(window.commands, 1);
  });

  it("says which batches it sent more than once", () => {
    const { window, recorder } = setUp(false);
    window.enqueue("s", batchOf(1), 1, 0);
    window.reconnected(1);
    window.acknowledged(1, 10, 2);
    window.enqueue("s", batchOf(2), 1, 3);
    window.disconnected(4);
    window.enqueue("s", batchOf(3), 1, 5);
    window.reconnected(6);
    window.acknowledged(3, 11, 7);
    window.acknowledged(4, 12, 7);
    assert.deepEqual(recorder.acknowledgedNames, [1, 2, 3]);
    assert.deepEqual(recorder.sentAgainNames, [2]);
  });

  it("gives up at the first refusal once it has given up, until something is acknowledged", () => {
    const { window, recorder } = setUp();
    window.enqueue("s", batchOf(1), 1, 0);
    window.refused(1, "full", 10_000);
    window.enqueue("s", batchOf(2), 1, 10_001);
    window.refused(2, "full", 10_002);
    window.enqueue("s", batchOf(3), 1, 10_003);
    window.acknowledged(3, 10, 10_004);
    window.enqueue("s", batchOf(4), 1, 10_005);
    window.refused(4, "full", 10_006);
    assert.deepEqual(recorder.taken(), [
      "send 1 on s: #1 [1]",
      "given up [1]: full",
      "send 2 on s: #1 [2]",
      "given up [2]: full",
      "send 3 on s: #1 [3]",
      "send 4 on s: #2 [4]",
    ]);
    assert.equal(window.commands, 1);
  });

  it("never gives up a batch whose copy was lost with its connection, nor renumbers what is before it", () => {
    const { window, recorder } = setUp();
    window.enqueue("s", batchOf(1), 1, 0);
    window.disconnected(1);
    window.enqueue("s", batchOf(2), 1, 2);
    window.tick(10_000);
    assert.deepEqual(recorder.taken(), [
      "send 1 on s: #1 [1]",
      "given up [2]: the connection to the stream is lost",
    ]);
    window.enqueue("s", batchOf(3), 1, 10_001);
    assert.deepEqual(recorder.taken(), ["given up [3]: the connection to the stream is lost"]);
    assert.equal(window.deadlineMs, Infinity);
    window.reconnected(20_000);
    window.refused(2, "full", 20_001);
    assert.deepEqual(recorder.taken(), ["send 2 on s: #1 [1]"]);
    window.tick(20_101);
    window.acknowledged(3, 10, 20_102);
    window.enqueue("s", batchOf(4), 1, 20_103);
    assert.deepEqual(recorder.taken(), ["send 3 on s: #1 [1]", "send 4 on s: #2 [4]"]);
  });

  it("keeps a stored batch whose predecessor may be stored, gives both up when that one is certainly not", () => {
    const { window, recorder } = setUp();
    window.enqueue("s", batchOf(1), 1, 0);
    window.enqueue("s", batchOf(2), 1, 0);
    recorder.taken();
    window.acknowledged(2, 10, 1);
    window.tick(2000);
    window.tick(10_000);
    recorder.taken();
    window.refused(3, "full", 10_001);
    window.refused(4, "full", 10_001);
    assert.deepEqual(recorder.taken(), [], "copy 1 has no answer yet");
    window.refused(1, "full", 10_002);
    assert.deepEqual(recorder.taken(), ["given up [1]: full", "given up [2]: full"]);
  });
});

describe("setFirstGatewaySeq", () => {
  it("numbers a finished batch", () => {
    const bytes = batchOf(1);
    setFirstGatewaySeq(bytes, 123_456_789_012);
    assert.equal(reader.open(bytes), null);
    assert.equal(reader.firstGatewaySeq, 123_456_789_012);
  });
});
