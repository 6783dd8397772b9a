/**
 * The command window against a scripted stream and a model of the matcher's rule, over random faults: refused copies,
 * lost answers, lost connections with copies still on their way, pauses past every limit.
 */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Command, CommandBatchReader, CommandBatchWriter } from "../../../shared/codec/wire/mod.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import type { CommandTransport } from "./command_transport.ts";
import { CommandWindow } from "./command_window.ts";

interface OnItsWay {
  bytes: Uint8Array;
  copy: number;
  connection: number;
}

/** A connection, a stream and the matcher's rule for gateway sequences. */
class World implements CommandTransport {
  readonly applied: number[] = [];
  readonly givenUpNames: number[] = [];
  readonly acknowledgedNames: number[] = [];
  toServer: OnItsWay[] = [];
  /** streamSeq: -1 for "no answer will come", 0 for an error. */
  answers: { copy: number; streamSeq: number }[] = [];
  connection = 1;
  refusing = false;
  #streamSeq = 0;
  #expected = 1;
  readonly #reader = new CommandBatchReader();

  send(_subject: string, bytes: Uint8Array, copy: number): void {
    this.toServer.push({ bytes: bytes.slice(), copy, connection: this.connection });
  }

  /** What is acknowledged was applied, all of it. */
  acknowledged(bytes: Uint8Array): void {
    assert.equal(this.#reader.open(bytes), null);
    assert.ok(this.#reader.firstGatewaySeq + this.#reader.count <= this.#expected);
    while (this.#reader.next()) this.acknowledgedNames.push(this.#reader.command.msgSeqNum);
  }

  givenUp(bytes: Uint8Array): void {
    assert.equal(this.#reader.open(bytes), null);
    while (this.#reader.next()) this.givenUpNames.push(this.#reader.command.msgSeqNum);
  }

  /** The server handles the oldest copy; copies of a lost connection are handled too, but their answers are lost. */
  serve(random: SeededRandom): void {
    const item = this.toServer.shift();
    if (item === undefined) return;
    const refuse = this.refusing && random.below(4) > 0 || random.below(12) === 0;
    if (!refuse) {
      this.#streamSeq++;
      this.#apply(item.bytes);
    }
    if (item.connection !== this.connection || random.below(25) === 0) return;
    const lost = random.below(25) === 0;
    this.answers.push({ copy: item.copy, streamSeq: lost ? -1 : refuse ? 0 : this.#streamSeq });
  }

  /** The matcher's rule: drop what was seen, refuse a gap. */
  #apply(bytes: Uint8Array): void {
    const reader = this.#reader;
    assert.equal(reader.open(bytes), null);
    if (reader.firstGatewaySeq > this.#expected) return;
    while (reader.next()) {
      if (reader.firstGatewaySeq + reader.index < this.#expected) continue;
      this.applied.push(reader.command.msgSeqNum);
      this.#expected++;
    }
  }
}

/** Runs one history; returns what was enqueued, given up and applied. */
function run(seed: number): { enqueued: number[]; world: World; window: CommandWindow } {
  const random = new SeededRandom(seed);
  const world = new World();
  const limits = {
    maxCommands: 40,
    ackTimeoutMs: 20,
    minBackoffMs: 2,
    maxBackoffMs: 16,
    giveUpAfterMs: 5 + random.below(60),
  };
  const window = new CommandWindow(limits, world, true);
  const writer = new CommandBatchWriter();
  const command = new Command();
  const enqueued: number[] = [];
  let connected = true;
  let now = 0;
  const answer = () => {
    // Mostly in order; at times two answers overtake.
    const at = world.answers.length > 1 && random.below(6) === 0 ? 1 : 0;
    const { copy, streamSeq } = world.answers.splice(at, 1)[0];
    if (streamSeq < 0) window.unanswered(copy);
    else if (streamSeq === 0) window.refused(copy, "full", now);
    else window.acknowledged(copy, streamSeq, now);
  };
  for (let step = 0; step < 400; step++) {
    const choice = random.below(100);
    if (choice < 25 && !window.full) {
      writer.begin(1, 1, 1);
      for (let i = random.below(3); i >= 0; i--) {
        command.msgSeqNum = enqueued.length + 1;
        enqueued.push(command.msgSeqNum);
        writer.append(command);
      }
      window.enqueue("s", writer.finish().slice(), writer.count, now);
    } else if (choice < 60) world.serve(random);
    else if (choice < 85) {
      if (world.answers.length > 0) answer();
    } else if (choice < 95) {
      now += random.below(12);
      window.tick(now);
    } else if (choice < 97) world.refusing = random.below(2) === 0;
    else if (connected) {
      connected = false;
      world.connection++;
      world.answers = [];
      if (random.below(2) === 0) world.toServer.length = random.below(world.toServer.length + 1);
      window.disconnected(now);
    } else {
      connected = true;
      window.reconnected(now);
    }
  }
  world.refusing = false;
  if (!connected) window.reconnected(now);
  for (let i = 0; i < 20_000 && window.commands > 0; i++) {
    world.serve(random);
    if (world.answers.length > 0) answer();
    now++;
    window.tick(now);
  }
  while (world.toServer.length > 0) world.serve(random);
  return { enqueued, world, window };
}

describe("CommandWindow over random faults", () => {
  it("has every command applied exactly once and in order, or given up and never applied", () => {
    const first = Number(Deno.env.get("PITWIRE_SEED") ?? "1");
    console.log(`seeds ${first} … ${first + 1999} (PITWIRE_SEED)`);
    let givenUp = 0;
    for (let seed = first; seed < first + 2000; seed++) {
      const { enqueued, world, window } = run(seed);
      assert.equal(window.commands, 0, `seed ${seed}: the window did not empty`);
      const refused = new Set(world.givenUpNames);
      assert.equal(refused.size, world.givenUpNames.length, `seed ${seed}: given up twice`);
      assert.deepEqual(world.applied, enqueued.filter((name) => !refused.has(name)), `seed ${seed}`);
      assert.deepEqual(
        world.acknowledgedNames,
        world.applied,
        `seed ${seed}: acknowledged, once and in order`,
      );
      givenUp += refused.size;
    }
    assert.ok(givenUp > 500, `only ${givenUp} commands were given up: the faults are too tame`);
  });
});
