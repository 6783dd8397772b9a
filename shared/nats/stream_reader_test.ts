import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type JetStreamManager, jetstreamManager, StorageType } from "@nats-io/jetstream";
import { nullLogger } from "../cli/log.ts";
import { SeededRandom } from "../testing/seeded_random.ts";
import { AckedPublisher } from "./acked_publisher.ts";
import type { NatsConnection } from "./connect.ts";
import { StreamReader, type StreamReaderOptions } from "./stream_reader.ts";
import { microsecondsOf } from "./stream_continuity.ts";
import { TestServer } from "./test_server.ts";
import { until } from "../testing/awaited.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const HEARTBEAT_MS = 100;

/** What a reader was told, in order: `[seq, text]`, or `[from, to, "missing"]`. */
class Recorder {
  readonly heard: (number | string)[][] = [];
  readonly times: number[] = [];
  fatal: Error | null = null;
  readonly reader: StreamReader;

  constructor(nc: NatsConnection, startSeq: number, options: Partial<StreamReaderOptions> = {}) {
    const decoder = new TextDecoder();
    this.reader = new StreamReader({
      nc,
      stream: "S",
      startSeq,
      heartbeatMs: HEARTBEAT_MS,
      log: nullLogger,
      onMessage: (seq, timestampUs, _subject, bytes) => {
        this.times.push(timestampUs);
        this.heard.push([seq, decoder.decode(bytes)]);
      },
      onMissing: (from, to) => this.heard.push([from, to, "missing"]),
      onFatal: (error) => this.fatal = error,
      ...options,
    });
  }
}

