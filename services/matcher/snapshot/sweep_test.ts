/** What is done with the pieces of uploads that belong to no snapshot, on a real nats-server. */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { jetstreamManager } from "@nats-io/jetstream";
import { ensureStreams, type NatsConnection } from "../../../shared/nats/mod.ts";
import { TestServer } from "../../../shared/nats/test_server.ts";
import { NatsSnapshotStore } from "./nats_snapshot_store.ts";

describe("pieces of an upload that belongs to no snapshot", () => {
  let server: TestServer;
  let nc: NatsConnection;
  let store: NatsSnapshotStore;
  /** The process's monotonic clock; the server's is years ahead of it. */
  let nowMs: number;

  beforeEach(async () => {
    server = await TestServer.start();
    nc = await server.connect();
    await ensureStreams(nc, { shards: [], limits: { cmdStreamBytes: 0, evStreamBytes: 0 } });
    store = await NatsSnapshotStore.open(nc, 0);
    nowMs = 1000;
    store.clockMs = () => nowMs;
    store.leftBehindMs = 600;
  });
  afterEach(async () => {
    await nc.close();
    await server.dispose();
  });

  const upload = (name: string) => nc.request(`$O.snap.C.${name}`, new Uint8Array(100));

  async function left(): Promise<string[]> {
    const { streams } = await jetstreamManager(nc);
    const { state } = await streams.info("OBJ_snap", { subjects_filter: "$O.snap.C.>" });
    return Object.keys(state.subjects ?? {}).map((subject) => subject.slice("$O.snap.C.".length)).sort();
  }

  it("stay while others join them, whatever the server's clock says, and go when none has for a while", async () => {
    await upload("DEAD");
    await upload("ALIVE");
    await store.put(7, new Uint8Array(100));
    const [snapshot] = (await left()).filter((name) => name !== "DEAD" && name !== "ALIVE");
    await store.sweep();
    nowMs += 599;
    await upload("ALIVE");
    await store.sweep();
    assert.deepEqual(await left(), ["ALIVE", "DEAD", snapshot].sort());
    nowMs += 1;
    await store.sweep();
    assert.deepEqual(await left(), ["ALIVE", snapshot].sort());
    nowMs += 599;
    await store.sweep();
    assert.deepEqual(await left(), [snapshot]);
  });

  it("stay at the first look of a process, however old they are", async () => {
    await upload("OLD");
    await store.sweep();
    nowMs += 10_000;
    assert.deepEqual(await left(), ["OLD"]);
    await store.sweep();
    assert.deepEqual(await left(), []);
  });
});
