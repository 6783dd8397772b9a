/**
 * Owns copies of messages that came before their turn, until the gap before them is filled. Bounded: a
 * message that does not fit is dropped, and its number is asked for again (gap.ts). Pure.
 * Source: FIX 4.4 Vol. 2, "Ordered Message Processing".
 */

/** Bytes kept per session, whatever the number of messages. */
export const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

/** Stands for a message whose work is done, so that only its number is still to be consumed. */
export const DONE: Uint8Array = new Uint8Array(0);

/** Early messages by MsgSeqNum(34). */
export class InboundQueue {
  readonly #maxMessages: number;
  readonly #messages = new Map<number, Uint8Array>();
  #bytes = 0;

  constructor(maxMessages: number) {
    this.#maxMessages = maxMessages;
  }

  get size(): number {
    return this.#messages.size;
  }

  /** Keeps a copy of `buffer[start, end)` unless one is there already; false without room. */
  put(seq: number, buffer: Uint8Array, start: number, end: number): boolean {
    if (this.#messages.has(seq)) return true;
    if (this.#messages.size >= this.#maxMessages) return false;
    if (this.#bytes + end - start > MAX_QUEUED_BYTES) return false;
    this.#messages.set(seq, buffer.slice(start, end));
    this.#bytes += end - start;
    return true;
  }

  /** Remembers that `seq` needs no more than its number consumed; false without room. */
  putDone(seq: number): boolean {
    if (!this.#messages.has(seq) && this.#messages.size >= this.#maxMessages) return false;
    this.#forget(seq);
    this.#messages.set(seq, DONE);
    return true;
  }

  /** Removes and returns message `seq`, {@link DONE}, or undefined. */
  take(seq: number): Uint8Array | undefined {
    const bytes = this.#messages.get(seq);
    if (bytes !== undefined) this.#forget(seq);
    return bytes;
  }

  /** The lowest number kept; 0 when empty. Linear: not for the hot path. */
  lowest(): number {
    let lowest = 0;
    for (const seq of this.#messages.keys()) if (lowest === 0 || seq < lowest) lowest = seq;
    return lowest;
  }

  /** Drops what lies below `seq`. */
  dropBelow(seq: number): void {
    for (const each of this.#messages.keys()) if (each < seq) this.#forget(each);
  }

  clear(): void {
    this.#messages.clear();
    this.#bytes = 0;
  }

  #forget(seq: number): void {
    this.#bytes -= this.#messages.get(seq)?.length ?? 0;
    this.#messages.delete(seq);
  }
}
