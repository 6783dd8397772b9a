/** Runs a ledger of test_ledger.ts's language against the engine and the reference. Test support only. */
import assert from "node:assert/strict";
import { CommandKind, MatchAlgorithm } from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import { ReferenceEngine } from "../reference/mod.ts";
import { Engine, type EngineOptions } from "./engine.ts";
import { checkInvariants } from "./invariants.ts";
import { parseCommand, RecordingSink, testInstrument } from "./test_ledger.ts";

/** Instrument 1 is FIFO, 2 pro rata, 3 pro rata with a minimum share of 2; the largest OrderQty is 2^31 - 1. */
export const LEDGER_INSTRUMENTS = [
  testInstrument(1, { maxOrderQtyLots: 2 ** 31 - 1 }),
  testInstrument(2, { maxOrderQtyLots: 2 ** 31 - 1, algorithm: MatchAlgorithm.ProRata }),
  testInstrument(3, { maxOrderQtyLots: 1000, algorithm: MatchAlgorithm.ProRata, proRataMin: 2 }),
];

const LEDGER_OPTIONS: EngineOptions = {
  shard: 0,
  instruments: LEDGER_INSTRUMENTS,
  maxOpenOrders: 100,
  clOrdIdHistory: 100,
};

/** An engine for ledgers. */
export function ledgerEngine(options: Partial<EngineOptions> = {}): Engine {
  return new Engine({ ...LEDGER_OPTIONS, ...options });
}

/**
 * Lines that begin with `>` are commands, each the only one of its message: sequences 1, 2, …, MsgSeqNums 1, 2, … per
 * session. The lines below a command are its events, all of them, in order. Both engines must agree with it, and on the
 * state at the end. Returns the fast one.
 */
export function ledger(text: string, options: Partial<EngineOptions> = {}): Engine {
  const engine = ledgerEngine(options);
  const reference = new ReferenceEngine({ ...LEDGER_OPTIONS, ...options });
  const want = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  assert.deepEqual(runLedger(engine, want), want);
  assert.deepEqual(runLedger(reference, want), want, "the reference differs");
  assert.equal(reference.stateHash(), engine.stateHash(), "the reference's state differs");
  return engine;
}

/** The commands among `lines`, each with the events that it causes in `engine`. */
export function runLedger(engine: Engine | ReferenceEngine, lines: readonly string[]): string[] {
  const sink = new RecordingSink();
  const got: string[] = [];
  const msgSeqNums = new Map<number, number>();
  let sequence = 0;
  for (const line of lines.filter((line) => line.startsWith(">"))) {
    const command = parseCommand(line.slice(1));
    if (!isOfVenue(command)) {
      const msgSeqNum = (msgSeqNums.get(command.sessionId) ?? 0) + 1;
      msgSeqNums.set(command.sessionId, msgSeqNum);
      command.msgSeqNum ||= msgSeqNum;
    }
    engine.apply(++sequence, 0, sequence * 1000, command, sink);
    if (engine instanceof Engine) checkInvariants(engine);
    got.push(line, ...sink.take());
  }
  return got;
}

/** Whether no session sent it, as no session sends phases. */
function isOfVenue({ kind, sessionId }: Command): boolean {
  return sessionId === 0 || kind === CommandKind.SetPhase || kind === CommandKind.SetAlgorithm ||
    kind === CommandKind.ExpireOrders;
}
