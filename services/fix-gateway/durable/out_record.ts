/**
 * Sent application messages as FIXOUT keeps them: what one message of `fix.out.<session>` holds. Fixed layout,
 * little-endian, version 1; docs/wire.md draws it. Pure. The reader trusts nothing.
 *
 * Header, 56 bytes: u16 magic, u8 version, u8 0, u16 session, u16 gatewayId, f64 bootId, u32 incarnation, u32 count,
 * f64 through, f64 inDurable, u16 shards, u16 0, u32 total bytes, f64 number (of this owner's records, so that no two
 * are equal). Then per shard 24 bytes: u16 shard, u16 0, u32 eventIndex, f64 cmdSeq, f64 evSeq. Then `count` messages:
 * u32 size, u32 seq, f64 sendingTimeMs, f64 cmdSeq, u32 eventIndex, u16 shard, u8 flags (1 PossResend, 2 has a source),
 * u8 length of MsgType; MsgType, body; padded to 8.
 */
import type { StoredMessage } from "../session/mod.ts";
import type { Position } from "./position.ts";

const MAGIC = 0x4650;
const VERSION = 1;
const HEADER_BYTES = 56;
const SHARD_BYTES = 24;
const MESSAGE_BYTES = 32;
const POSS_RESEND = 1;
const HAS_SOURCE = 2;

/** The event that a report was made from. */
export interface Source {
  readonly shard: number;
  readonly cmdSeq: number;
  readonly eventIndex: number;
}

/** What a record says beside its messages. */
export interface OutHeader {
  readonly session: number;
  readonly gatewayId: number;
  readonly bootId: number;
  readonly incarnation: number;
  /** No message up to this number is in any later record of the incarnation. */
  readonly through: number;
  /** Every inbound message up to it needs nothing more. */
  readonly inDurable: number;
  readonly positions: readonly Position[];
  /** Grows from record to record of one owner. */
  readonly number: number;
}

/** A run of messages being gathered: the records' middle part. */
export class MessageBlock {
  count = 0;
  /** Number of the last message; 0 before the first. */
  lastSeq = 0;
  /** Per shard the last event that a message was made from. */
  readonly sources: Map<number, Source> = new Map();
  #bytes: Uint8Array = new Uint8Array(4096);
  #view: DataView = new DataView(this.#bytes.buffer);
  #length = 0;

  get byteLength(): number {
    return this.#length;
  }

