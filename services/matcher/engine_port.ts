/**
 * What the service shell needs of a matching engine: the door through which services/matcher/engine is used, and
 * through which tests put a simpler one. Pure.
 */
import type { CommandBatchReader, EventBatchWriter } from "../../shared/codec/wire/mod.ts";

/** Receives one price level of a book: LeavesQty sum in lots, and the number of orders. */
export type LevelVisitor = (
  instrumentId: number,
  side: number,
  priceTicks: number,
  qtyLots: number,
  orders: number,
) => void;

/** A deterministic state machine over the messages of one CMD stream. */
export interface EnginePort {
  /**
   * Applies one command message; called in stream order. `batch` is open and before its first command; the engine
   * reads it command by command and appends each command's events to `out` (begun, and ended, by the caller) while
   * that command is the reader's current one. Never throws on any readable batch.
   */
  apply(cmdSeq: number, timestampUs: number, batch: CommandBatchReader, out: EventBatchWriter): void;
  /** Hex digest of the whole state: equal for two engines that applied the same messages. */
  stateHash(): string;
  /** Calls `visit` for every level of every book. */
  visitLevels(visit: LevelVisitor): void;
}
