import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import type { Event } from "../../../shared/codec/wire/mod.ts";
import { Feed, setupOf, type Step } from "../flow/compare_setup.ts";
import { Engine, type EventSink } from "../engine/mod.ts";
import { copyOf } from "../engine/event_fields.ts";
import { checkInvariants } from "../engine/invariants.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import { formatEvent } from "../engine/test_ledger.ts";
import { loadSnapshot, snapshotBound, writeSnapshot } from "./snapshot.ts";

const SEED = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));
const MARK = { length: 100, crc: 0x1234abcd };

/** The events of a step, as copies. */
function eventsOf(engine: Engine, { sequence, index, timestampUs, command }: Step): Event[] {
  const events: Event[] = [];
  const sink: EventSink = { commandStarts() {}, event: (event) => void events.push(copyOf(event)) };
  engine.apply(sequence, index, timestampUs, command, sink);
  return events;
}

/** A copy of an engine by way of a snapshot, which has to be like it in all that can be seen. */
function copied(engine: Engine, options: ConstructorParameters<typeof Engine>[0]): Engine {
  const bytes = writeSnapshot(engine, options, MARK);
  assert.ok(bytes.length <= snapshotBound(options));
  const { engine: copy, reason } = loadSnapshot(bytes, { ...options, hashSeed: options.hashSeed! ^ 0x55 });
  assert.equal(reason, null);
  assert.equal(copy!.stateHash(), engine.stateHash());
  checkInvariants(copy!);
  assert.equal(writeSnapshot(copy!, options, MARK).toHex(), bytes.toHex(), "it writes another snapshot");
  return copy!;
}

/** Feeds one seed's flow to an engine and to copies that are taken of it on the way; all must do the same. */
function compareCopies(seed: number, commands: number): void {
  const setup = setupOf(seed);
  const random = new SeededRandom(seed ^ 0xc0b1e5);
  const engine = new Engine(setup.options);
  const copies: Engine[] = [];
  const feed = new Feed(setup, commands);
  let count = 0;
  for (let step = feed.next(); step !== null; step = feed.next(), count++) {
    if (step.index === 0 && engine.cmdSeq > 0 && random.oneIn(60)) {
      if (copies.length === 3) copies.shift();
      copies.push(copied(engine, setup.options));
    }
    if (random.oneIn(30)) {
      const [gateway, boot] = [random.below(65536), 1 + random.below(3)];
      for (const each of [engine, ...copies]) each.gateways.admit(gateway, boot, 1, 1 + step.index);
    }
    const events = eventsOf(engine, step);
    const want = events.map(formatEvent);
    for (const copy of copies) {
      assert.deepEqual(eventsOf(copy, step).map(formatEvent), want, `seed ${seed}, command ${count}`);
      if (count % 8 === 0) {
        assert.equal(copy.stateHash(), engine.stateHash(), `seed ${seed}, command ${count}`);
        for (const id of setup.options.instruments.map((each) => each.id)) {
          assert.equal(copy.volatilitySinceUs(id), engine.volatilitySinceUs(id));
        }
      }
    }
    feed.heard(events);
  }
  for (const copy of copies) assert.equal(copy.stateHash(), engine.stateHash(), `seed ${seed}, at the end`);
}

describe("a snapshot", () => {
  it("gives an engine that is like the one it was taken of, and behaves like it ever after", () => {
    console.error(`seeds ${SEED} to ${SEED + 11}`);
    for (let seed = SEED; seed < SEED + 12; seed++) compareCopies(seed, 1000);
  });
});
