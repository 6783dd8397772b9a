/** Little-endian numbers and text into memory that grows. Owns the memory; knows nothing of what is written. Pure. */

const FIRST_BYTES = 64 * 1024;

/** Writes one value behind the other. */
export class ByteWriter {
  /** Bytes written. */
  length = 0;
  #bytes = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer);

  /** What is written from `start` on: borrowed until the next write. */
  from(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.length);
  }

  u8(value: number): void {
    const at = this.#advance(1);
    this.#view.setUint8(at, value);
  }

  u16(value: number): void {
    const at = this.#advance(2);
    this.#view.setUint16(at, value, true);
  }

  /** 32 bits, signed or not. */
  word(value: number): void {
    const at = this.#advance(4);
    this.#view.setInt32(at, value, true);
  }

  f64(value: number): void {
    const at = this.#advance(8);
    this.#view.setFloat64(at, value, true);
  }

  /** ASCII, as it is. */
  text(text: string): void {
    const at = this.#advance(text.length);
    for (let i = 0; i < text.length; i++) this.#bytes[at + i] = text.charCodeAt(i);
  }

  bytes(bytes: Uint8Array, start = 0, length = bytes.length): void {
    const at = this.#advance(length);
    for (let i = 0; i < length; i++) this.#bytes[at + i] = bytes[start + i];
  }

  /** Zeros. */
  skip(count: number): void {
    const at = this.#advance(count);
    this.#bytes.fill(0, at, this.length);
  }

  /** Zeros up to a multiple of `size`. */
  align(size: number): void {
    this.skip((size - this.length % size) % size);
  }

  /** Puts 32 bits over what was written at `at`. */
  setWord(at: number, value: number): void {
    this.#view.setInt32(at, value, true);
  }

  /** Puts a double over what was written at `at`. */
  setF64(at: number, value: number): void {
    this.#view.setFloat64(at, value, true);
  }

  /** Makes room and returns where; the memory may be another afterwards. */
  #advance(count: number): number {
    const at = this.length;
    this.length = at + count;
    if (this.length > this.#bytes.length) this.#grow();
    return at;
  }

  #grow(): void {
    const grown = new Uint8Array(Math.max(this.length, this.#bytes.length * 2));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
