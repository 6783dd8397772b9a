/** Names that orders go by and that no search finds: the QuoteIDs of quotes' orders. Pure. */
import type { ByteSlice } from "../../../shared/codec/wire/mod.ts";
import { wordAt } from "./cl_ord_id_index.ts";
import { ENTRY_LAYOUT } from "./cl_ord_id_layout.ts";

const { ENTRY_WORDS, SESSION_LENGTH, INLINE, REST, INLINE_BYTES, HEAD_BYTES } = ENTRY_LAYOUT;

/** Writes an identifier (1 … 40 bytes) into UNLISTED_WORDS words of the engine's memory, the caller's, at `entry`. */
export function writeUnlisted(words: Int32Array, entry: number, session: number, id: ByteSlice): void {
  const { buffer, start, length } = id;
  const rest = entry + ENTRY_WORDS;
  const end = start + length;
  words[entry + SESSION_LENGTH] = session | length << 16;
  const inline = length <= INLINE_BYTES ? INLINE_BYTES : HEAD_BYTES;
  for (let at = 0; at < inline; at += 4) words[entry + INLINE + (at >> 2)] = wordAt(buffer, start + at, end);
  if (length <= INLINE_BYTES) return;
  words[entry + REST] = rest;
  for (let at = HEAD_BYTES; at < length; at += 4) {
    words[rest + (at - HEAD_BYTES >> 2)] = wordAt(buffer, start + at, end);
  }
}
