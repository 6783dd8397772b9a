/**
 * Owns the encoding of FIX messages: body fields into a reusable buffer, then the header in front and CheckSum(10)
 * behind, in place. It knows no dictionary: the caller chooses fields and their order. Pure.
 * Source: FIX 4.4 Vol. 1, "FIX Message Format and Delivery"; Vol. 2, "Standard Message Header".
 *
 * FIX knows no empty field, so an empty value writes nothing. SOH inside a value would forge fields: it becomes "?".
 */
import type { ByteSlice } from "../wire/byte_slice.ts";
import { byteSum, wordAlignedBytes } from "./checksum.ts";
import { prependNumber, prependTag, prependText, putDecimal, putDigits, putTag } from "./encode.ts";
import type { FixHeader } from "./header.ts";
import { TimestampWriter, UTC_TIMESTAMP_BYTES } from "./timestamp.ts";

const SOH = 1;
const EQUALS = 0x3d;
const QUESTION_MARK = 0x3f;
/** Room in front of the body for headers of usual size; more is made when needed. */
const HEADROOM_BYTES = 512;
/** Everything in the header but its strings and extra fields. */
const HEADER_FIXED_BYTES = 192;
const TRAILER_BYTES = 7;
/** Longest "tag=" plus number and SOH. */
const MAX_NUMBER_FIELD_BYTES = 48;
const DEFAULT_CAPACITY_BYTES = 4096;
/** No message of ours comes near; a larger one is a caller's bug. */
const MAX_MESSAGE_BYTES = 1 << 24;
/** Views kept by {@link FixWriter.finish}, a power of two. */
const VIEW_COUNT = 64;
const MAX_DECIMAL_SCALE = 15;

/** Builds one message at a time: begin, fields, finish. Allocates only when a message outgrows all before it. */
export class FixWriter {
  /** After {@link seal}: the message is `buffer[start, end)`, until the next call of anything here. */
  buffer: Uint8Array;
  start = 0;
  end = 0;

  #words: Uint32Array;
  /** The body is `buffer[#bodyStart, #at)`. */
  #bodyStart = HEADROOM_BYTES;
  #at = HEADROOM_BYTES;
  /** Start of the header's 49, 52 and 56 as last written right before the body, -1 when overwritten. */
  #tailStart = -1;
  /** Where the time in it starts. */
  #tailTime = 0;
  #tailSender = "";
  #tailTarget = "";
  /** Views handed out before, by end: messages of one kind tend to have one length, and a view costs more than it. */
  readonly #views: Uint8Array[] = [];
  readonly #timestamps = new TimestampWriter();

  /** Starts with room for a body of `capacityBytes` and grows, to 16 MiB at most (RangeError beyond). */
  constructor(capacityBytes = DEFAULT_CAPACITY_BYTES) {
    const { bytes, words } = wordAlignedBytes(HEADROOM_BYTES + capacityBytes + TRAILER_BYTES);
    this.buffer = bytes;
    this.#words = words;
  }

  /** Starts an empty body. */
  begin(): void {
    this.#at = this.#bodyStart;
  }

  /** Characters above U+00FF become "?"; those from U+0080 are one byte, as ByteSlice reads them. */
  text(tag: number, value: string): void {
    const length = value.length;
    if (length === 0) return;
    this.#reserve(length + MAX_NUMBER_FIELD_BYTES);
    const buffer = this.buffer;
    let at = putTag(buffer, this.#at, tag);
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      buffer[at++] = code === SOH || code > 0xff ? QUESTION_MARK : code;
    }
    buffer[at] = SOH;
    this.#at = at + 1;
  }

  /** The slice's bytes, copied. */
  slice(tag: number, value: ByteSlice): void {
    this.bytes(tag, value.buffer, value.start, value.start + value.length);
  }

