/**
 * Remembers ClOrdIDs: (session, bytes) → order, as 32-byte entries and an open-addressing table with backward-shift
 * deletion. Owns the entries; which of them are to be forgotten is the registry's business. Pure.
 * Entry handle 0 is "none". Identifiers over 16 bytes keep the rest in a second pool.
 */
import { MAX_CL_ORD_ID_BYTES } from "../../../shared/protocol/mod.ts";
import type { ByteSlice } from "../../../shared/codec/wire/mod.ts";

const ENTRY_WORDS = 8;
const ENTRY_BYTES = ENTRY_WORDS * 4;
/** The order, or the next free entry. */
const ORDER = 0;
/** Session id, low 16 bits; length in bytes, above. */
const SESSION_LENGTH = 1;
const HASH = 2;
/** Record with bytes 16 and on, 0 when there are none. */
const REST = 3;
const INLINE = 4;
const INLINE_WORDS = 4;
const INLINE_BYTES = 16;
/** Words per record of the second pool. */
const REST_WORDS = 6;

/** ClOrdIDs of every session, each naming an order. */
export class ClOrdIdIndex {
  /** Entries in use. */
  count = 0;
  readonly #seed: number;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #rest: Int32Array;
  readonly #restBytes: Uint8Array;
  readonly #table: Int32Array;
  readonly #mask: number;
  /** The identifier last looked up: its words, zero-padded, their number, and its hash. */
  readonly #probe = new Int32Array(MAX_CL_ORD_ID_BYTES / 4);
  #probeWords = 0;
  #probeHash = 0;
  #probeSessionLength = 0;
  #free = 0;
  #fresh = 1;
  #freeRest = 0;
  #freshRest = 1;

  /** Room for `capacity` entries; `seed` moves hash values, never results. */
  constructor(capacity: number, seed: number) {
    this.#seed = seed;
    this.#words = new Int32Array((capacity + 1) * ENTRY_WORDS);
    this.#bytes = new Uint8Array(this.#words.buffer);
    this.#rest = new Int32Array((capacity + 1) * REST_WORDS);
    this.#restBytes = new Uint8Array(this.#rest.buffer);
    let size = 16;
    while (size < capacity * 2) size *= 2;
    this.#table = new Int32Array(size);
    this.#mask = size - 1;
  }

