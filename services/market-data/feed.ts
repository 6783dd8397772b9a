/**
 * One shard's events turned into market data: books kept, trades and drop copies handed out in stream order. Owns the
 * books of the shard and the place in the event stream; decides nothing about when a book is published. Pure.
 *
 * Books start from a depth image that holds every command up to a sequence; groups of events up to it are skipped, so
 * the stream may be read again from any earlier place. Drop copies and trades are handed out whenever the caller
 * wants them, also again (docs/market-data.md, "At least once").
 */
import { ByteSlice, type Event, EventBatchReader } from "../../shared/codec/wire/mod.ts";
import {
  type BookMessage,
  type DropCopyMessage,
  isoTimeText,
  type PhaseMessage,
  type TradeMessage,
} from "../../shared/protocol/market_data.ts";
import {
  dropSubject,
  EventKind,
  type EventPosition,
  type FixSession,
  type Instrument,
  phaseName,
  Side,
  tradeSubject,
} from "../../shared/protocol/mod.ts";
import { DepthBook } from "./book.ts";
import { dropCopyOf } from "./drop_copy.ts";
import { InstrumentPhase, type PhaseState } from "./instrument_phase.ts";
import { tradeOf } from "./trades.ts";

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
  /** The best ten levels of the book in this slot of {@link ShardFeed.books} changed; the group is complete. */
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
  /** Bytes that cannot be read: nothing of it was taken. */
  | { readonly kind: "fault"; readonly text: string }
  /** Events that do not follow what came before: nothing of it was taken; {@link ShardFeed.seek} allows it. */
  | { readonly kind: "gap"; readonly text: string };

const TAKEN: FeedResult = { kind: "taken" };

/** The books and the place in the stream of one shard. */
export class ShardFeed {
  readonly shard: number;
  /** The shard's books; a book's index here is its slot. */
  readonly books: readonly DepthBook[];
  readonly #phases: readonly InstrumentPhase[];
  readonly #sessions: ReadonlyMap<number, FixSession>;
  readonly #slotOf: Int32Array = new Int32Array(65536).fill(-1);
  readonly #reader = new EventBatchReader();
  readonly #trace = new ByteSlice();
  readonly #position = { shard: 0, cmdSeq: 0, eventIndex: 0, timestampUs: 0 };
  /** Slots changed within a group that is not complete. */
  readonly #dirty = new Set<number>();
  /** The same of phases; true: another phase began. */
  readonly #dirtyPhases = new Map<number, boolean>();
  /** Books hold every command up to this one; never falls except by {@link load}. */
  #booksCmdSeq = 0;
  /** The same of phases; may be ahead of the books, never behind. */
  #phasesCmdSeq = 0;
  /** A command's events have been applied up to the end of a message, and the next message goes on with them. */
  #withinCommand = false;
  /** Events that the books need are missing; until {@link load}. */
  #incomplete = false;
  /** The next group and event expected; 0 when any will do. */
  #nextCmdSeq = 0;
  #nextEventIndex = 0;

