/** The follower against a real nats-server, with a matcher that only publishes: losses, late storing, kill -9. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { nullLogger } from "../../../shared/cli/log.ts";
import {
  encodeClaim,
  Event,
  EventBatchReader,
  EventBatchWriter,
  joinEventBatches,
} from "../../../shared/codec/wire/mod.ts";
import { ensureStreams, type NatsConnection } from "../../../shared/nats/mod.ts";
import { TestServer } from "../../../shared/nats/test_server.ts";
import { until } from "../../../shared/testing/awaited.ts";
import { jetstream } from "@nats-io/jetstream";
import { EventFollower } from "./event_follower.ts";

const VENUE = { shards: [0], limits: { cmdStreamBytes: 2 ** 20, evStreamBytes: 2 ** 26 } };
/** The message of command `cmdSeq`, with one event. */
function messageOf(cmdSeq: number): Uint8Array {
  const writer = new EventBatchWriter(4096);
  writer.begin(0, 1, cmdSeq, cmdSeq);
  writer.append(new Event());
  return writer.end()[0];
}

interface Setup extends AsyncDisposable {
  readonly server: TestServer;
  /** The matcher's connection. */
  readonly nc: NatsConnection;
  /** The commands whose events the follower handed over. */
  readonly seen: number[];
  live(cmdSeq: number): void;
  store(from: number, to: number): Promise<unknown>;
  /** `receive` is told of each command handed over. */
  locate(receive?: (cmdSeq: number) => void): Promise<EventFollower>;
  /** What followers said when they stopped for good. */
  readonly fatal: Error[];
}

