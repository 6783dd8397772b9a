/**
 * Batches that the command stream has, from their acknowledgement until the events say what the matcher made of them.
 * A batch that the matcher refused is the gateway's own fault or a sign that it was replaced: whatever it sends next
 * stands behind the gap and would never be matched, so somebody must hear of it. Pure. docs/wire.md, "Rules".
 *
 * Copies that the window sends again after an outage may be refused too, rightly; only those that the window counted
 * are known here. That the matcher had applied a batch before is right for a copy of one that was sent several times; of
 * one that was sent once it means that its numbers were used by an earlier process, and its orders were never matched.
 * An acknowledgement and the events of its batch may come in either order.
 */

import type { EventBatchReader } from "../../../shared/codec/wire/mod.ts";

/** What the events say of a command message as a whole. */
export type Verdict = "taken" | "refused" | "repeated";

/** What the group that a reader stands at says of its message. */
export function verdictOf(group: EventBatchReader): Verdict {
  if (group.refused) return "refused";
  return group.repeated ? "repeated" : "taken";
}

/** What became of a batch; called in the middle of {@link TakenBatches}' methods, must not call back. */
export interface TakenBatchesOwner {
  /** The matcher took it, or its events were missed; `bytes` is as it was acknowledged. */
  settled(bytes: Uint8Array): void;
  /**
   * The matcher refused the message at this stream sequence, which had counted as taken, or found numbers in it that it
   * had applied before, though it was sent once. Called once, and is the end.
   */
  refused(streamSeq: number, verdict: "refused" | "repeated"): void;
}

/** Refused and repeated messages, mostly other gateways', that are remembered in case their acknowledgement comes later. */
const MAX_VERDICTS = 4096;

interface Waiting {
  readonly streamSeq: number;
  readonly bytes: Uint8Array;
  readonly sentOnce: boolean;
}

/** The batches of one shard. */
export class TakenBatches {
  readonly #owner: TakenBatchesOwner;
  /** In stream order, whose events have not come. */
  readonly #waiting: Waiting[] = [];
  /** What was not simply taken behind the newest acknowledged batch, by rising stream sequence. */
  readonly #verdicts = new Map<number, Verdict>();
  /** The events of every message up to this sequence have come. */
  #seen = 0;
  #waitingBytes = 0;
  #ended = false;

  constructor(owner: TakenBatchesOwner) {
    this.#owner = owner;
  }

  /** Batches that were acknowledged and whose events have not come. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** The bytes of these. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /**
   * The window counts a batch as stored at `streamSeq`, which rises from call to call; `sentOnce` when there was never
   * another copy of it.
   */
  acknowledged(bytes: Uint8Array, streamSeq: number, sentOnce: boolean): void {
    const batch = { streamSeq, bytes, sentOnce };
    if (streamSeq > this.#seen) {
      this.#waiting.push(batch);
      this.#waitingBytes += bytes.length;
    } else this.#end(batch, this.#verdicts.get(streamSeq) ?? "taken");
    for (const seq of this.#verdicts.keys()) {
      if (seq > streamSeq) break;
      this.#verdicts.delete(seq);
    }
  }

  /** All events of message `streamSeq` have come; it rises from call to call. */
  group(streamSeq: number, verdict: Verdict): void {
    this.#seen = streamSeq;
    let done = 0;
    while (done < this.#waiting.length && this.#waiting[done].streamSeq <= streamSeq) {
      const batch = this.#waiting[done++];
      this.#waitingBytes -= batch.bytes.length;
      this.#end(batch, batch.streamSeq === streamSeq ? verdict : "taken");
    }
    if (done > 0) this.#waiting.splice(0, done);
    else if (verdict !== "taken") this.#remember(streamSeq, verdict);
  }

  #end({ streamSeq, bytes, sentOnce }: Waiting, verdict: Verdict): void {
    if (this.#ended) return;
    if (verdict === "taken" || verdict === "repeated" && !sentOnce) return this.#owner.settled(bytes);
    this.#ended = true;
    this.#owner.refused(streamSeq, verdict);
  }

  #remember(streamSeq: number, verdict: Verdict): void {
    const verdicts = this.#verdicts;
    if (verdicts.size === MAX_VERDICTS) verdicts.delete(verdicts.keys().next().value!);
    verdicts.set(streamSeq, verdict);
  }
}
