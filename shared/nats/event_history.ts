/** Looks back in EV_s from a place to the last message that holds groups. Does I/O. */
import type { NatsConnection } from "@nats-io/nats-core";
import { EventBatchReader } from "../codec/wire/mod.ts";
import { evStream } from "../protocol/mod.ts";
import { type StoredMessage, storedMessage } from "./stored_message.ts";

/** Claims hold no group and follow each other when nothing is traded between restarts: how many are passed over. */
const MAX_CLAIMS_BACK = 256;

/**
 * The last message at or before `fromSeq` that holds groups; null when there is none near, or none from `firstSeq`,
 * the stream's first sequence, on. Throws an Error naming stream and sequence when a message between is missing or
 * unreadable, or cannot be reached.
 */
export async function lastEventBatch(
  nc: NatsConnection,
  shard: number,
  fromSeq: number,
  firstSeq: number,
): Promise<StoredMessage | null> {
  const reader = new EventBatchReader();
  for (let seq = fromSeq; seq >= firstSeq && seq > fromSeq - MAX_CLAIMS_BACK; seq--) {
    const message = await storedMessage(nc, evStream(shard), seq);
    let fault = message === null ? "it is missing" : reader.open(message.bytes);
    if (fault === null && reader.shard !== shard) fault = `shard ${reader.shard} instead of ${shard}`;
    if (fault !== null) throw new Error(`Cannot read ${evStream(shard)} sequence ${seq}: ${fault}`);
    if (reader.groupCount > 0) return message;
  }
  return null;
}
