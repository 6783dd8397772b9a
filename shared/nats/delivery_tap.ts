/**
 * A way past the NATS client's parser for the one thing that comes by the million: deliveries to a stream reader. Owns how a
 * whole one looks on the wire; anything else, and whatever is cut by the end of a read, the client's parser gets as it came.
 * Knows the client's inside, and leaves alone a connection that has another. Does no I/O of its own. adr/0006.
 */
import type { NatsConnection, Subscription } from "@nats-io/nats-core";
import { Parser, State } from "@nats-io/nats-core/internal";
import { Delivery } from "./delivery.ts";

/** A delivery; numbers and bytes are borrowed for the call. What it throws, the client's read loop gets. */
export type OnDelivered = (delivery: Delivery, subject: string, bytes: Uint8Array) => void;

/** Whose deliveries are wanted. */
export interface TapTarget {
  readonly subscription: Pick<Subscription, "getID">;
  readonly stream: string;
  readonly consumer: string;
}

const [CR, LF, SPACE, DOT, ZERO, NINE] = [13, 10, 32, 46, 48, 57];
/** `MSG `, with which a delivery begins. */
const MSG = [77, 83, 71, SPACE];
/** Digits of a time in ns behind its µs. */
const BELOW_US = 3;
/** Digits of a number that is a 32-bit integer to the processor in any case. */
const SMALL_DIGITS = 9;
/** Subjects kept as text: about as many as a shard has symbols. A power of two. */
const SUBJECTS = 256;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The taps of each parser. A connection that comes back has another parser, without any. */
const tapsOf = new WeakMap<Parser, Set<Tap>>();

/**
 * From now on whole deliveries to `target` go to `onDelivered` instead of its subscription; the rest still come there, in
 * order with them. The returned function ends it. Does nothing when the connection is not the official client's.
 */
export function tapDeliveries(nc: NatsConnection, target: TapTarget, onDelivered: OnDelivered): () => void {
  const parser = (nc as { protocol?: { parser?: unknown } }).protocol?.parser;
  if (!(parser instanceof Parser)) return () => {};
  let taps = tapsOf.get(parser);
  if (taps === undefined) {
    taps = new Set();
    tapsOf.set(parser, taps);
    parser.parse = parseBehind(parser, taps);
  }
  const tap = new Tap(target, onDelivered);
  taps.add(tap);
  return () => {
    tap.ended = true;
    taps.delete(tap);
  };
}

/** What a parser does with a read instead: the taps take what is theirs, until something is not. */
function parseBehind(parser: Parser, taps: ReadonlySet<Tap>): (read: Uint8Array) => void {
  const parse = Parser.prototype.parse.bind(parser);
  return (read) => {
    if (taps.size === 0) return parse(read);
    // A plain array: views of a node Buffer take longer to make.
    const chunk = new Uint8Array(read.buffer, read.byteOffset, read.length);
    let at = 0;
    // What began in an earlier read ends behind one of the next line feeds.
    while (parser.state !== State.OP_START && at < chunk.length) {
      const end = chunk.indexOf(LF, at) + 1 || chunk.length;
      parse(chunk.subarray(at, end));
      at = end;
    }
    for (const tap of taps) at = tap.take(chunk, at);
    if (at < chunk.length) parse(chunk.subarray(at));
  };
}

/** One reader's. */
class Tap {
  ended = false;
  readonly #onDelivered: OnDelivered;
  readonly #delivery = new Delivery();
  /** What stands between a delivery's subject and its numbers; delivered once, since nothing is acknowledged. */
  readonly #middle: Uint8Array;
  readonly #subjects: { bytes: Uint8Array; text: string }[] = [];
  /** Behind the number last read and what closed it. */
  #at = 0;

  constructor({ subscription, stream, consumer }: TapTarget, onDelivered: OnDelivered) {
    this.#onDelivered = onDelivered;
    this.#middle = encoder.encode(` ${subscription.getID()} $JS.ACK.${stream}.${consumer}.1.`);
  }

  /** Hands on the deliveries that stand whole from `start` on. Returns where something else does, or the end. */
  take(chunk: Uint8Array, start: number): number {
    let at = start;
    while (!this.ended && at < chunk.length) {
      const end = this.#takeOne(chunk, at);
      if (end === at) break;
      at = end;
    }
    return at;
  }

  /** Hands on the delivery at `start` and returns where it ends; `start` when there is none, or not all of it. */
  #takeOne(chunk: Uint8Array, start: number): number {
    for (let i = 0; i < MSG.length; i++) if (chunk[start + i] !== MSG[i]) return start;
    const subjectAt = start + MSG.length;
    let subjectEnd = subjectAt;
    while (chunk[subjectEnd] > SPACE) subjectEnd++;
    const middle = this.#middle;
    for (let i = 0; i < middle.length; i++) if (chunk[subjectEnd + i] !== middle[i]) return start;
    this.#at = subjectEnd + middle.length;
    const delivery = this.#delivery;
    delivery.streamSeq = this.#number(chunk, DOT);
    delivery.consumerSeq = this.#number(chunk, DOT);
    delivery.timestampUs = this.#large(chunk, DOT, BELOW_US);
    delivery.pending = this.#number(chunk, SPACE);
    const size = this.#number(chunk, CR);
    const from = this.#at + 1;
    const to = from + size;
    // A number that was none is NaN, and no comparison holds.
    if (!(delivery.streamSeq >= 1 && delivery.consumerSeq >= 1 && delivery.timestampUs >= 0)) return start;
    if (!(delivery.pending >= 0 && to + 2 <= chunk.length)) return start;
    if (chunk[from - 1] !== LF || chunk[to] !== CR || chunk[to + 1] !== LF) return start;
    this.#onDelivered(delivery, this.#subject(chunk, subjectAt, subjectEnd), chunk.subarray(from, to));
    return to + 2;
  }

  /** The decimal number behind the last one, which `close` must end; else NaN. */
  #number(chunk: Uint8Array, close: number): number {
    const start = this.#at;
    let end = start;
    let value = 0;
    let digit = chunk[end] - ZERO;
    while (digit >= 0 && digit <= 9 && end - start < SMALL_DIGITS) {
      value = value * 10 + digit | 0;
      digit = chunk[++end] - ZERO;
    }
    if (digit >= 0 && digit <= 9) return this.#large(chunk, close, 0);
    this.#at = end + 1;
    return chunk[end] === close && end > start ? value : NaN;
  }

  /** The same for any number that a double holds, without its last `cut` digits. */
  #large(chunk: Uint8Array, close: number, cut: number): number {
    const start = this.#at;
    let end = start;
    while (chunk[end] >= ZERO && chunk[end] <= NINE) end++;
    this.#at = end + 1;
    if (chunk[end] !== close || end - cut <= start) return NaN;
    let value = 0;
    for (let i = start; i < end - cut; i++) value = value * 10 + chunk[i] - ZERO;
    return value;
  }

  /** The subject's text, decoded once as long as no other takes its place. */
  #subject(chunk: Uint8Array, start: number, end: number): string {
    const slot = (chunk[end - 1] + chunk[end - 2] * 31) % SUBJECTS;
    const kept = this.#subjects[slot];
    const length = end - start;
    if (kept !== undefined && kept.bytes.length === length) {
      let same = 0;
      while (same < length && kept.bytes[same] === chunk[start + same]) same++;
      if (same === length) return kept.text;
    }
    const bytes = chunk.slice(start, end);
    const text = decoder.decode(bytes);
    this.#subjects[slot] = { bytes, text };
    return text;
  }
}
