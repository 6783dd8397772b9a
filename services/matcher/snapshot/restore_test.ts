/** What a matcher starts from, when some of it is damaged, missing or another's: on a real nats-server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { type Logger, nullLogger } from "../../../shared/cli/log.ts";
import { ensureStreams, type NatsConnection } from "../../../shared/nats/mod.ts";
import { TestServer } from "../../../shared/nats/test_server.ts";
import { snapshotKey } from "../../../shared/protocol/mod.ts";
import { type RestoredEngine, restoreEngine } from "./restore.ts";
import type { PointerEntry, SnapshotStore } from "./snapshot_store.ts";
import { TestShard } from "./test_shard.ts";

describe("a matcher that starts", () => {
  let server: TestServer;
  let nc: NatsConnection;
  let shard: TestShard;
  let shards = 0;
  /** What was logged about snapshots: the command and why it is not used. */
  let reasons: string[];
  const log: Logger = {
    ...nullLogger,
    warn: (_message, fields) => void reasons.push(`${fields!.cmdSeq}: ${fields!.reason}`),
  };

  beforeAll(async () => {
    server = await TestServer.start();
    nc = await server.connect();
    await ensureStreams(nc, { shards: [], limits: { cmdStreamBytes: 0, evStreamBytes: 0 } });
  });
  afterAll(async () => {
    await nc.close();
    await server.dispose();
  });
  beforeEach(async () => {
    reasons = [];
    shard = await TestShard.open(nc, shards++);
  });
  afterEach(() => shard.close());

  /** Snapshots of commands 30 and 60, commands 30 to 90. */
  async function prepare(): Promise<void> {
    for (let i = 0; i < 2; i++) {
      await shard.send(30);
      assert.equal(await shard.take(), null);
    }
    await shard.send(30);
  }

  /** Stores a snapshot again with one bit changed. */
  async function flip(cmdSeq: number): Promise<void> {
    const bytes = await shard.store.read(cmdSeq, 1e9) as Uint8Array;
    bytes[bytes.length >> 1] ^= 4;
    await shard.store.put(cmdSeq, bytes);
  }

  async function startsFrom(cmdSeq: number, ...why: string[]): Promise<void> {
    const { engine, timestampUs, cmdSeq: from } = await shard.restore({}, log);
    assert.deepEqual([from, engine.cmdSeq, engine.timestampUs], [cmdSeq, cmdSeq, timestampUs]);
    assert.deepEqual(reasons, why);
    assert.equal(await shard.restoredHash(), shard.reference.stateHash());
  }

  it("begins with nothing when there is nothing", () => startsFrom(0));

  it("begins with the first command while there is no snapshot", async () => {
    await shard.send(20);
    await startsFrom(0);
  });

  it("takes the newest snapshot", async () => {
    await prepare();
    await startsFrom(60);
  });

  it("takes the one before when the newest is damaged", async () => {
    await prepare();
    await flip(60);
    await startsFrom(30, "60: its SHA-256 is another");
  });

  it("takes the one before when pieces of the newest are gone", async () => {
    await prepare();
    const jsm = await jetstreamManager(nc);
    const { state } = await jsm.streams.info("OBJ_snap", { subjects_filter: "$O.snap.C.>" });
    let last = { seq: 0, subject: "" };
    for (const subject of Object.keys(state.subjects!)) {
      const { seq } = (await jsm.streams.getMessage("OBJ_snap", { last_by_subj: subject }))!;
      if (seq > last.seq) last = { seq, subject };
    }
    await jsm.streams.purge("OBJ_snap", { filter: last.subject });
    await startsFrom(30, "60: nothing comes behind its byte 0");
  });

  it("takes the one before when the pointer names one that is gone", async () => {
    await prepare();
    await shard.store.remove(60);
    await startsFrom(30, "60: it is not there");
  });

  it("finds the snapshots when the pointer is lost or cannot be read", async () => {
    await prepare();
    const ref = await new Kvm(nc).open("ref");
    await ref.put(snapshotKey(shard.shard), "{");
    await startsFrom(60);
    await ref.purge(snapshotKey(shard.shard));
    await startsFrom(60);
  });

  it("does not take a snapshot for the one that the pointer names, when the hash is another", async () => {
    await prepare();
    const { revision } = await shard.store.pointer();
    const newest = { cmdSeq: 60, stateHash: "0000000000000000" };
    await shard.store.movePointer({ newest, previous: null }, revision);
    const { engine } = await shard.restore({}, log);
    assert.equal(engine.cmdSeq, 30);
    assert.match(reasons[0], /^60: its state hash is [0-9a-f]{16}, the pointer says 0000000000000000$/);
  });

  it("replays from the first command when no snapshot is good and nothing was purged", async () => {
    await shard.send(30);
    assert.equal(await shard.take(), null);
    await flip(30);
    await startsFrom(0, "30: its SHA-256 is another");
  });

  it("stops and says what is missing when nothing leads to the commands that are left", async () => {
    await prepare();
    await flip(30);
    await shard.store.remove(60);
    const stream = `CMD_${shard.shard}`;
    await assert.rejects(shard.restore(), {
      message: `Cannot start shard ${shard.shard}: ${stream} begins at 30, and nothing leads there ` +
        "(snapshot 60: it is not there; snapshot 30: its SHA-256 is another)",
    });
    await shard.store.remove(30);
    const ref = await new Kvm(nc).open("ref");
    await ref.purge(snapshotKey(shard.shard));
    await assert.rejects(shard.restore(), {
      message:
        `Cannot start shard ${shard.shard}: ${stream} begins at 30, and nothing leads there (there is no snapshot)`,
    });
  });

  it("takes no snapshot that is ahead of the stored events", async () => {
    await prepare();
    const commands = { ...shard.commands, storedUpTo: () => Promise.resolve(59) };
    const { cmdSeq } = await restoreEngine({ store: shard.store, commands, engine: shard.options, log });
    assert.deepEqual([cmdSeq, reasons], [30, [
      `60: EV_${shard.shard} does not hold all events up to it`,
    ]]);
  });

  it("takes no snapshot of commands that the stream does not hold", async () => {
    await prepare();
    const { commands, store, options: engine } = shard;
    const stream = `CMD_${shard.shard}`;
    const cases: [Partial<typeof commands>, string][] = [
      [{ message: () => Promise.resolve(null) }, `60: ${stream} does not hold its last command`],
      [
        { extent: () => Promise.resolve({ firstSeq: 62, lastSeq: 90 }) },
        `60: ${stream} begins at 62, so that commands behind it are missing`,
      ],
    ];
    for (const [changed, reason] of cases) {
      reasons = [];
      await restoreEngine({ store, commands: { ...commands, ...changed }, engine, log }).catch(() => {});
      assert.equal(reasons[0], reason);
    }
  });

  it("stops when a good snapshot shows that the stream has lost commands, or holds others", async () => {
    await prepare();
    const { commands, store, options: engine } = shard;
    const stream = `CMD_${shard.shard}`;
    const other = (await commands.message(59))!;
    const cases: [Partial<typeof commands>, string][] = [
      [
        { extent: () => Promise.resolve({ firstSeq: 1, lastSeq: 40 }) },
        `${stream} ends at 40, but snapshot 60 was taken of it`,
      ],
      [
        { message: () => Promise.resolve(other) },
        `${stream} sequence 60 is another than the one that snapshot 60 was taken behind`,
      ],
    ];
    for (const [changed, reason] of cases) {
      const options = { store, commands: { ...commands, ...changed }, engine, log };
      await assert.rejects(restoreEngine(options), {
        message: `Cannot start shard ${shard.shard}: ${reason}`,
      });
    }
  });

  it("takes no snapshot of other limits or rules", async () => {
    await prepare();
    await assert.rejects(
      shard.restore({ maxOpenOrders: 3000 }),
      /it was made with maxOpenOrders 2000, this matcher has 3000/,
    );
    const instruments = shard.options.instruments.map((each) => ({ ...each, maxOrderQtyLots: 5 }));
    await assert.rejects(shard.restore({ instruments }), /the rules of SYM1 \(instrument 1\) are others now/);
  });

  /** From the shard's store, of which something is another. */
  function restoreFrom(changed: Partial<SnapshotStore>): Promise<RestoredEngine> {
    const { store, commands, options: engine } = shard;
    const read: SnapshotStore["read"] = (cmdSeq, maxBytes) => store.read(cmdSeq, maxBytes);
    const changedStore = { read, list: () => Promise.resolve([]), ...changed };
    return restoreEngine({
      store: changedStore as Partial<SnapshotStore> as SnapshotStore,
      commands,
      engine,
      log,
    });
  }

  /** Others take two snapshots, and purge, behind the first look at it. */
  function movedPointer(): () => Promise<PointerEntry> {
    let looks = 0;
    return async () => {
      const entry = await shard.store.pointer();
      if (looks++ === 0) await prepare();
      return entry;
    };
  }

  it("looks again when others have replaced what the pointer named, and purged", async () => {
    await prepare();
    const { cmdSeq } = await restoreFrom({ pointer: movedPointer() });
    const begins = `CMD_${shard.shard} begins at 120, so that commands behind it are missing`;
    assert.deepEqual([cmdSeq, reasons], [150, [`60: ${begins}`, `30: ${begins}`]]);
  });

  it("finds the first snapshots that others take while it looks", async () => {
    const { cmdSeq } = await restoreFrom({ pointer: movedPointer() });
    assert.deepEqual([cmdSeq, reasons], [60, []]);
  });

  it("ends when others replace them again and again, and says so", async () => {
    await prepare();
    const { pointer } = await shard.store.pointer();
    let revision = 1;
    const changed: Partial<SnapshotStore> = {
      pointer: () => Promise.resolve({ pointer, damaged: false, revision: revision++ }),
      read: () => Promise.resolve("it is not there"),
    };
    await assert.rejects(restoreFrom(changed), {
      message:
        `Cannot start shard ${shard.shard}: 5 times others had replaced the snapshots before one was loaded ` +
        "(snapshot 60: it is not there; snapshot 30: it is not there)",
    });
    assert.equal(reasons.length, 10);
  });

  it("says so when it cannot tell whether others have replaced them", async () => {
    await prepare();
    const { pointer } = await shard.store.pointer();
    let looks = 0;
    const changed: Partial<SnapshotStore> = {
      pointer: () =>
        looks++ === 0
          ? Promise.resolve({ pointer, damaged: false, revision: 2 })
          : Promise.reject(new Error("timeout")),
      read: () => Promise.resolve("it is not there"),
    };
    await assert.rejects(restoreFrom(changed), {
      message:
        `Cannot start shard ${shard.shard}: CMD_${shard.shard} begins at 30, and nothing leads there (snapshot 60: ` +
        "it is not there; snapshot 30: it is not there; whether there are newer ones cannot be told: timeout)",
    });
  });

  it("takes those that the pointer names when no list of the others comes in time", async () => {
    await prepare();
    const { cmdSeq } = await restoreFrom({
      pointer: () => shard.store.pointer(),
      list: () => Promise.reject(new Error("no answer in time")),
    });
    assert.deepEqual([cmdSeq, reasons], [60, []]);
  });

  it("replays when the snapshots cannot be reached, as long as nothing was purged", async () => {
    await shard.send(30);
    const store: Partial<SnapshotStore> = { pointer: () => Promise.reject(new Error("no answer")) };
    const { commands, options: engine } = shard;
    const { cmdSeq } = await restoreEngine({ store: store as SnapshotStore, commands, engine, log });
    assert.equal(cmdSeq, 0);
  });

  it("waits for a list no longer than it may take", async () => {
    await prepare();
    shard.store.listMs = 1;
    server.pause();
    await assert.rejects(shard.store.list(), {
      message: "no answer in time: no list of OBJ_snap within 1 ms",
    });
    server.resume();
  });
});
