/**
 * Owns the splitting of a byte stream into FIX messages: finds "8=FIX", waits for what BodyLength(9) announces,
 * verifies BodyLength and CheckSum(10), and recovers at the next "8=FIX" when something is wrong. It does not look
 * into the body beyond the place of MsgType(35) and accepts every BeginString: the session answers those. Pure.
 * Source: FIX 4.4 Vol. 2, "Message Format", "Garbled message".
 *
 * Work is linear in the bytes received, however they are cut: each byte is skipped once or summed once, and only the
 * header of at most 31 bytes (fields 8 and 9) is looked at again while it is incomplete.
 */
import { byteSum, wordAlignedBytes } from "./checksum.ts";

/** The delimiter behind every field. */
export const SOH = 1;

/** What {@link Framer.next} found. */
export const FrameStatus = {
  /** No whole message yet. */
  NeedMore: 0,
  /** `buffer[start, end)` is one whole, verified message. */
  Frame: 1,
  /** Bytes were not a message and are skipped; `fault` says why. */
  Garbled: 2,
  /** BodyLength announces more than the limit; `fault` says how much. */
  TooLong: 3,
} as const;
export type FrameStatus = typeof FrameStatus[keyof typeof FrameStatus];

/** {@link Framer.writable} offers at least this much. */
export const MIN_WRITABLE_BYTES = 4096;
/** Longest BeginString(8) value that is still one. */
const MAX_BEGIN_STRING_BYTES = 16;
/** Longest BodyLength(9) text; some engines pad it with zeros. */
const MAX_LENGTH_DIGITS = 9;
/** "10=nnn" and SOH. */
const TRAILER_BYTES = 7;
/** "8=FIX". */
const PREFIX = [0x38, 0x3d, 0x46, 0x49, 0x58];
const INITIAL_BYTES = 2 * MIN_WRITABLE_BYTES;

/** Splits one connection's bytes into messages. Never throws on any input; memory is bounded by the limit. */
export class Framer {
  /** Receive buffer; replaced when it grows, so read it again after {@link writable} or {@link push}. */
  buffer: Uint8Array;
  /** After Frame: the message is `buffer[start, end)` until the next call of writable, push or next. */
  start = 0;
  end = 0;
  /** After Garbled or TooLong: the reason. */
  fault = "";

  readonly #maxMessageBytes: number;
  /** Words over the same memory as `buffer`. */
  #words: Uint32Array;
  /** Unread bytes are `buffer[#read, #write)`. */
  #read = 0;
  #write = 0;
  /** Where the current message's body starts and its trailer is due, from #read; 0 while the header is incomplete. */
  #bodyOffset = 0;
  #trailerOffset = 0;
  /** Whether the bytes at #read belong to something already reported as garbled. */
  #skipping = false;
  /** Whether the last read filled all the space it was offered. */
  #starved = false;

