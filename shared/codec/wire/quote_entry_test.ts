import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { ByteSlice } from "./byte_slice.ts";
import {
  isQuoteEntry,
  QUOTE_ENTRY_BYTES,
  QuoteEntry,
  readQuoteEntry,
  writeQuoteEntry,
} from "./quote_entry.ts";
import { Random, randomQuoteEntry, SEED } from "./test_random.ts";

const plain = (entry: QuoteEntry) =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [
      name,
      typeof value === "object" ? String(value) : value,
    ]),
  );

function sound(): QuoteEntry {
  const entry = new QuoteEntry();
  entry.instrumentId = 1;
  return entry;
}

describe("a quote entry", () => {
  it(`reads back as it was written, at its place and nowhere else (seed ${SEED})`, () => {
    const random = new Random(SEED);
    const entries = new ByteSlice();
    const read = new QuoteEntry();
    for (let round = 0; round < 2000; round++) {
      const bytes = new Uint8Array(4 * QUOTE_ENTRY_BYTES + 8).fill(0xaa);
      const entry = randomQuoteEntry(random);
      const index = random.below(4);
      const at = 5 + index * QUOTE_ENTRY_BYTES;
      writeQuoteEntry(entry, bytes, at);
      entries.set(bytes, 5, 4 * QUOTE_ENTRY_BYTES);
      readQuoteEntry(entries, index, read);
      assert.deepEqual(plain(read), plain(entry));
      assert.ok(isQuoteEntry(bytes, at));
      const outside = [...bytes.subarray(0, at), ...bytes.subarray(at + QUOTE_ENTRY_BYTES)];
      assert.ok(outside.every((byte) => byte === 0xaa));
    }
  });

  it(`with any one byte changed is refused, or is what would be written so (seed ${SEED})`, () => {
    const random = new Random(SEED);
    const entries = new ByteSlice();
    const read = new QuoteEntry();
    let taken = 0;
    for (let round = 0; round < 20; round++) {
      const bytes = new Uint8Array(QUOTE_ENTRY_BYTES);
      writeQuoteEntry(randomQuoteEntry(random), bytes, 0);
      for (let at = 0; at < QUOTE_ENTRY_BYTES; at++) {
        const byte = bytes[at];
        for (let value = 0; value < 256; value++) {
          bytes[at] = value;
          if (!isQuoteEntry(bytes, 0)) continue;
          taken++;
          entries.set(bytes, 0, QUOTE_ENTRY_BYTES);
          readQuoteEntry(entries, 0, read);
          const again = new Uint8Array(QUOTE_ENTRY_BYTES);
          writeQuoteEntry(read, again, 0);
          assert.deepEqual(again, bytes);
        }
        bytes[at] = byte;
      }
    }
    assert.ok(taken > 0 && taken < 20 * QUOTE_ENTRY_BYTES * 256);
  });

  const largest = {
    instrumentId: 65535,
    bidPxTicks: 2 ** 31 - 1,
    bidQtyLots: 2 ** 31 - 1,
    offerPxTicks: 2 ** 31 - 1,
    offerQtyLots: 2 ** 31 - 1,
    reason: 65535,
  };
  for (const [name, most] of Object.entries(largest) as [keyof typeof largest, number][]) {
    it(`has ${name} up to ${most} and no other value`, () => {
      const bytes = new Uint8Array(QUOTE_ENTRY_BYTES).fill(7);
      for (const value of [-1, most + 1, 0.5, NaN]) {
        const entry = sound();
        entry[name] = value;
        assert.throws(
          () => writeQuoteEntry(entry, bytes, 0),
          new RangeError(`Cannot encode a quote entry's ${name}: expected 0 to ${most}, got ${value}`),
        );
      }
      assert.ok(bytes.every((byte) => byte === 7), "nothing was written");
      const entry = sound();
      entry[name] = most;
      writeQuoteEntry(entry, bytes, 0);
      assert.ok(isQuoteEntry(bytes, 0));
    });
  }

  it("has identifiers that fit", () => {
    const bytes = new Uint8Array(QUOTE_ENTRY_BYTES);
    for (const [name, most] of [["quoteSetId", 16], ["quoteEntryId", 24]] as const) {
      const entry = sound();
      entry[name].setText("x".repeat(most + 1));
      assert.throws(
        () => writeQuoteEntry(entry, bytes, 0),
        new RangeError(
          `Cannot encode a quote entry's ${name}'s length: expected 0 to ${most}, got ${most + 1}`,
        ),
      );
      entry[name].setText("x".repeat(most));
      writeQuoteEntry(entry, bytes, 0);
      assert.ok(isQuoteEntry(bytes, 0));
    }
  });

  it("names an instrument, or says why it names none", () => {
    const bytes = new Uint8Array(QUOTE_ENTRY_BYTES);
    const entry = new QuoteEntry();
    assert.throws(
      () => writeQuoteEntry(entry, bytes, 0),
      new RangeError("Cannot encode a quote entry: expected an instrument or a reason, got neither"),
    );
    entry.reason = 1;
    writeQuoteEntry(entry, bytes, 0);
    assert.ok(isQuoteEntry(bytes, 0));
  });
});
