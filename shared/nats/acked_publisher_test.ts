import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { headers, type NatsConnection } from "@nats-io/nats-core";
import { StorageType } from "@nats-io/jetstream";
import { jetstreamManager } from "@nats-io/jetstream";
import { AckedPublisher, type PublishFault } from "./acked_publisher.ts";
import { storedMessage, streamExtent } from "./stored_message.ts";
import { TestServer } from "./test_server.ts";
import { until } from "../testing/awaited.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("an acknowledged publisher", () => {
  let server: TestServer;
  let nc: NatsConnection;

  beforeAll(async () => {
    server = await TestServer.start();
    nc = await server.connect();
    const jsm = await jetstreamManager(nc);
    await jsm.streams.add({ name: "S", subjects: ["s.>"], storage: StorageType.File });
  });
  afterAll(async () => {
    await nc.close();
    await server.dispose();
  });

  function publish(publisher: AckedPublisher, subject: string, text: string, expectedLast?: number) {
    return new Promise<[number, PublishFault | null]>((resolve) => {
      const fence = expectedLast === undefined ? undefined : headers();
      fence?.set("Nats-Expected-Last-Sequence", String(expectedLast));
      publisher.publish(subject, bytes(text), (seq, fault) => resolve([seq, fault]), fence);
    });
  }

  it("tells the sequence of each message, in publish order", async () => {
    const publisher = new AckedPublisher(nc);
    const { lastSeq } = await streamExtent(nc, "S");
    const seqs: number[] = [];
    for (let i = 0; i < 500; i++) publisher.publish("s.a", bytes(`m${i}`), (seq) => seqs.push(seq));
    assert.equal(publisher.inFlight, 500);
    await until("all answers", () => publisher.inFlight === 0);
    assert.deepEqual(seqs, Array.from({ length: 500 }, (_, i) => lastSeq + 1 + i));
    assert.deepEqual((await storedMessage(nc, "S", lastSeq + 500))!.bytes, bytes("m499"));
    publisher.close();
  });

  it("tells of a wrong expected sequence, and stores nothing then", async () => {
    const publisher = new AckedPublisher(nc);
    const { lastSeq } = await streamExtent(nc, "S");
    assert.deepEqual(await publish(publisher, "s.a", "x", lastSeq + 1), [0, {
      kind: "refused",
      code: 10071,
      description: `wrong last sequence: ${lastSeq}`,
    }]);
    assert.deepEqual(await publish(publisher, "s.a", "x", lastSeq), [lastSeq + 1, null]);
    assert.equal((await publish(publisher, "s.a", "x", lastSeq))[1]!.code, 10071);
    assert.equal((await streamExtent(nc, "S")).lastSeq, lastSeq + 1);
    publisher.close();
  });

  it("checks an expected sequence of 0 against an empty stream too", async () => {
    const jsm = await jetstreamManager(nc);
    await jsm.streams.add({ name: "EMPTY", subjects: ["empty"], storage: StorageType.File });
    const publisher = new AckedPublisher(nc);
    assert.equal((await publish(publisher, "empty", "x", 1))[1]!.code, 10071);
    assert.deepEqual(await publish(publisher, "empty", "x", 0), [1, null]);
    assert.equal((await publish(publisher, "empty", "x", 0))[1]!.code, 10071);
    publisher.close();
  });

  it("tells at once that no stream listens", async () => {
    const publisher = new AckedPublisher(nc);
    assert.deepEqual(await publish(publisher, "nobody.here", "x"), [0, {
      kind: "refused",
      code: 503,
      description: "no stream takes this subject now",
    }]);
    publisher.close();
  });

  it("counts what is never answered as unknown", async () => {
    const publisher = new AckedPublisher(nc, { timeoutMs: 80 });
    const listener = await server.connect("silent listener");
    listener.subscribe("silent", { callback: () => {} });
    await listener.flush();
    assert.deepEqual(await publish(publisher, "silent", "x"), [0, {
      kind: "unknown",
      code: 0,
      description: "no answer in time",
    }]);
    publisher.close();
    await listener.close();
  });

  it("leaves nothing that was confirmed behind when the server is killed, and calls back exactly once", async () => {
    let disconnects = 0;
    let reconnects = 0;
    const publisher = new AckedPublisher(nc, {
      onDisconnect: () => disconnects++,
      onReconnect: () => reconnects++,
    });
    const confirmed = new Map<number, string>();
    const calls = new Map<string, number>();
    let unknown = 0;
    let number = 0;
    const publishSome = () => {
      for (let i = 0; i < 50; i++) {
        const text = `k${number++}`;
        publisher.publish("s.k", bytes(text), (seq, fault) => {
          calls.set(text, (calls.get(text) ?? 0) + 1);
          if (fault === null) confirmed.set(seq, text);
          else if (fault.kind === "unknown") unknown++;
        });
      }
    };
    publishSome();
    await until("first answers", () => confirmed.size > 0);
    const killed = server.stop("SIGKILL");
    while (publisher.connected) {
      publishSome();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await killed;
    assert.equal(publisher.inFlight, 0);
    assert.throws(() => publishSome(), /^Error: Cannot publish to s\.k: the connection is lost$/);
    number -= 1;
    await server.start();
    await until("the connection is back", () => publisher.connected);
    publishSome();
    await until("all answers", () => publisher.inFlight === 0);

    assert.deepEqual([disconnects, reconnects], [1, 1]);
    assert.ok(unknown > 0);
    assert.equal(calls.size, number);
    assert.deepEqual([...calls.values()].filter((count) => count !== 1), []);
    for (const [seq, text] of confirmed) {
      assert.deepEqual((await storedMessage(nc, "S", seq))!.bytes, bytes(text));
    }
    publisher.close();
  });
});
