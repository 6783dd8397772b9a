/** CMD_s and the end of EV_s, for those who take and read snapshots. Does I/O. */
import { jetstreamManager } from "@nats-io/jetstream";
import { type NatsConnection, storedMessage, streamExtent } from "../../../shared/nats/mod.ts";
import { cmdStream } from "../../../shared/protocol/mod.ts";
import { readEventTail } from "../event_tail.ts";
import type { CommandLog } from "./snapshot_store.ts";

/** One shard's. */
export function natsCommandLog(nc: NatsConnection, shard: number): CommandLog {
  const stream = cmdStream(shard);
  return {
    extent: () => streamExtent(nc, stream),
    message: async (seq) => (await storedMessage(nc, stream, seq))?.bytes ?? null,
    storedUpTo: async () => (await readEventTail(nc, shard)).position.completeCmdSeq,
    async purgeBelow(seq) {
      const jsm = await jetstreamManager(nc, { checkAPI: false });
      await jsm.streams.purge(stream, { seq });
    },
  };
}
