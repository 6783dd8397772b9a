/**
 * The venue as every part sees it: instruments, firms, sessions and limits, validated and indexed. Types only;
 * shared/config/load.ts makes one from a file. Pure.
 */
import type { Firm, FixSession, Instrument } from "../protocol/instruments.ts";
import type { TradingSchedule } from "../protocol/trading_schedule.ts";

/** Bounds of everything that can grow; each has a defined answer when reached (docs/operations.md). */
export interface VenueLimits {
  /** Bytes of one FIX message, header and trailer included. Longer: the session is disconnected. */
  readonly maxMessageBytes: number;
  /** Fields of one FIX message. More: the message is rejected. */
  readonly maxFieldsPerMessage: number;
  /** Entries of one repeating group. More: the message is rejected. */
  readonly maxGroupEntries: number;
  /** Smallest HeartBtInt(108) accepted at Logon, seconds. */
  readonly heartBtIntMinSec: number;
  /** Largest HeartBtInt(108) accepted at Logon, seconds. */
  readonly heartBtIntMaxSec: number;
  /** Largest distance of SendingTime(52) from our clock, seconds. */
  readonly sendingTimeToleranceSec: number;
  /** Time from connecting to a valid Logon, seconds. */
  readonly logonTimeoutSec: number;
  /** Bytes waiting for a client that does not read. More: it is disconnected. */
  readonly maxUnsentBytes: number;
  /** How long bytes may wait for a client that takes none of them, seconds. Longer: it is disconnected. */
  readonly unsentTimeoutSec: number;
  /** Messages of a session held while a gap before them is being resent. More: dropped, and asked for again. */
  readonly maxQueuedMessages: number;
  /** TCP connections at a time. More: the new one is closed. */
  readonly maxConnections: number;
  /**
   * Logons of one address in a minute, good and bad, counted before credentials are looked at: else guessing would go on
   * until it is right. Clients behind one address share it. More: the connection is closed.
   */
  readonly logonsPerMinutePerAddress: number;
  /** Application messages of one session in a second. More: see {@link overRateAnswer}. */
  readonly maxMessagesPerSecond: number;
  /** What a message above {@link maxMessagesPerSecond} is told. */
  readonly overRateAnswer: "reject" | "business-reject" | "logout";
  /** ResendRequests of one session in a minute that ask for nothing new. More: it is logged out. */
  readonly maxResendRepeats: number;
  /** Open orders of one shard. More: the new order is rejected. */
  readonly maxOpenOrders: number;
  /**
   * Past ClOrdIDs of one shard (of done orders, replaced ones, those of cancels) still known as duplicates. More: the
   * oldest are forgotten, and orders with their last.
   */
  readonly clOrdIdHistory: number;
  /** Commands of one shard after which a snapshot of its state is taken; a start replays fewer than about twice as many. */
  readonly snapshotEveryCommands: number;
  /** Size of a shard's command stream, bytes. When full, orders are refused until this is raised. */
  readonly cmdStreamBytes: number;
  /** Size of a shard's event stream, bytes. The oldest events give way. */
  readonly evStreamBytes: number;
  /** Size of the stream of sent FIX messages, bytes, over all sessions. The oldest give way and are gap-filled. */
  readonly fixOutStreamBytes: number;
  /** How long a sent FIX message can be resent, hours. */
  readonly fixOutMaxAgeHours: number;
  /** Shortest time between two published books of one symbol, milliseconds. */
  readonly conflationMs: number;
  /** Commands of one gateway sent and not yet acknowledged by the stream. More: sockets are not read. */
  readonly maxInFlightCommands: number;
}

/** What stored commands and events survive (docs/operations.md, "Durability"). */
export type Durability = "default" | "power-loss";

/** A validated venue file. Immutable; ids are stable for the life of a store. */
export interface Venue {
  /** Names the store's default folder: letters, digits, `_`, `-`. */
  readonly name: string;
  /** The exchange's CompID: clients' TargetCompID(56). */
  readonly targetCompId: string;
  /** Shard numbers, ascending. */
  readonly shards: readonly number[];
  readonly instruments: readonly Instrument[];
  readonly firms: readonly Firm[];
  readonly sessions: readonly FixSession[];
  readonly limits: VenueLimits;
  /** What a write survives once it is acknowledged: death of any process, or power loss too. */
  readonly durability: Durability;
  /** When instruments enter their phases; null: they are always open. */
  readonly schedule: TradingSchedule | null;
  readonly instrumentBySymbol: ReadonlyMap<string, Instrument>;
  readonly instrumentById: ReadonlyMap<number, Instrument>;
  readonly firmById: ReadonlyMap<number, Firm>;
  readonly sessionById: ReadonlyMap<number, FixSession>;
  /** By the client's SenderCompID(49). */
  readonly sessionByCompId: ReadonlyMap<string, FixSession>;
}
