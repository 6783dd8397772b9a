/** A borrowed range of bytes. Pure. */

/** Bytes `buffer[start, start + length)`, owned by whoever owns `buffer`; valid until that owner reuses it. */
export class ByteSlice {
  buffer: Uint8Array = EMPTY;
  start = 0;
  length = 0;

  /** Points at other bytes. */
  set(buffer: Uint8Array, start: number, length: number): void {
    this.buffer = buffer;
    this.start = start;
    this.length = length;
  }

  /** Points at nothing. */
  clear(): void {
    this.set(EMPTY, 0, 0);
  }

  /** Takes a string's UTF-8 bytes (allocates: not for the hot path). */
  setText(text: string): void {
    const bytes = encoder.encode(text);
    this.set(bytes, 0, bytes.length);
  }

  /** The bytes as text (allocates). Bytes above 0x7f are read as Latin-1, so that any input survives. */
  toString(): string {
    let text = "";
    for (let i = this.start; i < this.start + this.length; i++) text += String.fromCharCode(this.buffer[i]);
    return text;
  }
}

const EMPTY = new Uint8Array(0);
const encoder = new TextEncoder();
