/**
 * A process that takes a snapshot dies before or after each of its calls to store and streams, or in the middle of the
 * upload. Whatever comes next starts from what is there, reaches the same state, and clears up.
 */
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { jetstreamManager } from "@nats-io/jetstream";
import { ensureStreams, type NatsConnection } from "../../../shared/nats/mod.ts";
import { TestServer } from "../../../shared/nats/test_server.ts";
import { TestShard } from "./test_shard.ts";

class Killed extends Error {}

/** When the process dies. */
interface Cut {
  /** At which of its calls, from 1. */
  readonly call: number;
  /** Whether what the call asks for has been done. */
  readonly done: boolean;
}

/** A port whose calls are counted in `calls`; at the cut it, and whatever comes after, fails. */
function cutting<T extends object>(port: T, { call, done }: Cut, calls: string[]): T {
  return new Proxy(port, {
    get(target, name: string) {
      const method = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return async (...args: unknown[]) => {
        calls.push(name);
        if (calls.length > call || calls.length === call && !done) throw new Killed();
        const result = await method.apply(target, args);
        if (calls.length === call) throw new Killed();
        return result;
      };
    },
  });
}

describe("a death while a snapshot is taken", () => {
  let server: TestServer;
  let nc: NatsConnection;
  let shards: TestShard[];

  beforeAll(async () => {
    server = await TestServer.start();
    nc = await server.connect();
    await ensureStreams(nc, { shards: [], limits: { cmdStreamBytes: 0, evStreamBytes: 0 } });
    shards = [];
  });
  afterAll(async () => {
    for (const shard of shards) shard.close();
    await nc.close();
    await server.dispose();
  });

  /** A shard with two snapshots, of commands 60 and 120, and 60 commands behind them. */
  async function prepared(): Promise<TestShard> {
    const shard = await TestShard.open(nc, shards.length);
    shards.push(shard);
    for (let i = 0; i < 2; i++) {
      await shard.send(60);
      assert.equal(await shard.take(), null);
    }
    await shard.send(60);
    assert.equal(await shard.firstSeq(), 60);
    return shard;
  }

  /** Subjects of the pieces of this shard's snapshots: all shards' are in one bucket, so others' are told apart by time. */
  async function pieces(): Promise<number> {
    const jsm = await jetstreamManager(nc);
    const { state } = await jsm.streams.info("OBJ_snap", { subjects_filter: "$O.snap.C.>" });
    return Object.keys(state.subjects ?? {}).length;
  }

  async function recovers(shard: TestShard): Promise<void> {
    assert.equal(await shard.restoredHash(), shard.reference.stateHash());
    await shard.send(40);
    assert.equal(await shard.restoredHash(), shard.reference.stateHash());
    assert.equal(await shard.take(), null);
    const { pointer } = await shard.store.pointer();
    assert.equal(pointer!.newest.cmdSeq, 220);
    assert.deepEqual(await shard.store.list(), [pointer!.previous!.cmdSeq, 220]);
    assert.equal(await shard.firstSeq(), pointer!.previous!.cmdSeq);
    assert.equal(await shard.restoredHash(), shard.reference.stateHash());
    assert.equal(await pieces(), 2 * shards.length, "pieces of no snapshot are left");
  }

  it("is harmless before and after each call", async () => {
    const whole = await prepared();
    const calls: string[] = [];
    const never: Cut = { call: Infinity, done: false };
    const store = cutting(whole.store, never, calls);
    assert.equal(await whole.take(store, cutting(whole.commands, never, calls)), null);
    assert.deepEqual(calls, [
      "pointer",
      "put",
      "read",
      "storedUpTo",
      "read",
      "movePointer",
      "list",
      "remove",
      "sweep",
      "storedUpTo",
      "extent",
      "purgeBelow",
    ]);
    await recovers(whole);
    for (let call = 1; call <= calls.length; call++) {
      for (const done of [false, true]) {
        const shard = await prepared();
        const made: string[] = [];
        const cut = { call, done };
        const taking = shard.take(cutting(shard.store, cut, made), cutting(shard.commands, cut, made));
        await assert.rejects(taking, Killed, `${done ? "after" : "before"} call ${call}, ${calls[call - 1]}`);
        await recovers(shard);
      }
    }
  });

  it("is harmless in the middle of the upload", async () => {
    const shard = await prepared();
    const half = {
      ...portOf(shard),
      async put() {
        for (let i = 0; i < 3; i++) await nc.request("$O.snap.C.HALFUPLOADED", new Uint8Array(1000));
        throw new Killed();
      },
    };
    await assert.rejects(shard.take(half), Killed);
    await recovers(shard);
  });
});

/** The store's calls as an object's own, so that one can be replaced. */
function portOf({ store }: TestShard) {
  return {
    pointer: () => store.pointer(),
    movePointer: store.movePointer.bind(store),
    list: () => store.list(),
    put: store.put.bind(store),
    read: store.read.bind(store),
    remove: store.remove.bind(store),
    sweep: () => store.sweep(),
  };
}
