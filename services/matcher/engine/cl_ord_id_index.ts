/**
 * Remembers ClOrdIDs: (session, bytes) → order, as 32-byte entries chained from a table of buckets. Owns the entries;
 * which of them are to be forgotten is the registry's business. Pure. Entry handle 0 is "none".
 *
 * Identifiers of up to 16 bytes lie in the entry; of longer ones the first 12 do, and the rest in a second pool.
 * Chains rather than open addressing: nothing is shifted on removal, and an addition after a search touches nothing
 * new; bench/micro/book.ts has the figure.
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
/** Next entry of the same bucket. */
const CHAIN = 3;
const INLINE = 4;
const INLINE_BYTES = 16;
/** Of an identifier over 16 bytes: the record that holds bytes 12 and on. */
const REST = 7;
/** Bytes before the second pool's. */
const HEAD_WORDS = 3;
const HEAD_BYTES = 12;
/** Words per record of the second pool. */
const REST_WORDS = 7;
/** A small table stays in the cache: it grows with what is in it, not with what may be. */
const FIRST_BUCKETS = 4096;

/** ClOrdIDs of every session, each naming an order. */
export class ClOrdIdIndex {
  /** Entries in use. */
  count = 0;
  readonly #seed: number;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #rest: Int32Array;
  readonly #restBytes: Uint8Array;
  /** First entry of each bucket; a power of two of them, at least as many as entries. */
  #buckets = new Int32Array(FIRST_BUCKETS);
  #mask = FIRST_BUCKETS - 1;
  /** The identifier last looked up: its words, zero-padded to four, their number, and its hash. */
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
  }

  /** The entry of `id` (up to 40 bytes; an empty one names nothing) in `session`, or 0. */
  find(session: number, id: ByteSlice): number {
    if (id.length === 0) return 0;
    this.#load(session, id);
    const words = this.#words;
    const hash = this.#probeHash;
    let entry = this.#buckets[hash & this.#mask];
    while (entry !== 0) {
      if (words[entry * ENTRY_WORDS + HASH] === hash && this.#equalsProbe(entry)) return entry;
      entry = words[entry * ENTRY_WORDS + CHAIN];
    }
    return 0;
  }

  /** Adds the identifier that the last {@link find} looked for in vain; it must still be absent. */
  addProbed(order: number): number {
    if (this.count >= this.#buckets.length) this.#grow();
    const words = this.#words;
    const probe = this.#probe;
    const entry = this.#free !== 0 ? this.#free : this.#fresh++;
    const base = entry * ENTRY_WORDS;
    if (entry === this.#free) this.#free = words[base + ORDER];
    this.count++;
    const bucket = this.#probeHash & this.#mask;
    words[base + ORDER] = order;
    words[base + SESSION_LENGTH] = this.#probeSessionLength;
    words[base + HASH] = this.#probeHash;
    words[base + CHAIN] = this.#buckets[bucket];
    words[base + INLINE] = probe[0];
    words[base + INLINE + 1] = probe[1];
    words[base + INLINE + 2] = probe[2];
    words[base + INLINE + 3] = this.#probeWords > 4 ? this.#addRest() : probe[3];
    this.#buckets[bucket] = entry;
    return entry;
  }

  /** Forgets an entry. */
  remove(entry: number): void {
    const words = this.#words;
    const base = entry * ENTRY_WORDS;
    const bucket = words[base + HASH] & this.#mask;
    const first = this.#buckets[bucket];
    if (first === entry) {
      this.#buckets[bucket] = words[base + CHAIN];
    } else {
      let before = first;
      while (words[before * ENTRY_WORDS + CHAIN] !== entry) before = words[before * ENTRY_WORDS + CHAIN];
      words[before * ENTRY_WORDS + CHAIN] = words[base + CHAIN];
    }
    if (words[base + SESSION_LENGTH] >>> 16 > INLINE_BYTES) {
      const rest = words[base + REST];
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
      if (into.buffer !== this.#bytes) into.buffer = this.#bytes;
      into.start = start;
      into.length = length;
      return;
    }
    for (let i = 0; i < HEAD_BYTES; i++) scratch[i] = this.#bytes[start + i];
    const rest = this.#words[base + REST] * REST_WORDS * 4 - HEAD_BYTES;
    for (let i = HEAD_BYTES; i < length; i++) scratch[i] = this.#restBytes[rest + i];
    into.set(scratch, 0, length);
  }

  /** Doubles the buckets. */
  #grow(): void {
    const old = this.#buckets;
    const words = this.#words;
    this.#buckets = new Int32Array(old.length * 2);
    this.#mask = old.length * 2 - 1;
    for (let first = 0; first < old.length; first++) {
      for (let entry = old[first]; entry !== 0;) {
        const base = entry * ENTRY_WORDS;
        const next = words[base + CHAIN];
        const bucket = words[base + HASH] & this.#mask;
        words[base + CHAIN] = this.#buckets[bucket];
        this.#buckets[bucket] = entry;
        entry = next;
      }
    }
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
    let count = whole;
    if ((length & 3) !== 0) {
      let word = 0;
      for (let shift = 0; at < start + length; at++, shift += 8) word |= buffer[at] << shift;
      probe[whole] = word;
      hash = Math.imul(hash ^ word, 0x85ebca6b);
      hash ^= hash >>> 15;
      count++;
    }
    this.#probeWords = count;
    for (; count < 4; count++) probe[count] = 0;
    hash = Math.imul(hash, 0xc2b2ae35);
    this.#probeHash = hash ^ hash >>> 16;
    this.#probeSessionLength = sessionLength;
  }

  #equalsProbe(entry: number): boolean {
    const words = this.#words;
    const probe = this.#probe;
    const base = entry * ENTRY_WORDS;
    if (words[base + SESSION_LENGTH] !== this.#probeSessionLength) return false;
    if (words[base + INLINE] !== probe[0] || words[base + INLINE + 1] !== probe[1]) return false;
    if (words[base + INLINE + 2] !== probe[2]) return false;
    if (this.#probeWords <= 4) return words[base + INLINE + 3] === probe[3];
    const rest = words[base + REST] * REST_WORDS - HEAD_WORDS;
    for (let i = HEAD_WORDS; i < this.#probeWords; i++) {
      if (this.#rest[rest + i] !== probe[i]) return false;
    }
    return true;
  }

  #addRest(): number {
    const record = this.#freeRest !== 0 ? this.#freeRest : this.#freshRest++;
    if (record === this.#freeRest) this.#freeRest = this.#rest[record * REST_WORDS];
    const rest = record * REST_WORDS - HEAD_WORDS;
    for (let i = HEAD_WORDS; i < this.#probeWords; i++) this.#rest[rest + i] = this.#probe[i];
    return record;
  }
}
