/**
 * Remembers ClOrdIDs: (session, bytes) → order, as 32-byte entries chained from a table of buckets. Owns the entries;
 * which of them are to be forgotten is the registry's business. Pure.
 *
 * Identifiers of up to 16 bytes lie in the entry, zero-padded; of longer ones the first 12 do, and the rest in a second
 * pool. Chains rather than open addressing: nothing is shifted on removal; bench/micro/book.ts has the figure.
 */
import { MAX_CL_ORD_ID_BYTES } from "../../../shared/protocol/mod.ts";
import type { ByteSlice } from "../../../shared/codec/wire/mod.ts";
import { ENTRY_LAYOUT } from "./cl_ord_id_layout.ts";
import { type Memory, powerOfTwo } from "./memory.ts";

const { ENTRY_WORDS, ORDER, SESSION_LENGTH, HASH, CHAIN, INLINE, REST } = ENTRY_LAYOUT;
const { INLINE_BYTES, HEAD_BYTES, REST_WORDS } = ENTRY_LAYOUT;
const MAX_BYTES = MAX_CL_ORD_ID_BYTES;
const MAX_WORDS = MAX_BYTES / 4;
/** Words of an identifier before the second pool's. */
const HEAD_WORDS = HEAD_BYTES / 4;
/** A small table stays in the cache: it grows with what is in it, not with what may be. */
const FIRST_BUCKETS = 16_384;
/** At least: most searches in vain find their bucket empty. */
const BUCKETS_PER_ENTRY = 2;
/** How many buckets an addition splits while the table grows: enough that it has grown before it has to again. */
const SPLIT_AT_ONCE = 4;
/** Of the limit of entries: none may be added without a split. */
const GROWING = -1;

/** ClOrdIDs of every session, each naming an order. */
export class ClOrdIdIndex {
  /** Entries in use. */
  count = 0;
  readonly #seed: number;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #buckets: number;
  #mask = FIRST_BUCKETS - 1;
  /** Buckets in use: all that #mask allows, fewer while the table grows, and then never less than half of them. */
  #used = FIRST_BUCKETS;
  /** With this many buckets' worth of entries the table grows; {@link GROWING} while it does. */
  #limit = FIRST_BUCKETS;
  /** The identifier last looked up in vain: its words, zero-padded to four. */
  readonly #probe: number;
  #probeHash = 0;
  #probeSessionLength = 0;
  #free = 0;
  #fresh: number;
  #freeRest = 0;
  #freshRest: number;

  /** What an index takes of the memory for `capacity` entries. */
  static words(capacity: number): readonly number[] {
    const buckets = Math.max(FIRST_BUCKETS, powerOfTwo(capacity * BUCKETS_PER_ENTRY));
    return [capacity * ENTRY_WORDS, capacity * REST_WORDS, buckets, MAX_WORDS];
  }

  /** Room for `capacity` entries; `seed` moves hash values, never results. */
  constructor(memory: Memory, capacity: number, seed: number) {
    const [entries, rest, buckets, probe] = ClOrdIdIndex.words(capacity);
    this.#seed = seed;
    this.#words = memory.words;
    this.#bytes = memory.bytes;
    this.#fresh = memory.take(entries);
    this.#freshRest = memory.take(rest);
    this.#buckets = memory.take(buckets);
    this.#probe = memory.take(probe);
  }

