/** What becomes of drop copies when EV_0 has lost its end on disk, and was given the same events, or others, again. */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { join } from "node:path";
import { joinEventBatches } from "../../shared/codec/wire/mod.ts";
import { type NatsConnection, streamExtent } from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { until } from "../../shared/testing/awaited.ts";
import { PositionStore } from "./position_store.ts";
import type { ShardFollower } from "./shard_follower.ts";
import { acceptedOf, batchesOf, levelOf, OPEN_US } from "./test_events.ts";
import { Bench, reconnected, Subscriber } from "./test_venue.ts";

const KEPT = 4;
const READ = 10;
const MAX_BYTES = 65_536;

const eventsOf = (cmdSeq: number) => [acceptedOf(`L${cmdSeq}`, 4096 * cmdSeq), levelOf(1, 1000, cmdSeq, 1)];
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const named = (from: number, to: number) => range(from, to).map((cmdSeq) => `L${cmdSeq}`);

/** The block of EV_0, which holds all that these tests write. */
const blockOf = (server: TestServer) =>
  join(server.store, "jetstream", "$G", "streams", "EV_0", "msgs", "1.blk");

/** Bytes that EV_0 takes on disk: the server is stopped for it. */
async function bytesOnDisk(server: TestServer): Promise<number> {
  await server.stop();
  return (await Deno.stat(blockOf(server))).size;
}

/** Cuts EV_0 within the record that begins at `size`, and has the server find out by itself what is left. */
async function loseEnd(server: TestServer, size: number): Promise<void> {
  await server.stop();
  await Deno.truncate(blockOf(server), size + 20);
  await Deno.remove(join(blockOf(server), "..", "index.db"));
  await server.start();
}

