/**
 * Owns the zero-copy view of one framed message: an index of tags and value bounds over the receive buffer, and typed
 * access by tag. It does not judge fields against a dictionary (validate.ts does) and never copies values. Pure.
 * Source: FIX 4.4 Vol. 1, "FIX Message Format and Delivery" and "Data Types".
 */
import type { ByteSlice } from "../wire/byte_slice.ts";
import { DATA_LENGTH_TAGS } from "./data_fields.ts";
import { parseUtcTimestamp } from "./timestamp.ts";

/** Why {@link FixMessage.parse} could not index a message. */
export const ParseFault = {
  None: 0,
  /** The fields that fit are indexed, so that the header can still be read for the answer. */
  TooManyFields: 1,
  /** The bytes do not end with SOH: not what a Framer handed out. */
  NotFramed: 2,
} as const;
export type ParseFault = typeof ParseFault[keyof typeof ParseFault];

/** Stands in `tags` for a field without "=" or whose tag is no number; its value is the whole field. */
export const MALFORMED_TAG = -2147483648;

const SOH = 1;
const EQUALS = 0x3d;
const MINUS = 0x2d;
/** More digits than any tag has; keeps tags within int32. */
const MAX_TAG_DIGITS = 9;
const MAX_INT_DIGITS = 15;
/** Tags below have a slot in the look-up table; FIX 4.4 ends at 956. */
const SLOT_COUNT = 1024;
const DEFAULT_MAX_FIELDS = 512;

/** A reusable view; everything it says borrows from the buffer given to the last {@link parse}. */
export class FixMessage {
  buffer: Uint8Array = new Uint8Array(0);
  /** The message is `buffer[start, end)`. */
  start = 0;
  end = 0;
  /** Fields in message order: `tags[i]` with the value `buffer[valueStart[i], valueEnd[i])`, i < fieldCount. */
  fieldCount = 0;
  readonly tags: Int32Array;
  readonly valueStart: Int32Array;
  readonly valueEnd: Int32Array;
  /** By tag: the length tag of a data field, else 0. FIX 4.4's; a session with a dictionary of its own sets its. */
  dataLengthTags: Uint16Array = DATA_LENGTH_TAGS;

  /** Where each tag was last seen to start; believed only when `tags` agrees, so it needs no clearing. */
  readonly #slots = new Uint16Array(SLOT_COUNT);
  /** Whether `#slots` is up to date for this message. */
  #slotted = false;
  #msgType = "";
  #msgTypeRead = false;

  /** Takes messages of up to `maxFields` fields (1 to 65,535). */
  constructor(maxFields = DEFAULT_MAX_FIELDS) {
    if (!(maxFields >= 1 && maxFields <= 0xffff)) {
      throw new RangeError(`Cannot index ${maxFields} fields: expected 1 to 65535`);
    }
    this.tags = new Int32Array(maxFields);
    this.valueStart = new Int32Array(maxFields);
    this.valueEnd = new Int32Array(maxFields);
  }

  /**
   * Indexes the message `buffer[start, end)`, as a Framer hands it out. A data field runs over the bytes that the
   * length field right in front of it announces; when those do not end at a SOH it is read like any other field, and
   * validation refuses it.
   */
  parse(buffer: Uint8Array, start: number, end: number): ParseFault {
    this.buffer = buffer;
    this.start = start;
    this.end = end;
    this.fieldCount = 0;
    this.#slotted = false;
    this.#msgTypeRead = false;
    if (end <= start || buffer[end - 1] !== SOH) return ParseFault.NotFramed;
    const { tags, valueStart, valueEnd, dataLengthTags } = this;
    const dataEndTag = dataLengthTags.length;
    const maxFields = tags.length;
    let count = 0;
    let previous = 0;
    let at = start;
    while (at < end) {
      if (count === maxFields) {
        this.fieldCount = count;
        return ParseFault.TooManyFields;
      }
      const fieldStart = at;
      let tag = buffer[at++] - 0x30;
      let digit = 0;
      if (tag > 0 && tag <= 9) {
        while ((digit = buffer[at++] - 0x30) >= 0 && digit <= 9) tag = tag * 10 + digit | 0;
      } else digit = -1;
      if (digit !== EQUALS - 0x30 || at - fieldStart > MAX_TAG_DIGITS + 1) {
        tag = unusualTag(buffer, fieldStart);
        at = tag === MALFORMED_TAG ? fieldStart : buffer.indexOf(EQUALS, fieldStart) + 1;
      }
      const valueAt = at;
      if (tag < dataEndTag && tag > 0 && dataLengthTags[tag] !== 0 && dataLengthTags[tag] === previous) {
        at = dataEnd(buffer, at, end, parseInteger(buffer, valueStart[count - 1], valueEnd[count - 1]));
      }
      while (buffer[at] !== SOH) at++;
      tags[count] = previous = tag;
      valueStart[count] = valueAt;
      valueEnd[count++] = at++;
    }
    this.fieldCount = count;
    return ParseFault.None;
  }

