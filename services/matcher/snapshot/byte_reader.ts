/**
 * Little-endian numbers and text out of bytes that may be anything. Owns the place; past the end everything is zero and
 * {@link ByteReader.failed} is set, so that a reader checks once per record and not once per field. Pure.
 */
import type { ByteSlice } from "../../../shared/codec/wire/mod.ts";

/** Reads one value behind the other. */
export class ByteReader {
  /** Whether more was asked for than there is. */
  failed = false;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  /** Borrows `bytes`. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes not read yet. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  u8(): number {
    return this.#has(1) ? this.#view.getUint8(this.#at++) : 0;
  }

  u16(): number {
    if (!this.#has(2)) return 0;
    this.#at += 2;
    return this.#view.getUint16(this.#at - 2, true);
  }

  /** 32 bits, unsigned. */
  u32(): number {
    return this.i32() >>> 0;
  }

  /** 32 bits, signed. */
  i32(): number {
    if (!this.#has(4)) return 0;
    this.#at += 4;
    return this.#view.getInt32(this.#at - 4, true);
  }

  f64(): number {
    if (!this.#has(8)) return 0;
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  /** A whole number from 0 that a double holds exactly; anything else fails. */
  integer(): number {
    const value = this.f64();
    if (Number.isSafeInteger(value) && value >= 0) return value;
    this.failed = true;
    return 0;
  }

  /** `length` bytes as ASCII. */
  text(length: number): string {
    if (!this.#has(length)) return "";
    this.#at += length;
    return String.fromCharCode(...this.#bytes.subarray(this.#at - length, this.#at));
  }

  /** Points `into` at the next `length` bytes, empty when there are fewer. */
  slice(length: number, into: ByteSlice): void {
    if (!this.#has(length)) return into.clear();
    into.set(this.#bytes, this.#at, length);
    this.#at += length;
  }

  skip(count: number): void {
    if (this.#has(count)) this.#at += count;
  }

  /** Goes on at a multiple of `size`. */
  align(size: number): void {
    this.skip((size - this.#at % size) % size);
  }

  #has(count: number): boolean {
    if (this.#at + count <= this.#bytes.length) return true;
    this.failed = true;
    return false;
  }
}
