import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Feed, setupOf, type Step } from "../flow/compare_setup.ts";
import { Engine, type EngineOptions } from "../engine/mod.ts";
import { RecordingSink } from "../engine/test_ledger.ts";
import type { ReferenceEngine } from "../reference/mod.ts";
import { writeSnapshot } from "../snapshot/snapshot.ts";
import { type RebuildStart, startFromSnapshot } from "./reference_snapshot.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const COMMANDS = 800;
/** A snapshot is taken before each message whose number divides by this, and followed to the end. */
const EVERY = 150;
const MARK = { length: 1, crc: 1 };

function linesOf(
  engine: Engine | ReferenceEngine,
  { sequence, index, timestampUs, command }: Step,
): string[] {
  const sink = new RecordingSink();
  engine.apply(sequence, index, timestampUs, command, sink);
  return sink.take();
}

function started(engine: Engine, options: EngineOptions): RebuildStart {
  const start = startFromSnapshot(writeSnapshot(engine, options, MARK), options);
  if (typeof start === "string") throw new Error(start);
  assert.deepEqual([start.cmdSeq, start.timestampUs], [engine.cmdSeq, engine.timestampUs]);
  return start;
}

/** Feeds one seed's flow to the fast engine, and to reference engines that begin with its snapshots. */
function compareStarts(seed: number): void {
  const setup = setupOf(seed);
  const engine = new Engine(setup.options);
  engine.gateways.admit(7, 3, 1, 20);
  const starts: RebuildStart[] = [];
  const feed = new Feed(setup, COMMANDS);
  let count = 0;
  for (let step = feed.next(); step !== null; step = feed.next()) {
    if (step.index === 0 && ++count % EVERY === 0) starts.push(started(engine, setup.options));
    const sink = new RecordingSink();
    engine.apply(step.sequence, step.index, step.timestampUs, step.command, sink);
    const want = sink.take();
    for (const start of starts) {
      assert.deepEqual(linesOf(start.engine, step), want, `seed ${seed}, message ${count}`);
    }
  }
  assert.ok(starts.length > 0);
  for (const { engine: reference, gateways } of starts) {
    assert.equal(
      reference.stateHash((digest) => gateways.digest(digest)),
      engine.stateHash(),
      `seed ${seed}`,
    );
  }
}

describe("a reference engine that begins with a snapshot", () => {
  it(`goes on as the engine does of which it was taken, seeds ${SEED} to ${SEED + 7}`, () => {
    for (let seed = SEED; seed < SEED + 8; seed++) compareStarts(seed);
  });

  const { options } = setupOf(1);
  const engine = new Engine(options);
  linesOf(engine, new Feed(setupOf(1), 1).next()!);
  const whole = writeSnapshot(engine, options, MARK);
  const NO_GOOD: readonly (readonly [string, Uint8Array, EngineOptions, RegExp])[] = [
    ["is cut", whole.subarray(0, whole.length - 1), options, /^it has \d+ bytes instead of \d+$/],
    ["has a flipped bit", whole.with(200, whole[200] ^ 1), options, /^its SHA-256 is another$/],
    [
      "was made with other limits",
      whole,
      { ...options, maxOpenOrders: 7 },
      /^it was made with maxOpenOrders/,
    ],
  ];
  for (const [what, bytes, own, says] of NO_GOOD) {
    it(`is not made of one that ${what}`, () => {
      const start = startFromSnapshot(bytes, own);
      assert.match(typeof start === "string" ? start : "it was", says);
    });
  }
});
