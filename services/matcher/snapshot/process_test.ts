/**
 * A matcher process that takes snapshots while it trades, purges what lies behind them, is killed again and again, and
 * starts from them. What EV_0 holds is compared byte for byte with what an engine here makes of all commands.
 */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nullLogger } from "../../../shared/cli/log.ts";
import { type Command, CommandBatchReader } from "../../../shared/codec/wire/mod.ts";
import { loadVenue } from "../../../shared/config/mod.ts";
import { type NatsConnection, streamExtent, StreamReader } from "../../../shared/nats/mod.ts";
import { CommandKind, MAX_MESSAGE_BYTES, Side } from "../../../shared/protocol/mod.ts";
import { until } from "../../../shared/testing/awaited.ts";
import { Engine, EventEncoder } from "../engine/mod.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import { assertOneLine, contentOf, groupsOf, type SentGroup, Shard } from "../test_kit.ts";
import { MatcherProcess } from "../test_matcher_process.ts";
import { NatsSnapshotStore } from "./nats_snapshot_store.ts";

const CONFIG = fileURLToPath(new URL("../../../infra/venue.yaml", import.meta.url));
const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const EVERY = 400;

describe("a matcher process that takes snapshots", () => {
  let shard: Shard;
  let folder: string;
  let config: string;
  let processes: MatcherProcess[];
  let stopComputing: () => Promise<void>;

  beforeEach(async () => {
    shard = await Shard.start();
    processes = [];
    folder = await Deno.makeTempDir();
    config = join(folder, "venue.yaml");
    const text = await Deno.readTextFile(CONFIG);
    await Deno.writeTextFile(
      config,
      text.replace(/snapshotEveryCommands: \d+/, `snapshotEveryCommands: ${EVERY}`),
    );
  });
  afterEach(async () => {
    for (const each of processes) await each.end();
    await stopComputing();
    await shard.dispose();
    await Deno.remove(folder, { recursive: true });
  });

  function spawn(): MatcherProcess {
    const process = new MatcherProcess(shard.server.url, config);
    processes.push(process);
    return process;
  }

  const random = new SeededRandom(SEED);

  function order(command: Command): void {
    command.instrumentId = 1 + random.below(3);
    command.side = random.oneIn(2) ? Side.Buy : Side.Sell;
    command.priceTicks = 1000 + random.below(command.side === Side.Buy ? 5 : 7);
    command.qtyLots = 1 + random.below(20);
    command.firmId = command.sessionId = 1 + random.below(2);
    if (!random.oneIn(10)) return;
    command.kind = CommandKind.CancelOrder;
    command.origClOrdId.setText(`order-${random.below(5000)}`);
  }

  /** Sends `count` messages, up to 20 unanswered; resolves with the last one's sequence. */
  async function send(count: number): Promise<number> {
    let last = 0;
    for (let sent = 0; sent < count; sent += 20) {
      const batches = Array.from({ length: 20 }, () => shard.send(shard.batch(1 + random.below(4), order)));
      last = Math.max(...await Promise.all(batches));
    }
    return last;
  }

  it(`starts from them however often it is killed, and computes the same events (seed ${SEED})`, async () => {
    const { groups: expected, stop } = await computed(shard.nc);
    stopComputing = stop;
    const store = await NatsSnapshotStore.open(shard.nc, 0);
    const newest = async () => (await store.pointer()).pointer?.newest.cmdSeq ?? 0;
    let lastSeq = 0;
    for (let life = 1; life <= 5; life++) {
      const matcher = spawn();
      await matcher.isReady();
      assert.equal(matcher.ready!.epoch, life);
      const before = await newest();
      if (life > 1) assert.match(matcher.log, new RegExp(`"snapshot loaded".*"cmdSeq":${before},`));
      // The kill comes at any moment after the first snapshot of this life, the next one may be half written.
      lastSeq = await send(400);
      await until("a snapshot", async () => await newest() > before, () => matcher.log);
      lastSeq = await send(20 * random.below(20) + 20);
      await matcher.end("SIGKILL");
    }
    const last = spawn();
    await last.isReady();
    lastSeq = await send(400);
    await shard.storedUpTo(lastSeq);
    const { claims, groups } = await shard.stored();
    assert.deepEqual(claims, [1, 2, 3, 4, 5, 6]);
    assertOneLine(groups, lastSeq);
    await until("every command here", () => expected.length >= groups.length);
    assert.deepEqual(groups.map(contentOf), expected.map(contentOf));
    await until("two snapshots, and commands from the older one on", async () => {
      const { pointer } = await store.pointer();
      const { firstSeq } = await streamExtent(shard.nc, "CMD_0");
      const kept = [pointer!.previous?.cmdSeq, pointer!.newest.cmdSeq];
      return firstSeq === kept[0] && `${await store.list()}` === `${kept}`;
    }, () => last.log);
    assert.equal(await last.end("SIGTERM"), 0, last.log);
  });
});

/** What an engine in this process makes of CMD_0 as it grows, before anything of it is purged. */
async function computed(nc: NatsConnection): Promise<{ groups: SentGroup[]; stop: () => Promise<void> }> {
  const { instruments, limits } = loadVenue(CONFIG);
  const { maxOpenOrders, clOrdIdHistory } = limits;
  const engine = new Engine({ shard: 0, instruments, maxOpenOrders, clOrdIdHistory });
  const encoder = new EventEncoder(MAX_MESSAGE_BYTES);
  const batch = new CommandBatchReader();
  const groups: SentGroup[] = [];
  const reader = new StreamReader({
    nc,
    stream: "CMD_0",
    startSeq: 1,
    log: nullLogger,
    onMessage(seq, timestampUs, _subject, bytes) {
      assert.equal(batch.open(bytes), null);
      encoder.begin(0, 0, seq, timestampUs);
      engine.applyBatch(seq, timestampUs, batch, encoder);
      for (const part of encoder.end()) groups.push(...groupsOf(part));
    },
    onMissing: (from, to) => assert.fail(`${from} to ${to} are missing`),
    onFatal: (error) => assert.fail(error),
  });
  await reader.caughtUp;
  return { groups, stop: () => reader.stop() };
}