  constructor(shard: number, venue: FeedVenue) {
    this.shard = shard;
    this.books = venue.instruments.filter((each) => each.shard === shard).map((each) => new DepthBook(each));
    this.books.forEach((book, slot) => this.#slotOf[book.instrument.id] = slot);
    this.#phases = this.books.map(({ instrument }) => new InstrumentPhase(instrument));
    this.#sessions = venue.sessionById;
    this.#position.shard = shard;
  }

  /** Replaces all books by an image. Returns null or what is wrong with it. */
  load(image: DepthImage): string | null {
    for (
      const id of [
        ...image.levels.map((level) => level.instrumentId),
        ...image.phases.map(({ id }) => id),
      ]
    ) {
      if (this.#slotOf[id] < 0) return `instrument ${id} is not of this shard`;
    }
    this.#dirty.clear();
    this.#dirtyPhases.clear();
    for (const state of image.phases) this.#phases[this.#slotOf[state.id]].load(state, image.phasesCmdSeq);
    this.#phasesCmdSeq = image.phasesCmdSeq;
    for (const book of this.books) {
      book.clear();
      book.cmdSeq = image.cmdSeq;
      book.timestampUs = image.timestampUs;
    }
    for (const { instrumentId, side, priceTicks, qtyLots, orders } of image.levels) {
      this.books[this.#slotOf[instrumentId]].set(side, priceTicks, qtyLots, orders);
    }
    this.#booksCmdSeq = image.cmdSeq;
    this.#withinCommand = this.#incomplete = false;
    return null;
  }

  /** Whether the books are those between two commands, and nothing that they need is missing. */
  get whole(): boolean {
    return !this.#withinCommand && !this.#incomplete && this.#phasesCmdSeq <= this.#booksCmdSeq;
  }

  /** The next message may be any of the stream: reading starts again somewhere else. */
  seek(): void {
    this.#nextCmdSeq = 0;
  }

  /** Messages with changes of the books are gone: they are not {@link whole} until the next {@link load}. */
  lose(): void {
    this.#incomplete = true;
    this.seek();
  }

  /**
   * Takes one message of EV_s. `withCopies`: hand out drop copies and trades too. The epoch is not looked at: what
   * EV_s holds has passed the fence, and after a lost connection messages from before a claim are read again.
   */
  apply(bytes: Uint8Array, withCopies: boolean, sink: FeedSink): FeedResult {
    const reader = this.#reader;
    const fault = reader.open(bytes);
    if (fault !== null) return { kind: "fault", text: fault };
    let first = true;
    while (reader.nextGroup()) {
      if (first && this.#nextCmdSeq !== 0) {
        const follows = reader.cmdSeq === this.#nextCmdSeq && reader.firstEventIndex === this.#nextEventIndex;
        if (!follows) {
          if (reader.cmdSeq > this.#booksCmdSeq) this.#incomplete = true;
          return { kind: "gap", text: this.#gapText() };
        }
      }
      first = false;
      this.#applyGroup(withCopies, sink);
    }
    return TAKEN;
  }

  /** The book message of a slot, its sequence number left to the caller. */
  bookOf(slot: number, seq: number): BookMessage {
    const book = this.books[slot];
    return {
      type: "book",
      symbol: book.instrument.symbol,
      phase: phaseName(this.#phases[slot].phase),
      seq,
      cmdSeq: book.cmdSeq,
      time: book.timestampUs === 0 ? null : isoTimeText(book.timestampUs),
      bids: book.top(Side.Buy, this.#phases[slot].holdsMarketOrders),
      asks: book.top(Side.Sell, this.#phases[slot].holdsMarketOrders),
    };
  }

  /** The phase message of a slot, its sequence number left to the caller. */
  phaseOf(slot: number, seq: number): PhaseMessage {
    return this.#phases[slot].message(seq);
  }

  #applyGroup(withCopies: boolean, sink: FeedSink): void {
    const reader = this.#reader;
    const position = this.#position;
    const forBooks = reader.cmdSeq > this.#booksCmdSeq;
    position.cmdSeq = reader.cmdSeq;
    position.timestampUs = reader.timestampUs;
    while (reader.nextEvent()) {
      position.eventIndex = reader.eventIndex;
      const { kind } = reader.event;
      if (kind === EventKind.LevelChanged) {
        if (forBooks) this.#applyLevel(reader.event, sink);
      } else if (kind === EventKind.PhaseChanged || kind === EventKind.AuctionIndicated) {
        if (reader.cmdSeq > this.#phasesCmdSeq) this.#applyPhase(reader.event, sink);
      } else if (withCopies && kind !== EventKind.AlgorithmChanged) {
        this.#copy(reader.event, sink);
      }
      if (withCopies && reader.traceCount > 0 && reader.traceOf(reader.eventIndex, this.#trace)) {
        sink.traced(this.#trace, position);
      }
    }
    this.#nextCmdSeq = reader.continues ? reader.cmdSeq : reader.cmdSeq + 1;
    this.#nextEventIndex = reader.continues ? reader.eventIndex + 1 : 0;
    if (!forBooks) return;
    this.#withinCommand = reader.continues;
    if (reader.continues) return;
    this.#booksCmdSeq = reader.cmdSeq;
    this.#phasesCmdSeq = Math.max(this.#phasesCmdSeq, reader.cmdSeq);
    for (const [slot, entered] of this.#dirtyPhases) {
      if (entered) {
        this.books[slot].cmdSeq = reader.cmdSeq;
        this.books[slot].timestampUs = reader.timestampUs;
        this.#dirty.add(slot);
      }
      sink.phaseChanged(slot, entered);
    }
    this.#dirtyPhases.clear();
    for (const slot of this.#dirty) sink.bookChanged(slot);
    this.#dirty.clear();
  }

  #applyPhase(event: Event, sink: FeedSink): void {
    const slot = this.#slotOf[event.instrumentId];
    if (slot < 0) {
      sink.unlisted("instrument", event.instrumentId, this.#position);
      return;
    }
    this.#phases[slot].apply(event, this.#position.cmdSeq, this.#position.timestampUs);
    const entered = event.kind === EventKind.PhaseChanged || this.#dirtyPhases.get(slot) === true;
    this.#dirtyPhases.set(slot, entered);
  }

  #applyLevel(event: Event, sink: FeedSink): void {
    const slot = this.#slotOf[event.instrumentId];
    if (slot < 0) {
      sink.unlisted("instrument", event.instrumentId, this.#position);
      return;
    }
    const book = this.books[slot];
    if (!book.set(event.side, event.priceTicks, event.levelQtyLots, event.levelOrders)) return;
    book.cmdSeq = this.#position.cmdSeq;
    book.timestampUs = this.#position.timestampUs;
    this.#dirty.add(slot);
  }

  #copy(event: Event, sink: FeedSink): void {
    const position = this.#position;
    const slot = this.#slotOf[event.instrumentId];
    const instrument = slot < 0 ? null : this.books[slot].instrument;
    if (instrument !== null) {
      const trade = tradeOf(event, position, instrument);
      if (trade !== null) sink.publish(tradeSubject(this.shard, instrument.symbol), trade);
    }
    // What an operator asked for is nobody's report.
    if (event.sessionId === 0) return;
    const session = this.#sessions.get(event.sessionId);
    if (session === undefined) {
      sink.unlisted("session", event.sessionId, position);
      return;
    }
    const copy = dropCopyOf(event, position, session, instrument);
    if (copy !== null) sink.publish(dropSubject(session.firm.name), copy);
  }

  #gapText(): string {
    const { cmdSeq, firstEventIndex } = this.#reader;
    return `expected event ${this.#nextEventIndex} of command ${this.#nextCmdSeq}, ` +
      `got event ${firstEventIndex} of command ${cmdSeq}`;
  }
}
