/** Owns the two forms of a message here: bytes, and text of one character per byte. Pure. */

/** Text of one character per byte as bytes. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Bytes as text of one character per byte. */
export function textOf(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
