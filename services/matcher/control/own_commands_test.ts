import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { nullLogger } from "../../../shared/cli/log.ts";
import { CommandBatchReader } from "../../../shared/codec/wire/mod.ts";
import type { PublishFault } from "../../../shared/nats/mod.ts";
import { CommandKind, MAX_BATCH_COMMANDS } from "../../../shared/protocol/mod.ts";
import { type FillCommand, OwnCommands } from "./own_commands.ts";

const REFUSED: PublishFault = { kind: "refused", code: 10077, description: "maximum bytes exceeded" };
const UNKNOWN: PublishFault = { kind: "unknown", code: 0, description: "no answer in time" };

const setPhase = (target: number): FillCommand => (command) => {
  command.kind = CommandKind.SetPhase;
  command.target = target;
};

/** A stream that answers when it is told to, and time that stands still. */
class World {
  /** `cmd.0._ 1+2`: subject, first number, count. */
  readonly sent: string[] = [];
  readonly warnings: string[] = [];
  connected = true;
  readonly #answers: ((seq: number, fault: PublishFault | null) => void)[] = [];
  #timer: (() => void) | null = null;
  readonly commands = new OwnCommands({
    shard: 0,
    gatewayId: 64_000,
    bootId: 5,
    publish: (subject, bytes, done) => {
      if (!this.connected) return false;
      const reader = new CommandBatchReader();
      assert.equal(reader.open(bytes), null);
      assert.deepEqual([reader.gatewayId, reader.bootId], [64_000, 5]);
      this.sent.push(`${subject} ${reader.firstGatewaySeq}+${reader.count}`);
      this.#answers.push(done);
      return true;
    },
    after: (_ms, action) => {
      this.#timer = action;
      return () => this.#timer = null;
    },
    log: { ...nullLogger, warn: (message) => this.warnings.push(message) },
  });

  answer(seq: number, fault: PublishFault | null = null): void {
    this.#answers.shift()!(seq, fault);
  }

  /** Time passes; false when nobody waits for it. */
  pass(): boolean {
    const timer = this.#timer;
    this.#timer = null;
    timer?.();
    return timer !== null;
  }

  applied(firstSeq: number, cmdSeq: number): void {
    this.commands.applied(firstSeq, { cmdSeq, events: [] });
  }
}

describe("the venue's own commands", () => {
  it("go one message at a time, each when the one before is applied, without a gap in their numbers", async () => {
    const world = new World();
    const first = world.commands.send("ACME", [setPhase(5)]);
    const second = world.commands.send(null, [setPhase(6), setPhase(5)]);
    assert.deepEqual(world.sent, ["cmd.0.ACME 1+1"]);
    world.answer(9);
    assert.deepEqual(world.sent, ["cmd.0.ACME 1+1"]);
    world.applied(1, 9);
    assert.deepEqual(await first, { cmdSeq: 9, events: [] });
    assert.deepEqual(world.sent.slice(1), ["cmd.0._ 2+2"]);
    assert.equal(world.commands.idle, false);
    world.applied(2, 12);
    world.answer(12);
    assert.deepEqual(await second, { cmdSeq: 12, events: [] });
    assert.equal(world.commands.idle, true);
  });

  it("are sent again, as they were, after a refusal or a silence, with one warning", async () => {
    const world = new World();
    const sent = world.commands.send(null, [setPhase(5)]);
    for (const fault of [REFUSED, UNKNOWN, REFUSED]) {
      world.answer(0, fault);
      assert.equal(world.pass(), true);
    }
    assert.deepEqual(world.sent, Array(4).fill("cmd.0._ 1+1"));
    assert.deepEqual(world.warnings, ["a command of the venue's own waits for the stream"]);
    world.answer(4);
    assert.equal(world.pass(), false);
    world.applied(1, 4);
    assert.equal((await sent).cmdSeq, 4);
  });

  it("end when they are applied, though the answer was lost, and are not sent again", async () => {
    const world = new World();
    const sent = world.commands.send(null, [setPhase(5)]);
    world.applied(1, 4);
    assert.equal((await sent).cmdSeq, 4);
    world.answer(0, UNKNOWN);
    assert.equal(world.pass(), false);
    const next = world.commands.send(null, [setPhase(6)]);
    // A late copy of the first is applied by nobody: it ends nothing.
    world.applied(1, 5);
    world.applied(2, 6);
    assert.equal((await next).cmdSeq, 6);
    assert.deepEqual(world.sent, ["cmd.0._ 1+1", "cmd.0._ 2+1"]);
  });

  it("wait for the connection", async () => {
    const world = new World();
    world.connected = false;
    const sent = world.commands.send(null, [setPhase(5)]);
    assert.deepEqual(world.sent, []);
    world.connected = true;
    world.commands.reconnected();
    assert.deepEqual(world.sent, ["cmd.0._ 1+1"]);
    world.applied(1, 1);
    await sent;
  });

  it("that do not fit one message go in several, and end together", async () => {
    const world = new World();
    const sent = world.commands.send(null, Array(MAX_BATCH_COMMANDS + 2).fill(setPhase(5)));
    let next = 1;
    for (let message = 0; next <= MAX_BATCH_COMMANDS + 2; message++) {
      const [subject, range] = world.sent[message].split(" ");
      const [first, count] = range.split("+").map(Number);
      assert.deepEqual([subject, first], ["cmd.0._", next]);
      world.applied(first, message + 7);
      next = first + count;
    }
    assert.equal(next, MAX_BATCH_COMMANDS + 3);
    assert.ok(world.sent.length > 1);
    assert.deepEqual(await sent, { cmdSeq: world.sent.length + 6, events: [] });
  });

  it("are bounded, and tell whoever waits when the matcher leads no more", async () => {
    const world = new World();
    const waiting = Array.from({ length: 1000 }, () => world.commands.send(null, [setPhase(5)]));
    await assert.rejects(world.commands.send(null, [setPhase(5)]), {
      message: "Cannot send a command: 1000 wait for the command stream already",
    });
    world.commands.close(new Error("another leads"));
    for (const each of waiting) await assert.rejects(each, { message: "another leads" });
    await assert.rejects(world.commands.send(null, [setPhase(5)]), { message: "another leads" });
    assert.equal(world.sent.length, 1);
  });
});
