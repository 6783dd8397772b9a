/** The matching engine of one shard: pure, deterministic, fed by the command stream alone. Pure. */
export { Engine, type EngineOptions, type LevelVisitor } from "./engine.ts";
export { BatchOutcome } from "./gateway_sequences.ts";
export { EventEncoder } from "./event_encoder.ts";
export type { EventSink } from "./event_sink.ts";
