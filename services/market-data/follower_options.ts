/** What a ShardFollower is given to work with: types only. */
import type { NatsConnection } from "@nats-io/nats-core";
import type { Logger } from "../../shared/cli/log.ts";
import type { ByteSlice } from "../../shared/codec/wire/mod.ts";
import type { EventPosition } from "../../shared/protocol/mod.ts";
import type { Clock } from "./conflated_publisher.ts";
import type { CopyPlace } from "./copy_place.ts";
import type { DepthImage, FeedVenue } from "./feed.ts";

/** A depth image and the sequence in EV_s from which the groups behind it are to be read. */
export interface PlacedImage extends DepthImage {
  readonly nextEvSeq: number;
}

/** Where the position lives; {@link PositionStore} in production. */
export interface Positions {
  load(): Promise<CopyPlace>;
  store(place: CopyPlace): Promise<void>;
}

/** What a follower works with. */
export interface FollowerOptions {
  readonly nc: NatsConnection;
  readonly shard: number;
  readonly venue: FeedVenue;
  /** Least time between two book messages of a symbol, ms. */
  readonly conflationMs: number;
  readonly positions: Positions;
  /** Sequences of the last messages by slot, for `symbols`. */
  readonly lastSeqs: (kind: "book" | "phase", symbols: readonly string[]) => Promise<number[]>;
  /** The last sequence in EV_s. */
  readonly lastEvSeq: () => Promise<number>;
  /** The last sequence in CMD_s. */
  readonly lastCmdSeq: () => Promise<number>;
  /** The matcher's depth, waiting for one that leads; rejects when it cannot be read, or `signal` aborts. */
  readonly depth: (signal: AbortSignal) => Promise<PlacedImage>;
  /** An event of a sampled order was handled; `trace` is borrowed. */
  readonly traced: (trace: ByteSlice, position: EventPosition) => void;
  readonly log: Logger;
  readonly clock: Clock;
  /** The follower has stopped for good. */
  readonly onFatal: (error: Error) => void;
}
