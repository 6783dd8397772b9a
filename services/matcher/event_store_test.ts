import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { jetstreamManager } from "@nats-io/jetstream";
import assert from "node:assert/strict";
import { nullLogger } from "../../shared/cli/log.ts";
import { type PublishDone, WRONG_LAST_SEQUENCE } from "../../shared/nats/mod.ts";
import { TestServer } from "../../shared/nats/test_server.ts";
import { EventStore } from "./event_store.ts";
import { type EventStream, type EventStreamHooks, openEventStream } from "./event_stream.ts";
import { eventMessage } from "./test_kit.ts";

/** A stream whose every answer the test gives, when it wants to. */
class ScriptedStream implements EventStream {
  connected = true;
  readonly publishes: { bytes: Uint8Array; expected: number; done: PublishDone }[] = [];
  readonly looks: PromiseWithResolvers<number | null>[] = [];
  readonly reads: PromiseWithResolvers<Uint8Array | null>[] = [];
  /** Publishes that have had no answer. */
  #inFlight = new Set<number>();

  constructor(readonly hooks: EventStreamHooks) {}

  publish(_subject: string, bytes: Uint8Array, expected: number, done: PublishDone): void {
    assert.ok(this.connected);
    this.#inFlight.add(this.publishes.length);
    this.publishes.push({ bytes, expected, done });
  }

  lastSeq(): Promise<number | null> {
    this.looks.push(Promise.withResolvers<number | null>());
    return this.looks.at(-1)!.promise;
  }

  bytesAt(): Promise<Uint8Array | null> {
    this.reads.push(Promise.withResolvers<Uint8Array | null>());
    return this.reads.at(-1)!.promise;
  }

  close(): void {
    this.connected = false;
  }

  acknowledge(index: number, seq: number): void {
    this.#inFlight.delete(index);
    this.publishes[index].done(seq, null);
  }

  refuse(index: number, code: number): void {
    this.#inFlight.delete(index);
    this.publishes[index].done(0, { kind: "refused", code, description: "no" });
  }

  disconnect(): void {
    this.connected = false;
    for (const index of this.#inFlight) {
      this.publishes[index].done(0, { kind: "unknown", code: 0, description: "the connection was lost" });
    }
    this.#inFlight.clear();
    this.hooks.onDisconnect();
  }

  reconnect(): void {
    this.connected = true;
    this.hooks.onReconnect();
  }
}

const BUSY = 10077;
const NOBODY = 503;

