/** What must stand in EV_0: the events that an engine in this process makes of CMD_0. Test code only. */
import assert from "node:assert/strict";
import { nullLogger } from "../../shared/cli/log.ts";
import { CommandBatchReader } from "../../shared/codec/wire/mod.ts";
import type { Venue } from "../../shared/config/mod.ts";
import { type NatsConnection, StreamReader } from "../../shared/nats/mod.ts";
import { MAX_MESSAGE_BYTES } from "../../shared/protocol/mod.ts";
import { BatchOutcome, Engine, EventEncoder } from "./engine/mod.ts";
import { groupsOf, type SentGroup } from "./test_kit.ts";

/** The groups of all commands that CMD_0 holds now. Fails when one cannot be read. */
export async function expectedGroups(nc: NatsConnection, venue: Venue): Promise<SentGroup[]> {
  const { maxOpenOrders, clOrdIdHistory } = venue.limits;
  const instruments = venue.instruments.filter((each) => each.shard === 0);
  const engine = new Engine({ shard: 0, instruments, maxOpenOrders, clOrdIdHistory });
  const encoder = new EventEncoder(MAX_MESSAGE_BYTES);
  const batch = new CommandBatchReader();
  const groups: SentGroup[] = [];
  const reader = new StreamReader({
    nc,
    stream: "CMD_0",
    startSeq: 1,
    log: nullLogger,
    onMessage: (seq, timestampUs, _subject, bytes) => {
      assert.equal(batch.open(bytes), null);
      encoder.begin(0, 0, seq, timestampUs);
      const outcome = engine.applyBatch(seq, timestampUs, batch, encoder);
      if (outcome === BatchOutcome.Duplicate || outcome === BatchOutcome.Rest) encoder.repeat();
      else if (outcome !== BatchOutcome.Applied) encoder.refuse();
      for (const part of encoder.end()) groups.push(...groupsOf(part));
    },
    onMissing: (from, to) => assert.fail(`${from} to ${to} are missing`),
    onFatal: (error) => assert.fail(error),
  });
  await reader.caughtUp;
  await reader.stop();
  return groups;
}
