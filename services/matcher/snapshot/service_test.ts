/** What a snapshot thread does, on a real nats-server: what it compares, and when it leaves out its rests. */
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type Logger, nullLogger } from "../../../shared/cli/log.ts";
import { Engine, type EngineOptions } from "../engine/mod.ts";
import { Shard } from "../test_kit.ts";
import { INSTRUMENTS, LIMITS, startMatcher, trade } from "../verify/test_market.ts";
import { Bursts } from "./pace.ts";
import { SnapshotService } from "./service.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const MESSAGES = 200;
const ENGINE: EngineOptions = { shard: 0, instruments: INSTRUMENTS, ...LIMITS };

describe(`the snapshots of a shard, seed ${SEED}`, () => {
  let shard: Shard;
  /** What was said, with the fields that do not depend on time. */
  let said: string[];
  let different: string[];
  let rests: number;
  let bursts: Bursts;

  beforeEach(async () => {
    shard = await Shard.start();
    const matcher = await startMatcher(shard, new Engine(ENGINE));
    await trade(shard, MESSAGES, SEED);
    await matcher.end();
    [said, different, rests] = [[], [], 0];
    let nowMs = 0;
    bursts = new Bursts({ clockMs: () => nowMs++, rest: () => void rests++ });
  });
  afterEach(() => shard.dispose());

  const note = (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
    const { cmdSeq, after, notHeld, attempt } = fields;
    said.push([message, cmdSeq, after, notHeld, attempt].filter((each) => each !== undefined).join(" "));
  };
  const log: Logger = { ...nullLogger, info: note, warn: note, error: note };
  const service = (engine: Partial<EngineOptions> = {}, newestDue?: () => number) =>
    new SnapshotService({ nc: shard.nc, engine: { ...ENGINE, ...engine }, log, bursts, newestDue });
  const from = (cmdSeq: number) => ({ from: cmdSeq, onDifferent: (why: string) => void different.push(why) });
  const due = (cmdSeq: number) => ({ cmdSeq, unlessSince: Infinity });

  it("begin with a comparison of what was replayed, which those that are due wait for with rests", async () => {
    const snapshots = service();
    snapshots.compare(from(0));
    snapshots.due(due(MESSAGES));
    assert.equal(bursts.hurry(), false);
    await snapshots.idle();
    assert.deepEqual([said, different], [[
      `replay compared with the events that were stored ${MESSAGES} 0 0`,
      `snapshot taken ${MESSAGES}`,
    ], []]);
    assert.ok(rests > MESSAGES, `${rests} rests`);
  });

  it("are compared from the snapshot that the start was from, though there is a newer one", async () => {
    const snapshots = service();
    for (const cmdSeq of [50, 120]) {
      snapshots.due(due(cmdSeq));
      await snapshots.idle();
    }
    said = [];
    const another = service();
    another.compare(from(50));
    await another.idle();
    assert.deepEqual(said, [
      "snapshot loaded 50",
      `replay compared with the events that were stored ${MESSAGES} 50 0`,
    ]);
  });

  it("tell of a replay that differs, once, and where", async () => {
    const instruments = INSTRUMENTS.map((each) => ({ ...each, maxOrderQtyLots: 3 }));
    const snapshots = service({ instruments });
    snapshots.compare(from(0));
    await snapshots.idle();
    assert.equal(different.length, 1);
    assert.match(
      different[0],
      /^Cannot go on at CMD_0 sequence \d+: its events differ from EV_0 sequence \d+$/,
    );
    assert.deepEqual(said, ["the replay differs from the events that were stored"]);
  });

  it("leave the rests out while the next one is due already, and rest again afterwards", async () => {
    const snapshots = service();
    snapshots.due(due(50));
    assert.equal(bursts.hurry(), false);
    snapshots.due(due(100));
    assert.equal(bursts.hurry(), true);
    await snapshots.idle();
    assert.equal(bursts.hurry(), false);
    assert.deepEqual(said, ["snapshot taken 50", "snapshot taken 100", "commands purged"]);
    const before = rests;
    snapshots.due(due(MESSAGES));
    await snapshots.idle();
    assert.ok(rests > before);
  });

  it("leave the rests out from the moment on that the next one is asked for, heard of or not", async () => {
    let asked = 50;
    let nowMs = 0;
    bursts = new Bursts({
      clockMs: () => nowMs++,
      rest() {
        if (++rests === 20) asked = 100;
      },
    });
    const snapshots = service({}, () => asked);
    snapshots.due(due(50));
    await snapshots.idle();
    assert.deepEqual([rests, said], [20, ["snapshot taken 50"]]);
    snapshots.due(due(100));
    await snapshots.idle();
    assert.ok(rests > 20, `${rests} rests`);
  });
});
