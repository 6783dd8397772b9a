/** A FIX message as one line of text, for clients that keep what they got. Test code only. Pure. */
import type { FixMessage } from "../codec/fix/mod.ts";

/** Fields that are no part of a message's body. */
export const HEADER_AND_TRAILER: ReadonlySet<number> = new Set([
  8,
  9,
  35,
  34,
  49,
  52,
  56,
  43,
  97,
  122,
  369,
  10,
]);

/** MsgType and body, `8 37=…|11=…`. */
export function messageLine(message: FixMessage): string {
  const decoder = new TextDecoder("latin1");
  const fields = [];
  for (let i = 0; i < message.fieldCount; i++) {
    if (HEADER_AND_TRAILER.has(message.tags[i])) continue;
    const value = decoder.decode(message.buffer.subarray(message.valueStart[i], message.valueEnd[i]));
    fields.push(`${message.tags[i]}=${value}`);
  }
  return `${message.msgType} ${fields.join("|")}`;
}
