/** The publisher against a real nats-server: kill -9 in the middle of a flow, and a stream that is full. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { nullLogger } from "../../../shared/cli/log.ts";
import { Command, CommandBatchReader } from "../../../shared/codec/wire/mod.ts";
import { parseVenue, type Venue } from "../../../shared/config/mod.ts";
import { ensureStreams, type NatsConnection, streamExtent, StreamReader } from "../../../shared/nats/mod.ts";
import { TestServer } from "../../../shared/nats/test_server.ts";
import { DEADLINE_MS, until } from "../../../shared/testing/awaited.ts";
import { takeBootNumber } from "./boot_number.ts";
import { CommandPublisher, MAX_UNMATCHED_BYTES } from "./command_publisher.ts";

const VENUE = (cmdStreamBytes: number) => `
name: publisher-test
targetCompId: T
firms: [{ id: 1, name: A }]
instruments:
  - { id: 1, symbol: X, algorithm: F, tick: "1", priceScale: 0, lot: "1", qtyScale: 0, maxOrderQty: "100" }
  - { id: 2, symbol: Y, algorithm: F, tick: "1", priceScale: 0, lot: "1", qtyScale: 0, maxOrderQty: "100" }
sessions: [{ id: 1, senderCompId: S, firm: A, role: trading, username: u, password: p }]
limits: { cmdStreamBytes: ${cmdStreamBytes}, maxInFlightCommands: 500 }
`;

/** What the matcher would apply of CMD_0: the MsgSeqNum of each command, by its rule of gateway sequences. */
async function appliedIn(nc: NatsConnection): Promise<{ applied: number[]; messages: number }> {
  const { lastSeq } = await streamExtent(nc, "CMD_0");
  const applied: number[] = [];
  const batch = new CommandBatchReader();
  let bootId = 0;
  let expected = 1;
  const reader = new StreamReader({
    nc,
    stream: "CMD_0",
    startSeq: 1,
    onMessage: (_seq, _timestampUs, _subject, bytes) => {
      assert.equal(batch.open(bytes), null);
      if (batch.bootId < bootId) return;
      if (batch.bootId > bootId) expected = 1;
      bootId = batch.bootId;
      if (batch.firstGatewaySeq > expected) return;
      while (batch.next()) {
        if (batch.firstGatewaySeq + batch.index < expected) continue;
        applied.push(batch.command.msgSeqNum);
        expected++;
      }
    },
    onMissing: () => {},
    onFatal: (error) => {
      throw error;
    },
    log: nullLogger,
  });
  await reader.caughtUp;
  await reader.stop();
  return { applied, messages: lastSeq };
}

interface Setup extends AsyncDisposable {
  readonly server: TestServer;
  readonly nc: NatsConnection;
  readonly venue: Venue;
  readonly publisher: CommandPublisher;
  readonly givenUp: number[];
  /** Adds commands `from` … `to` (their MsgSeqNum) in turn to both instruments and none, and flushes. */
  burst(from: number, to: number, instruments?: number): void;
}

