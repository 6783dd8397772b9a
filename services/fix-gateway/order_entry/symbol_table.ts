/**
 * Symbol(55) bytes → whatever is kept per symbol, without building a string. Owns an open-addressing hash table,
 * built once. Pure.
 */

const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/** A symbol's bytes and what is kept for it. */
interface Entry<T> {
  readonly bytes: Uint8Array;
  readonly value: T;
}

/** A lookup table from symbol bytes to values. Immutable. */
export class SymbolTable<T> {
  readonly #slots: readonly (Entry<T> | null)[];
  readonly #mask: number;

  /** A table of `entries`, whose symbols differ. */
  constructor(entries: readonly (readonly [symbol: string, value: T])[]) {
    let size = 8;
    while (size < entries.length * 4) size *= 2;
    const mask = size - 1;
    const slots: (Entry<T> | null)[] = new Array(size).fill(null);
    for (const [symbol, value] of entries) {
      const bytes = new TextEncoder().encode(symbol);
      let slot = hashOf(bytes, 0, bytes.length) & mask;
      while (slots[slot] !== null) slot = slot + 1 & mask;
      slots[slot] = { bytes, value };
    }
    this.#slots = slots;
    this.#mask = mask;
  }

  /** The value of symbol `buffer[start, end)`; null when the table has none. */
  find(buffer: Uint8Array, start: number, end: number): T | null {
    let slot = hashOf(buffer, start, end) & this.#mask;
    for (;;) {
      const entry = this.#slots[slot];
      if (entry === null) return null;
      if (isEqual(entry.bytes, buffer, start, end)) return entry.value;
      slot = slot + 1 & this.#mask;
    }
  }
}

/** 32-bit FNV-1a, folded so that the low bits depend on all. */
function hashOf(buffer: Uint8Array, start: number, end: number): number {
  let hash = FNV_OFFSET;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ buffer[i], FNV_PRIME);
  return hash ^ hash >>> 15;
}

function isEqual(bytes: Uint8Array, buffer: Uint8Array, start: number, end: number): boolean {
  if (bytes.length !== end - start) return false;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== buffer[start + i]) return false;
  return true;
}
