/**
 * Which quote of which session stands in which instrument: two orders at most, under one QuoteID. Owns the quotes'
 * records and how they are found; knows nothing of books. Pure.
 */
import type { ByteSlice } from "../../../shared/codec/wire/mod.ts";
import { ENTRY_LAYOUT } from "./cl_ord_id_layout.ts";
import { writeUnlisted } from "./unlisted_cl_ord_id.ts";
import { type Memory, powerOfTwo } from "./memory.ts";

/** Instrument id, low 16 bits; session id, high 16 bits. */
const KEY = 0;
/** Next quote of the same bucket, or the next free record. */
const CHAIN = 1;
/** The bid's order; the offer's follows. 0 when there is none. */
const BID = 2;
/** The QuoteID, as an entry of cl_ord_id_index.ts. */
const NAME = 4;
const QUOTE_WORDS = NAME + ENTRY_LAYOUT.UNLISTED_WORDS;
const FIRST_BUCKETS = 256;

/** A quote, for readers of the state: its orders, 0 for none. */
export interface QuoteView {
  readonly instrument: number;
  readonly session: number;
  readonly bid: number;
  readonly offer: number;
}

/** Quotes by session and instrument. Invariant between commands: each has a bid, an offer or both. */
export class QuoteStore {
  /** Quotes in use. */
  count = 0;
  readonly #words: Int32Array;
  readonly #buckets: number;
  readonly #mask: number;
  #free = 0;
  #fresh: number;

  /** What a store takes of the memory for `capacity` quotes. */
  static words(capacity: number): readonly number[] {
    return [capacity * QUOTE_WORDS, Math.max(FIRST_BUCKETS, powerOfTwo(capacity))];
  }

  /** Room for `capacity` quotes. */
  constructor(memory: Memory, capacity: number) {
    const [records, buckets] = QuoteStore.words(capacity);
    this.#words = memory.words;
    this.#fresh = memory.take(records);
    this.#buckets = memory.take(buckets);
    this.#mask = buckets - 1;
  }

  /** The quote of a session in an instrument, or 0. */
  find(session: number, instrument: number): number {
    const words = this.#words;
    const key = instrument | session << 16;
    let quote = words[this.#bucketOf(key)];
    while (quote !== 0 && words[quote + KEY | 0] !== key) quote = words[quote + CHAIN | 0];
    return quote;
  }

  /** A quote without orders and QuoteID for a session and instrument that have none. */
  add(session: number, instrument: number): number {
    const words = this.#words;
    let quote = this.#free;
    if (quote !== 0) {
      this.#free = words[quote + CHAIN | 0];
    } else {
      quote = this.#fresh;
      this.#fresh = quote + QUOTE_WORDS;
    }
    this.count++;
    const key = instrument | session << 16;
    const bucket = this.#bucketOf(key);
    words[quote + KEY | 0] = key;
    words[quote + CHAIN | 0] = words[bucket];
    words[quote + BID | 0] = words[quote + BID + 1 | 0] = 0;
    words[bucket] = quote;
    return quote;
  }

  /** Forgets a quote that has no orders. */
  remove(quote: number): void {
    const words = this.#words;
    const bucket = this.#bucketOf(words[quote + KEY | 0]);
    let at = bucket;
    while (words[at] !== quote) at = words[at] + CHAIN;
    words[at] = words[quote + CHAIN | 0];
    words[quote + CHAIN | 0] = this.#free;
    this.#free = quote;
    this.count--;
  }

  /** The order that stands for a side, 0 when none does. */
  orderOf(quote: number, side: number): number {
    return this.#words[quote + BID - 1 + side | 0];
  }

  /** Sets the order that stands for a side, 0 for none. */
  setOrder(quote: number, side: number, order: number): void {
    this.#words[quote + BID - 1 + side | 0] = order;
  }

  /** Whether no order stands for the quote. */
  isEmpty(quote: number): boolean {
    return this.#words[quote + BID | 0] === 0 && this.#words[quote + BID + 1 | 0] === 0;
  }

  /** The entry of its QuoteID. */
  nameOf(quote: number): number {
    return quote + NAME;
  }

  /** Gives it another QuoteID (1 … 40 bytes), and its orders with it. */
  rename(quote: number, quoteId: ByteSlice): void {
    writeUnlisted(this.#words, quote + NAME, this.#words[quote + KEY | 0] >>> 16, quoteId);
  }

  /** Every quote, by ascending instrument and session. For readers of the state. */
  all(): QuoteView[] {
    const words = this.#words;
    const found: QuoteView[] = [];
    if (this.count === 0) return found;
    for (let bucket = this.#buckets; bucket <= this.#buckets + this.#mask; bucket++) {
      for (let quote = words[bucket]; quote !== 0; quote = words[quote + CHAIN]) {
        const key = words[quote + KEY];
        const [bid, offer] = words.subarray(quote + BID, quote + BID + 2);
        found.push({ instrument: key & 0xffff, session: key >>> 16, bid, offer });
      }
    }
    return found.sort((a, b) => a.instrument - b.instrument || a.session - b.session);
  }

  #bucketOf(key: number): number {
    return this.#buckets + (Math.imul(key, 0x9e3779b1) >>> 7 & this.#mask) | 0;
  }
}
