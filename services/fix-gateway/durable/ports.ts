/** What the durable side of sessions needs from the world, so that tests can bring their own. Pure: types only. */
import type { EventBatchReader } from "../../../shared/codec/wire/mod.ts";
import type { FixWriter } from "../../../shared/codec/fix/mod.ts";
import type { Logger } from "../../../shared/cli/log.ts";
import type { QuoteAcks } from "../order_entry/mod.ts";
import type { Position } from "./position.ts";
import type { Owner, SessionRecord } from "./record.ts";

/** Session records, written by compare-and-set. */
export interface SessionRecords {
  /** The newest record of a session; null when there is none. Rejects when it cannot be had. */
  read(session: number): Promise<{ readonly record: SessionRecord; readonly revision: number } | null>;
  /**
   * Replaces revision `revision` (0: none yet) and resolves with the new one, or null when another was there. Rejects
   * when the outcome is unknown.
   */
  write(session: number, record: SessionRecord, revision: number): Promise<number | null>;
}

/** What has been applied of a session's commands. */
export interface AppliedSession {
  /** The newest incarnation of which there are any; 0 when there are none. */
  readonly incarnation: number;
  /** The highest MsgSeqNum(34) among them. */
  readonly highest: number;
}

/** Why matchers do not say it: one is not there, or has not applied all its commands yet, as while it replays them. */
export type NoAnswer = "silent" | "behind";

/** What matchers remember of sessions, whatever became of their records. */
export interface AppliedCommands {
  /** Says why when not every matcher tells within `waitMs`. Rejects when a command stream cannot be reached. */
  of(session: number, waitMs: number): Promise<AppliedSession | NoAnswer>;
}

/** What became of one publish. */
export type PublishOutcome =
  | { readonly kind: "stored"; readonly seq: number }
  /** Another record came in between: certainly not stored. */
  | { readonly kind: "conflict" }
  /** Certainly not stored, for a reason that may pass. */
  | { readonly kind: "refused"; readonly reason: string }
  /** No answer: it may be stored. */
  | { readonly kind: "unknown" };

/** One record of a session in the stream of sent messages; `bytes` is the caller's. */
export interface StoredRecord {
  readonly seq: number;
  readonly bytes: Uint8Array;
}

/** The newest of them. */
export interface LastRecord extends StoredRecord {
  /** When the stream took it, ms since 1970. */
  readonly storedMs: number;
}

/** The stream of sent messages. */
export interface OutStream {
  /** The newest record of a session; null when there is none. */
  last(session: number): Promise<LastRecord | null>;
  /** The first sequence that the stream holds, 1 when it never held a message: what lies before was let go by its limits. */
  firstSeq(): Promise<number>;
  /** Stores a record if the session's newest one is at `expectedSeq` (0: there is none). `bytes` must not change. */
  publish(session: number, bytes: Uint8Array, expectedSeq: number): Promise<PublishOutcome>;
  /** The session's records from stream sequence `fromSeq` on: at most `count`, about `maxBytes`, at least one if any. */
  page(session: number, fromSeq: number, count: number, maxBytes: number): Promise<readonly StoredRecord[]>;
  /** Removes the session's records below `seq`. Best effort: failures are only logged. */
  forget(session: number, seq: number): void;
}

/** Which gateways are alive. */
export interface Leases {
  /** The boot number under which a gateway is alive; null when its lease has run out. */
  bootOf(gatewayId: number): Promise<number | null>;
}

/** Takes stored events of one shard. */
export interface HistoryReceiver {
  stored(evSeq: number, bytes: Uint8Array): void;
  /** Messages are gone from the stream before they were read. */
  missing(from: number, to: number): void;
  failed(error: Error): void;
}

/** A running read of stored events. */
export interface HistoryReading {
  pause(): void;
  resume(): void;
  stop(): void;
}

/** The stored events. */
export interface EventHistory {
  /** Reads a shard's stored messages behind sequence `evSeq` and goes on with new ones until stopped. */
  read(shard: number, evSeq: number, receiver: HistoryReceiver): HistoryReading;
}

/** Says whether the event at which the reader stands leads to a message: event_report.ts, isReported. */
export type IsReported = (reader: EventBatchReader, acks: QuoteAcks) => boolean;
/** Writes a report's body for the event at which the reader stands; null when the event asks for none. */
export type WriteReport = (
  shard: number,
  reader: EventBatchReader,
  writer: FixWriter,
  acks: QuoteAcks,
) => string | null;

/** Everything together. */
export interface DurablePorts {
  readonly records: SessionRecords;
  readonly out: OutStream;
  readonly leases: Leases;
  readonly history: EventHistory;
  readonly applied: AppliedCommands;
  /** Where live events stand now, one place per shard of the venue. */
  readonly positions: () => readonly Position[];
  /** The newest command of each shard that is stored; 0 for none. Rejects when that cannot be read. */
  readonly newestCommands: () => Promise<ReadonlyMap<number, number>>;
  readonly isReported: IsReported;
  readonly report: WriteReport;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  readonly delay: (ms: number) => Promise<void>;
}

/** What the sessions of one gateway share. */
export interface DurableHost {
  readonly me: Owner;
  readonly ports: DurablePorts;
  readonly limits: DurableLimits;
  readonly log: Logger;
}

/** Bounds and times. */
export interface DurableLimits {
  /** Outgoing numbers reserved at a time; ≥ 2. */
  readonly block: number;
  /** Bytes sent and not stored, or waiting for a number, at which the session is disconnected. */
  readonly maxUnstoredBytes: number;
  /** Bytes of live reports that wait behind missed ones. */
  readonly maxWaitingBytes: number;
  /** How long a Logon waits for another gateway to let go of the session, ms. */
  readonly patienceMs: number;
  /** How long giving back waits for commands to be acknowledged, ms. */
  readonly ackWaitMs: number;
}