  /** The entry of `id` in `session`, or 0: also for one that is empty or over 40 bytes, which names nothing. */
  find(session: number, id: ByteSlice): number {
    const { buffer, start, length } = id;
    if (length === 0 || length > MAX_BYTES) return 0;
    const words = this.#words;
    const end = start + length | 0;
    const sessionLength = session | length << 16;
    const w0 = wordAt(buffer, start, end);
    const w1 = wordAt(buffer, start + 4 | 0, end);
    const w2 = wordAt(buffer, start + 8 | 0, end);
    const w3 = wordAt(buffer, start + 12 | 0, end);
    let hash = this.#seed ^ Math.imul(sessionLength, 0x9e3779b1);
    hash = mix(hash, w0);
    hash = mix(hash, w1);
    hash = mix(hash, w2);
    hash = mix(hash, w3);
    if (length > INLINE_BYTES) hash = this.#loadRest(buffer, start, end, hash);
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
    let entry = words[this.#bucketOf(hash)];
    while (entry !== 0) {
      if (
        words[entry + HASH | 0] === hash && words[entry + SESSION_LENGTH | 0] === sessionLength &&
        words[entry + INLINE | 0] === w0 && words[entry + INLINE + 1 | 0] === w1 &&
        words[entry + INLINE + 2 | 0] === w2 &&
        (length <= INLINE_BYTES ? words[entry + INLINE + 3 | 0] === w3 : this.#equalsRest(entry, w3, length))
      ) return entry;
      entry = words[entry + CHAIN | 0];
    }
    const probe = this.#probe;
    words[probe] = w0;
    words[probe + 1 | 0] = w1;
    words[probe + 2 | 0] = w2;
    words[probe + 3 | 0] = w3;
    this.#probeHash = hash;
    this.#probeSessionLength = sessionLength;
    return 0;
  }

  /** Adds the identifier that the last {@link find} looked for in vain; it must still be absent. */
  addProbed(order: number): number {
    if ((this.count * BUCKETS_PER_ENTRY | 0) >= this.#limit) this.#grow();
    const words = this.#words;
    const probe = this.#probe;
    let entry = this.#free;
    if (entry !== 0) {
      this.#free = words[entry + ORDER | 0];
    } else {
      entry = this.#fresh;
      this.#fresh = entry + ENTRY_WORDS | 0;
    }
    this.count = this.count + 1 | 0;
    const sessionLength = this.#probeSessionLength;
    const bucket = this.#bucketOf(this.#probeHash);
    words[entry + ORDER | 0] = order;
    words[entry + SESSION_LENGTH | 0] = sessionLength;
    words[entry + HASH | 0] = this.#probeHash;
    words[entry + CHAIN | 0] = words[bucket];
    words[entry + INLINE | 0] = words[probe];
    words[entry + INLINE + 1 | 0] = words[probe + 1 | 0];
    words[entry + INLINE + 2 | 0] = words[probe + 2 | 0];
    words[entry + INLINE + 3 | 0] = sessionLength >>> 16 <= INLINE_BYTES
      ? words[probe + 3 | 0]
      : this.#addRest();
    words[bucket] = entry;
    return entry;
  }

  /** Forgets an entry. */
  remove(entry: number): void {
    const words = this.#words;
    const bucket = this.#bucketOf(words[entry + HASH | 0]);
    let before = words[bucket];
    if (before === entry) {
      words[bucket] = words[entry + CHAIN | 0];
    } else {
      let next = words[before + CHAIN | 0];
      while (next !== entry) {
        before = next;
        next = words[before + CHAIN | 0];
      }
      words[before + CHAIN | 0] = words[entry + CHAIN | 0];
    }
    if (words[entry + SESSION_LENGTH | 0] >>> 16 > INLINE_BYTES) {
      const rest = words[entry + REST | 0];
      words[rest] = this.#freeRest;
      this.#freeRest = rest;
    }
    words[entry + ORDER | 0] = this.#free;
    this.#free = entry;
    this.count = this.count - 1 | 0;
  }

  /** Reads the bucket of an entry. The value means nothing. */
  touch(entry: number): number {
    return this.#words[this.#bucketOf(this.#words[entry + HASH | 0])];
  }

  /** The order that an entry names. */
  orderOf(entry: number): number {
    return this.#words[entry + ORDER | 0];
  }

  /** The session in which an entry stands. */
  sessionOf(entry: number): number {
    return this.#words[entry + SESSION_LENGTH | 0] & 0xffff;
  }

  /**
   * Writes an entry's bytes to `into` from word `at` on, followed by zeros up to an even number of words at least (up to
   * 4 words are written whatever the length), and returns their number.
   */
  copy(entry: number, into: Int32Array, at: number): number {
    const words = this.#words;
    const length = words[entry + SESSION_LENGTH | 0] >>> 16;
    into[at] = words[entry + INLINE | 0];
    into[at + 1 | 0] = words[entry + INLINE + 1 | 0];
    into[at + 2 | 0] = words[entry + INLINE + 2 | 0];
    if (length <= INLINE_BYTES) into[at + 3 | 0] = words[entry + INLINE + 3 | 0];
    else this.#copyRest(words[entry + REST | 0], length, into, at);
    return length;
  }

  /** Points `into` at an entry's bytes: borrowed until it is removed, or until `scratch` (40 bytes) is reused. */
  read(entry: number, into: ByteSlice, scratch: Uint8Array): void {
    const length = this.#words[entry + SESSION_LENGTH | 0] >>> 16;
    const start = entry + INLINE << 2;
    if (length <= INLINE_BYTES) return into.set(this.#bytes, start, length);
    for (let i = 0; i < HEAD_BYTES; i++) scratch[i] = this.#bytes[start + i];
    const rest = (this.#words[entry + REST | 0] << 2) - HEAD_BYTES;
    for (let i = HEAD_BYTES; i < length; i++) scratch[i] = this.#bytes[rest + i];
    into.set(scratch, 0, length);
  }

  /** The bucket of a hash. One that the growing table has not split yet holds its image's entries too. */
  #bucketOf(hash: number): number {
    const bucket = hash & this.#mask;
    return this.#buckets + (bucket < this.#used ? bucket : bucket & this.#mask >>> 1) | 0;
  }

  /**
   * Doubles the buckets, a few with each addition, since all at once would stop the engine for milliseconds: each bucket
   * gives some of its entries to its image in the upper half.
   */
  #grow(): void {
    const words = this.#words;
    if (this.#limit !== GROWING) {
      this.#mask = this.#mask * 2 + 1;
      this.#limit = GROWING;
    }
    for (let i = 0; i < SPLIT_AT_ONCE; i++) {
      const bucket = this.#buckets + this.#used - (this.#mask + 1 >>> 1);
      this.#used = this.#used + 1 | 0;
      let entry = words[bucket];
      words[bucket] = 0;
      while (entry !== 0) {
        const next = words[entry + CHAIN | 0];
        const to = this.#bucketOf(words[entry + HASH | 0]);
        words[entry + CHAIN | 0] = words[to];
        words[to] = entry;
        entry = next;
      }
    }
    if (this.#used > this.#mask) this.#limit = this.#used;
  }

  /** Puts the words from the fourth on into the probe; returns the hash with those from the fifth on. */
  #loadRest(buffer: Uint8Array, start: number, end: number, hash: number): number {
    let to = this.#probe + HEAD_WORDS + 1;
    for (let at = start + INLINE_BYTES; at < end; at += 4, to++) {
      const word = wordAt(buffer, at, end);
      this.#words[to] = word;
      hash = mix(hash, word);
    }
    return hash;
  }

  #equalsRest(entry: number, w3: number, length: number): boolean {
    const words = this.#words;
    const rest = words[entry + REST | 0];
    if (words[rest] !== w3) return false;
    const count = (length + 3 >> 2) - HEAD_WORDS;
    const probe = this.#probe + HEAD_WORDS;
    for (let i = 1; i < count; i++) if (words[rest + i] !== words[probe + i]) return false;
    return true;
  }

  #addRest(): number {
    const words = this.#words;
    let rest = this.#freeRest;
    if (rest !== 0) {
      this.#freeRest = words[rest];
    } else {
      rest = this.#freshRest;
      this.#freshRest = rest + REST_WORDS;
    }
    const probe = this.#probe + HEAD_WORDS;
    const count = ((this.#probeSessionLength >>> 16) + 3 >> 2) - HEAD_WORDS;
    for (let i = 0; i < count; i++) words[rest + i] = words[probe + i];
    return rest;
  }

  #copyRest(rest: number, length: number, into: Int32Array, at: number): void {
    const count = length + 3 >> 2;
    for (let i = HEAD_WORDS; i < count; i++) into[at + i] = this.#words[rest + i - HEAD_WORDS];
    into[at + count] = 0;
  }
}

function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x85ebca6b);
  return mixed ^ mixed >>> 15;
}

/** Four bytes of `buffer` from `at`, those from `end` on as zeros. */
export function wordAt(buffer: Uint8Array, at: number, end: number): number {
  if (at + 4 <= end) {
    return buffer[at] | buffer[at + 1 | 0] << 8 | buffer[at + 2 | 0] << 16 | buffer[at + 3 | 0] << 24;
  }
  let word = 0;
  for (let shift = 0; at < end; at++, shift += 8) word |= buffer[at] << shift;
  return word;
}
