/** Reads the end of EV_s: the newest epoch, how far it has come, and its last batch for comparison. Does I/O. */
import type { NatsConnection } from "../../shared/nats/mod.ts";
import { lastEventBatch } from "../../shared/nats/event_history.ts";
import { type StoredMessage, storedMessage, streamExtent } from "../../shared/nats/mod.ts";
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
  readonly lastBatch: StoredMessage | null;
}

/** Reads the tail. Throws an Error naming stream and sequence when it is unreadable or cannot be reached. */
export async function readEventTail(nc: NatsConnection, shard: number): Promise<EventTail> {
  const stream = evStream(shard);
  const { firstSeq, lastSeq } = await streamExtent(nc, stream);
  if (lastSeq === 0) {
    return { evSeq: 0, epoch: 0, endsWithClaim: false, position: NOTHING_STORED, lastBatch: null };
  }
  if (firstSeq > lastSeq) throw new Error(`Cannot read ${stream}: it was purged to its end`);
  const last = await storedMessage(nc, stream, lastSeq);
  const fault = (text: string) => new Error(`Cannot read ${stream} sequence ${lastSeq}: ${text}`);
  if (last === null) throw fault("it is missing");
  const batch = readStoredBatch(shard, last.bytes);
  if (typeof batch === "string") throw fault(batch);
  const { epoch, isClaim, position } = batch;
  const lastBatch = isClaim ? await lastEventBatch(nc, shard, lastSeq - 1, firstSeq) : last;
  return { evSeq: lastSeq, epoch, endsWithClaim: isClaim, position, lastBatch };
}