async function setUp(
  cmdStreamBytes = 2 ** 26,
  giveUpAfterMs = DEADLINE_MS,
  unmatchedBytes = () => 0,
): Promise<Setup> {
  const server = await TestServer.start();
  const nc = await server.connect();
  const venue = parseVenue(VENUE(cmdStreamBytes), "test venue");
  await ensureStreams(nc, venue);
  const givenUp: number[] = [];
  const reader = new CommandBatchReader();
  const publisher = new CommandPublisher({
    nc,
    venue,
    gatewayId: 1,
    bootId: await takeBootNumber(nc, 1, venue.shards, nullLogger),
    onGivenUp: (bytes) => {
      assert.equal(reader.open(bytes), null);
      while (reader.next()) givenUp.push(reader.command.msgSeqNum);
    },
    log: nullLogger,
    giveUpAfterMs,
    unmatchedBytes,
  });
  const command = new Command();
  return {
    server,
    nc,
    venue,
    publisher,
    givenUp,
    burst(from, to, instruments = 3) {
      for (let name = from; name <= to; name++) {
        command.msgSeqNum = name;
        command.text.setText("t".repeat(100));
        const index = name % instruments;
        publisher.add(index === 2 ? null : venue.instruments[index], command);
      }
      publisher.flush();
    },
    async [Symbol.asyncDispose]() {
      publisher.close();
      await nc.close();
      await server.dispose();
    },
  };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe("CommandPublisher with a real nats-server", () => {
  it("puts one message per symbol and flush into the stream", async () => {
    await using setup = await setUp();
    setup.burst(1, 30);
    setup.burst(31, 60);
    await until("all acknowledged", () => setup.publisher.waiting === 0);
    const { applied, messages } = await appliedIn(setup.nc);
    assert.equal(messages, 6);
    assert.equal(setup.publisher.lastCmdSeq(0), 6);
    const bySymbol = (from: number, to: number) =>
      [1, 2, 0].flatMap((index) => range(from, to).filter((name) => name % 3 === index));
    assert.deepEqual(applied, [...bySymbol(1, 30), ...bySymbol(31, 60)]);
  });

  it("loses and doubles nothing when nats-server is killed in the middle of a flow, three times", async () => {
    await using setup = await setUp();
    const { server, publisher, nc } = setup;
    let name = 0;
    for (let outage = 0; outage < 3; outage++) {
      for (let i = 0; i < 20; i++) {
        if (publisher.ready !== null) await publisher.ready;
        setup.burst(name + 1, name + 10, 1);
        name += 10;
        if (i === 10) await server.stop("SIGKILL");
        if (i === 12) await server.start();
      }
      await until("all acknowledged", () => publisher.waiting === 0);
    }
    assert.deepEqual(setup.givenUp, []);
    assert.deepEqual((await appliedIn(nc)).applied, range(1, name));
  });

  it("answers for what a full stream refused, and goes on when there is room", async () => {
    await using setup = await setUp(2 ** 20, 300);
    const { publisher, nc, givenUp } = setup;
    let name = 0;
    while (givenUp.length === 0) {
      if (publisher.ready !== null) await publisher.ready;
      setup.burst(name + 1, name + 100, 1);
      name += 100;
      await until("an answer", () => publisher.waiting === 0);
    }
    const { applied } = await appliedIn(nc);
    assert.deepEqual([...applied, ...givenUp], range(1, name));
    await ensureStreams(nc, parseVenue(VENUE(2 ** 22), "larger"));
    setup.burst(name + 1, name + 100, 1);
    await until("all acknowledged", () => publisher.waiting === 0);
    assert.deepEqual((await appliedIn(nc)).applied, [...applied, ...range(name + 1, name + 100)]);
  });

  it("closes the gate at the limit and opens it when there is room", async () => {
    await using setup = await setUp();
    const { publisher } = setup;
    assert.equal(publisher.ready, null);
    setup.burst(1, 500, 1);
    const gate = publisher.ready;
    assert.notEqual(gate, null);
    await gate;
    assert.equal(publisher.ready, null);
  });

  it("closes the gate while too much waits for a matcher, and opens it when events have come", async () => {
    let unmatched = MAX_UNMATCHED_BYTES + 1;
    await using setup = await setUp(undefined, undefined, () => unmatched);
    const { publisher } = setup;
    setup.burst(1, 1, 1);
    const gate = publisher.ready;
    assert.notEqual(gate, null);
    publisher.matched();
    assert.equal(publisher.ready, gate);
    unmatched = 0;
    publisher.matched();
    await gate;
    assert.equal(publisher.ready, null);
  });
});

describe("takeBootNumber", () => {
  it("rises with every call", async () => {
    await using setup = await setUp();
    const first = await takeBootNumber(setup.nc, 7, setup.venue.shards, nullLogger);
    assert.ok(await takeBootNumber(setup.nc, 7, setup.venue.shards, nullLogger) > first);
  });
});
