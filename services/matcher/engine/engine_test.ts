/** Ledgers: the order life cycle, command by command. The language is test_ledger.ts's. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { MatchAlgorithm } from "../../../shared/protocol/mod.ts";
import { Engine, type EngineOptions } from "./engine.ts";
import { checkInvariants } from "./invariants.ts";
import { parseCommand, RecordingSink, testInstrument } from "./test_ledger.ts";

const INSTRUMENTS = [testInstrument(1), testInstrument(2, { algorithm: MatchAlgorithm.ProRata })];

/** Runs a ledger: lines that begin with `>` are commands, the lines below each are its events, in order, all. */
function ledger(text: string, options: Partial<EngineOptions> = {}): void {
  const engine = new Engine({
    shard: 0,
    instruments: INSTRUMENTS,
    maxOpenOrders: 100,
    clOrdIdHistory: 100,
    ...options,
  });
  const sink = new RecordingSink();
  const got: string[] = [];
  const want = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const msgSeqNums = new Map<number, number>();
  let sequence = 0;
  for (const line of want.filter((line) => line.startsWith(">"))) {
    const command = parseCommand(line.slice(1));
    const msgSeqNum = (msgSeqNums.get(command.sessionId) ?? 0) + 1;
    msgSeqNums.set(command.sessionId, msgSeqNum);
    command.msgSeqNum ||= msgSeqNum;
    engine.apply(++sequence, 0, sequence * 1000, command, sink);
    checkInvariants(engine);
    got.push(line, ...sink.take());
  }
  assert.deepEqual(got, want);
}

describe("a new order", () => {
  it("rests when nothing crosses it", () =>
    ledger(`
      > new s1 A buy 10@100
      accepted s1 A #1.0 buy 10@100 day New 0+10 m1
      level buy 10@100 x1
    `));

  it("trades at the resting price, aggressor reported first, and rests with what is left", () =>
    ledger(`
      > new s1 A sell 4@99
      accepted s1 A #1.0 sell 4@99 day New 0+4 m1
      level sell 4@99 x1
      > new s3 B buy 10@100
      accepted s3 B #2.0 buy 10@100 day New 0+10 m1
      executed s3 B #2.0 buy 10@100 day Partial 4+6 last 4@99 trade 2 removed notional 396 m1
      executed s1 A #1.0 sell 4@99 day Filled 4+0 last 4@99 trade 2 added notional 396
      level sell 0@99 x0
      level buy 6@100 x1
    `));
});