  /** A message of more than `maxMessageBytes` (from "8=" to the last SOH) is TooLong. */
  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes;
    const { bytes, words } = wordAlignedBytes(INITIAL_BYTES);
    this.buffer = bytes;
    this.#words = words;
  }

  /**
   * Free space to read into, at least {@link MIN_WRITABLE_BYTES}; then {@link commit}. Borrowed until the next call.
   * Call it only after {@link next} said NeedMore. Throws when far more than one message is left unread: a bug.
   */
  writable(): Uint8Array {
    const unread = this.#write - this.#read;
    const limit = this.#maxMessageBytes + 16 * MIN_WRITABLE_BYTES;
    if (unread > limit) throw new RangeError(`Cannot read more: ${unread} bytes wait, the limit is ${limit}`);
    const grown = Math.min(2 * this.buffer.length, limit + this.#maxMessageBytes);
    this.#reserve(MIN_WRITABLE_BYTES, this.#starved ? grown : 0);
    return this.buffer.subarray(this.#write);
  }

  /** `count` bytes were read into {@link writable}. */
  commit(count: number): void {
    const free = this.buffer.length - this.#write;
    if (count < 0 || count > free) throw new RangeError(`Cannot commit ${count} bytes: ${free} were offered`);
    this.#starved = count === free;
    this.#write += count;
  }

  /** Takes a copy of `chunk`, whatever its size. */
  push(chunk: Uint8Array): void {
    this.#reserve(chunk.length, 0);
    this.buffer.set(chunk, this.#write);
    this.#write += chunk.length;
  }

  /** Moves to the next message, or says what else is there. Call until it says NeedMore. */
  next(): FrameStatus {
    if (this.#trailerOffset === 0) {
      const status = this.#readHeader();
      if (status !== FrameStatus.Frame) return status;
    }
    const buffer = this.buffer;
    const trailer = this.#read + this.#trailerOffset;
    if (this.#write < trailer + TRAILER_BYTES) {
      return this.#trailerMayFollow(trailer) ? FrameStatus.NeedMore : this.#badLength(trailer);
    }
    const sent = buffer[trailer - 1] === SOH ? trailerValue(buffer, trailer) : -1;
    if (sent < 0) return this.#badLength(trailer);
    const sum = byteSum(buffer, this.#words, this.#read, trailer);
    if (sum !== sent) {
      const expected = String(sum).padStart(3, "0");
      const got = String(sent).padStart(3, "0");
      return this.#garbled(`expected CheckSum(10) ${expected}, got ${got}`, trailer + TRAILER_BYTES);
    }
    const body = this.#read + this.#bodyOffset;
    if (
      buffer[body] !== 0x33 || buffer[body + 1] !== 0x35 || buffer[body + 2] !== 0x3d ||
      buffer[body + 3] === SOH
    ) {
      return this.#garbled("expected MsgType(35) as the third field", trailer + TRAILER_BYTES);
    }
    this.start = this.#read;
    this.end = trailer + TRAILER_BYTES;
    this.#read = this.end;
    this.#trailerOffset = 0;
    return FrameStatus.Frame;
  }

  /** Skips to "8=FIX" and reads fields 8 and 9. Frame means: the offsets are set. */
  #readHeader(): FrameStatus {
    const buffer = this.buffer;
    const write = this.#write;
    let at = this.#read;
    while (at < write && !prefixMatches(buffer, at, write)) at++;
    if (at !== this.#read) {
      this.#read = at;
      if (!this.#skipping) return this.#garbled('expected "8=FIX" at the start of a message', at);
    }
    if (write - at < PREFIX.length) return FrameStatus.NeedMore;
    this.#skipping = false;
    const resume = at + PREFIX.length;
    let i = resume;
    while (i < write && isBeginStringByte(buffer[i]) && i - at < 2 + MAX_BEGIN_STRING_BYTES) i++;
    if (i >= write) return FrameStatus.NeedMore;
    if (buffer[i] !== SOH) return this.#garbled("expected BeginString(8) as the first field", resume);
    i++;
    if (i >= write) return FrameStatus.NeedMore;
    if (buffer[i] !== 0x39) return this.#garbled("expected BodyLength(9) as the second field", resume);
    i++;
    if (i >= write) return FrameStatus.NeedMore;
    if (buffer[i] !== 0x3d) return this.#garbled("expected BodyLength(9) as the second field", resume);
    return this.#readLength(i + 1, resume);
  }

  #readLength(first: number, resume: number): FrameStatus {
    const buffer = this.buffer;
    const write = this.#write;
    let i = first;
    let length = 0;
    while (i < write && isDigit(buffer[i]) && i - first < MAX_LENGTH_DIGITS) {
      length = length * 10 + buffer[i++] - 0x30;
    }
    if (i >= write) return FrameStatus.NeedMore;
    if (buffer[i] !== SOH || i === first) {
      const digits = isDigit(buffer[i]);
      if (!digits) return this.#garbled("expected digits in BodyLength(9)", resume);
      this.#garbled(`BodyLength(9) has more than ${MAX_LENGTH_DIGITS} digits`, resume);
      return FrameStatus.TooLong;
    }
    const trailerOffset = i + 1 - this.#read + length;
    if (trailerOffset + TRAILER_BYTES > this.#maxMessageBytes) {
      const limit = `the limit is ${this.#maxMessageBytes}`;
      this.#garbled(
        `BodyLength(9) announces ${trailerOffset + TRAILER_BYTES} message bytes, ${limit}`,
        resume,
      );
      return FrameStatus.TooLong;
    }
    this.#bodyOffset = i + 1 - this.#read;
    this.#trailerOffset = trailerOffset;
    return FrameStatus.Frame;
  }

  /** Whether what is there of the trailer is no contradiction yet. */
  #trailerMayFollow(trailer: number): boolean {
    const { buffer } = this;
    const write = this.#write;
    if (write > trailer - 1 && buffer[trailer - 1] !== SOH) return false;
    if (write > trailer && buffer[trailer] !== 0x31) return false;
    if (write > trailer + 1 && buffer[trailer + 1] !== 0x30) return false;
    return write <= trailer + 2 || buffer[trailer + 2] === 0x3d;
  }

  /** The announced bytes are given up, also when they reach into the next message. */
  #badLength(trailer: number): FrameStatus {
    const announced = this.#trailerOffset - this.#bodyOffset;
    return this.#garbled(`expected CheckSum(10) behind the ${announced} bytes of BodyLength(9)`, trailer);
  }

  #garbled(fault: string, resume: number): FrameStatus {
    this.fault = fault;
    this.#read = Math.min(resume, this.#write);
    this.#trailerOffset = 0;
    this.#skipping = true;
    return FrameStatus.Garbled;
  }

  /** Makes room for `count` more bytes: compacts, and moves to a larger buffer when that is not enough. */
  #reserve(count: number, wantedCapacity: number): void {
    const unread = this.#write - this.#read;
    const capacity = Math.max(wantedCapacity, this.buffer.length);
    if (unread === 0) this.#read = this.#write = 0;
    if (capacity === this.buffer.length && capacity - this.#write >= count) return;
    if (capacity === this.buffer.length && capacity - unread >= count && capacity >= 2 * unread) {
      this.buffer.copyWithin(0, this.#read, this.#write);
    } else {
      const { bytes, words } = wordAlignedBytes(Math.max(capacity, 2 * unread + count));
      bytes.set(this.buffer.subarray(this.#read, this.#write));
      this.buffer = bytes;
      this.#words = words;
    }
    this.#read = 0;
    this.#write = unread;
  }
}

function prefixMatches(buffer: Uint8Array, at: number, write: number): boolean {
  for (let i = 0; i < PREFIX.length; i++) {
    if (at + i >= write) return true;
    if (buffer[at + i] !== PREFIX[i]) return false;
  }
  return true;
}

/** The number in "10=nnn" SOH at `at`, -1 when that is not what is there. */
function trailerValue(buffer: Uint8Array, at: number): number {
  if (buffer[at] !== 0x31 || buffer[at + 1] !== 0x30 || buffer[at + 2] !== 0x3d || buffer[at + 6] !== SOH) {
    return -1;
  }
  const a = buffer[at + 3], b = buffer[at + 4], c = buffer[at + 5];
  if (!isDigit(a) || !isDigit(b) || !isDigit(c)) return -1;
  return (a - 0x30) * 100 + (b - 0x30) * 10 + c - 0x30;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Upper-case letters, digits and the point: what every BeginString is made of. */
function isBeginStringByte(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a || isDigit(byte) || byte === 0x2e;
}
