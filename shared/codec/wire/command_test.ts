import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { MAX_BATCH_COMMANDS, MAX_QUOTE_ENTRIES } from "../../protocol/mod.ts";
import { Command, CommandBatchWriter, TRACE_BYTES } from "./command.ts";
import { CommandBatchReader } from "./command_reader.ts";
import { embedded, everyChange, plain, Random, randomCommand, SEED } from "./test_random.ts";

function batchOf(commands: readonly Command[]): Uint8Array {
  const writer = new CommandBatchWriter();
  writer.begin(7, 3, 1001);
  for (const command of commands) writer.append(command);
  return writer.finish().slice();
}

/** Reads a batch to its end; every slice has to lie inside it. */
function readAll(bytes: Uint8Array): Record<string, unknown>[] | string {
  const reader = new CommandBatchReader();
  const fault = reader.open(bytes);
  if (fault !== null) return fault;
  const commands = [];
  while (reader.next()) {
    const { clOrdId, origClOrdId, symbol, text, trace } = reader.command;
    for (const slice of [clOrdId, origClOrdId, symbol, text, trace]) {
      assert.ok(slice.length >= 0 && slice.start >= 0 && slice.start + slice.length <= bytes.length);
    }
    commands.push(plain(reader.command));
  }
  assert.equal(commands.length, reader.count);
  return commands;
}

