/** A venue that purges commands while it is verified: what is overtaken begins again, and is never called different. */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "../../../shared/nats/mod.ts";
import { cmdStream, evStream } from "../../../shared/protocol/mod.ts";
import { Engine } from "../engine/mod.ts";
import { NatsSnapshotStore } from "../snapshot/mod.ts";
import { writeSnapshot } from "../snapshot/snapshot.ts";
import { Shard } from "../test_kit.ts";
import { verdictText } from "./print.ts";
import { INSTRUMENTS, LIMITS, startMatcher, trade } from "./test_market.ts";
import type { Verdict } from "./verdict.ts";
import { CannotVerifyError, verifyShard } from "./verify_shard.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const OPTIONS = { shard: 0, instruments: INSTRUMENTS, ...LIMITS };
const VENUE = { instruments: INSTRUMENTS, limits: LIMITS };
/** Messages between two snapshots, and how many snapshots there are. */
const EVERY = 10;
const SNAPSHOTS = 6;
/** The last message. */
const END = EVERY * (SNAPSHOTS + 1);

describe(`the verifier on a venue that purges, seed ${SEED}`, () => {
  let shard: Shard;
  /** Snapshots behind messages 10, 20 …; the first is stored, and commands are there from 11 on. */
  let snapshots: Uint8Array[];
  let store: NatsSnapshotStore;

  beforeEach(async () => {
    shard = await Shard.start();
    snapshots = [];
    const engine = new Engine(OPTIONS);
    const matcher = await startMatcher(shard, engine);
    for (let i = 0; i <= SNAPSHOTS; i++) {
      await trade(shard, EVERY, SEED + i);
      if (i < SNAPSHOTS) snapshots.push(writeSnapshot(engine, OPTIONS, { length: 1, crc: 1 }).slice());
    }
    await matcher.end();
    store = await NatsSnapshotStore.open(shard.nc, 0);
    await take(0);
  });
  afterEach(() => shard.dispose());

  /** What a running venue does: the next snapshot is there, and the commands before it go. */
  async function take(index: number): Promise<void> {
    const cmdSeq = EVERY * (index + 1);
    await store.put(cmdSeq, snapshots[index]);
    await (await jetstreamManager(shard.nc)).streams.purge(cmdStream(0), { seq: cmdSeq + 1 });
  }

  /** The verdict, where `before` happens each time before a stream is read. */
  async function verdictWhen(stream: string, before: () => Promise<void>): Promise<Verdict> {
    const nc = new Proxy(shard.nc, {
      get(target, property) {
        const value = Reflect.get(target, property, target);
        if (typeof value !== "function") return value;
        if (property !== "request") return value.bind(target);
        return async (...args: Parameters<NatsConnection["request"]>) => {
          if (args[0].includes(`CONSUMER.CREATE.${stream}.`)) await before();
          return await target.request(...args);
        };
      },
    });
    return await verifyShard({ nc, venue: VENUE, shard: 0 });
  }

  it("begins again with the newest snapshot when a purge overtakes it", async () => {
    let taken = 0;
    const verdict = await verdictWhen(cmdStream(0), async () => {
      if (taken === 0) { for (const index of [1, 2]) await take(index); }
      taken++;
    });
    assert.equal(verdict.difference, null, verdictText(verdict));
    const { startedAfter, messages, tail } = verdict;
    assert.deepEqual({ taken, startedAfter, messages, tail }, {
      taken: 2,
      startedAfter: 3 * EVERY,
      messages: END - 3 * EVERY,
      tail: 0,
    });
  });

  it("begins again when events are dropped before they were read", async () => {
    const jsm = await jetstreamManager(shard.nc);
    let dropped = 0;
    const verdict = await verdictWhen(evStream(0), async () => {
      if (dropped++ === 0) await jsm.streams.purge(evStream(0), { seq: 3 });
    });
    assert.equal(verdict.difference, null, verdictText(verdict));
    assert.deepEqual([dropped, verdict.startedAfter, verdict.messages], [2, EVERY, END - EVERY]);
  });

  it("says that it cannot tell when every purge overtakes it", async () => {
    let taken = 1;
    await assert.rejects(verdictWhen(cmdStream(0), () => take(taken++)), (error: Error) => {
      assert.ok(error instanceof CannotVerifyError, String(error));
      assert.equal(
        error.message,
        "Cannot verify shard 0: it was begun 5 times, and each time the running venue purged what was to be read; verify when " +
          "fewer orders come, or a copy of the store",
      );
      return true;
    });
    assert.equal(taken, SNAPSHOTS);
  });
});
