/**
 * One shard's events turned into market data: books kept, trades and drop copies handed out in stream order. Owns the
 * books of the shard and the place in the event stream; decides nothing about when a book is published. Pure.
 *
 * Books start from a depth image that holds every command up to a sequence; groups of events up to it are skipped, so
 * the stream may be read again from any earlier place. Drop copies and trades are handed out from a place of their own
 * on, whenever the caller wants them, also again (docs/market-data.md, "At least once").
 */
import { ByteSlice, type Event, EventBatchReader } from "../../shared/codec/wire/mod.ts";
import { type BookMessage, isoTimeText, type PhaseMessage } from "../../shared/protocol/market_data.ts";
import {
  dropSubject,
  EventKind,
  type FixSession,
  phaseName,
  Side,
  tradeSubject,
} from "../../shared/protocol/mod.ts";
import { DepthBook } from "./book.ts";
import { type CopyMark, isBefore, lastCommandOf, START } from "./copy_place.ts";
import { dropCopyOf } from "./drop_copy.ts";
import type { DepthImage, FeedResult, FeedSink, FeedVenue } from "./feed_ports.ts";
import { InstrumentPhase } from "./instrument_phase.ts";
import { tradeOf } from "./trades.ts";

export type * from "./feed_ports.ts";

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
  /** Copies of every event before it were handed out. */
  #copies: CopyMark = START;

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

  /** Copies of every event before it were handed out, or are not wanted. */
  get copied(): CopyMark {
    return this.#copies;
  }

  /** Copies are wanted from this place on. */
  copyFrom({ cmdSeq, eventIndex, timestampUs }: CopyMark): void {
    this.#copies = { cmdSeq, eventIndex, timestampUs };
  }

  /** Messages with changes of the books are gone: they are not {@link whole} until the next {@link load}. */
  lose(): void {
    this.#incomplete = true;
    this.seek();
  }

  /**
   * Takes one message of EV_s. `withCopies`: hand out drop copies and trades too, of what lies behind {@link copied}. The
   * epoch is not looked at: what EV_s holds has passed the fence, and after a lost connection messages from before a
   * claim are read again.
   */
  apply(bytes: Uint8Array, withCopies: boolean, sink: FeedSink): FeedResult {
    const reader = this.#reader;
    const fault = reader.open(bytes);
    if (fault !== null) return { kind: "fault", text: fault };
    let first = true;
    while (reader.nextGroup()) {
      const refusal = (first ? this.#refusal(withCopies) : null) ?? this.#exchanged();
      if (refusal !== null) return refusal;
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

  /** Why a message cannot be taken whose first group the reader stands at; null when it can. */
  #refusal(withCopies: boolean): FeedResult | null {
    const { cmdSeq, firstEventIndex } = this.#reader;
    if (this.#nextCmdSeq !== 0) {
      if (cmdSeq === this.#nextCmdSeq && firstEventIndex === this.#nextEventIndex) return null;
      if (cmdSeq > this.#booksCmdSeq) this.#incomplete = true;
      return { kind: "gap", text: this.#gapText(this.#nextCmdSeq, this.#nextEventIndex) };
    }
    const wanted = this.#copies;
    if (withCopies && wanted.cmdSeq > 0 && isBefore(wanted, { cmdSeq, eventIndex: firstEventIndex })) {
      return { kind: "hole", text: this.#gapText(wanted.cmdSeq, wanted.eventIndex) };
    }
    const next = this.#booksCmdSeq + 1;
    if (this.#incomplete || cmdSeq <= next) return null;
    this.#incomplete = true;
    return { kind: "gap", text: this.#gapText(next, 0) };
  }

  /** A command of which copies were handed out is another now: the shard's history is not the one of before. */
  #exchanged(): FeedResult | null {
    const { cmdSeq, timestampUs } = this.#reader;
    const known = this.#copies;
    if (known.timestampUs === 0 || cmdSeq !== lastCommandOf(known) || timestampUs === known.timestampUs) {
      return null;
    }
    return {
      kind: "fault",
      text: `command ${cmdSeq} is another than the one of which copies were published`,
    };
  }

  #applyGroup(withCopies: boolean, sink: FeedSink): void {
    const reader = this.#reader;
    const position = this.#position;
    const copies = this.#copies;
    const forBooks = reader.cmdSeq > this.#booksCmdSeq;
    position.cmdSeq = reader.cmdSeq;
    position.timestampUs = reader.timestampUs;
    while (reader.nextEvent()) {
      position.eventIndex = reader.eventIndex;
      const { kind } = reader.event;
      const copied = withCopies && !isBefore(position, copies);
      if (kind === EventKind.LevelChanged) {
        if (forBooks) this.#applyLevel(reader.event, sink);
      } else if (kind === EventKind.PhaseChanged || kind === EventKind.AuctionIndicated) {
        if (reader.cmdSeq > this.#phasesCmdSeq) this.#applyPhase(reader.event, sink);
      } else if (copied && kind !== EventKind.AlgorithmChanged) {
        this.#copy(reader.event, sink);
      }
      if (copied && reader.traceCount > 0 && reader.traceOf(reader.eventIndex, this.#trace)) {
        sink.traced(this.#trace, position);
      }
    }
    this.#nextCmdSeq = reader.continues ? reader.cmdSeq : reader.cmdSeq + 1;
    this.#nextEventIndex = reader.continues ? reader.eventIndex + 1 : 0;
    const end = { cmdSeq: this.#nextCmdSeq, eventIndex: this.#nextEventIndex };
    if (withCopies && isBefore(copies, end)) this.#copies = { ...end, timestampUs: reader.timestampUs };
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

  #gapText(wantedCmdSeq: number, wantedEventIndex: number): string {
    const { cmdSeq, firstEventIndex } = this.#reader;
    return `expected event ${wantedEventIndex} of command ${wantedCmdSeq}, ` +
      `got event ${firstEventIndex} of command ${cmdSeq}`;
  }
}
