/**
 * How far a session's inbound messages are dealt with for good: up to the one before the first whose command is not
 * known to be in its stream. Owns the first numbers of the batches on their way. Pure. Design §4: natural batching, so a
 * batch holds commands of one socket read, and so of one session.
 */
export class InboundWatermark {
  /** Lowest MsgSeqNum(34) of each batch on its way, ascending. */
  readonly #open: number[] = [];

  /** Batches on their way. */
  get open(): number {
    return this.#open.length;
  }

  /** A batch whose first command came as message `firstSeq` is on its way. */
  sent(firstSeq: number): void {
    let at = this.#open.length;
    while (at > 0 && this.#open[at - 1] > firstSeq) at--;
    this.#open.splice(at, 0, firstSeq);
  }

  /** It is in the stream, or its senders were told that it is not and will not be. */
  settled(firstSeq: number): void {
    const at = this.#open.indexOf(firstSeq);
    if (at === 0) this.#open.shift();
    else if (at > 0) this.#open.splice(at, 1);
  }

  /** The watermark when the session has processed everything up to `processed`. */
  of(processed: number): number {
    return this.#open.length === 0 ? processed : Math.min(processed, this.#open[0] - 1);
  }

  /** The numbers start again: what is on its way belongs to the past. */
  clear(): void {
    this.#open.length = 0;
  }
}