  /** MsgType(35), "" when the third field is another. Known types are interned: no allocation. */
  get msgType(): string {
    if (!this.#msgTypeRead) {
      this.#msgTypeRead = true;
      const present = this.fieldCount > 2 && this.tags[2] === 35;
      this.#msgType = present ? internType(this.buffer, this.valueStart[2], this.valueEnd[2]) : "";
    }
    return this.#msgType;
  }

  /** Index of the first field `tag` at or behind index `from`, -1 when there is none. */
  find(tag: number, from = 0): number {
    const { tags, fieldCount } = this;
    if (from === 0 && tag > 0 && tag < SLOT_COUNT) {
      if (!this.#slotted) this.#fillSlots();
      const index = this.#slots[tag];
      return index < fieldCount && tags[index] === tag ? index : -1;
    }
    for (let i = from; i < fieldCount; i++) if (tags[i] === tag) return i;
    return -1;
  }

  /** The value as text, undefined when absent. Allocates. Bytes above 0x7f are read as Latin-1. */
  text(tag: number): string | undefined {
    const index = this.find(tag);
    return index < 0 ? undefined : latin1(this.buffer, this.valueStart[index], this.valueEnd[index]);
  }

  /** Points `into` at the value; clears it and says false when absent. */
  slice(tag: number, into: ByteSlice): boolean {
    const index = this.find(tag);
    if (index < 0) {
      into.clear();
      return false;
    }
    into.set(this.buffer, this.valueStart[index], this.valueEnd[index] - this.valueStart[index]);
    return true;
  }

  /** The value as an integer, NaN when absent, malformed or of more than 15 digits. */
  int(tag: number): number {
    const index = this.find(tag);
    return index < 0 ? NaN : parseInteger(this.buffer, this.valueStart[index], this.valueEnd[index]);
  }

  /** The value's first byte, 0 when absent or empty. */
  charCode(tag: number): number {
    const index = this.find(tag);
    return index < 0 || this.valueStart[index] === this.valueEnd[index]
      ? 0
      : this.buffer[this.valueStart[index]];
  }

  /** Epoch milliseconds of a UTCTimestamp, NaN when absent or malformed. */
  utcTimestampMs(tag: number): number {
    const index = this.find(tag);
    return index < 0 ? NaN : parseUtcTimestamp(this.buffer, this.valueStart[index], this.valueEnd[index]);
  }

  /** Backwards, so that the first of equal tags stays. */
  #fillSlots(): void {
    const { tags } = this;
    const slots = this.#slots;
    for (let i = this.fieldCount - 1; i >= 0; i--) {
      const tag = tags[i];
      if (tag > 0 && tag < SLOT_COUNT) slots[tag] = i;
    }
    this.#slotted = true;
  }
}

/** FIX int: optional "-" and 1 to 15 digits in `bytes[start, end)`; NaN otherwise. */
export function parseInteger(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  const negative = at < end && bytes[at] === MINUS;
  if (negative) at++;
  if (at === end || end - at > MAX_INT_DIGITS) return NaN;
  let value = 0;
  for (; at < end; at++) {
    const digit = bytes[at] - 0x30;
    if (digit < 0 || digit > 9) return NaN;
    value = value * 10 + digit;
  }
  return negative ? 0 - value : value;
}

/** Bytes as text, each byte one character. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]);
  return text;
}

/** The tag of a field that does not start with a plain positive number: "0", "-5", or malformed. */
function unusualTag(buffer: Uint8Array, fieldStart: number): number {
  const first = buffer[fieldStart] === MINUS ? fieldStart + 1 : fieldStart;
  let at = first;
  while (buffer[at] !== EQUALS && buffer[at] !== SOH && at - first <= MAX_TAG_DIGITS) at++;
  if (buffer[at] !== EQUALS || at - first > MAX_TAG_DIGITS) return MALFORMED_TAG;
  if (buffer[first] === 0x30 && at - fieldStart > 1) return MALFORMED_TAG;
  const tag = parseInteger(buffer, fieldStart, at);
  return Number.isNaN(tag) ? MALFORMED_TAG : tag;
}

/** End of a data field of `length` bytes, or its start when it would not end at a SOH within the message. */
function dataEnd(buffer: Uint8Array, start: number, end: number, length: number): number {
  return length > 0 && start + length < end && buffer[start + length] === SOH ? start + length : start;
}

const SINGLE_TYPES: readonly string[] = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
const DOUBLE_TYPES = new Map<number, string>();
/** Bounds {@link DOUBLE_TYPES}: a peer may make types up. */
const MAX_DOUBLE_TYPES = 1024;

function internType(buffer: Uint8Array, start: number, end: number): string {
  if (end - start === 1) return SINGLE_TYPES[buffer[start]];
  if (end - start !== 2) return latin1(buffer, start, end);
  const key = buffer[start] << 8 | buffer[start + 1];
  let type = DOUBLE_TYPES.get(key);
  if (type === undefined) {
    type = latin1(buffer, start, end);
    if (DOUBLE_TYPES.size < MAX_DOUBLE_TYPES) DOUBLE_TYPES.set(key, type);
  }
  return type;
}
