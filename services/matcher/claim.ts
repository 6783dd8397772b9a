/**
 * Becoming the one writer of EV_s: a claim with a higher epoch at the expected next sequence. The stream
 * decides; the question whether somebody leads only spares a living leader a duel. Does I/O.
 */
import { headers } from "@nats-io/nats-core";
import { encodeClaim } from "../../shared/codec/wire/mod.ts";
import { AckedPublisher, type NatsConnection, WRONG_LAST_SEQUENCE } from "../../shared/nats/mod.ts";
import { claimSubject, evStream, matcherStatusSubject } from "../../shared/protocol/mod.ts";
import type { EventTail } from "./event_tail.ts";

const STATUS_TIMEOUT_MS = 1000;

/** Whether a matcher that leads the shard answers. A paused or dying one does not: the fence is what decides. */
export async function leaderAnswers(nc: NatsConnection, shard: number): Promise<boolean> {
  try {
    await nc.request(matcherStatusSubject(shard), undefined, { timeout: STATUS_TIMEOUT_MS });
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes a claim of `epoch` behind `tail`. Returns the claim's sequence, or null when EV_s has moved on meanwhile.
 * Throws when the outcome is unknown or EV_s cannot be written; the caller must then start again from the tail.
 */
export async function claimStream(
  nc: NatsConnection,
  shard: number,
  epoch: number,
  tail: EventTail,
): Promise<number | null> {
  const publisher = new AckedPublisher(nc);
  const { completeCmdSeq, nextEventIndex } = tail.position;
  const fence = headers();
  fence.set("Nats-Expected-Last-Sequence", String(tail.evSeq));
  try {
    return await new Promise<number | null>((resolve, reject) => {
      const claim = encodeClaim(shard, epoch, completeCmdSeq, nextEventIndex);
      publisher.publish(claimSubject(shard), claim, (seq, fault) => {
        if (fault === null) resolve(seq);
        else if (fault.code === WRONG_LAST_SEQUENCE) resolve(null);
        else reject(new Error(`Cannot claim ${evStream(shard)}: ${fault.description} (${fault.code})`));
      }, fence);
    });
  } finally {
    publisher.close();
  }
}