  /** `source[start, end)`, copied. */
  bytes(tag: number, source: Uint8Array, start: number, end: number): void {
    if (end <= start) return;
    this.#reserve(end - start + MAX_NUMBER_FIELD_BYTES);
    const buffer = this.buffer;
    let at = putTag(buffer, this.#at, tag);
    for (let i = start; i < end; i++) buffer[at++] = source[i] === SOH ? QUESTION_MARK : source[i];
    buffer[at] = SOH;
    this.#at = at + 1;
  }

  /** A data field behind its length field, byte for byte: the only field that may hold SOH. */
  data(lengthTag: number, dataTag: number, value: Uint8Array): void {
    if (value.length === 0) return;
    this.int(lengthTag, value.length);
    this.#reserve(value.length + MAX_NUMBER_FIELD_BYTES);
    const at = putTag(this.buffer, this.#at, dataTag);
    this.buffer.set(value, at);
    this.buffer[at + value.length] = SOH;
    this.#at = at + value.length + 1;
  }

  /** A safe integer; RangeError otherwise. */
  int(tag: number, value: number): void {
    if (!Number.isSafeInteger(value)) {
      throw new RangeError(`Cannot write tag ${tag}: ${value} is no safe integer`);
    }
    this.#reserve(MAX_NUMBER_FIELD_BYTES);
    const buffer = this.buffer;
    let at = putTag(buffer, this.#at, tag);
    if (value < 0) buffer[at++] = 0x2d;
    at = putDigits(buffer, at, value < 0 ? -value : value);
    buffer[at] = SOH;
    this.#at = at + 1;
  }

  /** One character by its code. */
  charCode(tag: number, code: number): void {
    this.#reserve(MAX_NUMBER_FIELD_BYTES);
    const buffer = this.buffer;
    const at = putTag(buffer, this.#at, tag);
    buffer[at] = code === SOH ? QUESTION_MARK : code;
    buffer[at + 1] = SOH;
    this.#at = at + 2;
  }

  /**
   * `units` × 10^-`scale` exactly, without exponent or trailing zeros: (1005, 2) is 10.05. `units` is a safe integer,
   * `scale` 0 to 15; RangeError otherwise.
   */
  decimal(tag: number, units: number, scale: number): void {
    if (!Number.isSafeInteger(units) || !(scale >= 0 && scale <= MAX_DECIMAL_SCALE)) {
      throw new RangeError(`Cannot write tag ${tag}: ${units} units of 10^-${scale} are no decimal`);
    }
    this.#reserve(MAX_NUMBER_FIELD_BYTES);
    const buffer = this.buffer;
    let at = putTag(buffer, this.#at, tag);
    if (units < 0) buffer[at++] = 0x2d;
    at = putDecimal(buffer, at, units < 0 ? -units : units, scale);
    buffer[at] = SOH;
    this.#at = at + 1;
  }

  /** YYYYMMDD-HH:MM:SS.sss of `epochMs`, whole milliseconds. */
  utcTimestamp(tag: number, epochMs: number): void {
    this.#reserve(MAX_NUMBER_FIELD_BYTES);
    const at = putTag(this.buffer, this.#at, tag);
    this.#timestamps.write(this.buffer, at, epochMs);
    this.buffer[at + UTC_TIMESTAMP_BYTES] = SOH;
    this.#at = at + UTC_TIMESTAMP_BYTES + 1;
  }

  /** Appends encoded fields, each with its SOH, as they are. */
  rawBody(fields: Uint8Array): void {
    this.#reserve(fields.length);
    this.buffer.set(fields, this.#at);
    this.#at += fields.length;
  }

  /** The body so far; borrowed until the next call of anything here. */
  get body(): Uint8Array {
    return this.buffer.subarray(this.#bodyStart, this.#at);
  }

  /** {@link seal}, and the message as a view. May be called again with another header for the same body. */
  finish(header: FixHeader): Uint8Array {
    this.seal(header);
    const { start, end } = this;
    const slot = end & VIEW_COUNT - 1;
    const kept = this.#views[slot];
    if (kept !== undefined && kept.byteOffset === start && kept.length === end - start) return kept;
    return this.#views[slot] = this.buffer.subarray(start, end);
  }

  /** Completes the message in place: sets start and end. The body stays and can be sealed again. */
  seal(header: FixHeader): void {
    this.#reserve(TRAILER_BYTES);
    this.#reserveHeader(header);
    const buffer = this.buffer;
    const trailer = this.#at;
    let at = this.#putHeader(header);
    at = prependNumber(buffer, at, 9, trailer - at);
    at = prependText(buffer, at, 8, header.beginString);
    const sum = byteSum(buffer, this.#words, at, trailer);
    buffer[trailer] = 0x31;
    buffer[trailer + 1] = 0x30;
    buffer[trailer + 2] = EQUALS;
    buffer[trailer + 3] = 0x30 + (sum / 100 | 0);
    buffer[trailer + 4] = 0x30 + (sum / 10 | 0) % 10;
    buffer[trailer + 5] = 0x30 + sum % 10;
    buffer[trailer + 6] = SOH;
    this.start = at;
    this.end = trailer + TRAILER_BYTES;
  }

  /** From MsgType on, backwards from the body, since only then the length of what follows is known. */
  #putHeader(header: FixHeader): number {
    const buffer = this.buffer;
    let at = this.#bodyStart;
    if (isPlain(header)) at = this.#putPlainTail(header);
    else {
      this.#tailStart = -1;
      at = this.#prependOptional(at, header);
      at = prependText(buffer, at, 56, header.targetCompId);
      at = this.#prependTime(at, 52, header.sendingTimeMs);
      at = prependText(buffer, at, 49, header.senderCompId);
      if (header.possDup === true) at = prependText(buffer, at, 43, "Y");
    }
    at = prependNumber(buffer, at, 34, header.msgSeqNum);
    return prependText(buffer, at, 35, header.msgType);
  }

  /** Fields 49, 52 and 56; between the same CompIDs those of the last message still stand, but for the time. */
  #putPlainTail({ senderCompId, targetCompId, sendingTimeMs }: FixHeader): number {
    if (this.#tailStart >= 0 && this.#tailSender === senderCompId && this.#tailTarget === targetCompId) {
      this.#timestamps.write(this.buffer, this.#tailTime, sendingTimeMs);
      return this.#tailStart;
    }
    let at = prependText(this.buffer, this.#bodyStart, 56, targetCompId);
    at = this.#prependTime(at, 52, sendingTimeMs);
    this.#tailTime = at + 3;
    this.#tailStart = prependText(this.buffer, at, 49, senderCompId);
    this.#tailSender = senderCompId;
    this.#tailTarget = targetCompId;
    return this.#tailStart;
  }

  #prependOptional(end: number, header: FixHeader): number {
    const buffer = this.buffer;
    let at = end;
    if (header.extra !== undefined) {
      at -= header.extra.length;
      buffer.set(header.extra, at);
    }
    if (header.lastMsgSeqNumProcessed !== undefined) {
      at = prependNumber(buffer, at, 369, header.lastMsgSeqNumProcessed);
    }
    if (header.origSendingTimeMs !== undefined) at = this.#prependTime(at, 122, header.origSendingTimeMs);
    return header.possResend === true ? prependText(buffer, at, 97, "Y") : at;
  }

  #prependTime(end: number, tag: number, epochMs: number): number {
    this.buffer[end - 1] = SOH;
    const at = end - 1 - UTC_TIMESTAMP_BYTES;
    this.#timestamps.write(this.buffer, at, epochMs);
    return prependTag(this.buffer, at, tag);
  }

  /** Room for `count` more bytes behind the body. */
  #reserve(count: number): void {
    if (this.#at + count > this.buffer.length) {
      this.#move(this.#bodyStart, this.#at - this.#bodyStart + count);
    }
  }

  #reserveHeader(header: FixHeader): void {
    const strings = header.beginString.length + header.msgType.length + header.senderCompId.length +
      header.targetCompId.length;
    const needed = HEADER_FIXED_BYTES + strings + (header.extra === undefined ? 0 : header.extra.length);
    if (needed > this.#bodyStart) this.#move(needed, this.#at - this.#bodyStart + TRAILER_BYTES);
  }

  /** To a larger buffer with `headroom` in front of a body of `bodyBytes`. */
  #move(headroom: number, bodyBytes: number): void {
    if (headroom + bodyBytes > MAX_MESSAGE_BYTES) {
      throw new RangeError(`Cannot write a message of ${bodyBytes} bytes: the limit is ${MAX_MESSAGE_BYTES}`);
    }
    const { bytes, words } = wordAlignedBytes(headroom + Math.max(2 * bodyBytes, DEFAULT_CAPACITY_BYTES));
    const body = this.buffer.subarray(this.#bodyStart, this.#at);
    bytes.set(body, headroom);
    this.buffer = bytes;
    this.#words = words;
    this.#bodyStart = headroom;
    this.#tailStart = -1;
    this.#views.length = 0;
    this.#at = headroom + body.length;
  }
}

/** Whether only the fields that every message has are there. */
function isPlain(header: FixHeader): boolean {
  return header.extra === undefined && header.lastMsgSeqNumProcessed === undefined &&
    header.origSendingTimeMs === undefined && header.possResend !== true && header.possDup !== true;
}
