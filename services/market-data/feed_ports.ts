/** What a feed begins with, whom it tells, and what it says of a message. Pure: types only. */
import type { ByteSlice } from "../../shared/codec/wire/mod.ts";
import type { DropCopyMessage, TradeMessage } from "../../shared/protocol/market_data.ts";
import type { EventPosition, FixSession, Instrument } from "../../shared/protocol/mod.ts";
import type { PhaseState } from "./instrument_phase.ts";

/** A level of a depth image. */
export interface DepthLevel {
  readonly instrumentId: number;
  readonly side: number;
  readonly priceTicks: number;
  readonly qtyLots: number;
  readonly orders: number;
}

/** Every level of every book of a shard after command `cmdSeq` (docs/wire.md, "Depth image"). */
export interface DepthImage {
  readonly cmdSeq: number;
  /** Stream time of about that command, µs; 0 when not known. */
  readonly timestampUs: number;
  readonly levels: readonly DepthLevel[];
  /** Phases of the shard's instruments after command `phasesCmdSeq`, which is not before `cmdSeq`. */
  readonly phases: readonly PhaseState[];
  readonly phasesCmdSeq: number;
}

/** What the feed needs to know of the venue. */
export interface FeedVenue {
  readonly instruments: readonly Instrument[];
  readonly sessionById: ReadonlyMap<number, FixSession>;
}

/** Takes what a message of events brings, in stream order. */
export interface FeedSink {
  /** A drop copy or trade for `subject`; only while the caller asked for them. */
  publish(subject: string, message: DropCopyMessage | TradeMessage): void;
  /** The best ten levels of the book in this slot of ShardFeed.books changed; the group is complete. */
  bookChanged(slot: number): void;
  /** What the auction of the instrument in this slot would trade changed; `entered`: its phase did. */
  phaseChanged(slot: number, entered: boolean): void;
  /** An event of a sampled order was handled; `trace` is borrowed. */
  traced(trace: ByteSlice, position: EventPosition): void;
  /** The event names a session or instrument that the venue file does not list (any more): it has no addressee. */
  unlisted(what: "session" | "instrument", id: number, position: EventPosition): void;
}

/** How a message of events was taken. */
export type FeedResult =
  | { readonly kind: "taken" }
  /** Bytes that cannot be read, or a command that is another than the one of before: nothing more is to be taken. */
  | { readonly kind: "fault"; readonly text: string }
  /** The first events read lie behind those of which copies are wanted next: nothing of it was taken. */
  | { readonly kind: "hole"; readonly text: string }
  /** Events that do not follow what came before: nothing of it was taken; ShardFeed.seek allows it. */
  | { readonly kind: "gap"; readonly text: string };
