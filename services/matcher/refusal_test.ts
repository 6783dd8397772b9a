/** Which command messages the matcher marks as refused, with the real engine on a real nats-server. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { nullLogger } from "../../shared/cli/log.ts";
import { setFirstGatewaySeq } from "../../shared/codec/wire/mod.ts";
import { Engine } from "./engine/mod.ts";
import { Matcher } from "./matcher.ts";
import { Shard } from "./test_kit.ts";

/** Writes another boot number into a batch. */
function withBoot(batch: Uint8Array, bootId: number): Uint8Array {
  new DataView(batch.buffer).setFloat64(8, bootId, true);
  return batch;
}

describe("a refused command message", () => {
  it("is flagged when unreadable, behind a gap or of an ended run; a repeat has a flag of its own, a rejected order none", async () => {
    const shard = await Shard.start();
    const matcher = new Matcher({
      nc: shard.nc,
      shard: 0,
      engine: new Engine({ shard: 0, instruments: [], maxOpenOrders: 16, clOrdIdHistory: 16 }),
      instruments: [],
      log: nullLogger,
      onFatal: (error) => {
        throw error;
      },
    });
    try {
      await matcher.start();
      const batches = [shard.batch(), shard.batch(), shard.batch(), shard.batch(), shard.batch(3)];
      const [first, second, third, fourth, fifth] = batches;
      setFirstGatewaySeq(fourth, 1);
      setFirstGatewaySeq(fifth, 1);
      const sent = [first, first, third, first.subarray(0, 60), second, third, withBoot(fourth, 2), second];
      sent.push(withBoot(fifth, 2));
      for (const bytes of sent) await shard.send(bytes);
      await shard.storedUpTo(sent.length);
      const { groups } = await shard.stored();
      const verdicts = groups.map(({ eventCount, refused, repeated }) => [eventCount, refused, repeated]);
      assert.deepEqual(verdicts, [
        [1, false, false],
        [0, false, true],
        [0, true, false],
        [0, true, false],
        [1, false, false],
        [1, false, false],
        [1, false, false],
        [0, true, false],
        [2, false, true],
      ]);
    } finally {
      await matcher.drain(2000);
      await shard.dispose();
    }
  });
});