  /** The entry of `id` (1 … 40 bytes) in `session`, or 0. */
  find(session: number, id: ByteSlice): number {
    this.#load(session, id);
    const table = this.#table;
    const words = this.#words;
    const hash = this.#probeHash;
    for (let slot = hash & this.#mask;; slot = slot + 1 & this.#mask) {
      const entry = table[slot];
      if (entry === 0) return 0;
      if (words[entry * ENTRY_WORDS + HASH] === hash && this.#equalsProbe(entry)) return entry;
    }
  }

  /** Adds the identifier that the last {@link find} looked for in vain; it must still be absent. */
  addProbed(order: number): number {
    const words = this.#words;
    const probe = this.#probe;
    const entry = this.#free !== 0 ? this.#free : this.#fresh++;
    const base = entry * ENTRY_WORDS;
    if (entry === this.#free) this.#free = words[base + ORDER];
    this.count++;
    words[base + ORDER] = order;
    words[base + SESSION_LENGTH] = this.#probeSessionLength;
    words[base + HASH] = this.#probeHash;
    words[base + REST] = 0;
    for (let i = 0; i < INLINE_WORDS; i++) words[base + INLINE + i] = i < this.#probeWords ? probe[i] : 0;
    if (this.#probeWords > INLINE_WORDS) words[base + REST] = this.#addRest();
    const table = this.#table;
    let slot = this.#probeHash & this.#mask;
    while (table[slot] !== 0) slot = slot + 1 & this.#mask;
    table[slot] = entry;
    return entry;
  }

  /** Forgets an entry. */
  remove(entry: number): void {
    const words = this.#words;
    const base = entry * ENTRY_WORDS;
    const table = this.#table;
    const mask = this.#mask;
    let hole = words[base + HASH] & mask;
    while (table[hole] !== entry) hole = hole + 1 & mask;
    for (let slot = hole + 1 & mask;; slot = slot + 1 & mask) {
      const mover = table[slot];
      if (mover === 0) break;
      const home = words[mover * ENTRY_WORDS + HASH] & mask;
      if ((slot - home & mask) < (slot - hole & mask)) continue;
      table[hole] = mover;
      hole = slot;
    }
    table[hole] = 0;
    const rest = words[base + REST];
    if (rest !== 0) {
      this.#rest[rest * REST_WORDS] = this.#freeRest;
      this.#freeRest = rest;
    }
    words[base + ORDER] = this.#free;
    this.#free = entry;
    this.count--;
  }

  /** The order that an entry names. */
  orderOf(entry: number): number {
    return this.#words[entry * ENTRY_WORDS + ORDER];
  }

  /** The session in which an entry stands. */
  sessionOf(entry: number): number {
    return this.#words[entry * ENTRY_WORDS + SESSION_LENGTH] & 0xffff;
  }

  /** Points `into` at an entry's bytes: borrowed until it is removed, or until `scratch` (40 bytes) is reused. */
  read(entry: number, into: ByteSlice, scratch: Uint8Array): void {
    const base = entry * ENTRY_WORDS;
    const length = this.#words[base + SESSION_LENGTH] >>> 16;
    const start = entry * ENTRY_BYTES + INLINE * 4;
    if (length <= INLINE_BYTES) {
      into.buffer = this.#bytes;
      into.start = start;
      into.length = length;
      return;
    }
    for (let i = 0; i < INLINE_BYTES; i++) scratch[i] = this.#bytes[start + i];
    const rest = this.#words[base + REST] * REST_WORDS * 4 - INLINE_BYTES;
    for (let i = INLINE_BYTES; i < length; i++) scratch[i] = this.#restBytes[rest + i];
    into.set(scratch, 0, length);
  }

  #load(session: number, id: ByteSlice): void {
    const { buffer, start, length } = id;
    const probe = this.#probe;
    const whole = length >> 2;
    const sessionLength = session | length << 16;
    let hash = this.#seed ^ Math.imul(sessionLength, 0x9e3779b1);
    let at = start;
    for (let i = 0; i < whole; i++, at += 4) {
      const word = buffer[at] | buffer[at + 1] << 8 | buffer[at + 2] << 16 | buffer[at + 3] << 24;
      probe[i] = word;
      hash = Math.imul(hash ^ word, 0x85ebca6b);
      hash ^= hash >>> 15;
    }
    this.#probeWords = whole;
    if ((length & 3) !== 0) {
      let word = 0;
      for (let shift = 0; at < start + length; at++, shift += 8) word |= buffer[at] << shift;
      probe[whole] = word;
      hash = Math.imul(hash ^ word, 0x85ebca6b);
      hash ^= hash >>> 15;
      this.#probeWords = whole + 1;
    }
    hash = Math.imul(hash, 0xc2b2ae35);
    this.#probeHash = hash ^ hash >>> 16;
    this.#probeSessionLength = sessionLength;
  }

  #equalsProbe(entry: number): boolean {
    const words = this.#words;
    const probe = this.#probe;
    const base = entry * ENTRY_WORDS;
    if (words[base + SESSION_LENGTH] !== this.#probeSessionLength) return false;
    const inline = Math.min(this.#probeWords, INLINE_WORDS);
    for (let i = 0; i < inline; i++) if (words[base + INLINE + i] !== probe[i]) return false;
    const rest = words[base + REST] * REST_WORDS - INLINE_WORDS;
    for (let i = INLINE_WORDS; i < this.#probeWords; i++) if (this.#rest[rest + i] !== probe[i]) return false;
    return true;
  }

  #addRest(): number {
    const record = this.#freeRest !== 0 ? this.#freeRest : this.#freshRest++;
    if (record === this.#freeRest) this.#freeRest = this.#rest[record * REST_WORDS];
    for (let i = INLINE_WORDS; i < this.#probeWords; i++) {
      this.#rest[record * REST_WORDS + i - INLINE_WORDS] = this.#probe[i];
    }
    return record;
  }
}
