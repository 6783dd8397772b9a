/**
 * The entries of one MassQuote(i) on their way to commands: read one by one, judged as far as that needs no book, and
 * handed out by shard as the records of a command. Owns the bytes of the records. Pure.
 * Source: FIX 4.4 Vol. 3, MassQuote; shared/codec/wire/quote_entry.ts.
 */
import type { FixMessage } from "../../../shared/codec/fix/mod.ts";
import {
  type ByteSlice,
  QUOTE_ENTRY_BYTES,
  QuoteEntry,
  writeQuoteEntry,
} from "../../../shared/codec/wire/mod.ts";
import { type Instrument, MAX_QUOTE_ENTRIES, Reason } from "../../../shared/protocol/mod.ts";
import { priceTicksOf, qtyLotsOf } from "./amounts.ts";
import { lengthAt } from "./mass_fields.ts";

/** Fields of the entry in hand: indices in the message, -1 for absent. */
export interface EntryFields {
  setId: number;
  entryId: number;
  bidPx: number;
  offerPx: number;
  bidSize: number;
  offerSize: number;
}

/** Reused: {@link clear} before each message. */
export class QuoteEntries {
  readonly #entry = new QuoteEntry();
  readonly #records = new Uint8Array(MAX_QUOTE_ENTRIES * QUOTE_ENTRY_BYTES);
  /** By record: its shard; -1 when the venue lists no such symbol. */
  readonly #shards: number[] = [];
  readonly #selected = new Uint8Array(MAX_QUOTE_ENTRIES * QUOTE_ENTRY_BYTES);

  /** Entries so far. */
  get count(): number {
    return this.#shards.length;
  }

  /** Starts with none. */
  clear(): void {
    this.#shards.length = 0;
  }

  /**
   * Takes the next of at most MAX_QUOTE_ENTRIES entries; `instrument` is null when the venue lists no such symbol.
   * Identifiers are within their limits. What is wrong with an amount becomes the entry's reason.
   */
  add(message: FixMessage, fields: EntryFields, instrument: Instrument | null): void {
    const entry = this.#entry;
    entry.instrumentId = instrument?.id ?? 0;
    entry.reason = Reason.None;
    entry.bidPxTicks =
      entry.bidQtyLots =
      entry.offerPxTicks =
      entry.offerQtyLots =
        0;
    setSlice(message, fields.setId, entry.quoteSetId);
    setSlice(message, fields.entryId, entry.quoteEntryId);
    if (instrument === null) entry.reason = Reason.UnknownSymbol;
    else {
      entry.bidPxTicks = this.#amount(message, fields.bidPx, instrument, priceTicksOf);
      entry.bidQtyLots = this.#amount(message, fields.bidSize, instrument, qtyLotsOf);
      entry.offerPxTicks = this.#amount(message, fields.offerPx, instrument, priceTicksOf);
      entry.offerQtyLots = this.#amount(message, fields.offerSize, instrument, qtyLotsOf);
    }
    writeQuoteEntry(entry, this.#records, this.#shards.length * QUOTE_ENTRY_BYTES);
    this.#shards.push(instrument?.shard ?? -1);
  }

  /** The shards concerned, ascending: at least one. `lowest` is where entries go that belong to none. */
  shards(lowest: number): readonly number[] {
    const listed = [...new Set(this.#shards)].filter((shard) => shard >= 0).sort((a, b) => a - b);
    return listed.length === 0 ? [lowest] : listed;
  }

  /**
   * Points `into` at the records of one of {@link shards}, in message order; entries that belong to none are with the
   * `first` of the shards. Borrowed until the next call.
   */
  select(shard: number, first: number, into: ByteSlice): void {
    let length = 0;
    this.#shards.forEach((own, index) => {
      if (own !== shard && !(own < 0 && shard === first)) return;
      const at = index * QUOTE_ENTRY_BYTES;
      this.#selected.set(this.#records.subarray(at, at + QUOTE_ENTRY_BYTES), length);
      length += QUOTE_ENTRY_BYTES;
    });
    into.set(this.#selected, 0, length);
  }

  /** Ticks or lots; 0 for a field that is absent or zero. The first fault becomes the entry's reason. */
  #amount(message: FixMessage, index: number, instrument: Instrument, read: typeof priceTicksOf): number {
    if (index < 0 || isZero(message, index)) return 0;
    const amount = read(message.buffer, message.valueStart[index], message.valueEnd[index], instrument);
    if (amount > 0) return amount;
    if (this.#entry.reason === Reason.None) this.#entry.reason = -amount;
    return 0;
  }
}

function setSlice(message: FixMessage, index: number, into: ByteSlice): void {
  if (index < 0) into.clear();
  else into.set(message.buffer, message.valueStart[index], lengthAt(message, index));
}

/** Whether a decimal is nothing but zeros and a point. */
function isZero(message: FixMessage, index: number): boolean {
  for (let i = message.valueStart[index]; i < message.valueEnd[index]; i++) {
    if (message.buffer[i] !== 48 && message.buffer[i] !== 46) return false;
  }
  return true;
}
