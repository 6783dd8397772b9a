/**
 * Owns the readable forms of a message for people: one line with names, or the raw bytes with visible delimiters.
 * Not for machines and not for the hot path. Pure.
 */
import type { Dictionary } from "./dictionary.ts";
import { FixMessage, latin1, MALFORMED_TAG } from "./message.ts";

/** Left out: they say nothing that the line's start and end do not. */
const FRAMING_TAGS: readonly number[] = [8, 9, 35, 10];
/** Password(554) and NewPassword(925). */
const SECRET_TAGS: readonly number[] = [554, 925];

/**
 * `NewOrderSingle(D) MsgSeqNum(34)=2 Side(54)=1 BUY …`: names, values, and the names of enumerated values, in message
 * order. Bytes that are no message come back as {@link rawMessage}. Passwords are not shown.
 */
export function describeMessage(bytes: Uint8Array, dictionary: Dictionary): string {
  const message = new FixMessage(Math.min(0xffff, Math.max(1, bytes.length)));
  if (message.parse(bytes, 0, bytes.length) !== 0) return rawMessage(bytes);
  const name = dictionary.messageNames.get(message.msgType) ?? "unknown message";
  const parts = [`${name}(${message.msgType})`];
  for (let i = 0; i < message.fieldCount; i++) {
    const tag = message.tags[i];
    if (!FRAMING_TAGS.includes(tag)) parts.push(describeField(message, i, dictionary));
  }
  return parts.join(" ");
}

/** The message with "|" for each SOH and "?" for other unprintable bytes, passwords included. */
export function rawMessage(bytes: Uint8Array): string {
  return visible(latin1(bytes, 0, bytes.length).replaceAll("\x01", "|"));
}

function describeField(message: FixMessage, index: number, dictionary: Dictionary): string {
  const tag = message.tags[index];
  const value = latin1(message.buffer, message.valueStart[index], message.valueEnd[index]);
  if (tag === MALFORMED_TAG) return `malformed field "${visible(value)}"`;
  const field = dictionary.fields.get(tag);
  const label = field === undefined ? String(tag) : `${field.name}(${tag})`;
  if (SECRET_TAGS.includes(tag)) return `${label}=***`;
  const names = value.split(" ").map((one) => field?.values?.get(one)).filter((name) => name !== undefined);
  const shown = value.includes(" ") && names.length === 0 ? `"${visible(value)}"` : visible(value);
  return names.length === 0 ? `${label}=${shown}` : `${label}=${shown} ${names.join("+")}`;
}

function visible(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, "?");
}
