/** What a matcher works with and whom it tells. Pure: types only. */
import type { Logger } from "../../shared/cli/log.ts";
import type { NatsConnection } from "../../shared/nats/mod.ts";
import type { Instrument } from "../../shared/protocol/mod.ts";
import type { EnginePlace } from "./command_applier.ts";
import type { EnginePort } from "./engine_port.ts";
import type { LeaderDuties } from "./leader_duties.ts";
import type { OnTraced } from "./tracing_encoder.ts";

/** What a matcher works with. */
export interface MatcherOptions {
  readonly nc: NatsConnection;
  readonly shard: number;
  readonly engine: EnginePort;
  /** What the engine has applied already, such as a snapshot's commands; nothing when absent. EV_s holds all their events. */
  readonly from?: EnginePlace;
  /** The instruments whose books the engine keeps. */
  readonly instruments: readonly Instrument[];
  /** Digest of what the engine was made for: a standby and its leader must have the same (default: none). */
  readonly rules?: string;
  readonly log: Logger;
  /** The matcher has stopped and must not be used again. */
  readonly onFatal: (error: Error) => void;
  /** Bytes of events not yet stored at which reading pauses (default 8 MiB); it resumes at a quarter. */
  readonly maxUnstoredBytes?: number;
  /** Called for traced commands that are new, not for those of the replay. */
  readonly onTraced?: OnTraced;
  /** What the leader does beside; nothing when absent. */
  readonly duties?: LeaderDuties;
  /** Stands by while another leads, instead of ending. */
  readonly standby?: boolean;
  /** It stands by: it has read CMD_s to its end once, and another leads. */
  readonly onStandingBy?: () => void;
  /** The standby leads, as an operator asked for: this matcher has stopped and must not be used again. */
  readonly onHandedOver?: () => void;
}
