/** The header of a snapshot: where each field is, and whether this release can read what follows. Pure. */
import type { StateCounts } from "./export_state.ts";
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";
import {
  HASH_DIGITS,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  SECTION_COUNT,
  SNAPSHOT_VERSION,
  TRAILER_BYTES,
} from "./layout.ts";

/** What a snapshot says of itself. */
export interface SnapshotHeader {
  /** Bytes of the whole. */
  readonly length: number;
  /** The last command message that it includes. */
  readonly cmdSeq: number;
  /** The engine's time, µs. */
  readonly timestampUs: number;
  /** Length and CRC-32 of that message. */
  readonly lastCommand: { readonly length: number; readonly crc: number };
  readonly shard: number;
  readonly maxOpenOrders: number;
  readonly clOrdIdHistory: number;
  /** 16 hexadecimal digits. */
  readonly stateHash: string;
  readonly counts: StateCounts;
}

/** Versions that this release reads. A later one adds its reader here and keeps the ones before. */
const READABLE: readonly number[] = [SNAPSHOT_VERSION];

/** The header's bytes, but for its checksum, which `crc` makes. */
export function writeHeader(header: SnapshotHeader, crc: (bytes: Uint8Array) => number): Uint8Array {
  const out = new ByteWriter();
  out.text(MAGIC);
  out.word(SNAPSHOT_VERSION);
  out.word(HEADER_BYTES);
  out.f64(header.length);
  out.f64(header.cmdSeq);
  out.f64(header.timestampUs);
  out.word(header.lastCommand.length);
  out.word(header.lastCommand.crc);
  out.u16(header.shard);
  out.u16(SECTION_COUNT);
  out.word(header.maxOpenOrders);
  out.word(header.clOrdIdHistory);
  out.word(header.counts.instruments);
  out.text(header.stateHash);
  out.word(header.counts.openOrders);
  out.word(header.counts.pastNames);
  out.word(header.counts.sessions);
  out.word(header.counts.gateways);
  out.skip(HEADER.Crc - out.length);
  out.word(crc(out.from(0)));
  return out.from(0);
}

/** Reads a header; what is wrong with it, as a clause, when it cannot be used. `crc` is CRC-32. */
export function readHeader(bytes: Uint8Array, crc: (bytes: Uint8Array) => number): SnapshotHeader | string {
  if (bytes.length < HEADER_BYTES + TRAILER_BYTES) return `it ends after ${bytes.length} bytes`;
  const from = new ByteReader(bytes.subarray(0, HEADER_BYTES));
  if (from.text(MAGIC.length) !== MAGIC) return "it is no snapshot";
  const version = from.u32();
  if (version > SNAPSHOT_VERSION) {
    return `it has version ${version}; this release reads up to ${SNAPSHOT_VERSION}: start the newer release`;
  }
  if (!READABLE.includes(version)) {
    return `it has version ${version}; this release reads ${
      READABLE.join(", ")
    }: start the older release once`;
  }
  const headerBytes = from.u32();
  const header = fields(from);
  from.skip(HEADER.Crc - HEADER.Gateways - 4);
  if (from.u32() !== crc(bytes.subarray(0, HEADER.Crc))) return "the checksum of its header is another";
  if (from.failed || headerBytes !== HEADER_BYTES || header === null) return "its header is no such thing";
  return header;
}

function fields(from: ByteReader): SnapshotHeader | null {
  const length = from.integer();
  const cmdSeq = from.integer();
  const timestampUs = from.integer();
  const lastCommand = { length: from.u32(), crc: from.u32() };
  const shard = from.u16();
  const sections = from.u16();
  const maxOpenOrders = from.u32();
  const clOrdIdHistory = from.u32();
  const instruments = from.u32();
  const stateHash = from.text(HASH_DIGITS);
  const counts = {
    instruments,
    openOrders: from.u32(),
    pastNames: from.u32(),
    sessions: from.u32(),
    gateways: from.u32(),
  };
  if (sections !== SECTION_COUNT || cmdSeq === 0) return null;
  return {
    length,
    cmdSeq,
    timestampUs,
    lastCommand,
    shard,
    maxOpenOrders,
    clOrdIdHistory,
    stateHash,
    counts,
  };
}
