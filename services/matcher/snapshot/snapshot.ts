/**
 * A shard's state as bytes and back: header, sections with a checksum each, SHA-256 behind. Owns what is checked before
 * anything is believed; everything that can be wrong with bytes comes out as a reason. Reads no clock and does no I/O.
 * docs/snapshots.md.
 */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { errorText } from "../../../shared/cli/log.ts";
import { type Instrument, MAX_CL_ORD_ID_BYTES } from "../../../shared/protocol/mod.ts";
import { Engine, type EngineOptions } from "../engine/mod.ts";
import { SESSION_WINDOW } from "../engine/session_sequences.ts";
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";
import { countsOf, SECTION_WRITERS } from "./export_state.ts";
import { readHeader, type SnapshotHeader, writeHeader } from "./header.ts";
import { StateImport } from "./import_state.ts";
import { NO_PACE, type Pace } from "./pace.ts";
import {
  EXTRA_BYTES,
  GATEWAY_BYTES,
  HEADER_BYTES,
  INSTRUMENT_BYTES,
  LEVEL_BYTES,
  ORDER_BYTES,
  PAST_BYTES,
  SECTION_COUNT,
  SECTION_HEADER_BYTES,
  SESSION_BYTES,
  TRAILER_BYTES,
} from "./layout.ts";

const NAME_BYTES = MAX_CL_ORD_ID_BYTES;
/** Sessions and gateways each have ids below this. */
const IDS = 65536;
const BOOKS_PER_INSTRUMENT = 5;
const PIECE_BYTES = 32 * 1024;

/** The command message that a state ends with, so that a snapshot is not taken for another stream's. */
export interface CommandMark {
  /** Bytes of the message. */
  readonly length: number;
  readonly crc: number;
}

/** A snapshot in an engine of its own, or why there is none. */
export type LoadedSnapshot =
  | { readonly engine: Engine; readonly header: SnapshotHeader; readonly reason: null }
  | { readonly engine: null; readonly reason: string };

/** The mark of a command message. */
export function commandMark(message: Uint8Array): CommandMark {
  return { length: message.length, crc: crc32(message) };
}

/** The instruments of an engine, by ascending id. */
function ownInstruments({ shard, instruments }: EngineOptions): Instrument[] {
  return instruments.filter((each) => each.shard === shard).sort((a, b) => a.id - b.id);
}

/**
 * The state of an engine made with `options`, which stands behind the command message that `last` marks, written into `out`,
 * whose the bytes are. The engine must stand still until this returns, whatever `pace` does.
 */
export function writeSnapshot(
  engine: Engine,
  options: EngineOptions,
  last: CommandMark,
  pace: Pace = NO_PACE,
  out: ByteWriter = new ByteWriter(),
): Uint8Array {
  const instruments = ownInstruments(options);
  out.length = 0;
  out.skip(HEADER_BYTES);
  for (const [kind, write] of SECTION_WRITERS) {
    const at = out.length;
    out.skip(SECTION_HEADER_BYTES);
    write(engine, instruments, out, pace);
    const body = out.from(at + SECTION_HEADER_BYTES);
    out.setWord(at, kind);
    out.setWord(at + 4, checksum(body, pace));
    out.setF64(at + 8, body.length);
  }
  const length = out.length + TRAILER_BYTES;
  const { shard, maxOpenOrders, clOrdIdHistory } = options;
  const header = writeHeader({
    length,
    cmdSeq: engine.cmdSeq,
    timestampUs: engine.timestampUs,
    lastCommand: last,
    shard,
    maxOpenOrders,
    clOrdIdHistory,
    stateHash: hashOf(engine, pace),
    counts: countsOf(engine),
  }, crc32);
  out.skip(TRAILER_BYTES);
  const bytes = out.from(0);
  bytes.set(header);
  bytes.set(digestOf(bytes.subarray(0, length - TRAILER_BYTES), pace), length - TRAILER_BYTES);
  return bytes;
}

/** The state hash; `instruments` as {@link Engine.stateHash} has it. */
function hashOf(engine: Engine, pace: Pace, instruments?: Iterable<number>): string {
  const steps = engine.stateHashSteps(instruments);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    pace.look();
  }
}

/** CRC-32. */
function checksum(bytes: Uint8Array, pace: Pace): number {
  let crc = 0;
  for (const piece of pieces(bytes, pace)) crc = crc32(piece, crc);
  return crc;
}

/** SHA-256. */
function digestOf(bytes: Uint8Array, pace: Pace): Uint8Array {
  const hash = createHash("sha256");
  for (const piece of pieces(bytes, pace)) hash.update(piece);
  return hash.digest();
}

/** The bytes in pieces of some ten microseconds, with looks between. */
function* pieces(bytes: Uint8Array, pace: Pace): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
    pace.look();
  }
}