describe("Drop copies of a shard whose events have lost their end on disk", () => {
  let server: TestServer;
  let bench: Bench;
  let watcher: Subscriber;
  let nc: NatsConnection;
  let follower: ShardFollower;
  let keptBytes: number;
  let failed: string | null;

  /** The events of commands up to READ, which market-data has read and noted down. */
  beforeEach(async () => {
    server = await TestServer.start();
    bench = await Bench.start(server);
    for (let i = 0; i < KEPT; i++) await bench.write(eventsOf(bench.cmdSeq + 1));
    keptBytes = await restarted(() => bytesOnDisk(server).then(async (size) => (await server.start(), size)));
    for (let i = KEPT; i < READ; i++) await bench.write(eventsOf(bench.cmdSeq + 1));
    watcher = new Subscriber(bench.matcher);
    await begin();
    await watcher.until("all copies came", () => watcher.copies.length === READ);
  });
  afterEach(async () => {
    await follower.stop();
    await nc.close();
    await bench.matcher.close();
    await server.dispose();
  });

  async function restarted<T>(work: () => Promise<T>): Promise<T> {
    const back = reconnected(bench.matcher);
    const result = await work();
    await back;
    return result;
  }

  async function begin(): Promise<void> {
    failed = null;
    await bench.ensureStreams();
    nc = await server.connect("market-data");
    follower = bench.follower(
      nc,
      await PositionStore.open(nc, 0),
      (error) => failed = error.message,
    );
    await follower.start();
  }

  async function end(): Promise<void> {
    await follower.stop();
    await nc.close();
    watcher.copies.length = 0;
  }

  /** EV_0 is cut behind the first commands. */
  async function cut(): Promise<void> {
    await restarted(() => loseEnd(server, keptBytes));
    assert.equal((await streamExtent(bench.matcher, "EV_0")).lastSeq, KEPT);
    bench.evSeq = KEPT;
  }

  /** A matcher writes the events again, in fewer messages than before; `timeUs` of each command. */
  async function writeAgain(timeUs: (cmdSeq: number) => number): Promise<void> {
    await bench.claim();
    for (const [from, to] of [[KEPT + 1, 7], [8, READ]]) {
      const messages = range(from, to).map((cmdSeq) =>
        batchesOf(cmdSeq, eventsOf(cmdSeq), { epoch: bench.epoch, timeUs: timeUs(cmdSeq) })[0]
      );
      await bench.store("ACME", joinEventBatches(messages, MAX_BYTES).bytes);
    }
  }
  const sameTime = (cmdSeq: number) => OPEN_US + cmdSeq;

  async function writeMore(to: number): Promise<void> {
    while (bench.cmdSeq < to) await bench.write(eventsOf(bench.cmdSeq + 1));
  }

  it("go on with the first that was not published when events lie elsewhere and the stream has grown past the position", async () => {
    await end();
    await cut();
    await writeAgain(sameTime);
    await writeMore(16);
    assert.ok(bench.evSeq > READ, "it has grown past the position");
    bench.answerDepth([levelOf(1, 1000, 16, 1)]);
    await begin();
    await writeMore(17);
    await watcher.until("the last copy came", () => watcher.clOrdIds.includes("L17"));
    assert.deepEqual(watcher.copies.map(({ clOrdId }) => clOrdId), named(11, 17));
    await watcher.until("the last book came", () => watcher.bookOf("ACME")?.bids[0]?.qty === "17");
    assert.deepEqual(bench.logs, []);
    await follower.stop();
    const { evSeq, cmdSeq } = await (await PositionStore.open(nc, 0)).load();
    assert.deepEqual([evSeq, cmdSeq], [bench.evSeq, 18]);
  });

  it("wait for what was published and is gone to be written again, and do not repeat it", async () => {
    await end();
    await cut();
    bench.answerDepth([levelOf(1, 1000, READ, 1)]);
    await begin();
    await writeAgain(sameTime);
    await writeMore(12);
    await watcher.until("the last copy came", () => watcher.clOrdIds.includes("L12"));
    assert.deepEqual(watcher.copies.map(({ clOrdId }) => clOrdId), named(11, 12));
    await watcher.until("the last book came", () => watcher.bookOf("ACME")?.bids[0]?.qty === "12");
    assert.deepEqual(bench.logs, []);
  });

  it("do so too while the service runs", async () => {
    const positions = await PositionStore.open(bench.matcher, 0);
    await until("the position is stored", async () => (await positions.load()).cmdSeq === READ + 1);
    watcher.copies.length = 0;
    await cut();
    bench.answerDepth([levelOf(1, 1000, READ, 1)]);
    await writeAgain(sameTime);
    await writeMore(14);
    await watcher.until("the last copy came", () => watcher.clOrdIds.includes("L14"));
    assert.deepEqual(watcher.copies.map(({ clOrdId }) => clOrdId), named(11, 14));
    await watcher.until("the last book came", () => watcher.bookOf("ACME")?.bids[0]?.qty === "14");
    assert.deepEqual(bench.logs, []);
  });

  it("say which are lost when the events behind the position are not written again", async () => {
    await end();
    await cut();
    bench.cmdSeq = 12;
    await writeMore(20);
    bench.answerDepth([levelOf(1, 1000, 20, 1)]);
    await begin();
    await watcher.until("the last copy came", () => watcher.clOrdIds.includes("L20"));
    assert.deepEqual(watcher.copies.map(({ clOrdId }) => clOrdId), named(13, 20));
    const gap = {
      stream: "EV_0",
      seq: KEPT + 1,
      cause: "expected event 0 of command 5, got event 0 of command 13",
    };
    assert.deepEqual(bench.logs, [`events do not follow each other ${JSON.stringify(gap)}`]);
  });

  const exchanged = (seq: number) =>
    `Cannot go on at EV_0 sequence ${seq}: Cannot apply EV_0 sequence ${seq}: ` +
    `command ${READ} is another than the one of which copies were published`;

  it("stop with an alarm when another command stands where one was published", async () => {
    await end();
    await cut();
    await writeAgain((cmdSeq) => OPEN_US + cmdSeq + 1000);
    await writeMore(16);
    bench.answerDepth([levelOf(1, 1000, 16, 1)]);
    begin();
    await until("it has failed", () => failed !== null);
    assert.equal(failed, exchanged(KEPT + 3));
    assert.deepEqual(watcher.copies, []);
  });

  it("do so too when its events lie exactly where those of the other did", async () => {
    await end();
    await cut();
    for (const cmdSeq of range(KEPT + 1, READ)) {
      await bench.store("ACME", batchesOf(cmdSeq, eventsOf(cmdSeq), { timeUs: OPEN_US + cmdSeq + 1000 })[0]);
    }
    await writeMore(16);
    bench.answerDepth([levelOf(1, 1000, 16, 1)]);
    begin();
    await until("it has failed", () => failed !== null);
    assert.equal(failed, exchanged(READ));
    assert.deepEqual(watcher.copies, []);
  });

  it("do not start when the commands of published ones are gone too", async () => {
    await end();
    await cut();
    bench.cmdEnd = KEPT;
    await assert.rejects(begin(), {
      message:
        `Cannot go on with drop copies: those of CMD_0 sequence ${READ} were published, but it ends at ` +
        `${KEPT}: acknowledged orders are lost`,
    });
    assert.deepEqual(watcher.copies, []);
  });
});
