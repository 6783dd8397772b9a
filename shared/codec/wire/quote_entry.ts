/**
 * One bid and offer of a MassQuote command: a record of 64 bytes, little-endian. u16 instrumentId, u8 and u8 lengths of
 * QuoteSetID and QuoteEntryID, i32 bid price, i32 bid quantity, i32 offer price, i32 offer quantity, u16 reason (the
 * gateway's refusal of the entry, else 0), u16 0, QuoteSetID in 16 bytes, QuoteEntryID in 24. Pure.
 */
import { MAX_QUOTE_ENTRY_ID_BYTES, MAX_QUOTE_SET_ID_BYTES } from "../../protocol/mod.ts";
import { ByteSlice } from "./byte_slice.ts";

/** Size of a record. */
export const QUOTE_ENTRY_BYTES = 64;

/** One entry; a side with price and quantity 0 is withdrawn. The slices borrow. */
export class QuoteEntry {
  /** 0 when the venue lists no such symbol; then `reason` says so. */
  instrumentId = 0;
  bidPxTicks = 0;
  bidQtyLots = 0;
  offerPxTicks = 0;
  offerQtyLots = 0;
  /** Why the gateway refuses the entry, a Reason; 0 when it does not. */
  reason = 0;
  readonly quoteSetId: ByteSlice = new ByteSlice();
  readonly quoteEntryId: ByteSlice = new ByteSlice();
}

/** How many records `entries` holds. */
export function quoteEntryCount(entries: ByteSlice): number {
  return entries.length / QUOTE_ENTRY_BYTES;
}

/** Reads record `index` of `entries`; the entry's slices borrow from the same buffer. */
export function readQuoteEntry(entries: ByteSlice, index: number, into: QuoteEntry): void {
  const at = entries.start + index * QUOTE_ENTRY_BYTES;
  const { buffer } = entries;
  const view = new DataView(buffer.buffer, buffer.byteOffset + at, QUOTE_ENTRY_BYTES);
  into.instrumentId = view.getUint16(0, true);
  into.bidPxTicks = view.getInt32(4, true);
  into.bidQtyLots = view.getInt32(8, true);
  into.offerPxTicks = view.getInt32(12, true);
  into.offerQtyLots = view.getInt32(16, true);
  into.reason = view.getUint16(20, true);
  into.quoteSetId.set(buffer, at + 24, view.getUint8(2));
  into.quoteEntryId.set(buffer, at + 24 + MAX_QUOTE_SET_ID_BYTES, view.getUint8(3));
}

/** Writes `entry` as a record at `at` of `bytes`, all of it. Throws RangeError on an identifier that is too long. */
export function writeQuoteEntry(entry: QuoteEntry, bytes: Uint8Array, at: number): void {
  const { quoteSetId, quoteEntryId } = entry;
  if (quoteSetId.length > MAX_QUOTE_SET_ID_BYTES || quoteEntryId.length > MAX_QUOTE_ENTRY_ID_BYTES) {
    throw new RangeError(
      `Cannot encode a quote entry: expected identifiers of at most ${MAX_QUOTE_SET_ID_BYTES} and ` +
        `${MAX_QUOTE_ENTRY_ID_BYTES} bytes, got ${quoteSetId.length} and ${quoteEntryId.length}`,
    );
  }
  bytes.fill(0, at, at + QUOTE_ENTRY_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, QUOTE_ENTRY_BYTES);
  view.setUint16(0, entry.instrumentId, true);
  view.setUint8(2, quoteSetId.length);
  view.setUint8(3, quoteEntryId.length);
  view.setInt32(4, entry.bidPxTicks, true);
  view.setInt32(8, entry.bidQtyLots, true);
  view.setInt32(12, entry.offerPxTicks, true);
  view.setInt32(16, entry.offerQtyLots, true);
  view.setUint16(20, entry.reason, true);
  put(quoteSetId, bytes, at + 24);
  put(quoteEntryId, bytes, at + 24 + MAX_QUOTE_SET_ID_BYTES);
}

function put(slice: ByteSlice, bytes: Uint8Array, at: number): void {
  for (let i = 0; i < slice.length; i++) bytes[at + i] = slice.buffer[slice.start + i];
}