/**
 * Reads a snapshot into a new engine and compares the state hash. The reason is a clause that goes on from "Cannot use
 * snapshot …:".
 */
export function loadSnapshot(
  bytes: Uint8Array,
  options: EngineOptions,
  pace: Pace = NO_PACE,
): LoadedSnapshot {
  const header = openSnapshot(bytes, options, pace);
  if (typeof header === "string") return { engine: null, reason: header };
  try {
    return load(bytes, header, options, pace);
  } catch (cause) {
    return { engine: null, reason: `the engine does not take it: ${errorText(cause)}` };
  }
}

/** The header of a snapshot that is whole and was made for `options`, or what is wrong with it. */
export function openSnapshot(
  bytes: Uint8Array,
  options: EngineOptions,
  pace: Pace = NO_PACE,
): SnapshotHeader | string {
  const header = readHeader(bytes, crc32);
  if (typeof header === "string") return header;
  if (bytes.length !== header.length) return `it has ${bytes.length} bytes instead of ${header.length}`;
  const end = header.length - TRAILER_BYTES;
  const digest = digestOf(bytes.subarray(0, end), pace);
  if (digest.some((byte, i) => byte !== bytes[end + i])) return "its SHA-256 is another";
  return faultOfOrigin(header, options) ?? header;
}

function faultOfOrigin(header: SnapshotHeader, options: EngineOptions): string | null {
  const { shard, maxOpenOrders, clOrdIdHistory } = options;
  if (header.shard !== shard) return `it is of shard ${header.shard} instead of ${shard}`;
  if (header.maxOpenOrders !== maxOpenOrders) {
    return `it was made with maxOpenOrders ${header.maxOpenOrders}, this matcher has ${maxOpenOrders}`;
  }
  if (header.clOrdIdHistory !== clOrdIdHistory) {
    return `it was made with clOrdIdHistory ${header.clOrdIdHistory}, this matcher has ${clOrdIdHistory}`;
  }
  const { openOrders, pastNames } = header.counts;
  if (openOrders > maxOpenOrders || pastNames > clOrdIdHistory) {
    return `it claims ${openOrders} open orders and ${pastNames} past ClOrdIDs, more than its own limits`;
  }
  return null;
}

function load(
  bytes: Uint8Array,
  header: SnapshotHeader,
  options: EngineOptions,
  pace: Pace,
): LoadedSnapshot {
  const engine = new Engine(options);
  const state = new StateImport(engine, ownInstruments(options), header.counts, pace);
  const end = header.length - TRAILER_BYTES;
  let at = HEADER_BYTES;
  for (const [kind] of SECTION_WRITERS) {
    const body = sectionAt(bytes, at, end, kind, pace);
    if (typeof body === "string") return { engine: null, reason: body };
    const fault = state.read(kind, new ByteReader(body));
    if (fault !== null) return { engine: null, reason: fault };
    at += SECTION_HEADER_BYTES + body.length;
  }
  if (at !== end) return { engine: null, reason: `it has ${end - at} bytes behind its sections` };
  engine.restorePosition(header.cmdSeq, header.timestampUs);
  const hash = hashOf(engine, pace, state.ids);
  if (hash !== header.stateHash) {
    return { engine: null, reason: `its state hashes to ${hash} instead of ${header.stateHash}` };
  }
  return { engine, header, reason: null };
}

/** The body of the section that begins at `at`, or what is wrong with it. */
function sectionAt(
  bytes: Uint8Array,
  at: number,
  end: number,
  kind: number,
  pace: Pace,
): Uint8Array | string {
  const from = new ByteReader(bytes.subarray(at, end));
  const found = from.u32();
  const crc = from.u32();
  const length = from.integer();
  if (from.failed || length > from.left) return `section ${kind} is cut`;
  if (found !== kind) return `section ${kind} is missing, ${found} stands there`;
  const start = at + SECTION_HEADER_BYTES;
  const body = bytes.subarray(start, start + length);
  return checksum(body, pace) === crc ? body : `the checksum of section ${kind} is another`;
}

/** The most bytes that a snapshot of an engine made with `options` can have. */
export function snapshotBound({ maxOpenOrders, clOrdIdHistory, instruments }: EngineOptions): number {
  return HEADER_BYTES + SECTION_COUNT * SECTION_HEADER_BYTES + TRAILER_BYTES +
    instruments.length * (INSTRUMENT_BYTES + BOOKS_PER_INSTRUMENT * 8) +
    maxOpenOrders * (LEVEL_BYTES + ORDER_BYTES + EXTRA_BYTES + NAME_BYTES) +
    clOrdIdHistory * (PAST_BYTES + NAME_BYTES + ORDER_BYTES + EXTRA_BYTES) +
    IDS * (SESSION_BYTES + SESSION_WINDOW / 8 + GATEWAY_BYTES);
}
