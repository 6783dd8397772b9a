import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Command, CommandBatchReader } from "../../../shared/codec/wire/mod.ts";
import {
  CommandFlag,
  type Instrument,
  MAX_BATCH_COMMANDS,
  MAX_QUOTE_ENTRIES,
} from "../../../shared/protocol/mod.ts";
import { CommandBatcher } from "./command_batcher.ts";

function instrument(id: number, shard = 0): Instrument {
  return {
    id,
    symbol: `S${id}`,
    shard,
    priceScale: 2,
    tickUnits: 1,
    qtyScale: 0,
    lotUnits: 1,
    algorithm: "F",
    proRataMin: 0,
    maxOrderQtyLots: 1000,
    tick: "0.01",
    lot: "1",
  };
}

interface Setup {
  across(shard: number, name: number): void;
  add(instrumentId: number, ...names: number[]): void;
  batcher: CommandBatcher;
  /** The one that is added. */
  command: Command;
  lines: string[];
}

function setUp(instruments: Instrument[], shards = [0]): Setup {
  const reader = new CommandBatchReader();
  const lines: string[] = [];
  const batcher = new CommandBatcher(
    3,
    9,
    instruments,
    shards,
    (shard, subject, bytes, commands, repeats) => {
      assert.equal(reader.open(bytes), null);
      assert.deepEqual([reader.gatewayId, reader.bootId, reader.count], [3, 9, commands]);
      const names = [];
      while (reader.next()) names.push(reader.command.msgSeqNum);
      const what = commands > 10 ? String(commands) : `[${names}]`;
      lines.push(`${shard} ${subject} ${what}${repeats ? " again" : ""}`);
    },
  );
  const command = new Command();
  const add = (instrumentId: number, ...names: number[]) => {
    for (const name of names) {
      command.msgSeqNum = name;
      batcher.add(instrumentId, command);
    }
  };
  const across = (shard: number, name: number) => {
    command.msgSeqNum = name;
    batcher.addAcross(shard, command);
  };
  return { across, add, command, batcher, lines };
}

describe("CommandBatcher", () => {
  it("says of a batch whether some of it was sent before", () => {
    const { add, command, batcher, lines } = setUp([instrument(1), instrument(2)]);
    add(1, 1);
    command.flags = CommandFlag.PossDup;
    add(1, 2);
    command.flags = 0;
    add(1, 3);
    add(2, 4);
    batcher.flush();
    add(1, 5);
    batcher.flush();
    assert.deepEqual(lines, ["0 cmd.0.S1 [1,2,3] again", "0 cmd.0.S2 [4]", "0 cmd.0.S1 [5]"]);
  });

  it("makes one batch per symbol of what came before the flush, first symbol first", () => {
    const { add, batcher, lines } = setUp([instrument(1), instrument(2, 1)], [0, 1]);
    add(2, 1);
    add(1, 2, 3);
    add(2, 4);
    assert.deepEqual(lines, []);
    batcher.flush();
    assert.deepEqual(lines, ["1 cmd.1.S2 [1,4]", "0 cmd.0.S1 [2,3]"]);
    batcher.flush();
    add(1, 5);
    batcher.flush();
    assert.deepEqual(lines.slice(2), ["0 cmd.0.S1 [5]"]);
  });

  it("sends commands without a listed symbol to the lowest shard", () => {
    const { add, batcher, lines } = setUp([instrument(1, 2)], [2, 1]);
    add(0, 7);
    batcher.flush();
    assert.deepEqual(lines, ["1 cmd.1._ [7]"]);
  });

  it("lets a full batch leave at once and goes on with the next", () => {
    const { add, batcher, lines } = setUp([instrument(1)]);
    const most = MAX_BATCH_COMMANDS - 2 * MAX_QUOTE_ENTRIES + 1;
    add(1, ...Array.from({ length: most }, (_, i) => i));
    assert.deepEqual(lines, [`0 cmd.0.S1 ${most}`]);
    add(1, 5);
    batcher.flush();
    assert.deepEqual(lines.slice(1), ["0 cmd.0.S1 [5]"]);
  });

  it("is as it was after a command that cannot be encoded", () => {
    const { add, batcher, lines } = setUp([instrument(1), instrument(2)]);
    assert.throws(() => add(1, 2 ** 32), RangeError);
    batcher.flush();
    assert.deepEqual(lines, []);
    add(2, 1);
    assert.throws(() => add(2, NaN), RangeError);
    assert.throws(() => add(1, -1), RangeError);
    add(1, 2);
    add(2, 3);
    batcher.flush();
    assert.deepEqual(lines, ["0 cmd.0.S2 [1,3]", "0 cmd.0.S1 [2]"]);
  });

  it("keeps at most 16 batches open: the oldest leaves early", () => {
    const { add, batcher, lines } = setUp(Array.from({ length: 17 }, (_, i) => instrument(i + 1)));
    for (let id = 1; id <= 17; id++) add(id, id);
    assert.deepEqual(lines, ["0 cmd.0.S1 [1]"]);
    batcher.flush();
    assert.equal(lines.length, 17);
  });

  it("lets nothing of a shard move past a command that concerns all its symbols", () => {
    const { across, add, batcher, lines } = setUp([instrument(1), instrument(2), instrument(3, 1)], [0, 1]);
    add(1, 1);
    add(3, 2);
    add(0, 3);
    add(2, 4);
    add(1, 5);
    across(0, 6);
    assert.deepEqual(lines.splice(0), [
      "0 cmd.0.S1 [1,5]",
      "0 cmd.0._ [3]",
      "0 cmd.0.S2 [4]",
      "0 cmd.0._ [6]",
    ]);
    across(1, 6);
    assert.deepEqual(lines.splice(0), ["1 cmd.1.S3 [2]", "1 cmd.1._ [6]"]);
    across(0, 7);
    add(1, 8);
    add(0, 9);
    batcher.flush();
    assert.deepEqual(lines, ["0 cmd.0._ [7]", "0 cmd.0.S1 [8]", "0 cmd.0._ [9]"]);
  });

  it("is as before when a command that concerns all symbols cannot be encoded", () => {
    const { across, add, batcher, lines } = setUp([instrument(1)]);
    add(1, 1);
    assert.throws(() => across(0, -1), /Cannot encode a command's msgSeqNum/);
    across(0, 2);
    batcher.flush();
    assert.deepEqual(lines, ["0 cmd.0.S1 [1]", "0 cmd.0._ [2]"]);
  });

  it("opens no more batches at a time for such commands", () => {
    const many = Array.from({ length: 16 }, (_, i) => instrument(i + 1, 1));
    const { across, add, lines } = setUp(many, [0, 1]);
    for (const { id } of many) add(id, id);
    across(0, 99);
    assert.deepEqual(lines, ["1 cmd.1.S1 [1]", "0 cmd.0._ [99]"]);
  });
});
