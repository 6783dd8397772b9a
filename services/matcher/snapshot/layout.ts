/**
 * The layout of a snapshot, version 1: places, sizes and codes. docs/snapshots.md has it in words. A change of any of these
 * is another version. Pure: constants only.
 */

/** What a snapshot begins with. */
export const MAGIC = "PITWSNAP";
/** The version that is written. */
export const SNAPSHOT_VERSION = 1;
/** Bytes of the header, which the sections follow. */
export const HEADER_BYTES = 128;
/** Bytes before a section's body: kind, CRC-32 and length of the body. */
export const SECTION_HEADER_BYTES = 16;
/** The SHA-256 of everything before, at the end. */
export const TRAILER_BYTES = 32;
/** What every part's length is a multiple of. */
export const ALIGNMENT = 8;

/** Kinds of sections; each occurs once, in this order. */
export const SectionKind = { Instruments: 1, Books: 2, Past: 3, Sessions: 4, Gateways: 5 } as const;
export type SectionKind = typeof SectionKind[keyof typeof SectionKind];
/** Sections of a snapshot. */
export const SECTION_COUNT = 5;

/** Places in the header. */
export const HEADER = {
  Version: 8,
  HeaderBytes: 12,
  Length: 16,
  CmdSeq: 24,
  TimestampUs: 32,
  LastCommandBytes: 40,
  LastCommandCrc: 44,
  Shard: 48,
  SectionCount: 50,
  MaxOpenOrders: 52,
  ClOrdIdHistory: 56,
  Instruments: 60,
  StateHash: 64,
  OpenOrders: 80,
  PastNames: 84,
  Sessions: 88,
  Gateways: 92,
  /** CRC-32 of the header's bytes before it. */
  Crc: 124,
} as const;

/** Digits of a state hash and of the digest of an instrument's rules. */
export const HASH_DIGITS = 16;

/** Fixed bytes of an order, of what only some orders have, of a past ClOrdID. */
export const ORDER_BYTES = 40;
export const EXTRA_BYTES = 32;
export const PAST_BYTES = 16;
/** Fixed bytes of an instrument, a level, a session, a gateway. */
export const INSTRUMENT_BYTES = 80;
export const LEVEL_BYTES = 8;
export const SESSION_BYTES = 24;
export const GATEWAY_BYTES = 24;

/** Bit of an order's flags: its extra record follows. */
export const HAS_EXTRA = 1;
/** Bits of an extra record: a stop that was triggered; a side of a quote, whose name is the QuoteID. */
export const IS_TRIGGERED = 1;
export const IS_QUOTE = 2;
/** A past ClOrdID's flag: the order, which is done and not written before, follows. */
export const ORDER_FOLLOWS = 1;
