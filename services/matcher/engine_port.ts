/**
 * What the service shell needs of a matching engine: the door through which services/matcher/engine is used, and
 * through which tests put a simpler one. Pure.
 */
import type { CommandBatchReader } from "../../shared/codec/wire/mod.ts";
import type { InstrumentState, Side } from "../../shared/protocol/mod.ts";
import type { BatchOutcome, EventSink, LevelVisitor } from "./engine/mod.ts";

/** A deterministic state machine over the messages of one CMD stream (services/matcher/engine has the words). */
export interface EnginePort {
  applyBatch(cmdSeq: number, timestampUs: number, batch: CommandBatchReader, sink: EventSink): BatchOutcome;
  /** A command message that cannot be read: place and time move, nothing else. */
  begin(cmdSeq: number, timestampUs: number): void;
  stateHash(): string;
  /** {@link stateHash} in short steps, which is worth nothing once anything has been applied between. */
  stateHashSteps(): Iterator<void, string>;
  /** What has been applied of a gateway's commands; zeros before the first. */
  gateway(gatewayId: number): { readonly bootId: number; readonly lastSeq: number };
  /** What has been applied of a session's commands; zeros before the first. */
  session(sessionId: number): { readonly incarnation: number; readonly highest: number };
  levels(instrumentId: number, side: Side, visit: LevelVisitor): void;
  /** Null for an instrument that the engine does not keep. */
  instrumentState(instrumentId: number): InstrumentState | null;
  /** When an instrument's volatility auction was called, µs since 1970; 0 when none runs. */
  volatilitySinceUs(instrumentId: number): number;
  /** The earliest time at which an open order expires, µs since 1970; 0 when none does. */
  nextExpiryUs(): number;
}
