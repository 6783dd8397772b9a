/** Which command messages an engine takes from a gateway. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { CommandBatchReader, CommandBatchWriter } from "../../../shared/codec/wire/mod.ts";
import { BatchOutcome, type Engine } from "./mod.ts";
import { ledgerEngine } from "./run_ledger.ts";
import { parseCommand, RecordingSink } from "./test_ledger.ts";

/** Sends one message of as many new orders as there are names. */
function send(
  engine: Engine,
  cmdSeq: number,
  boot: number,
  firstSeq: number,
  names: string,
  gateway = 1,
): { outcome: number; accepted: string[] } {
  const writer = new CommandBatchWriter();
  writer.begin(gateway, boot, firstSeq);
  for (const name of names.split(" ")) writer.append(parseCommand(`new s1 ${name} buy 1@10`));
  const reader = new CommandBatchReader();
  assert.equal(reader.open(writer.finish()), null);
  const sink = new RecordingSink();
  const outcome = engine.applyBatch(cmdSeq, cmdSeq, reader, sink);
  const accepted = sink.take().filter((line) => line.startsWith("accepted"));
  return { outcome, accepted: accepted.map((line) => line.split(" ").slice(2, 4).join(" ")) };
}

describe("a command message", () => {
  it("that follows on is applied, each command by its index", () => {
    const engine = ledgerEngine();
    const first = send(engine, 1, 5, 1, "A B");
    assert.deepEqual(first, { outcome: BatchOutcome.Applied, accepted: ["A #1.0", "B #1.1"] });
    assert.deepEqual(send(engine, 2, 5, 3, "C"), { outcome: BatchOutcome.Applied, accepted: ["C #2.0"] });
    assert.deepEqual(engine.gateway(1), { bootId: 5, lastSeq: 3 });
  });

  it("that was seen is dropped without an event, whole or in part", () => {
    const engine = ledgerEngine();
    send(engine, 1, 5, 1, "A B");
    const before = engine.openOrders;
    assert.deepEqual(send(engine, 2, 5, 1, "P Q"), { outcome: BatchOutcome.Duplicate, accepted: [] });
    assert.equal(engine.openOrders, before);
    assert.deepEqual(send(engine, 3, 5, 2, "P C"), { outcome: BatchOutcome.Rest, accepted: ["C #3.1"] });
  });

  it("behind a gap is refused, and what is missing may still come", () => {
    const engine = ledgerEngine();
    send(engine, 1, 5, 1, "A");
    assert.deepEqual(send(engine, 2, 5, 3, "C"), { outcome: BatchOutcome.Gap, accepted: [] });
    assert.deepEqual(engine.gateway(1), { bootId: 5, lastSeq: 1 });
    assert.deepEqual(send(engine, 3, 5, 2, "B C"), {
      outcome: BatchOutcome.Applied,
      accepted: ["B #3.0", "C #3.1"],
    });
  });

  it("of a later boot starts at 1; of an earlier boot is refused", () => {
    const engine = ledgerEngine();
    send(engine, 1, 5, 1, "A B");
    assert.equal(send(engine, 2, 6, 3, "C").outcome, BatchOutcome.Gap);
    assert.equal(send(engine, 3, 5, 3, "C").outcome, BatchOutcome.Applied);
    assert.equal(send(engine, 4, 6, 1, "D").outcome, BatchOutcome.Applied);
    assert.deepEqual(send(engine, 5, 5, 4, "E"), { outcome: BatchOutcome.OldBoot, accepted: [] });
  });

  it("of another gateway has its own sequence; ids 0 and 65535 are gateways", () => {
    const engine = ledgerEngine();
    send(engine, 1, 5, 1, "A B");
    assert.equal(send(engine, 2, 1, 1, "C", 65535).outcome, BatchOutcome.Applied);
    assert.equal(send(engine, 3, 1, 1, "D", 0).outcome, BatchOutcome.Applied);
  });
});

describe("the state hash", () => {
  it("holds the gateways' sequences, and not the commands that were refused", () => {
    const one = ledgerEngine();
    const two = ledgerEngine();
    send(one, 1, 5, 1, "A");
    send(two, 1, 6, 1, "A");
    assert.notEqual(one.stateHash(), two.stateHash());
    const three = ledgerEngine();
    send(three, 1, 5, 1, "A");
    assert.equal(one.stateHash(), three.stateHash());
    send(one, 2, 5, 9, "Z");
    send(three, 2, 4, 1, "Z");
    assert.equal(one.stateHash(), three.stateHash());
  });

  it("does not depend on the hash seed or on how full the engine's tables are", () => {
    const one = ledgerEngine({ hashSeed: 1 });
    const two = ledgerEngine({ hashSeed: -77 });
    for (const engine of [one, two]) send(engine, 1, 5, 1, "A B C D E");
    assert.equal(one.stateHash(), two.stateHash());
  });

  it("depends on time, which never runs backwards", () => {
    const engine = ledgerEngine();
    const sink = new RecordingSink();
    engine.apply(1, 0, 5000, parseCommand("new s1 A buy 1@10"), sink);
    engine.apply(2, 0, 4000, parseCommand("new s1 B buy 1@10"), sink);
    assert.equal(engine.timestampUs, 5000);
    const before = engine.stateHash();
    engine.apply(3, 0, 6000, parseCommand("status s1 NOPE buy"), sink);
    assert.equal(engine.timestampUs, 6000);
    assert.notEqual(engine.stateHash(), before);
  });
});
