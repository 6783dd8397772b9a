import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { jetstreamManager } from "@nats-io/jetstream";
import { connectNats, type NatsConnection } from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { until } from "../../shared/testing/awaited.ts";
import { type CopyPlace, START } from "./copy_place.ts";
import type { ShardFollower } from "./shard_follower.ts";
import { VirtualClock } from "./test_clock.ts";
import { acceptedOf, OPEN_US } from "./test_events.ts";
import { Bench, reconnected, Subscriber } from "./test_venue.ts";
import { LossyProxy } from "./test_watch.ts";

const fail = (error: Error) => {
  throw error;
};

const LOST = [
  `drop copies lost: the stream no longer holds the events ${
    JSON.stringify({ stream: "EV_0", from: 2, to: 3 })
  }`,
];

describe("The position that a ShardFollower stores", () => {
  let server: TestServer;
  let bench: Bench;
  let proxy: LossyProxy;
  let nc: NatsConnection;
  let watcher: Subscriber;
  let clock: VirtualClock;
  let follower: ShardFollower;
  let stored: CopyPlace;
  beforeEach(async () => {
    server = await TestServer.start();
    bench = await Bench.start(server);
    watcher = new Subscriber(bench.matcher);
    proxy = new LossyProxy(server.port);
    nc = await connectNats({ url: proxy.url, name: "market-data" });
    stored = START;
  });
  afterEach(async () => {
    await follower.stop();
    await nc.close();
    await proxy.close();
    await bench.matcher.close();
    await server.dispose();
  });

  /** Market data starts, and goes on behind what was stored. */
  async function begin(): Promise<void> {
    bench.answerDepth([]);
    clock = new VirtualClock();
    const positions = {
      load: () => Promise.resolve(stored),
      store: (place: CopyPlace) => Promise.resolve(void (stored = place)),
    };
    follower = bench.follower(nc, positions, fail, clock);
    await follower.start();
  }

  async function loseUpTo(evSeq: number): Promise<void> {
    await (await jetstreamManager(bench.matcher)).streams.purge("EV_0", { seq: evSeq + 1 });
  }

  /** Waits until the place behind message `evSeq` is stored; after that nothing is left to do. */
  async function storedAt(evSeq: number): Promise<void> {
    await until(
      "the position is stored",
      () => {
        clock.advanceTo(clock.nowMs() + 250);
        return stored.evSeq === evSeq;
      },
      () => JSON.stringify(stored),
      10_000,
    );
    await nc.flush();
    assert.deepEqual(clock.timers, []);
  }

  /** The place that is stored once message `evSeq` was read. */
  async function placeAt(evSeq: number): Promise<Omit<CopyPlace, "evTimeUs">> {
    await storedAt(evSeq);
    const { evTimeUs, ...place } = stored;
    assert.ok(Math.abs(evTimeUs / 1000 - Date.now()) < 60_000, `${evTimeUs}`);
    return place;
  }

  it("passes a claim that comes first, as it does at every start of a venue: copies go on where they were", async () => {
    await bench.write([acceptedOf("C1", 4096)]);
    await begin();
    assert.deepEqual(await placeAt(1), { evSeq: 1, cmdSeq: 2, eventIndex: 0, timestampUs: OPEN_US + 1 });
    await follower.stop();
    await begin();
    await bench.claim();
    assert.deepEqual(await placeAt(2), { evSeq: 2, cmdSeq: 2, eventIndex: 0, timestampUs: OPEN_US + 1 });
    await bench.write([acceptedOf("C2", 8192)]);
    assert.deepEqual(await placeAt(3), { evSeq: 3, cmdSeq: 3, eventIndex: 0, timestampUs: OPEN_US + 2 });
    assert.deepEqual(watcher.copies.map(({ clOrdId }) => clOrdId), ["C1", "C2"]);
  });

  it("passes the claim of a venue without orders", async () => {
    await begin();
    await bench.claim();
    assert.deepEqual(await placeAt(1), { evSeq: 1, cmdSeq: 0, eventIndex: 0, timestampUs: 0 });
  });

  it("passes a claim before the connection is lost, after which nothing is published again", async () => {
    await begin();
    await bench.claim();
    await placeAt(1);
    const back = reconnected(nc);
    proxy.passed = "";
    proxy.cut();
    await back;
    await bench.claim();
    await placeAt(2);
    assert.deepEqual(bench.infos.filter((text) => text.startsWith("publishing again")), []);
    const starts = [...proxy.passed.matchAll(/"opt_start_seq":(\d+)/g)].map((match) => Number(match[1]));
    assert.deepEqual(starts, [2]);
  });

  it("passes events that are gone and the claim behind them: they are missed once", async () => {
    await bench.write([acceptedOf("C1", 4096)]);
    await begin();
    await placeAt(1);
    await follower.stop();
    await bench.write([acceptedOf("C2", 8192)]);
    await bench.write([acceptedOf("C3", 12288)]);
    await bench.claim();
    await loseUpTo(3);
    await begin();
    assert.deepEqual(await placeAt(4), { evSeq: 4, cmdSeq: 0, eventIndex: 0, timestampUs: 0 });
    assert.deepEqual(bench.logs, LOST);
    await bench.write([acceptedOf("C4", 16384)]);
    assert.deepEqual(await placeAt(5), { evSeq: 5, cmdSeq: 5, eventIndex: 0, timestampUs: OPEN_US + 4 });
    await follower.stop();
    await begin();
    await bench.claim();
    await placeAt(6);
    assert.deepEqual(watcher.copies.map(({ clOrdId }) => clOrdId), ["C1", "C4"]);
    assert.deepEqual(bench.logs, LOST);
  });

  it("passes events that are gone when nothing is left behind them", async () => {
    await bench.write([acceptedOf("C1", 4096)]);
    await begin();
    await placeAt(1);
    await follower.stop();
    await bench.write([acceptedOf("C2", 8192)]);
    await bench.write([acceptedOf("C3", 12288)]);
    await loseUpTo(3);
    await begin();
    await storedAt(3);
    assert.deepEqual([stored, bench.logs], [{ ...START, evSeq: 3 }, LOST]);
  });
});
