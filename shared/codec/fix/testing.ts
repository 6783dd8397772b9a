/** Owns what the codec's tests share: messages written with "|" for SOH. For tests only. Pure. */
import { FixMessage } from "./message.ts";

/** Text as bytes, one per character, with SOH for each "|". */
export function soh(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character === "|" ? 1 : character.charCodeAt(0));
}

/** The inverse of {@link soh}. */
export function bars(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte === 1 ? "|" : String.fromCharCode(byte)).join("");
}

/** A whole message around `body` ("35=…|…|"), with BodyLength and CheckSum in place. */
export function framed(body: string, beginString = "FIX.4.4"): string {
  return withCheckSum(`8=${beginString}|9=${body.length}|${body}`);
}

/** `text` and its CheckSum(10). */
export function withCheckSum(text: string): string {
  const sum = soh(text).reduce((total, byte) => total + byte, 0) % 256;
  return `${text}10=${String(sum).padStart(3, "0")}|`;
}

/** A parsed message around `body`. */
export function parsed(body: string): FixMessage {
  const message = new FixMessage();
  const bytes = soh(framed(body));
  message.parse(bytes, 0, bytes.length);
  return message;
}
