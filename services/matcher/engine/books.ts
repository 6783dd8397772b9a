/**
 * The parts of the engine that commands act on, in one place to hand around, and how they are put together in one memory.
 * Pure.
 */
import { type Instrument, MAX_QUOTE_ENTRIES } from "../../../shared/protocol/mod.ts";
import { AuctionCurve } from "./auction_price.ts";
import type { ClOrdIdIndex } from "./cl_ord_id_index.ts";
import { InstrumentStates } from "./instrument_state.ts";
import { InstrumentTable } from "./instrument_table.ts";
import { LevelStore } from "./level_store.ts";
import { Matching } from "./matching.ts";
import { Memory } from "./memory.ts";
import { OrderRegistry } from "./registry.ts";
import { Reporter } from "./reporter.ts";
import { Walk } from "./walk.ts";

/** Levels that one command can leave empty beyond one per open order: those of a MassQuote's earlier entries. */
const QUOTED_LEVELS = 2 * MAX_QUOTE_ENTRIES;
const DEFAULT_HASH_SEED = 0x5bd1e995;

/** What an engine is made for. Two engines agree on state and events only when all but `hashSeed` are equal. */
export interface EngineOptions {
  readonly shard: number;
  /** The venue's instruments; those of other shards are left out. */
  readonly instruments: readonly Instrument[];
  /** Orders that may rest at once (≥ 1); a resting order beyond is rejected with BookFull. */
  readonly maxOpenOrders: number;
  /** Past ClOrdIDs remembered (≥ 1): replaced ones, those of cancels, those of orders that are done. */
  readonly clOrdIdHistory: number;
  /** Moves the hash values of ClOrdIDs, never results. Default: a constant. */
  readonly hashSeed?: number;
  /** Memory that an engine with the same limits has used, if any: all 0, and nobody's. Never changes results. */
  readonly memory?: ArrayBuffer;
}

/** One shard's state and what works on it. */
export interface Books {
  readonly instruments: InstrumentTable;
  readonly states: InstrumentStates;
  readonly registry: OrderRegistry;
  /** The memory that holds every record. */
  readonly words: Int32Array;
  /** The registry's ClOrdIDs. */
  readonly names: ClOrdIdIndex;
  readonly levels: LevelStore;
  readonly matching: Matching;
  readonly curve: AuctionCurve;
  readonly walk: Walk;
  readonly reporter: Reporter;
  readonly maxOpenOrders: number;
}

/** Empty books. Throws RangeError on limits or instruments that a validated configuration cannot hold. */
export function createBooks(options: EngineOptions): Books {
  const { maxOpenOrders, clOrdIdHistory } = options;
  if (!(maxOpenOrders >= 1) || !(clOrdIdHistory >= 1)) {
    throw new RangeError(
      `Cannot create an engine: expected maxOpenOrders and clOrdIdHistory of at least 1, got ${maxOpenOrders} and ${clOrdIdHistory}`,
    );
  }
  const instruments = new InstrumentTable(options.shard, options.instruments);
  const levelLimits = [instruments.maxId, maxOpenOrders + 1 + QUOTED_LEVELS] as const;
  const memory = new Memory(
    options.memory ?? null,
    ...OrderRegistry.words(maxOpenOrders, clOrdIdHistory),
    ...LevelStore.words(...levelLimits),
    Walk.words(maxOpenOrders + 1),
  );
  const hashSeed = options.hashSeed ?? DEFAULT_HASH_SEED;
  const registry = new OrderRegistry(memory, maxOpenOrders, clOrdIdHistory, hashSeed);
  const levels = new LevelStore(memory, ...levelLimits);
  const reporter = new Reporter(memory, registry.names);
  const states = new InstrumentStates(instruments, levels, reporter);
  const matching = new Matching(memory, instruments, states, registry, levels, reporter, maxOpenOrders);
  return {
    instruments,
    states,
    registry,
    words: memory.words,
    names: registry.names,
    levels,
    matching,
    curve: new AuctionCurve(),
    walk: new Walk(memory, levels, maxOpenOrders + 1),
    reporter,
    maxOpenOrders,
  };
}
