/** Runs a ledger of test_ledger.ts's language against an engine. Test support only. */
import assert from "node:assert/strict";
import { MatchAlgorithm } from "../../../shared/protocol/mod.ts";
import { Engine, type EngineOptions } from "./engine.ts";
import { checkInvariants } from "./invariants.ts";
import { parseCommand, RecordingSink, testInstrument } from "./test_ledger.ts";

/** Instrument 1 is FIFO, 2 pro rata, 3 pro rata with a minimum share of 2; the largest OrderQty is 2^31 - 1. */
export const LEDGER_INSTRUMENTS = [
  testInstrument(1, { maxOrderQtyLots: 2 ** 31 - 1 }),
  testInstrument(2, { maxOrderQtyLots: 2 ** 31 - 1, algorithm: MatchAlgorithm.ProRata }),
  testInstrument(3, { maxOrderQtyLots: 1000, algorithm: MatchAlgorithm.ProRata, proRataMin: 2 }),
];

/** An engine for ledgers. */
export function ledgerEngine(options: Partial<EngineOptions> = {}): Engine {
  return new Engine({
    shard: 0,
    instruments: LEDGER_INSTRUMENTS,
    maxOpenOrders: 100,
    clOrdIdHistory: 100,
    ...options,
  });
}

/**
 * Lines that begin with `>` are commands, each the only one of its message: sequences 1, 2, …, MsgSeqNums 1, 2, … per
 * session. The lines below a command are its events, all of them, in order. Returns the engine.
 */
export function ledger(text: string, options: Partial<EngineOptions> = {}): Engine {
  const engine = ledgerEngine(options);
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
  return engine;
}