describe("storing events", () => {
  let time: FakeTime;
  let stream: ScriptedStream;
  let store: EventStore;
  const fates: string[] = [];

  beforeEach(() => {
    time = new FakeTime(0);
    fates.length = 0;
    store = new EventStore({
      shard: 0,
      lastSeq: 7,
      log: nullLogger,
      open: (hooks) => stream = new ScriptedStream(hooks),
      onFenced: (error) => fates.push(error.message),
      onFatal: (error) => fates.push(error.message),
      onStored: () => fates.push(`stored ${store.lastSeq}`),
    });
  });
  afterEach(() => {
    store.close();
    time.restore();
  });

  /** Stores one part, which the server refuses twice: the third attempt is 500 ms away. */
  async function refusedTwice(): Promise<void> {
    store.store(eventMessage(1), "A");
    stream.refuse(0, BUSY);
    await time.tickAsync(0);
    stream.refuse(1, BUSY);
    await time.tickAsync(499);
    assert.equal(stream.publishes.length, 2);
  }

  it("repeats what was refused: at once, then every half second", async () => {
    await refusedTwice();
    await time.tickAsync(1);
    assert.equal(stream.publishes.length, 3);
    assert.deepEqual(stream.publishes.map(({ expected }) => expected), [7, 7, 7]);
    stream.acknowledge(2, 8);
    assert.deepEqual(fates, ["stored 8"]);
    assert.equal(store.unstoredBytes, 0);
  });

  it("publishes nothing while it looks, though it had meant to try again", async () => {
    await refusedTwice();
    stream.disconnect();
    stream.reconnect();
    await time.tickAsync(5000);
    assert.equal(stream.publishes.length, 2);
    stream.looks[0].resolve(7);
    await time.tickAsync(500);
    assert.equal(stream.publishes.length, 3);
    stream.acknowledge(2, 8);
    await time.tickAsync(5000);
    assert.deepEqual([stream.publishes.length, stream.looks.length], [3, 1]);
    assert.deepEqual(fates, ["stored 8"]);
  });

  it("tries nothing while it is disconnected", async () => {
    await refusedTwice();
    stream.disconnect();
    await time.tickAsync(5000);
    assert.deepEqual([stream.publishes.length, stream.looks.length], [2, 0]);
  });

  it("believes no look that began before the last loss of the connection", async () => {
    store.store(eventMessage(1), "A");
    stream.disconnect();
    stream.reconnect();
    stream.disconnect();
    stream.reconnect();
    assert.equal(stream.looks.length, 2);
    stream.looks[1].resolve(7);
    await time.tickAsync(500);
    stream.acknowledge(1, 8);
    store.store(eventMessage(2), "A");
    stream.looks[0].resolve(7);
    await time.tickAsync(5000);
    stream.acknowledge(2, 9);
    assert.deepEqual(fates, ["stored 8", "stored 9"]);
    assert.equal(stream.publishes.length, 3);
  });

  it("is not misled by a look that fails when another is on its way", async () => {
    store.store(eventMessage(1), "A");
    stream.disconnect();
    stream.reconnect();
    stream.disconnect();
    stream.reconnect();
    stream.looks[0].reject(new Error("timeout"));
    await time.tickAsync(5000);
    assert.equal(stream.publishes.length, 1);
    stream.looks[1].resolve(8);
    await time.tickAsync(0);
    stream.reads[0].resolve(eventMessage(1));
    await time.tickAsync(0);
    assert.deepEqual(fates, ["stored 8"]);
  });

  it("believes no read that began before the last loss of the connection", async () => {
    store.store(eventMessage(1), "A");
    stream.disconnect();
    stream.reconnect();
    stream.looks[0].resolve(8);
    await time.tickAsync(0);
    stream.disconnect();
    stream.reconnect();
    stream.looks[1].resolve(8);
    await time.tickAsync(0);
    stream.reads[1].resolve(eventMessage(1));
    await time.tickAsync(0);
    store.store(eventMessage(2), "A");
    stream.reads[0].resolve(eventMessage(1));
    await time.tickAsync(5000);
    assert.deepEqual(fates, ["stored 8"]);
    stream.acknowledge(1, 9);
    assert.deepEqual(fates, ["stored 8", "stored 9"]);
  });

  it("ends when nobody takes events and three looks, one behind the other, find no stream", async () => {
    store.store(eventMessage(1), "A");
    const refused = async (index: number, look: number | null) => {
      stream.refuse(index, NOBODY);
      stream.looks[index].resolve(look);
      await time.tickAsync(index === 0 ? 0 : 500);
    };
    for (const [index, look] of [null, null, 7, null, null].entries()) await refused(index, look);
    assert.deepEqual(fates, []);
    await refused(5, null);
    assert.deepEqual(fates, ["Cannot store events in EV_0: the stream is gone"]);
    assert.equal(stream.publishes.length, 6);
  });

  it("knows of a real stream that is gone", async () => {
    time.restore();
    const server = await TestServer.start();
    const nc = await server.connect();
    const jsm = await jetstreamManager(nc);
    await jsm.streams.add({ name: "EV_0", subjects: ["ev.0.*"] });
    const real = openEventStream(nc, 0, { onDisconnect: () => {}, onReconnect: () => {} });
    assert.equal(await real.lastSeq(), 0);
    await jsm.streams.delete("EV_0");
    assert.equal(await real.lastSeq(), null);
    real.close();
    await nc.close();
    await server.dispose();
    time = new FakeTime(0);
  });

  it("charges an answer to the message that it was about alone", async () => {
    store.store(eventMessage(1), "A");
    stream.refuse(0, BUSY);
    await time.tickAsync(0);
    const first = stream.publishes[0].done;
    stream.acknowledge(1, 8);
    store.store(eventMessage(2), "A");
    first(0, { kind: "refused", code: WRONG_LAST_SEQUENCE, description: "stale" });
    first(8, null);
    await time.tickAsync(5000);
    assert.deepEqual([stream.looks.length, stream.publishes.length], [0, 3]);
    stream.acknowledge(2, 9);
    assert.deepEqual(fates, ["stored 8", "stored 9"]);
  });

  it("stops when another's message is where its own should be", async () => {
    store.store(eventMessage(1), "A");
    stream.refuse(0, WRONG_LAST_SEQUENCE);
    stream.looks[0].resolve(8);
    await time.tickAsync(0);
    stream.reads[0].resolve(eventMessage(2));
    await time.tickAsync(0);
    assert.deepEqual(fates, ["Cannot store events: another matcher wrote EV_0 8"]);
    store.store(eventMessage(3), "A");
    assert.equal(stream.publishes.length, 1);
  });

  it("stops when the stream holds less than it was told", async () => {
    store.store(eventMessage(1), "A");
    stream.disconnect();
    stream.reconnect();
    stream.looks[0].resolve(6);
    await time.tickAsync(0);
    assert.deepEqual(fates, ["Cannot store events in EV_0: it ends at sequence 6, but 7 was acknowledged"]);
  });

  it("gives up after 30 refusals without a success between", async () => {
    store.store(eventMessage(1), "A");
    for (let refused = 0; refused <= 30; refused++) {
      assert.equal(stream.publishes.length, refused + 1);
      stream.refuse(refused, BUSY);
      await time.tickAsync(500);
    }
    assert.deepEqual(fates, [`Cannot store events in EV_0: no (${BUSY}) (31 attempts)`]);
  });
});
