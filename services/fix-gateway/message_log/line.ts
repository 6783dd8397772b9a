/**
 * Owns the form of one line of a session's message log: time, direction and the raw message with "|" for SOH. Never
 * shows a secret: Password(554), NewPassword(925) and the RawData(96) of a Logon. Pure.
 */
import { FixMessage, SOH, TimestampWriter, UTC_TIMESTAMP_BYTES } from "../../../shared/codec/fix/mod.ts";

/** Which way a message went. */
export type Direction = "IN" | "OUT";

const SECRET_TAGS: readonly number[] = [554, 925];
const RAW_DATA = 96;
const MASK = bytesOf("***");
const NEWLINE = 0x0a;
const BAR = 0x7c;
const QUESTION_MARK = 0x3f;

const times = new TimestampWriter();

/**
 * One line, newline included, owned by the caller. `timeMs`: wall clock, whole milliseconds since 1970. Control
 * characters other than SOH become "?", so that a message is a line. Fields that are not indexed are left out: whether
 * they are secret is not known.
 */
export function messageLine(timeMs: number, direction: Direction, message: FixMessage): Uint8Array {
  const { buffer, start, fieldCount, valueStart, valueEnd } = message;
  const head = direction === "IN" ? " IN  " : " OUT ";
  const end = fieldCount === 0 ? start : valueEnd[fieldCount - 1] + 1;
  const rest = end === message.end ? "" : `(${message.end - end} bytes more)`;
  const secrets = secretsOf(message);
  const most = UTC_TIMESTAMP_BYTES + head.length + end - start + rest.length + 1;
  const line = new Uint8Array(most + secrets.length * MASK.length);
  let at = putHead(line, timeMs, head);
  let from = start;
  for (const index of secrets) {
    at = putRaw(line, at, buffer, from, valueStart[index]);
    line.set(MASK, at);
    at += MASK.length;
    from = valueEnd[index];
  }
  at = putRaw(line, at, buffer, from, end);
  line.set(bytesOf(rest), at);
  at += rest.length;
  line[at++] = NEWLINE;
  return line.subarray(0, at);
}

/** A line that is no message, newline included. */
export function noteLine(timeMs: number, text: string): Uint8Array {
  const bytes = bytesOf(` --- ${text.replace(CONTROL, "?")}\n`);
  const line = new Uint8Array(UTC_TIMESTAMP_BYTES + bytes.length);
  times.write(line, 0, timeMs);
  line.set(bytes, UTC_TIMESTAMP_BYTES);
  return line;
}

// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x1f\x7f]/g;

/** Indices of the fields that are not to be shown, ascending. */
function secretsOf(message: FixMessage): number[] {
  const found: number[] = [];
  const isLogon = message.msgType === "A";
  for (let i = 0; i < message.fieldCount; i++) {
    const tag = message.tags[i];
    if (SECRET_TAGS.includes(tag) || isLogon && tag === RAW_DATA) found.push(i);
  }
  return found;
}

function putHead(line: Uint8Array, timeMs: number, head: string): number {
  times.write(line, 0, timeMs);
  for (let i = 0; i < head.length; i++) line[UTC_TIMESTAMP_BYTES + i] = head.charCodeAt(i);
  return UTC_TIMESTAMP_BYTES + head.length;
}

function putRaw(line: Uint8Array, at: number, buffer: Uint8Array, from: number, to: number): number {
  for (let i = from; i < to; i++) {
    const byte = buffer[i];
    line[at++] = byte === SOH ? BAR : byte < 0x20 || byte === 0x7f ? QUESTION_MARK : byte;
  }
  return at;
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}
