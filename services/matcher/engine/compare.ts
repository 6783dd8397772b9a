/**
 * Runs the fast engine and the reference over the same random commands and compares every event, the state hash and
 * the depth after each command. Test support only. Pure.
 */
import { orderIdOf } from "../../../shared/protocol/mod.ts";
import { MatchAlgorithm } from "../../../shared/protocol/mod.ts";
import { ReferenceEngine } from "../reference/mod.ts";
import { Engine, type EngineOptions } from "./engine.ts";
import { checkInvariants } from "./invariants.ts";
import { RandomFlow, SIDES } from "./random_flow.ts";
import { RecordingSink, testInstrument } from "./test_ledger.ts";

/** Where two engines part, for the person who has to find out why. */
export interface Difference {
  readonly seed: number;
  /** Number of the command, from 1. */
  readonly command: number;
  readonly fast: readonly string[];
  readonly reference: readonly string[];
}

/** Compares over `commands` commands; null when nothing differs. Throws when the fast engine's state is unsound. */
export function compareEngines(seed: number, commands: number): Difference | null {
  const options = optionsOf(seed);
  const fast = new Engine(options);
  const reference = new ReferenceEngine(options);
  const ids = options.instruments.map((instrument) => instrument.id);
  const flow = new RandomFlow(seed, ids);
  const fastSink = new RecordingSink();
  const referenceSink = new RecordingSink();
  const perMessage = 1 + (seed >>> 3) % 3;
  for (let i = 0; i < commands; i++) {
    const sequence = 1 + Math.floor(i / perMessage);
    const index = i % perMessage;
    const command = flow.next(orderIdOf(sequence, index));
    const timestampUs = sequence * 1000 - (i % 7) * 3000;
    fast.apply(sequence, index, timestampUs, command, fastSink);
    reference.apply(sequence, index, timestampUs, command, referenceSink);
    const got = [...fastSink.take(), fast.stateHash(), ...depthOf(fast, ids)];
    const want = [...referenceSink.take(), reference.stateHash(), ...depthOf(reference, ids)];
    if (got.join("\n") !== want.join("\n")) return { seed, command: i + 1, fast: got, reference: want };
    if (i % 16 === 0) checkInvariants(fast);
  }
  checkInvariants(fast);
  return null;
}

/** Small limits, so that books fill up and names are forgotten; both algorithms. */
function optionsOf(seed: number): EngineOptions {
  const maxOrderQtyLots = seed % 2 === 0 ? 500 : 2 ** 31 - 1;
  return {
    shard: 0,
    instruments: [
      testInstrument(1, { maxOrderQtyLots }),
      testInstrument(7, { maxOrderQtyLots, algorithm: MatchAlgorithm.ProRata }),
      testInstrument(8, { maxOrderQtyLots, algorithm: MatchAlgorithm.ProRata, proRataMin: 3 }),
      testInstrument(9, { shard: 1 }),
    ],
    maxOpenOrders: 20 + seed % 150,
    clOrdIdHistory: 1 + seed % 50,
    hashSeed: seed,
  };
}

function depthOf(engine: Pick<Engine, "levels">, ids: readonly number[]): string[] {
  const lines: string[] = [];
  for (const id of ids) {
    for (const side of SIDES) {
      engine.levels(id, side, (price, qty, orders) => lines.push(`${id} ${side} ${qty}@${price} x${orders}`));
    }
  }
  return lines;
}
