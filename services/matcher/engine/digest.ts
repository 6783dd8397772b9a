/**
 * A running 64-bit digest of integers: what the state hash is made of. Owns two mixing lanes, nothing else. Pure.
 * Not cryptographic: it tells states apart by accident, not against an adversary.
 */

/** Absorbs integers in order; equal sequences, and for practical purposes only those, give equal {@link hex}. */
export class Digest {
  #a = 0x243f6a88;
  #b = 0x13198a2e;

  /** Absorbs one 32-bit word (the low 32 bits of `value`). */
  word(value: number): void {
    const a = Math.imul(this.#a ^ value, 0x9e3779b1);
    const b = Math.imul((this.#b + value) | 0, 0x85ebca6b);
    this.#a = (a << 13 | a >>> 19) + b | 0;
    this.#b = (b << 17 | b >>> 15) ^ a;
  }

  /** Absorbs a non-negative safe integer. */
  integer(value: number): void {
    this.word(value | 0);
    this.word(value / 2 ** 32 | 0);
  }

  /** Absorbs `length` bytes from `start`, and the length itself. */
  bytes(buffer: Uint8Array, start: number, length: number): void {
    this.word(length);
    for (let i = start; i < start + length; i++) this.word(buffer[i]);
  }

  /** The digest so far, 16 hexadecimal digits. */
  hex(): string {
    return hexWord(finish(this.#a)) + hexWord(finish(this.#b ^ this.#a));
  }
}

function finish(word: number): number {
  let h = word;
  h = Math.imul(h ^ h >>> 16, 0x85ebca6b);
  h = Math.imul(h ^ h >>> 13, 0xc2b2ae35);
  return h ^ h >>> 16;
}

function hexWord(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
