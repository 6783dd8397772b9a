/** Where each field of a ClOrdID's entry is (cl_ord_id_index.ts). Pure: constants only. */
import { MAX_CL_ORD_ID_BYTES } from "../../../shared/protocol/mod.ts";

const ENTRY_WORDS = 8;
const INLINE_BYTES = 16;
const HEAD_BYTES = 12;
const REST_WORDS = (MAX_CL_ORD_ID_BYTES - HEAD_BYTES) / 4;

/** Fields in 32-bit words. Users take these apart in their own module's scope, as with ORDER_LAYOUT. */
export const ENTRY_LAYOUT = {
  /** 32-bit words per entry. */
  ENTRY_WORDS,
  /** The order, or the next free entry. */
  ORDER: 0,
  /** Session id, low 16 bits; length in bytes, above. */
  SESSION_LENGTH: 1,
  HASH: 2,
  /** Next entry of the same bucket. */
  CHAIN: 3,
  /** The bytes. */
  INLINE: 4,
  /** Identifiers up to here lie in the entry. */
  INLINE_BYTES,
  /** Bytes of a longer one that do. */
  HEAD_BYTES,
  /** Of a longer one: the record that holds the other bytes. */
  REST: 7,
  /** Words per such record. */
  REST_WORDS,
  /** Words of an entry outside the index, with the bytes that do not fit into it. */
  UNLISTED_WORDS: ENTRY_WORDS + REST_WORDS,
} as const;