describe("a command batch", () => {
  it(`reads back as it was written (seed ${SEED})`, () => {
    const random = new Random(SEED);
    for (let round = 0; round < 300; round++) {
      const commands = Array.from({ length: 1 + random.below(9) }, () => randomCommand(random));
      const bytes = embedded(batchOf(commands));
      const reader = new CommandBatchReader();
      assert.equal(reader.open(bytes), null);
      assert.deepEqual(
        [reader.gatewayId, reader.bootId, reader.firstGatewaySeq, reader.count],
        [7, 3, 1001, commands.length],
      );
      assert.deepEqual(readAll(bytes), commands.map(plain));
    }
  });

  it("writes the same bytes from what was read", () => {
    const random = new Random(SEED);
    const bytes = batchOf(Array.from({ length: 20 }, () => randomCommand(random)));
    const reader = new CommandBatchReader();
    const writer = new CommandBatchWriter();
    reader.open(bytes);
    writer.begin(reader.gatewayId, reader.bootId, reader.firstGatewaySeq);
    while (reader.next()) writer.append(reader.command);
    assert.deepEqual(writer.finish(), bytes);
  });

  it("is refused at every truncation", () => {
    const random = new Random(SEED);
    const bytes = batchOf([randomCommand(random), randomCommand(random), randomCommand(random)]);
    for (let length = 0; length < bytes.length; length++) {
      const fault = readAll(embedded(bytes.subarray(0, length)));
      assert.equal(fault, length < 32 ? "truncated" : "bad length", `length ${length}`);
    }
  });

  it("is refused when it is cut and its length made to fit", () => {
    const random = new Random(SEED);
    const bytes = batchOf([randomCommand(random), randomCommand(random)]);
    for (let length = 32; length < bytes.length; length++) {
      const cut = bytes.slice(0, length);
      new DataView(cut.buffer).setUint32(24, length, true);
      assert.equal(readAll(embedded(cut)), "truncated", `length ${length}`);
    }
  });

  it("is read from its beginning by a reader that stopped within another", () => {
    const random = new Random(SEED);
    const commands = [randomCommand(random), randomCommand(random), randomCommand(random)];
    const reader = new CommandBatchReader();
    reader.open(batchOf([new Command(), new Command(), new Command()]));
    reader.next();
    reader.next();
    reader.open(batchOf(commands));
    assert.equal(reader.index, -1);
    for (const command of commands) {
      assert.equal(reader.next(), true);
      assert.deepEqual(plain(reader.command), plain(command));
    }
    assert.equal(reader.next(), false);
  });

  it("is the same bytes whatever its writer wrote before", () => {
    const random = new Random(SEED);
    const command = randomCommand(random);
    const writer = new CommandBatchWriter();
    writer.begin(65535, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    for (let i = 0; i < 50; i++) writer.append(randomCommand(random));
    writer.finish();
    writer.begin(7, 3, 1001);
    writer.append(command);
    assert.deepEqual(writer.finish(), batchOf([command]));
  });

  it("is refused when its length says what its commands do not", () => {
    const bytes = batchOf([new Command()]);
    const longer = new Uint8Array(bytes.length + 8);
    longer.set(bytes);
    assert.equal(readAll(longer), "bad length");
    new DataView(longer.buffer).setUint32(24, longer.length, true);
    assert.equal(readAll(longer), "bad length");
  });

  it(`never throws or reads outside with any one byte changed (seed ${SEED})`, () => {
    const random = new Random(SEED);
    const bytes = batchOf([randomCommand(random), randomCommand(random)]);
    for (const changed of everyChange(bytes)) {
      const read = readAll(changed);
      assert.ok(typeof read === "string" || read.length === 2);
    }
  });

  it("names what is wrong", () => {
    const bytes = batchOf([new Command()]);
    const with_ = (at: number, value: number) => {
      const copy = bytes.slice();
      copy[at] = value;
      return readAll(copy);
    };
    assert.equal(with_(0, 0), "bad magic");
    assert.equal(with_(2, 2), "unsupported version");
    assert.equal(with_(3, 1), "bad field", "reserved byte");
    assert.equal(with_(6, 0), "bad field", "no command");
    assert.equal(with_(6, 2), "truncated", "a command too many");
    assert.equal(with_(15, 0x80), "bad field", "negative boot id");
    assert.equal(with_(32, 32), "bad length", "a command shorter than its fields");
    assert.equal(with_(32 + 2, 0), "bad field", "no kind");
    assert.equal(with_(32 + 2, 13), "bad field", "unknown kind");
    assert.equal(with_(32 + 3, 16), "bad field", "unknown flag");
    assert.equal(with_(32 + 19, 0x80), "bad field", "negative price");
    assert.equal(with_(32 + 23, 0x80), "bad field", "negative quantity");
    assert.equal(with_(32 + 31, 0x7f), "bad field", "order id that is no integer");
    assert.equal(with_(32 + 31, 0xc0), "bad field", "order id below zero");
    assert.equal(with_(32 + 36, 1), "bad length", "string that is not there");
  });

  it("refuses bytes behind a string that are not zero", () => {
    const command = new Command();
    command.clOrdId.setText("abc");
    const bytes = batchOf([command]);
    bytes[32 + 48 + 3] = 1;
    assert.equal(readAll(bytes), "bad field");
  });

  it("sets the trace flag by the trace alone", () => {
    const command = new Command();
    command.flags = 4;
    const [without] = readAll(batchOf([command])) as Record<string, unknown>[];
    assert.equal(without.flags, 0);
    command.flags = 1;
    command.trace.set(new Uint8Array(TRACE_BYTES), 0, TRACE_BYTES);
    const [withTrace] = readAll(batchOf([command])) as Record<string, unknown>[];
    assert.equal(withTrace.flags, 5);
  });

  it("takes as many commands as leave numbers for the orders of a MassQuote, and not one more", () => {
    const writer = new CommandBatchWriter();
    const command = new Command();
    writer.begin(1, 1, 1);
    while (writer.hasRoom) writer.append(command);
    const most = MAX_BATCH_COMMANDS - 2 * MAX_QUOTE_ENTRIES + 1;
    assert.equal(writer.count, most);
    assert.throws(() => writer.append(command), /Cannot append a command: the batch is full/);
    assert.equal((readAll(writer.finish()) as unknown[]).length, most);
  });

  it("stops taking commands before the largest message", () => {
    const writer = new CommandBatchWriter();
    const random = new Random(1);
    writer.begin(1, 1, 1);
    const command = new Command();
    while (writer.hasRoom) {
      do randomCommand(random, command); while (command.text.length !== 160);
      writer.append(command);
    }
    assert.ok(writer.count < MAX_BATCH_COMMANDS);
    assert.ok(writer.finish().length <= 512 * 1024);
    assert.equal((readAll(writer.finish()) as unknown[]).length, writer.count);
  });
});
