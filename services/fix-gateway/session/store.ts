/**
 * Owns the sent application messages of one session, for ResendRequest(2): the interface, and a store in
 * memory that forgets the oldest past a stated limit (what it forgot is gap-filled). It knows no FIX beyond
 * the numbers. Pure.
 * Source: FIX 4.4 Vol. 2, "Resend Request".
 */

/** One sent application message. */
export interface StoredMessage {
  readonly seq: number;
  readonly msgType: string;
  /** SendingTime(52) of the first transmission, ms since 1970: OrigSendingTime(122) of the next. */
  readonly sendingTimeMs: number;
  /** Whether it went out with PossResend(97)=Y. */
  readonly possResend: boolean;
  /** The encoded body fields, behind the routing fields of the header if any; borrowed until the store's next change. */
  readonly body: Uint8Array;
}

/**
 * A piece of a range: every message that the store has of [from, through], ascending. Other numbers hold
 * none.
 */
export interface StoredPage {
  readonly messages: readonly StoredMessage[];
  readonly through: number;
}

/** Where a session keeps what it sent. A durable one writes behind and reads asynchronously. */
export interface SessionStore {
  /** Keeps a message; numbers ascend. `body` is copied. Must not throw. */
  append(seq: number, msgType: string, sendingTimeMs: number, possResend: boolean, body: Uint8Array): void;
  /**
   * The first messages of [from, to], about `maxBytes` of them; `through` reaches `to` when nothing more is
   * there.
   */
  read(from: number, to: number, maxBytes: number): StoredPage | Promise<StoredPage>;
  /** Forgets everything: the numbers start again at 1. */
  clear(): void;
}

const SEGMENT_BYTES = 64 * 1024;
const SEGMENT_MESSAGES = 512;
/** Default limit of {@link MemoryStore}, bytes of bodies. */
export const MEMORY_STORE_BYTES = 16 * 1024 * 1024;

/** A run of messages side by side in one buffer. */
class Segment {
  readonly bytes: Uint8Array;
  readonly seqs = new Float64Array(SEGMENT_MESSAGES);
  readonly times = new Float64Array(SEGMENT_MESSAGES);
  /** Message i is bytes[ends[i], ends[i + 1]). */
  readonly ends = new Uint32Array(SEGMENT_MESSAGES + 1);
  readonly types: string[] = [];
  readonly resends: boolean[] = [];
  count = 0;

  constructor(capacityBytes: number) {
    this.bytes = new Uint8Array(capacityBytes);
  }

  fits(bytes: number): boolean {
    return this.count < SEGMENT_MESSAGES && this.ends[this.count] + bytes <= this.bytes.length;
  }

  /** Index of the first message with a number ≥ `seq`. */
  firstFrom(seq: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.seqs[middle] < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  message(index: number): StoredMessage {
    return {
      seq: this.seqs[index],
      msgType: this.types[index],
      sendingTimeMs: this.times[index],
      possResend: this.resends[index],
      body: this.bytes.subarray(this.ends[index], this.ends[index + 1]),
    };
  }
}

/**
 * The newest messages, at most `limitBytes` of buffers; memory is taken as it is needed, 64 KiB at a time.
 */
export class MemoryStore implements SessionStore {
  readonly #limitBytes: number;
  /** Ascending; only the last is being filled. */
  #segments: Segment[] = [];
  /** Sum of the segments' buffers. */
  #bytes = 0;

  constructor(limitBytes: number = MEMORY_STORE_BYTES) {
    this.#limitBytes = limitBytes;
  }

  append(seq: number, msgType: string, sendingTimeMs: number, possResend: boolean, body: Uint8Array): void {
    let last = this.#segments.at(-1);
    if (last === undefined || !last.fits(body.length)) last = this.#open(body.length);
    const at = last.count;
    const start = last.ends[at];
    last.bytes.set(body, start);
    last.seqs[at] = seq;
    last.times[at] = sendingTimeMs;
    last.types[at] = msgType;
    last.resends[at] = possResend;
    last.ends[at + 1] = start + body.length;
    last.count = at + 1;
  }

  read(from: number, to: number, maxBytes: number): StoredPage {
    const messages: StoredMessage[] = [];
    let bytes = 0;
    for (const segment of this.#segments) {
      if (segment.count === 0 || segment.seqs[segment.count - 1] < from) continue;
      for (let i = segment.firstFrom(from); i < segment.count; i++) {
        const seq = segment.seqs[i];
        if (seq > to) return { messages, through: to };
        if (bytes >= maxBytes) return { messages, through: seq - 1 };
        messages.push(segment.message(i));
        bytes += segment.ends[i + 1] - segment.ends[i];
      }
    }
    return { messages, through: to };
  }

  clear(): void {
    this.#segments = [];
    this.#bytes = 0;
  }

  #open(bodyBytes: number): Segment {
    const capacity = Math.max(SEGMENT_BYTES, bodyBytes);
    while (this.#segments.length > 0 && this.#bytes + capacity > this.#limitBytes) {
      this.#bytes -= this.#segments.shift()!.bytes.length;
    }
    const segment = new Segment(capacity);
    this.#segments.push(segment);
    this.#bytes += capacity;
    return segment;
  }
}
