/**
 * Batches that the command stream has, from their acknowledgement until the events say what the matcher made of them.
 * A batch that the matcher refused is the gateway's own fault or a sign that it was replaced: whatever it sends next
 * stands behind the gap and would never be matched, so somebody must hear of it. Pure. Spec: docs/wire.md, "Refusals".
 *
 * Copies that the window sends again after an outage may be refused too, rightly; only those that the window counted
 * are known here. An acknowledgement and the events of its batch may come in either order.
 */

/** What became of a batch; called in the middle of {@link TakenBatches}' methods, must not call back. */
export interface TakenBatchesOwner {
  /** The matcher took it, or its events were missed; `bytes` is as it was acknowledged. */
  settled(bytes: Uint8Array): void;
  /** The matcher refused the message at this stream sequence, which had counted as taken. Called once, and is the end. */
  refused(streamSeq: number): void;
}

/** Refused messages, mostly other gateways', that are remembered in case their acknowledgement comes later. */
const MAX_REFUSALS = 4096;

/** The batches of one shard. */
export class TakenBatches {
  readonly #owner: TakenBatchesOwner;
  /** In stream order, whose events have not come. */
  readonly #waiting: { streamSeq: number; bytes: Uint8Array }[] = [];
  /** Stream sequences of refused messages behind the newest acknowledged batch, rising. */
  readonly #refusals = new Set<number>();
  /** The events of every message up to this sequence have come. */
  #seen = 0;
  #ended = false;

  constructor(owner: TakenBatchesOwner) {
    this.#owner = owner;
  }

  /** Batches that were acknowledged and whose events have not come. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** The window counts a batch as stored at `streamSeq`, which rises from call to call. */
  acknowledged(bytes: Uint8Array, streamSeq: number): void {
    if (streamSeq > this.#seen) this.#waiting.push({ streamSeq, bytes });
    else this.#end(streamSeq, bytes, this.#refusals.has(streamSeq));
    for (const refusal of this.#refusals) {
      if (refusal > streamSeq) break;
      this.#refusals.delete(refusal);
    }
  }

  /** The events of message `streamSeq` have come; it rises from call to call, but for parts of one message. */
  group(streamSeq: number, refused: boolean): void {
    this.#seen = streamSeq;
    let done = 0;
    while (done < this.#waiting.length && this.#waiting[done].streamSeq <= streamSeq) {
      const batch = this.#waiting[done++];
      this.#end(batch.streamSeq, batch.bytes, refused && batch.streamSeq === streamSeq);
    }
    if (done > 0) this.#waiting.splice(0, done);
    else if (refused) this.#remember(streamSeq);
  }

  #end(streamSeq: number, bytes: Uint8Array, refused: boolean): void {
    if (this.#ended) return;
    if (!refused) return this.#owner.settled(bytes);
    this.#ended = true;
    this.#owner.refused(streamSeq);
  }

  #remember(streamSeq: number): void {
    if (this.#refusals.size === MAX_REFUSALS) this.#refusals.delete(this.#refusals.values().next().value!);
    this.#refusals.add(streamSeq);
  }
}
