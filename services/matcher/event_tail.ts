/** Reads the end of EV_s: the newest epoch, how far it has come, and its last batch for comparison. Does I/O. */
import type { NatsConnection } from "../../shared/nats/mod.ts";
import { storedMessage, streamExtent } from "../../shared/nats/mod.ts";
import { evStream } from "../../shared/protocol/mod.ts";
import { NOTHING_STORED, readStoredBatch, type StoredPosition } from "./stored_position.ts";

/** The end of EV_s at one moment. */
export interface EventTail {
  /** The stream's last sequence, 0 when it never held a message. */
  readonly evSeq: number;
  /** The newest epoch, 0 when nobody has written. */
  readonly epoch: number;
  /** Whether the last message is a claim. */
  readonly endsWithClaim: boolean;
  readonly position: StoredPosition;
  /** The last message that holds groups; null when there is none near the end. */
  readonly lastBatch: { readonly seq: number; readonly bytes: Uint8Array } | null;
}

/** Claims follow each other when nothing is traded between restarts: how many to look behind for a batch. */
const MAX_CLAIMS_BACK = 256;

/** Reads the tail. Throws an Error naming stream and sequence when it is unreadable or cannot be reached. */
export async function readEventTail(nc: NatsConnection, shard: number): Promise<EventTail> {
  const stream = evStream(shard);
  const { firstSeq, lastSeq } = await streamExtent(nc, stream);
  if (lastSeq === 0) {
    return { evSeq: 0, epoch: 0, endsWithClaim: false, position: NOTHING_STORED, lastBatch: null };
  }
  if (firstSeq > lastSeq) throw new Error(`Cannot read ${stream}: it was purged to its end`);
  let tail: EventTail | null = null;
  for (let seq = lastSeq; seq >= firstSeq && seq > lastSeq - MAX_CLAIMS_BACK; seq--) {
    const message = await storedMessage(nc, stream, seq);
    if (message === null) throw new Error(`Cannot read ${stream} sequence ${seq}: it is missing`);
    const batch = readStoredBatch(shard, message.bytes);
    if (typeof batch === "string") throw new Error(`Cannot read ${stream} sequence ${seq}: ${batch}`);
    tail ??= {
      evSeq: lastSeq,
      epoch: batch.epoch,
      endsWithClaim: batch.isClaim,
      position: batch.position,
      lastBatch: null,
    };
    if (!batch.isClaim) return { ...tail, lastBatch: { seq, bytes: message.bytes } };
  }
  return tail!;
}
