import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { jetstreamManager } from "@nats-io/jetstream";
import type { Event } from "../../shared/codec/wire/mod.ts";
import { connectNats } from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { EventKind, Liquidity } from "../../shared/protocol/mod.ts";
import { PositionStore } from "./position_store.ts";
import { acceptedOf, ACME, eventOf, levelOf, OPEN_US, TULIP } from "./test_events.ts";
import { Bench, reconnected, Subscriber } from "./test_venue.ts";
import { LossyProxy } from "./test_watch.ts";

const fail = (error: Error) => {
  throw error;
};
const bid = (qty: number, price = 1000) => levelOf(1, price, qty, qty === 0 ? 0 : 1);

describe("ShardFollower on a real nats-server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.dispose());

  it("publishes every book at once, then copies, trades and the changed book", async () => {
    const bench = await Bench.start(server);
    const watcher = new Subscriber(bench.matcher);
    const nc = await server.connect("market-data");
    const follower = bench.follower(nc, await PositionStore.open(nc, 0), fail);
    await follower.start();
    await watcher.until("both books came", () => watcher.books.length === 2);
    const empty = { type: "book", phase: "continuous", seq: 1, cmdSeq: 0, time: null, bids: [], asks: [] };
    assert.deepEqual(watcher.books, [{ ...empty, symbol: "ACME" }, { ...empty, symbol: "TULIP-DEC" }]);
    const execution = {
      kind: EventKind.OrderExecuted,
      instrumentId: 1,
      lastPxTicks: 1000,
      lastQtyLots: 2,
      tradeIndex: 2,
    };
    await bench.write([
      acceptedOf("A1", 4096),
      eventOf({ ...execution, sessionId: 2, side: 2, liquidity: Liquidity.Added, clOrdId: "B1", orderId: 1 }),
      eventOf({
        ...execution,
        sessionId: 1,
        side: 1,
        liquidity: Liquidity.Removed,
        clOrdId: "A1",
        orderId: 4096,
      }),
      bid(3),
    ]);
    await watcher.until("the book came", () => watcher.bookOf("ACME")?.seq === 2);
    assert.deepEqual(watcher.copies.map(({ firm, clOrdId }) => `${firm} ${clOrdId}`), [
      "ALPHA A1",
      "BETA B1",
      "ALPHA A1",
    ]);
    assert.deepEqual(watcher.trades.map(({ tradeId, aggressor }) => [tradeId, aggressor]), [[
      "0-1-1",
      "buy",
    ]]);
    assert.deepEqual(watcher.bookOf("ACME")?.bids, [{ price: "10", qty: "3", orders: 1 }]);
    await follower.stop();
    const store = await PositionStore.open(nc, 0);
    const { evTimeUs, ...place } = await store.load();
    assert.deepEqual(place, { evSeq: 1, cmdSeq: 2, eventIndex: 0, timestampUs: OPEN_US + 1 });
    assert.ok(Math.abs(evTimeUs / 1000 - Date.now()) < 60_000, `${evTimeUs}`);
    await nc.close();
    await bench.matcher.close();
  });

  it("goes on after a restart behind the stored position, with books from the depth image", async () => {
    const bench = await Bench.start(server);
    await bench.write([acceptedOf("A2", 8192), bid(7)]);
    bench.answerDepth([bid(7), levelOf(2, 41, 5, 2, TULIP.id)]);
    const watcher = new Subscriber(bench.matcher);
    const nc = await server.connect("market-data");
    const follower = bench.follower(nc, await PositionStore.open(nc, 0), fail);
    await follower.start();
    await watcher.until("both books came", () => watcher.books.length === 2);
    assert.deepEqual(watcher.clOrdIds, ["A2"]);
    assert.deepEqual(
      watcher.books.map(({ symbol, seq, cmdSeq, bids, asks }) => [symbol, seq, cmdSeq, bids, asks]),
      [
        [ACME.symbol, 3, 2, [{ price: "10", qty: "7", orders: 1 }], []],
        [TULIP.symbol, 2, 2, [], [{ price: "10.25", qty: "50", orders: 2 }]],
      ],
    );
    await follower.stop();
    await nc.close();
    await bench.matcher.close();
  });

  it("publishes again what was lost on the way to the server, also from before another matcher's claim", async () => {
    const bench = await Bench.start(server);
    const proxy = new LossyProxy(server.port);
    const nc = await connectNats({ url: proxy.url, name: "market-data" });
    const positions = await PositionStore.open(nc, 0);
    const follower = bench.follower(nc, positions, fail);
    const watcher = new Subscriber(bench.matcher);
    await follower.start();
    let confirmed = 0;
    for (let i = 0; i < 20; i++) confirmed = await bench.write([acceptedOf(`L${i}`, 4096 * (i + 3)), bid(1)]);
    const stored = `$KV.ref.md.0.position`;
    await proxy.until(
      "the position was stored",
      () =>
        new RegExp(`${stored.replaceAll(/[$.]/g, "\\$&")} [^\n]*\n{"evSeq":${confirmed},`).test(proxy.passed),
    );
    proxy.loseUpstream();
    await bench.write([acceptedOf("L20", 24 * 4096), bid(2)]);
    await bench.claim();
    const last = await bench.write([acceptedOf("L21", 25 * 4096), bid(3)]);
    await proxy.until(
      "copies and book were lost",
      () => proxy.lost.includes('"L21"') && proxy.lost.includes(".book"),
    );
    await proxy.until("the follower tried to confirm", () => /PING|\$KV\.ref/.test(proxy.lost));
    proxy.passed = "";
    proxy.cut();
    await watcher.until("the lost copies came", () => watcher.clOrdIds.includes("L21"));
    await watcher.until("the lost book came", () => watcher.bookOf("ACME")?.bids[0]?.qty === "3");
    assert.deepEqual(watcher.clOrdIds, Array.from({ length: 22 }, (_, i) => `L${i}`));
    assert.deepEqual([...proxy.passed.matchAll(/"opt_start_seq":(\d+)/g)].map((match) => Number(match[1])), [
      confirmed + 1,
    ]);
    await follower.stop();
    assert.equal((await (await PositionStore.open(nc, 0)).load()).evSeq, last);
    await nc.close();
    await proxy.close();
    await bench.matcher.close();
  });

  it("goes on after nats-server was killed, and stores only what reached it", async () => {
    const bench = await Bench.start(server);
    const nc = await server.connect("market-data");
    const follower = bench.follower(nc, await PositionStore.open(nc, 0), fail);
    const watcher = new Subscriber(bench.matcher);
    await follower.start();
    for (let i = 0; i < 20; i++) await bench.write([acceptedOf(`K${i}`, 4096 * (i + 9)), bid(i + 1)]);
    const back = reconnected(bench.matcher);
    await server.stop("SIGKILL");
    await server.start();
    await back;
    const last = await bench.write([acceptedOf("K20", 4096 * 40), bid(77)]);
    await watcher.until("the last copy came", () => watcher.clOrdIds.includes("K20"));
    await watcher.until("the last book came", () => watcher.bookOf("ACME")?.bids[0]?.qty === "77");
    await follower.stop();
    assert.equal((await (await PositionStore.open(nc, 0)).load()).evSeq, last);
    assert.deepEqual(bench.logs, []);
    await nc.close();
    await bench.matcher.close();
  });

  it("says aloud that copies are lost when the stream was purged past its position", async () => {
    const bench = await Bench.start(server);
    await bench.write([acceptedOf("P1", 4096 * 50)]);
    const last = await bench.write([acceptedOf("P2", 4096 * 51), bid(5)]);
    await (await jetstreamManager(bench.matcher)).streams.purge("EV_0", { seq: last });
    bench.answerDepth([bid(5)]);
    const nc = await server.connect("market-data");
    const watcher = new Subscriber(bench.matcher);
    const follower = bench.follower(nc, await PositionStore.open(nc, 0), fail);
    await follower.start();
    await watcher.until("the copy that is left came", () => watcher.copies.length > 0);
    assert.deepEqual(watcher.clOrdIds, ["P2"]);
    const lost = { stream: "EV_0", from: last - 1, to: last - 1 };
    assert.deepEqual(bench.logs, [
      `drop copies lost: the stream no longer holds the events ${JSON.stringify(lost)}`,
    ]);
    await follower.stop();
    await nc.close();
    await bench.matcher.close();
  });

  it("takes a command that was cut over messages, and shows its book once", async () => {
    const bench = await Bench.start(server);
    const nc = await server.connect("market-data");
    const watcher = new Subscriber(bench.matcher);
    const follower = bench.follower(nc, await PositionStore.open(nc, 0), fail);
    await follower.start();
    await watcher.until("both books came", () => watcher.books.length === 2);
    const events: Event[] = [];
    for (let i = 0; i < 100; i++) events.push(acceptedOf(`S${i}`, 4096 * 60 + i), bid(i + 1, 500 + i));
    const first = bench.evSeq + 1;
    assert.ok(await bench.write(events, 4096) > first);
    await watcher.until(
      "all copies and the book came",
      () => watcher.books.length === 3 && watcher.copies.length === 100,
    );
    assert.deepEqual(
      watcher.copies.map(({ clOrdId }) => clOrdId),
      Array.from({ length: 100 }, (_, i) => `S${i}`),
    );
    assert.deepEqual(watcher.bookOf("ACME")?.bids.map(({ qty }) => qty), [
      "100",
      "99",
      "98",
      "97",
      "96",
      "95",
      "94",
      "93",
      "92",
      "91",
    ]);
    await follower.stop();
    await nc.close();
    await bench.matcher.close();
  });

  it("waits for the server while it catches up with more than may be on the way, and leaves nothing out", async () => {
    const bench = await Bench.start(server);
    const nc = await server.connect("market-data");
    const watcher = new Subscriber(bench.matcher);
    const events = Array.from({ length: 20_000 }, (_, i) => acceptedOf(`W${i}`, 4096 * 65 + i));
    await bench.write(events, 512 * 1024);
    bench.answerDepth([]);
    const follower = bench.follower(nc, await PositionStore.open(nc, 0), fail);
    await follower.start();
    await watcher.until("all copies came", () => watcher.copies.length >= events.length);
    assert.deepEqual(
      watcher.copies.map(({ clOrdId }) => clOrdId),
      events.map(({ clOrdId }) => String(clOrdId)),
    );
    await follower.stop();
    await nc.close();
    await bench.matcher.close();
  });

  it("asks for the books again when events are missing, and goes on", async () => {
    const bench = await Bench.start(server);
    const nc = await server.connect("market-data");
    const watcher = new Subscriber(bench.matcher);
    const follower = bench.follower(nc, await PositionStore.open(nc, 0), fail);
    await follower.start();
    await bench.write([acceptedOf("G1", 4096 * 70), bid(1)]);
    await watcher.until("the first copy came", () => watcher.clOrdIds.includes("G1"));
    const lost = ++bench.cmdSeq;
    bench.answerDepth([bid(9, 999)]);
    const seq = await bench.write([acceptedOf("G2", 4096 * 71), bid(4)]);
    await watcher.until("the books from the new image came", () => watcher.bookOf("ACME")?.bids.length === 2);
    assert.deepEqual(watcher.bookOf("ACME")?.bids.map(({ price, qty }) => `${qty}@${price}`), [
      "4@10",
      "9@9.99",
    ]);
    assert.deepEqual(watcher.clOrdIds, ["G1", "G2"]);
    const cause = `expected event 0 of command ${lost}, got event 0 of command ${lost + 1}`;
    assert.deepEqual(bench.logs, [
      `events do not follow each other ${JSON.stringify({ stream: "EV_0", seq, cause })}`,
    ]);
    await follower.stop();
    await nc.close();
    await bench.matcher.close();
  });
});
