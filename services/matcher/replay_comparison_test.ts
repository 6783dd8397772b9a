/** What a start has replayed against everything that EV_0 holds of it, on a real nats-server. */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { jetstreamManager } from "@nats-io/jetstream";
import {
  type NatsConnection,
  type StoredMessage,
  storedMessage,
  streamExtent,
} from "../../shared/nats/mod.ts";
import { EVENT_HEADER_BYTES, GROUP_HEADER_BYTES } from "../../shared/codec/wire/mod.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import type { Instrument } from "../../shared/protocol/mod.ts";
import { Engine } from "./engine/mod.ts";
import { compareReplay, type ReplayVerdict } from "./replay_comparison.ts";
import { firstEventSeq, partsOf } from "./replay_start.ts";
import { applyUpTo } from "./snapshot/follower.ts";
import { NO_PACE } from "./snapshot/pace.ts";
import { Shard } from "./test_kit.ts";
import { FaultyEngine, INSTRUMENTS, LIMITS, startMatcher, trade } from "./verify/test_market.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const MESSAGES = 60;

const engineOf = (instruments: readonly Instrument[] = INSTRUMENTS) =>
  new Engine({ shard: 0, instruments, ...LIMITS });

describe(`a replay, compared with what was stored, seed ${SEED}`, () => {
  let shard: Shard;
  let nc: NatsConnection;

  beforeEach(async () => {
    shard = await Shard.start();
    nc = shard.nc;
    const matcher = await startMatcher(shard, engineOf());
    await trade(shard, MESSAGES, SEED);
    await matcher.end();
  });
  afterEach(() => shard.dispose());

  const compare = (engine = engineOf()): Promise<ReplayVerdict> =>
    compareReplay({ nc, shard: 0, engine, pace: NO_PACE });

  async function messages(): Promise<StoredMessage[]> {
    const { firstSeq, lastSeq } = await streamExtent(nc, "EV_0");
    const all: StoredMessage[] = [];
    for (let seq = firstSeq; seq <= lastSeq; seq++) all.push((await storedMessage(nc, "EV_0", seq))!);
    return all;
  }

  /** Writes EV_0 anew, at the same sequences as far as `edit` leaves them. */
  async function rewrite(edit: (messages: StoredMessage[]) => StoredMessage[]): Promise<void> {
    const edited = edit(await messages());
    const jsm = await jetstreamManager(nc);
    const { config } = await jsm.streams.info("EV_0");
    await jsm.streams.delete("EV_0");
    await jsm.streams.add({ ...config, deny_delete: false });
    for (const { subject, bytes } of edited) await nc.request(subject, bytes);
  }

  /** The first message of whose commands the first is `cmdSeq` or later, with a group that holds events. */
  const from = (all: readonly StoredMessage[], cmdSeq: number) =>
    all.findIndex(({ bytes }) => (partsOf(bytes)[0]?.cmdSeq ?? 0) >= cmdSeq);

  it("says how much was compared when everything is the same", async () => {
    const parts = (await messages()).flatMap(({ bytes }) => partsOf(bytes)).length;
    assert.deepEqual(await compare(), {
      kind: "same",
      compared: parts,
      notHeld: 0,
      cmdSeq: MESSAGES,
      cut: null,
    });
  });

  it("begins behind what the engine has applied, wherever the message with its first events begins", async () => {
    for (const applied of [1, 17, 30, MESSAGES - 1]) {
      const engine = engineOf();
      await applyUpTo(nc, engine, applied, nullLogger);
      const behind = (await messages()).flatMap(({ bytes }) => partsOf(bytes)).filter(({ cmdSeq }) =>
        cmdSeq > applied
      );
      const expected = { kind: "same", compared: behind.length, notHeld: 0, cmdSeq: MESSAGES, cut: null };
      assert.deepEqual(await compare(engine), expected, `behind ${applied}`);
    }
    const engine = engineOf();
    await applyUpTo(nc, engine, MESSAGES, nullLogger);
    assert.deepEqual(await compare(engine), {
      kind: "same",
      compared: 0,
      notHeld: 0,
      cmdSeq: MESSAGES,
      cut: null,
    });
  });

  it("finds the message in which a command's events begin", async () => {
    const all = await messages();
    const extent = await streamExtent(nc, "EV_0");
    for (let cmdSeq = 1; cmdSeq <= MESSAGES; cmdSeq++) {
      const seq = await firstEventSeq(nc, 0, cmdSeq, extent);
      const holder = all.find(({ bytes }) => partsOf(bytes).some((part) => part.cmdSeq === cmdSeq))!;
      assert.equal(seq, holder.seq, `command ${cmdSeq}`);
    }
  });

  it("finds one altered bit of one event in the middle", async () => {
    let altered: StoredMessage;
    await rewrite((all) => {
      altered = all[from(all, 30)];
      altered.bytes[EVENT_HEADER_BYTES + GROUP_HEADER_BYTES + 20] ^= 1;
      return all;
    });
    const { cmdSeq } = partsOf(altered!.bytes)[0];
    assert.deepEqual(await compare(), {
      kind: "different",
      reason: `Cannot go on at CMD_0 sequence ${cmdSeq}: its events differ from EV_0 sequence ${
        altered!.seq
      }`,
    });
  });

  it("finds a message that is gone without a gap, one that is there twice, and two that changed places", async () => {
    const edits: ((all: StoredMessage[], at: number) => StoredMessage[])[] = [
      (all, at) => all.toSpliced(at, 1),
      (all, at) => all.toSpliced(at, 0, all[at]),
      (all, at) => all.toSpliced(at, 2, all[at + 1], all[at]),
    ];
    const original = await messages();
    for (const edit of edits) {
      await rewrite(() => edit(original, from(original, 25)));
      const verdict = await compare();
      assert.equal(verdict.kind, "different");
      assert.match(
        verdict.kind === "different" ? verdict.reason : "",
        /^Cannot go on at CMD_0 sequence \d+: its events differ from EV_0 sequence \d+$/,
      );
    }
  });

  it("finds an engine that decides otherwise at one command only, or by other rules", async () => {
    const faulty = new FaultyEngine((events, cmdSeq) => {
      if (cmdSeq === 31) events[0].msgSeqNum++;
      return events;
    });
    const verdict = await compare(faulty);
    assert.match(
      verdict.kind === "different" ? verdict.reason : "the same",
      /^Cannot go on at CMD_0 sequence 31: its events differ from EV_0 sequence \d+$/,
    );
    const others = INSTRUMENTS.map((each) => ({ ...each, maxOrderQtyLots: 3 }));
    assert.equal((await compare(engineOf(others))).kind, "different");
  });

  it("compares from where EV_0 begins when its beginning is cut off", async () => {
    const all = await messages();
    const kept = from(all, 20);
    await (await jetstreamManager(nc)).streams.purge("EV_0", { seq: all[kept].seq });
    const left = all.slice(kept).flatMap(({ bytes }) => partsOf(bytes));
    assert.deepEqual(await compare(), {
      kind: "same",
      compared: left.length,
      notHeld: left[0].cmdSeq - 1,
      cmdSeq: MESSAGES,
      cut: null,
    });
    const faulty = new FaultyEngine((events, cmdSeq) => cmdSeq === 41 ? [] : events);
    assert.equal((await compare(faulty)).kind, "different");
  });

  it("goes on behind messages that are gone from the middle, and says so", async () => {
    const all = await messages();
    const gone = from(all, 30);
    await rewrite((same) => same);
    const jsm = await jetstreamManager(nc);
    await jsm.streams.deleteMessage("EV_0", all[gone].seq);
    const lost = partsOf(all[gone].bytes).length;
    assert.deepEqual(await compare(), {
      kind: "same",
      compared: all.flatMap(({ bytes }) => partsOf(bytes)).length - lost,
      notHeld: lost,
      cmdSeq: MESSAGES,
      cut: `EV_0 does not hold ${all[gone].seq} to ${all[gone].seq}`,
    });
    const faulty = new FaultyEngine((events, cmdSeq) => cmdSeq === MESSAGES - 2 ? [] : events);
    assert.equal((await compare(faulty)).kind, "different");
  });

  it("compares what it can while both streams are being purged", async () => {
    const jsm = await jetstreamManager(nc);
    const all = await messages();
    const cut = all[from(all, 20)].seq;
    let looks = 0;
    let purged: Promise<unknown> | null = null;
    const pace = {
      look() {
        if (++looks === 5) purged = jsm.streams.purge("EV_0", { seq: cut });
      },
    };
    const verdict = await compareReplay({ nc, shard: 0, engine: engineOf(), pace });
    await purged;
    assert.equal(verdict.kind, "same");
    await jsm.streams.purge("CMD_0", { seq: 10 });
    await assert.rejects(compare(), { message: "CMD_0 does not hold 1 to 9 any more" });
  });
});
