/** The identifiers in the record of an order's event (shared/codec/wire/event.ts has its layout). Pure. */
import { type ByteSlice, EVENT_FIXED_BYTES, type EventBatchWriter } from "../../../shared/codec/wire/mod.ts";

const FIXED_BYTES = EVENT_FIXED_BYTES;

/**
 * Writes two identifiers (each 0 … 40 bytes) behind the fields of the event at word `at` of `records`, and the sizes
 * into its first word and its 18th; returns the size of the event.
 */
export function putNames(
  records: EventBatchWriter,
  at: number,
  clOrdId: ByteSlice,
  origClOrdId: ByteSlice,
): number {
  const { words, doubles, bytes } = records;
  const used = FIXED_BYTES + clOrdId.length + origClOrdId.length;
  const size = used + 7 & ~7;
  const start = at << 2;
  words[at] |= size;
  words[at + 17 | 0] = clOrdId.length | origClOrdId.length << 8;
  // The padding; without names these bytes are expireUs.
  if (size > FIXED_BYTES) doubles[(start + size >> 3) - 1] = 0;
  let to = start + FIXED_BYTES;
  const first = clOrdId.buffer;
  for (let i = clOrdId.start; i < clOrdId.start + clOrdId.length; i++) bytes[to++] = first[i];
  const second = origClOrdId.buffer;
  for (let i = origClOrdId.start; i < origClOrdId.start + origClOrdId.length; i++) bytes[to++] = second[i];
  return size;
}
