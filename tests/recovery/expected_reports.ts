/** What the venue's event streams say that each session had to hear, as the lines of LastingTrader. Test code only. */
import { FixWriter } from "../../shared/codec/fix/mod.ts";
import { EventBatchReader } from "../../shared/codec/wire/mod.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import type { Venue } from "../../shared/config/mod.ts";
import { type NatsConnection, StreamReader } from "../../shared/nats/mod.ts";
import { evStream } from "../../shared/protocol/mod.ts";
import { isMarketEvent, isReported, writeReport } from "../../services/fix-gateway/link/event_report.ts";
import { QuoteAcks } from "../../services/fix-gateway/order_entry/mod.ts";

/** One report that had to come. */
export interface Expected {
  readonly shard: number;
  readonly line: string;
  readonly kind: number;
  readonly clOrdId: string;
}

/** Every session's reports by CompID, each shard's in event order. */
export async function expectedReports(nc: NatsConnection, venue: Venue): Promise<Map<string, Expected[]>> {
  const expected = new Map<string, Expected[]>(venue.sessions.map(({ senderCompId }) => [senderCompId, []]));
  const writer = new FixWriter();
  const decoder = new TextDecoder("latin1");
  const reader = new EventBatchReader();
  const take = (shard: number, bytes: Uint8Array, acks: QuoteAcks) => {
    const fault = reader.open(bytes);
    if (fault !== null) throw new Error(`unreadable events: ${fault}`);
    while (reader.nextGroup()) {
      while (reader.nextEvent()) {
        const { event, cmdSeq, eventIndex, timestampUs } = reader;
        if (isMarketEvent(event) || event.sessionId === 0 || !isReported(reader, acks, venue)) continue;
        writer.begin();
        const place = { shard, cmdSeq, eventIndex, timestampUs };
        const msgType = writeReport(event, place, venue, acks, writer);
        if (msgType === null) continue;
        const body = decoder.decode(writer.body).slice(0, -1).replaceAll("\x01", "|");
        const { kind, clOrdId } = event;
        expected.get(venue.sessionById.get(event.sessionId)!.senderCompId)!
          .push({ shard, kind, clOrdId: clOrdId.toString(), line: `${msgType} ${body}` });
      }
    }
  };
  for (const shard of venue.shards) {
    const acks = new QuoteAcks();
    await readAll(nc, evStream(shard), (bytes) => take(shard, bytes, acks));
  }
  return expected;
}

/** Hands over everything that a stream holds. */
async function readAll(nc: NatsConnection, stream: string, take: (bytes: Uint8Array) => void): Promise<void> {
  const failed = Promise.withResolvers<never>();
  const reader = new StreamReader({
    nc,
    stream,
    startSeq: 1,
    onMessage: (_seq, _timestampUs, _subject, bytes) => take(bytes),
    onMissing: (from, to) => {
      throw new Error(`${from} to ${to} are missing`);
    },
    onFatal: failed.reject,
    log: nullLogger,
  });
  try {
    await Promise.race([reader.caughtUp, failed.promise]);
  } finally {
    await reader.stop();
  }
}