async function setUp(): Promise<Setup> {
  const server = await TestServer.start();
  const nc = await server.connect("matcher");
  const own = await server.connect("gateway");
  await ensureStreams(nc, VENUE);
  const js = jetstream(nc);
  const seen: number[] = [];
  const followers: EventFollower[] = [];
  const fatal: Error[] = [];
  return {
    server,
    nc,
    seen,
    live: (cmdSeq) => nc.publish("live.0", messageOf(cmdSeq)),
    store(from, to) {
      const messages = [];
      for (let cmdSeq = from; cmdSeq <= to; cmdSeq++) messages.push(messageOf(cmdSeq));
      return js.publish("ev.0.X", joinEventBatches(messages, 2 ** 19).bytes, { timeout: 500 });
    },
    fatal,
    async locate(receive = (cmdSeq) => seen.push(cmdSeq)) {
      const follower = await EventFollower.locate({
        nc: own,
        shard: 0,
        receiver: { group: (reader) => receive(reader.cmdSeq) },
        onFatal: (error) => fatal.push(error),
        log: nullLogger,
      });
      followers.push(follower);
      return follower;
    },
    async [Symbol.asyncDispose]() {
      assert.deepEqual(fatal, []);
      for (const follower of followers) await follower.stop();
      await nc.close();
      await own.close();
      await server.dispose();
    },
  };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe("EventFollower with a real nats-server", () => {
  it("starts behind what is stored and takes what came before it was told to follow", async () => {
    await using setup = await setUp();
    await setup.store(1, 5);
    await jetstream(setup.nc).publish("ev.0._claim", encodeClaim(0, 1, 5, 0));
    const follower = await setup.locate();
    await setup.store(6, 7);
    follower.follow();
    await until("6 and 7", () => follower.nextCmdSeq === 8);
    setup.live(8);
    await until("8", () => follower.nextCmdSeq === 9);
    assert.deepEqual(setup.seen, [6, 7, 8]);
  });

  it("starts in front of a group of which only a part is stored", async () => {
    await using setup = await setUp();
    const writer = new EventBatchWriter(600);
    writer.begin(0, 1, 3, 3);
    for (let i = 0; i < 6; i++) writer.append(new Event());
    const [first, ...rest] = writer.end().map((part) => part.slice());
    const reader = new EventBatchReader();
    assert.equal(reader.open(first), null);
    assert.ok(reader.nextGroup() && reader.eventCount > 0 && reader.continues);
    const js = jetstream(setup.nc);
    await setup.store(1, 2);
    await js.publish("ev.0.X", first);
    await js.publish("ev.0._claim", encodeClaim(0, 2, 2, reader.eventCount));
    const follower = await setup.locate();
    assert.deepEqual(follower.position, { shard: 0, cmdSeq: 3, eventIndex: 0, evSeq: 1 });
    follower.follow();
    await until("the first part", () => follower.position.eventIndex > 0);
    assert.equal(follower.position.evSeq, 1);
    for (const part of rest) await js.publish("ev.0.X", part);
    await until("the rest", () => follower.nextCmdSeq === 4);
    assert.deepEqual(setup.seen, [first, ...rest].map(() => 3));
  });

  it("takes live events before they are stored, and each only once", async () => {
    await using setup = await setUp();
    const follower = await setup.locate();
    follower.follow();
    for (const cmdSeq of range(1, 100)) setup.live(cmdSeq);
    await until("100 live", () => follower.nextCmdSeq === 101);
    await setup.store(1, 60);
    await setup.store(61, 100);
    setup.live(100);
    setup.live(101);
    await until("101", () => follower.nextCmdSeq === 102);
    assert.deepEqual(setup.seen, range(1, 101));
  });

  it("finds lost live events in the stream, at once behind a gap and soon without one", async () => {
    await using setup = await setUp();
    const follower = await setup.locate();
    follower.follow();
    setup.live(1);
    setup.live(4);
    await setup.store(1, 2);
    await setup.store(3, 4);
    await until("the gap", () => follower.nextCmdSeq === 5);
    await setup.store(5, 6);
    await until("the end", () => follower.nextCmdSeq === 7);
    assert.deepEqual(setup.seen, range(1, 6));
  });

  it("takes everything once and in order over a killed nats-server", async () => {
    await using setup = await setUp();
    const follower = await setup.locate();
    follower.follow();
    for (const cmdSeq of range(1, 50)) setup.live(cmdSeq);
    await setup.store(1, 40);
    await setup.server.stop("SIGKILL");
    await setup.server.start();
    await until("matcher's connection", () => !setup.nc.isClosed());
    let stored = false;
    while (!stored) stored = await setup.store(41, 60).then(() => true, () => false);
    for (const cmdSeq of range(61, 70)) setup.live(cmdSeq);
    await setup.store(61, 70);
    await until("all 70", () => follower.nextCmdSeq === 71);
    assert.deepEqual(setup.seen, range(1, 70));
  });

  for (
    const [what, bytes, fault] of [
      ["no event message", new TextEncoder().encode("garbage"), "truncated"],
      ["another shard's", encodeClaim(7, 1, 5, 0), "wrong shard"],
    ] as const
  ) {
    it(`stops for good when the newest stored message is ${what}`, async () => {
      await using setup = await setUp();
      await setup.store(1, 1);
      const follower = await setup.locate();
      follower.follow();
      setup.live(2);
      await until("the end of the backfill", () => follower.nextCmdSeq === 3);
      await jetstream(setup.nc).publish("ev.0.X", bytes);
      await until("the end", () => setup.fatal.length === 1);
      assert.deepEqual(setup.fatal.splice(0).map(({ message }) => message), [
        `Cannot read message 2 of the events of shard 0: ${fault}`,
      ]);
    });
  }

  it("stops for good when events cannot be handed over, live or stored", async () => {
    await using setup = await setUp();
    const fault = new Error("no room");
    const refuse = () => {
      throw fault;
    };
    const live = await setup.locate(refuse);
    live.follow();
    setup.live(1);
    await until("the end", () => setup.fatal.length === 1);
    await setup.store(1, 1);
    const stored = await setup.locate(refuse);
    stored.follow();
    await setup.store(2, 2);
    await until("the end", () => setup.fatal.length === 2);
    assert.deepEqual(setup.fatal.splice(0).map((error) => error.cause), [fault, fault]);
  });
});
