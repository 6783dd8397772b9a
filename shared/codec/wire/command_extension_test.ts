/** What only some commands have: the extension behind the fixed part, and quote entries. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CommandKind, MAX_BATCH_COMMANDS, MAX_QUOTE_ENTRIES } from "../../protocol/mod.ts";
import { Command, CommandBatchWriter } from "./command.ts";
import { CommandBatchReader } from "./command_reader.ts";
import {
  QUOTE_ENTRY_BYTES,
  QuoteEntry,
  quoteEntryCount,
  readQuoteEntry,
  writeQuoteEntry,
} from "./quote_entry.ts";
import { embedded, everyChange, plain, Random, randomCommand, randomMassQuote, SEED } from "./test_random.ts";

function batchOf(...commands: readonly Command[]): Uint8Array {
  const writer = new CommandBatchWriter();
  writer.begin(7, 3, 1001);
  for (const command of commands) writer.append(command);
  return writer.finish().slice();
}

const reader = new CommandBatchReader();
const writer = new CommandBatchWriter();

/** Reads a batch to its end, and writes what was read: the same bytes. */
function readAll(bytes: Uint8Array): Record<string, unknown>[] | string {
  const fault = reader.open(bytes);
  if (fault !== null) return fault;
  writer.begin(reader.gatewayId, reader.bootId, reader.firstGatewaySeq);
  const commands = [];
  while (reader.next()) {
    commands.push(plain(reader.command));
    writer.append(reader.command);
  }
  assert.deepEqual(writer.finish(), bytes);
  return commands;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function entriesOf(count: number, edit: (entry: QuoteEntry, index: number) => void = () => {}): Uint8Array {
  const records = new Uint8Array(count * QUOTE_ENTRY_BYTES);
  for (let i = 0; i < count; i++) {
    const entry = new QuoteEntry();
    entry.instrumentId = 1 + i;
    edit(entry, i);
    writeQuoteEntry(entry, records, i * QUOTE_ENTRY_BYTES);
  }
  return records;
}

function massQuote(records: Uint8Array): Command {
  const command = new Command();
  command.kind = CommandKind.MassQuote;
  command.clOrdId.setText("Q-1");
  command.entries.set(records, 0, records.length);
  return command;
}

/** Where the only command's extension and, with the ClOrdID "Q-1", its entries lie. */
const EXTENSION = 32 + 48;
const ENTRIES = EXTENSION + 40 + 8;

describe("the extension of a command", () => {
  it("is there when one of its fields is not 0, and only then", () => {
    const names = [
      "stopPxTicks",
      "maxFloorLots",
      "minQtyLots",
      "execInst",
      "smpAction",
      "smpId",
      "scope",
      "target",
      "expireUs",
    ] as const;
    assert.equal(batchOf(new Command()).length, 32 + 48);
    for (const name of names) {
      const command = new Command();
      command[name] = 5;
      const bytes = batchOf(command);
      assert.equal(bytes.length, 32 + 48 + 40, name);
      assert.deepEqual(readAll(bytes), [{ ...plain(command), flags: 8 }]);
    }
  });

  it("does not pass to the command behind it, whose flag says that it has none", () => {
    const random = new Random(SEED);
    const command = new Command();
    command.flags = 8;
    const bytes = batchOf(randomMassQuote(random, new Command(), 0), command);
    const [, second] = readAll(bytes) as Record<string, unknown>[];
    assert.deepEqual(second, { ...plain(command), flags: 0 });
    const reader = new CommandBatchReader();
    reader.open(batchOf(massQuote(entriesOf(2))));
    reader.next();
    reader.open(batchOf(command));
    reader.next();
    assert.equal(quoteEntryCount(reader.command.entries), 0);
  });

  it("names what is wrong", () => {
    const command = new Command();
    command.smpId = 1;
    const bytes = batchOf(command);
    const with_ = (at: number, value: number) => {
      const copy = bytes.slice();
      copy[EXTENSION + at] = value;
      return readAll(copy);
    };
    assert.equal(with_(24, 0), "bad field", "an extension that says nothing");
    assert.equal(with_(3, 0x80), "bad field", "negative stop price");
    assert.equal(with_(7, 0x80), "bad field", "negative shown quantity");
    assert.equal(with_(11, 0x80), "bad field", "negative least quantity");
    assert.equal(with_(23, 0x3f), "bad field", "time that is no integer");
    assert.equal(with_(23, 0xc0), "bad field", "time below zero");
    assert.equal(with_(32, 1), "bad field", "reserved bytes");
    assert.equal(with_(39, 1), "bad field", "reserved bytes");
    assert.equal(with_(28, 64), "bad length", "entries that are not there");
    assert.equal(with_(-48 + 3, 0), "bad length", "a flag that is missing");
    const short = batchOf(new Command());
    short[32 + 3] = 8;
    assert.equal(readAll(short), "truncated", "a flag without extension");
  });
});

describe("a MassQuote", () => {
  it(`reads back as it was written, behind other commands (seed ${SEED})`, () => {
    const random = new Random(SEED);
    for (let round = 0; round < 200; round++) {
      const commands = Array.from({ length: random.below(4) }, () => randomCommand(random));
      commands.push(randomMassQuote(random, new Command()));
      assert.deepEqual(readAll(batchOf(...commands)), commands.map(plain));
    }
  });

  it("has its entries in order", () => {
    const bytes = embedded(
      batchOf(massQuote(entriesOf(MAX_QUOTE_ENTRIES, (entry, i) => entry.bidPxTicks = i))),
    );
    const reader = new CommandBatchReader();
    assert.equal(reader.open(bytes), null);
    reader.next();
    const { entries } = reader.command;
    const entry = new QuoteEntry();
    assert.equal(quoteEntryCount(entries), MAX_QUOTE_ENTRIES);
    for (let i = 0; i < MAX_QUOTE_ENTRIES; i++) {
      readQuoteEntry(entries, i, entry);
      assert.deepEqual([entry.instrumentId, entry.bidPxTicks], [1 + i, i]);
    }
  });

  it("is refused at every truncation, also when its length is made to fit", () => {
    const random = new Random(SEED);
    const bytes = batchOf(randomCommand(random), randomMassQuote(random, massQuote(entriesOf(3)), 3));
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.slice(0, length);
      assert.equal(readAll(embedded(cut)), length < 32 ? "truncated" : "bad length", `length ${length}`);
      if (length < 32) continue;
      new DataView(cut.buffer).setUint32(24, length, true);
      assert.equal(readAll(embedded(cut)), "truncated", `length ${length}`);
    }
  });

  it(`with any one byte changed is refused, or read as what would be written so (seed ${SEED})`, () => {
    const random = new Random(SEED);
    const bytes = batchOf(randomCommand(random), randomMassQuote(random, new Command(), 3));
    for (const changed of everyChange(bytes)) {
      const read = readAll(changed);
      assert.ok(typeof read === "string" || read.length === 2);
    }
  });

  it("is refused with entries that no gateway writes", () => {
    const good = massQuote(entriesOf(2));
    const bytes = batchOf(good);
    const with_ = (at: number, value: number) => {
      const copy = bytes.slice();
      copy[ENTRIES + QUOTE_ENTRY_BYTES + at] = value;
      return readAll(copy);
    };
    assert.equal(typeof with_(0, 9), "object");
    assert.equal(with_(0, 0), "bad field", "neither instrument nor reason");
    assert.equal(with_(2, 17), "bad field", "QuoteSetID too long");
    assert.equal(with_(3, 25), "bad field", "QuoteEntryID too long");
    for (const at of [7, 11, 15, 19]) assert.equal(with_(at, 0x80), "bad field", `negative number at ${at}`);
    for (const at of [22, 23]) assert.equal(with_(at, 1), "bad field", "reserved bytes");
    for (let at = 24; at < 64; at++) {
      assert.equal(with_(at, 1), "bad field", `bytes behind an identifier: ${at}`);
    }
    const other = bytes.slice();
    other[32 + 2] = CommandKind.CancelQuotes;
    assert.equal(readAll(other), "bad field", "entries of another command");
    const many = batchOf(massQuote(entriesOf(MAX_QUOTE_ENTRIES)));
    const more = new Uint8Array(many.length + QUOTE_ENTRY_BYTES);
    more.set(many);
    more.copyWithin(many.length, ENTRIES, ENTRIES + QUOTE_ENTRY_BYTES);
    const view = new DataView(more.buffer);
    view.setUint32(24, more.length, true);
    view.setUint16(32, more.length - 32, true);
    view.setUint32(EXTENSION + 28, (MAX_QUOTE_ENTRIES + 1) * QUOTE_ENTRY_BYTES, true);
    assert.equal(readAll(more), "bad field", "an entry too many");
    const half = bytes.slice(0, bytes.length - 32);
    const halfView = new DataView(half.buffer);
    halfView.setUint32(24, half.length, true);
    halfView.setUint16(32, half.length - 32, true);
    halfView.setUint32(EXTENSION + 28, QUOTE_ENTRY_BYTES * 1.5, true);
    assert.equal(readAll(half), "bad field", "half an entry");
  });

  it("stands last in its message, where its orders have numbers", () => {
    const writer = new CommandBatchWriter();
    writer.begin(1, 1, 1);
    writer.append(massQuote(entriesOf(1)));
    assert.equal(writer.hasRoom, false);
    assert.throws(() => writer.append(new Command()), /Cannot append a command: the batch is full/);
    writer.begin(1, 1, 1);
    while (writer.count < MAX_BATCH_COMMANDS - 2 * MAX_QUOTE_ENTRIES) writer.append(new Command());
    writer.append(massQuote(entriesOf(MAX_QUOTE_ENTRIES)));
    const most = writer.finish().slice();
    assert.equal((readAll(most) as unknown[]).length, MAX_BATCH_COMMANDS - 2 * MAX_QUOTE_ENTRIES + 1);
    const first = most.slice(32, 32 + 48);
    const late = joined(most.subarray(0, 32), first, most.subarray(32));
    const view = new DataView(late.buffer);
    view.setUint16(6, view.getUint16(6, true) + 1, true);
    view.setUint32(24, late.length, true);
    assert.equal(readAll(late), "bad field", "an order without a number");
    const quote = batchOf(massQuote(entriesOf(1)));
    const behind = joined(quote, first);
    const header = new DataView(behind.buffer);
    header.setUint16(6, 2, true);
    header.setUint32(24, behind.length, true);
    assert.equal(readAll(behind), "bad field", "a command behind it");
  });

  it("may say nothing but its kind", () => {
    assert.deepEqual(readAll(batchOf(massQuote(new Uint8Array(0)), new Command())).length, 2);
  });

  it("is not written with entries that a reader refuses", () => {
    const refused = (command: Command, what: string) => {
      const writer = new CommandBatchWriter();
      writer.begin(1, 1, 1);
      assert.throws(
        () => writer.append(command),
        new RangeError(`Cannot encode a command's entries: expected ${what}`),
      );
      assert.equal(writer.count, 0);
    };
    const records = entriesOf(MAX_QUOTE_ENTRIES + 1);
    refused(massQuote(records), "at most 100 records of 64 bytes, got 6464");
    refused(massQuote(records.subarray(0, 65)), "at most 100 records of 64 bytes, got 65");
    const other = massQuote(entriesOf(1));
    other.kind = CommandKind.NewOrder;
    refused(other, "none outside a MassQuote, got 64");
    const bad = entriesOf(3);
    bad[2 * QUOTE_ENTRY_BYTES + 22] = 1;
    refused(massQuote(bad), "well-formed records, got a fault in record 2");
  });
});