describe("a stream reader", () => {
  let server: TestServer;
  /** For the reader, and for everything else. */
  let nc: NatsConnection;
  let other: NatsConnection;
  let jsm: JetStreamManager;
  let publisher: AckedPublisher;
  let recorder: Recorder;
  let published: [number, string][] = [];

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    nc = await server.connect("reader");
    other = await server.connect("others");
    jsm = await jetstreamManager(other, { timeout: 20_000 });
    await jsm.streams.add({ name: "S", subjects: ["s.*"], storage: StorageType.File, deny_delete: true });
    publisher = new AckedPublisher(other);
    published = [];
  });
  afterEach(async () => {
    await recorder.reader.stop();
    publisher.close();
    for await (const name of jsm.streams.names()) await server.deleteStream(jsm, name);
    await nc.close();
    await other.close();
  });

  /** Publishes `count` messages, and waits until the stream has taken them. */
  async function publish(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const text = `message ${published.length + 1}`;
      const entry: [number, string] = [0, text];
      published.push(entry);
      publisher.publish("s.a", new TextEncoder().encode(text), (seq) => entry[0] = seq);
    }
    await until("publishes stored", () => publisher.inFlight === 0);
  }

  const caughtUpWith = (count: number) =>
    until(`${count} messages`, () => recorder.heard.length >= count || recorder.fatal !== null);

  it("delivers what the stream holds and what comes, with the stream's own times", async () => {
    await publish(300);
    recorder = new Recorder(nc, 1);
    await recorder.reader.caughtUp;
    assert.equal(recorder.heard.length, 300);
    await publish(300);
    await caughtUpWith(600);
    assert.deepEqual(recorder.heard, published);
    assert.equal(recorder.reader.lastSeq, 600);
    assert.equal(recorder.reader.consumers, 1);
    for (const seq of [1, 300, 301, 600]) {
      const { timestamp } = (await jsm.streams.getMessage("S", { seq }))!;
      assert.equal(recorder.times[seq - 1], microsecondsOf(timestamp));
    }
  });

  it("starts where it is told", async () => {
    await publish(50);
    recorder = new Recorder(nc, 41);
    await recorder.reader.caughtUp;
    assert.deepEqual(recorder.heard, published.slice(40));
  });

  it("has caught up with an empty stream, and waits one past the end of any", async () => {
    recorder = new Recorder(nc, 1);
    await recorder.reader.caughtUp;
    await publish(5);
    await caughtUpWith(5);
    const ahead = new Recorder(nc, 6);
    await ahead.reader.caughtUp;
    await publish(1);
    await until("one message", () => ahead.heard.length > 0);
    assert.deepEqual(ahead.heard, [[6, "message 6"]]);
    await ahead.reader.stop();
  });

  it(`hears exactly the stream through disconnects at random moments (seed ${SEED})`, async () => {
    recorder = new Recorder(nc, 1);
    const random = new SeededRandom(SEED);
    const below = (limit: number) => random.below(limit);
    for (let round = 0; round < 25; round++) {
      const publishing = publish(1 + below(300));
      for (let turns = below(40); turns > 0; turns--) await new Promise((resolve) => setTimeout(resolve, 0));
      await nc.reconnect();
      await publishing;
    }
    await caughtUpWith(published.length);
    assert.deepEqual(recorder.heard, published);
    assert.ok(recorder.reader.consumers > 1);
  });

  it("goes on behind the last message when the server is killed in mid-stream", async () => {
    await publish(20_000);
    let killed: Promise<void> | null = null;
    recorder = new Recorder(nc, 1, {
      onMessage: (seq, _time, _subject, bytes) => {
        recorder.heard.push([seq, new TextDecoder().decode(bytes)]);
        if (seq === 500) killed = server.stop("SIGKILL");
      },
    });
    await until("the kill", () => killed !== null);
    await killed;
    await server.start();
    await until("the publisher's connection", () => publisher.connected);
    await publish(10);
    await caughtUpWith(published.length);
    assert.deepEqual(recorder.heard, published);
  });

  it("makes a new consumer when its own is deleted behind its back", async () => {
    recorder = new Recorder(nc, 1);
    await publish(10);
    await caughtUpWith(10);
    for await (const { name } of jsm.consumers.list("S")) await jsm.consumers.delete("S", name);
    await publish(10);
    await caughtUpWith(20);
    assert.deepEqual(recorder.heard, published);
    assert.equal(recorder.reader.consumers, 2);
  });

  it("delivers nothing behind a delivery that was lost, but starts again from there", async () => {
    let lost = 0;
    const lossy: NatsConnection = Object.create(nc);
    lossy.subscribe = (subject, options) => {
      const callback: NonNullable<typeof options>["callback"] = (error, msg) => {
        if (lost === 0 && msg.string() === "message 4") lost++;
        else options?.callback?.(error, msg);
      };
      // A number that no delivery has: all of them come by the subscription.
      return Object.assign(nc.subscribe(subject, { ...options, callback }), { getID: () => 0 });
    };
    await publish(8);
    recorder = new Recorder(lossy, 1);
    await until("the last message", () => recorder.reader.lastSeq === 8);
    assert.deepEqual(recorder.heard, published);
    assert.equal(lost, 1);
  });

  it("delivers more than any buffer between holds", async () => {
    const big = new Uint8Array(100_000);
    for (let i = 0; i < 400; i++) {
      big[0] = i & 255;
      publisher.publish("s.b", big.slice(), () => {});
      if (i % 50 === 49) await until("answers", () => publisher.inFlight === 0);
    }
    let next = 0;
    recorder = new Recorder(nc, 1, {
      onMessage: (seq, _time, _subject, bytes) => {
        assert.deepEqual([seq, bytes[0], bytes.length], [next + 1, next & 255, 100_000]);
        next++;
      },
    });
    await recorder.reader.caughtUp;
    assert.equal(next, 400);
    assert.equal(recorder.reader.consumers, 1);
  });

  it("reports what was purged, then goes on", async () => {
    await publish(10);
    await jsm.streams.purge("S", { seq: 5 });
    recorder = new Recorder(nc, 1);
    await recorder.reader.caughtUp;
    assert.deepEqual(recorder.heard, [[1, 4, "missing"], ...published.slice(4)]);
  });

  it("reports what was purged even when nothing is left", async () => {
    await publish(10);
    await jsm.streams.purge("S");
    recorder = new Recorder(nc, 3);
    await recorder.reader.caughtUp;
    await publish(1);
    await caughtUpWith(2);
    assert.deepEqual(recorder.heard, [[3, 10, "missing"], [11, "message 11"]]);
  });

  it("reports what is purged in front of it while it is paused", async () => {
    await publish(4);
    recorder = new Recorder(nc, 1);
    await recorder.reader.caughtUp;
    recorder.reader.pause();
    await publish(4);
    await jsm.streams.purge("S", { seq: 7 });
    recorder.reader.resume();
    await caughtUpWith(7);
    assert.deepEqual(recorder.heard, [...published.slice(0, 4), [5, 6, "missing"], ...published.slice(6)]);
  });

  it("delivers nothing while it is paused, from within the callback on", async () => {
    await publish(1000);
    recorder = new Recorder(nc, 1, {
      onMessage: (seq, _time, _subject, bytes) => {
        recorder.heard.push([seq, new TextDecoder().decode(bytes)]);
        if (seq % 300 === 0) recorder.reader.pause();
      },
    });
    for (const stopsAt of [300, 600, 900]) {
      await caughtUpWith(stopsAt);
      await nc.flush();
      assert.equal(recorder.heard.length, stopsAt);
      recorder.reader.resume();
    }
    await recorder.reader.caughtUp;
    assert.deepEqual(recorder.heard, published);
  });

  it("stops for good when a callback throws, and says where", async () => {
    await publish(10);
    recorder = new Recorder(nc, 1, {
      onMessage: (seq) => {
        recorder.heard.push([seq, ""]);
        if (seq === 4) throw new Error("no more");
      },
    });
    await until("the end", () => recorder.fatal !== null);
    assert.equal(recorder.fatal!.message, "Cannot go on at S sequence 4: no more");
    await nc.flush();
    assert.equal(recorder.heard.length, 4);
  });

  it("stops when a callback throws over missing messages, wherever it learns of them", async () => {
    await publish(10);
    await jsm.streams.purge("S");
    const onMissing = (from: number, to: number) => {
      throw new Error(`${from} to ${to} are missing`);
    };
    recorder = new Recorder(nc, 1, { onMissing });
    await until("the end", () => recorder.fatal !== null);
    assert.equal(recorder.fatal!.message, "Cannot go on at S sequence 1: 1 to 10 are missing");
  });

  it("gives up after a bounded number of attempts when there is no such stream", async () => {
    recorder = new Recorder(nc, 1, { stream: "NONE", maxAttempts: 3 });
    await until("the end", () => recorder.fatal !== null);
    assert.equal(recorder.fatal!.message, "Cannot follow NONE: stream not found (3 attempts)");
  });

  it("stops when the stream has been replaced by a shorter one", async () => {
    await publish(10);
    recorder = new Recorder(nc, 1);
    await recorder.reader.caughtUp;
    await jsm.streams.delete("S");
    await jsm.streams.add({ name: "S", subjects: ["s.*"], storage: StorageType.File });
    await publish(3);
    await until("the end", () => recorder.fatal !== null);
    assert.match(recorder.fatal!.message, /^Cannot follow S: it ends at sequence 3, but 10 was seen before$/);
  });

  it("leaves no consumer behind when it stops", async () => {
    recorder = new Recorder(nc, 1);
    await recorder.reader.caughtUp;
    assert.equal((await jsm.streams.info("S")).state.consumer_count, 1);
    await recorder.reader.stop();
    assert.equal((await jsm.streams.info("S")).state.consumer_count, 0);
  });
});