  /** Appends a message; `body` is copied. */
  append(
    seq: number,
    msgType: string,
    sendingTimeMs: number,
    possResend: boolean,
    source: Source | null,
    body: Uint8Array,
  ): void {
    const size = sizeOf(msgType, body);
    const start = this.#length;
    if (start + size > this.#bytes.length) this.#grow(start + size);
    const view = this.#view;
    view.setUint32(start, size, true);
    view.setUint32(start + 4, seq, true);
    view.setFloat64(start + 8, sendingTimeMs, true);
    view.setFloat64(start + 16, source?.cmdSeq ?? 0, true);
    view.setUint32(start + 24, source?.eventIndex ?? 0, true);
    view.setUint16(start + 28, source?.shard ?? 0, true);
    view.setUint8(start + 30, (possResend ? POSS_RESEND : 0) | (source !== null ? HAS_SOURCE : 0));
    view.setUint8(start + 31, msgType.length);
    const bytes = this.#bytes;
    let at = start + MESSAGE_BYTES;
    for (let i = 0; i < msgType.length; i++) bytes[at++] = msgType.charCodeAt(i);
    bytes.set(body, at);
    bytes.fill(0, at + body.length, start + size);
    this.#length = start + size;
    this.count++;
    this.lastSeq = seq;
    if (source !== null) this.sources.set(source.shard, source);
  }

  /** Adds the messages of [from, to] to `into`, bodies borrowed from the block. */
  collect(from: number, to: number, into: StoredMessage[]): void {
    collect(this.#bytes, this.#view, 0, this.count, from, to, into);
  }

  /** A record of these messages; the caller owns it. */
  record(header: OutHeader): Uint8Array {
    const start = HEADER_BYTES + header.positions.length * SHARD_BYTES;
    const record = new Uint8Array(start + this.#length);
    writeHeader(record, header, this.count);
    record.set(this.#bytes.subarray(0, this.#length), start);
    return record;
  }

  #grow(length: number): void {
    const grown = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/** Bytes that a message takes in a block. */
export function sizeOf(msgType: string, body: Uint8Array): number {
  return MESSAGE_BYTES + msgType.length + body.length + 7 & ~7;
}

function writeHeader(bytes: Uint8Array, header: OutHeader, count: number): void {
  const view = new DataView(bytes.buffer);
  view.setUint16(0, MAGIC, true);
  view.setUint8(2, VERSION);
  view.setUint16(4, header.session, true);
  view.setUint16(6, header.gatewayId, true);
  view.setFloat64(8, header.bootId, true);
  view.setUint32(16, header.incarnation, true);
  view.setUint32(20, count, true);
  view.setFloat64(24, header.through, true);
  view.setFloat64(32, header.inDurable, true);
  view.setUint16(40, header.positions.length, true);
  view.setUint32(44, bytes.length, true);
  view.setFloat64(48, header.number, true);
  let at = HEADER_BYTES;
  for (const { shard, cmdSeq, eventIndex, evSeq } of header.positions) {
    view.setUint16(at, shard, true);
    view.setUint32(at + 4, eventIndex, true);
    view.setFloat64(at + 8, cmdSeq, true);
    view.setFloat64(at + 16, evSeq, true);
    at += SHARD_BYTES;
  }
}

/** A record that was read. */
export interface OutRecord extends OutHeader {
  readonly count: number;
  /** Adds the messages of [from, to] to `into`, bodies borrowed from the record. */
  collect(from: number, to: number, into: StoredMessage[]): void;
}

/** Reads a record. Throws an Error that says what is wrong with it. */
export function readOutRecord(bytes: Uint8Array): OutRecord {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fault = faultOf(view);
  if (fault !== null) throw new Error(`Cannot read a record of sent messages: ${fault}`);
  const shards = view.getUint16(40, true);
  const positions: Position[] = [];
  for (let i = 0, at = HEADER_BYTES; i < shards; i++, at += SHARD_BYTES) {
    positions.push({
      shard: view.getUint16(at, true),
      cmdSeq: view.getFloat64(at + 8, true),
      eventIndex: view.getUint32(at + 4, true),
      evSeq: view.getFloat64(at + 16, true),
    });
  }
  const count = view.getUint32(20, true);
  const start = HEADER_BYTES + shards * SHARD_BYTES;
  return {
    session: view.getUint16(4, true),
    gatewayId: view.getUint16(6, true),
    bootId: view.getFloat64(8, true),
    incarnation: view.getUint32(16, true),
    count,
    through: view.getFloat64(24, true),
    inDurable: view.getFloat64(32, true),
    positions,
    number: view.getFloat64(48, true),
    collect: (from, to, into) => collect(bytes, view, start, count, from, to, into),
  };
}

/** Whether two records are the same, byte for byte. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function faultOf(view: DataView): string | null {
  const total = view.byteLength;
  if (total < HEADER_BYTES) return "truncated";
  if (view.getUint16(0, true) !== MAGIC) return "bad magic";
  if (view.getUint8(2) !== VERSION) return "unsupported version";
  if (view.getUint32(44, true) !== total) return "bad length";
  for (const at of [8, 24, 32, 48]) {
    const value = view.getFloat64(at, true);
    if (!Number.isSafeInteger(value) || value < 0) return "bad field";
  }
  let at = HEADER_BYTES + view.getUint16(40, true) * SHARD_BYTES;
  for (let i = view.getUint32(20, true); i > 0; i--) {
    if (at + MESSAGE_BYTES > total) return "truncated";
    const size = view.getUint32(at, true);
    if (size < MESSAGE_BYTES + view.getUint8(at + 31) || size % 8 !== 0 || at + size > total) {
      return "bad length";
    }
    at += size;
  }
  return at === total ? null : "bad length";
}

function collect(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  count: number,
  from: number,
  to: number,
  into: StoredMessage[],
): void {
  let at = start;
  for (let i = 0; i < count; i++) {
    const size = view.getUint32(at, true);
    const seq = view.getUint32(at + 4, true);
    if (seq > to) return;
    if (seq >= from) {
      const bodyAt = at + MESSAGE_BYTES + view.getUint8(at + 31);
      let end = at + size;
      while (end > bodyAt && bytes[end - 1] === 0) end--;
      into.push({
        seq,
        msgType: String.fromCharCode(...bytes.subarray(at + MESSAGE_BYTES, bodyAt)),
        sendingTimeMs: view.getFloat64(at + 8, true),
        possResend: (view.getUint8(at + 30) & POSS_RESEND) !== 0,
        body: bytes.subarray(bodyAt, end),
      });
    }
    at += size;
  }
}
