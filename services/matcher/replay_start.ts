/**
 * Finds a command message's events in EV_s: messages are joined and cut as it happened, so that the place is looked for by
 * halving. Does I/O.
 */
import { EVENT_HEADER_BYTES, EventBatchReader } from "../../shared/codec/wire/mod.ts";
import { firstHeld, type NatsConnection, storedMessage, type StreamExtent } from "../../shared/nats/mod.ts";
import { evStream } from "../../shared/protocol/mod.ts";

/** A part of what command message `cmdSeq` causes: the one that begins with its event `eventIndex`. */
export interface EventPlace {
  readonly cmdSeq: number;
  readonly eventIndex: number;
}

/** Below 0 when `a` comes before `b`, 0 when they are the same. */
export function comparePlaces(a: EventPlace, b: EventPlace): number {
  return a.cmdSeq - b.cmdSeq || a.eventIndex - b.eventIndex;
}

/** Where the parts of a readable event message begin: their place, and at which byte. None of a claim. */
export function partsOf(bytes: Uint8Array): (EventPlace & { readonly at: number })[] {
  const reader = new EventBatchReader();
  reader.open(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: (EventPlace & { readonly at: number })[] = [];
  for (let at = EVENT_HEADER_BYTES; reader.nextGroup(); at += view.getUint32(at, true)) {
    parts.push({ cmdSeq: reader.cmdSeq, eventIndex: reader.firstEventIndex, at });
  }
  return parts;
}

/**
 * The sequence of the last message of EV_s that begins at or before the first event of command message `cmdSeq`; the first
 * message when none does. Messages that are missing or unreadable are passed over. Throws when EV_s cannot be reached.
 */
export async function firstEventSeq(
  nc: NatsConnection,
  shard: number,
  cmdSeq: number,
  { firstSeq, lastSeq }: StreamExtent,
): Promise<number> {
  const wanted: EventPlace = { cmdSeq, eventIndex: 0 };
  let [from, behind] = [firstSeq, lastSeq + 1];
  while (behind - from > 1) {
    const middle = from + behind >> 1;
    const begin = await firstBegin(nc, shard, middle, behind);
    if (begin !== null && comparePlaces(begin.place, wanted) <= 0) from = begin.seq;
    else behind = middle;
  }
  return from;
}

/** Where the first message at or behind `seq`, and before `behind`, begins that can be read; null when there is none. */
async function firstBegin(
  nc: NatsConnection,
  shard: number,
  seq: number,
  behind: number,
): Promise<{ readonly seq: number; readonly place: EventPlace } | null> {
  const stream = evStream(shard);
  const reader = new EventBatchReader();
  for (let at: number | null = seq; at !== null && at < behind; at = await firstHeld(nc, stream, at + 1)) {
    const message = await storedMessage(nc, stream, at);
    if (message === null || reader.open(message.bytes) !== null) continue;
    if (reader.groupCount === 0) {
      return { seq: at, place: { cmdSeq: reader.firstCmdSeq, eventIndex: reader.nextEventIndex } };
    }
    return { seq: at, place: partsOf(message.bytes)[0] };
  }
  return null;
}
