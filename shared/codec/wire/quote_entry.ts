/**
 * One bid and offer of a MassQuote command: a record of 64 bytes, little-endian. u16 instrumentId, u8 and u8 lengths of
 * QuoteSetID and QuoteEntryID, i32 bid price, i32 bid quantity, i32 offer price, i32 offer quantity, u16 reason (the
 * gateway's refusal of the entry, else 0), u16 0, QuoteSetID in 16 bytes, QuoteEntryID in 24. Pure.
 */
import {
  MAX_PRICE_TICKS,
  MAX_QTY_LOTS,
  MAX_QUOTE_ENTRY_ID_BYTES,
  MAX_QUOTE_SET_ID_BYTES,
} from "../../protocol/mod.ts";
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
  const { buffer } = entries;
  const at = entries.start + index * QUOTE_ENTRY_BYTES;
  into.instrumentId = buffer[at] | buffer[at + 1] << 8;
  into.bidPxTicks = int32(buffer, at + 4);
  into.bidQtyLots = int32(buffer, at + 8);
  into.offerPxTicks = int32(buffer, at + 12);
  into.offerQtyLots = int32(buffer, at + 16);
  into.reason = buffer[at + 20] | buffer[at + 21] << 8;
  into.quoteSetId.set(buffer, at + SET_ID_AT, buffer[at + 2]);
  into.quoteEntryId.set(buffer, at + ENTRY_ID_AT, buffer[at + 3]);
}

/**
 * Whether `bytes` holds at `at` what {@link writeQuoteEntry} writes: identifiers within their places and zeros behind
 * them, numbers not below 0, an instrument or a reason why there is none. All of the record lies in `bytes`.
 */
export function isQuoteEntry(bytes: Uint8Array, at: number): boolean {
  const setIdEnd = SET_ID_AT + bytes[at + 2];
  const entryIdEnd = ENTRY_ID_AT + bytes[at + 3];
  if (setIdEnd > ENTRY_ID_AT || entryIdEnd > QUOTE_ENTRY_BYTES) return false;
  if ((bytes[at] | bytes[at + 1] | bytes[at + 20] | bytes[at + 21]) === 0) return false;
  for (let number = 4; number < 20; number += 4) if (bytes[at + number + 3] > 0x7f) return false;
  if ((bytes[at + 22] | bytes[at + 23]) !== 0) return false;
  for (let i = setIdEnd; i < ENTRY_ID_AT; i++) if (bytes[at + i] !== 0) return false;
  for (let i = entryIdEnd; i < QUOTE_ENTRY_BYTES; i++) if (bytes[at + i] !== 0) return false;
  return true;
}

/**
 * Writes `entry` as a record at `at` of `bytes`, all of it. Throws a RangeError that names the field and its value when
 * a reader would refuse it or read another value; nothing has changed then.
 */
export function writeQuoteEntry(entry: QuoteEntry, bytes: Uint8Array, at: number): void {
  const { quoteSetId, quoteEntryId } = entry;
  assertWithin("instrumentId", entry.instrumentId, 0xffff);
  assertWithin("bidPxTicks", entry.bidPxTicks, MAX_PRICE_TICKS);
  assertWithin("bidQtyLots", entry.bidQtyLots, MAX_QTY_LOTS);
  assertWithin("offerPxTicks", entry.offerPxTicks, MAX_PRICE_TICKS);
  assertWithin("offerQtyLots", entry.offerQtyLots, MAX_QTY_LOTS);
  assertWithin("reason", entry.reason, 0xffff);
  assertWithin("quoteSetId's length", quoteSetId.length, MAX_QUOTE_SET_ID_BYTES);
  assertWithin("quoteEntryId's length", quoteEntryId.length, MAX_QUOTE_ENTRY_ID_BYTES);
  if (entry.instrumentId === 0 && entry.reason === 0) {
    throw new RangeError("Cannot encode a quote entry: expected an instrument or a reason, got neither");
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
  put(quoteSetId, bytes, at + SET_ID_AT);
  put(quoteEntryId, bytes, at + ENTRY_ID_AT);
}

const SET_ID_AT = 24;
const ENTRY_ID_AT = SET_ID_AT + MAX_QUOTE_SET_ID_BYTES;

function int32(bytes: Uint8Array, at: number): number {
  return bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24;
}

function assertWithin(field: string, value: number, max: number): void {
  if (value >= 0 && value <= max && Number.isInteger(value)) return;
  throw new RangeError(`Cannot encode a quote entry's ${field}: expected 0 to ${max}, got ${value}`);
}

function put(slice: ByteSlice, bytes: Uint8Array, at: number): void {
  for (let i = 0; i < slice.length; i++) bytes[at + i] = slice.buffer[slice.start + i];
}
