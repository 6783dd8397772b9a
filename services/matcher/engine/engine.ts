/**
 * The matching engine of one shard: `apply(sequence, index, time, command, sink)`, a function of the command stream
 * and of nothing else. Owns the books, the orders, what it has seen of each gateway and session. Pure: no clock, no
 * randomness, no I/O, and no content of a command makes it throw. docs/matching.md.
 */
import {
  CommandKind,
  EventKind,
  type InstrumentState,
  orderIdOf,
  Phase,
  Reason,
  type Side,
} from "../../../shared/protocol/mod.ts";
import type { Command, CommandBatchReader } from "../../../shared/codec/wire/mod.ts";
import { type Books, createBooks, type EngineOptions } from "./books.ts";

export type { EngineOptions } from "./books.ts";
import { Digest } from "./digest.ts";
import { type BatchOutcome, BatchOutcome as Outcome, GatewaySequences } from "./gateway_sequences.ts";
import { bookOf, LEVEL_LAYOUT } from "./level_store.ts";
import { massCancel, massStatus } from "./mass_actions.ts";
import { cancelOrder, newOrder, refuseOrder, replaceOrder, requestStatus } from "./order_commands.ts";
import { cancelQuotes, massQuote } from "./quotes.ts";
import type { EventSink } from "./event_sink.ts";
import type { Reporter } from "./reporter.ts";
import { SessionSequences } from "./session_sequences.ts";
import { digestBooks, digestPast } from "./state_hash.ts";
import { indicate, noteTouched } from "./uncross.ts";
import { expireOrders, setAlgorithm, setPhase } from "./venue_commands.ts";

const { LEVEL_PRICE, LEVEL_COUNT, LEVEL_NEXT } = LEVEL_LAYOUT;
const { CancelOrder, NewOrder, RefuseOrder, ReplaceOrder, RequestStatus } = CommandKind;
const { CancelQuotes, ExpireOrders, MassCancel, MassQuote, MassStatus, SetAlgorithm, SetPhase } = CommandKind;
const { FieldUnsupported } = Reason;
const { Continuous } = Phase;

/** Price, quantity (lots) and number of orders of a level. */
export type LevelVisitor = (priceTicks: number, qtyLots: number, orders: number) => void;

/** One shard's books. All memory is reserved at construction and becomes resident as it is first used. */
export class Engine {
  readonly shard: number;
  /** Parts, for the state's readers (hash, invariants, snapshots); nobody else may write to them. */
  readonly books: Books;
  readonly gateways: GatewaySequences = new GatewaySequences();
  readonly sessions: SessionSequences = new SessionSequences();
  /** Latest stream time, µs. Invariant: never decreases. */
  #timestampUs = 0;
  /** Sequence of the command message last applied. */
  #cmdSeq = 0;
  readonly #reporter: Reporter;

  /** Throws RangeError on limits or instruments that a validated configuration cannot hold. */
  constructor(options: EngineOptions) {
    this.shard = options.shard;
    this.books = createBooks(options);
    this.#reporter = this.books.reporter;
  }

  /** Orders that rest. */
  get openOrders(): number {
    return this.books.registry.orders.openCount;
  }

  /** Orders known, resting or remembered. */
  get knownOrders(): number {
    return this.books.registry.orders.usedCount;
  }

  /** Price levels with orders, over all books. */
  get levelCount(): number {
    return this.books.levels.levelCount;
  }

  /** Sequence of the command message last applied, 0 before the first. */
  get cmdSeq(): number {
    return this.#cmdSeq;
  }

  /** The engine's time: the latest stream time that it was given, µs since 1970. */
  get timestampUs(): number {
    return this.#timestampUs;
  }

  /** Goes on to a command message; of one that cannot be read nothing follows, only place and time have moved. */
  begin(cmdSeq: number, timestampUs: number): void {
    this.#cmdSeq = cmdSeq;
    this.#reporter.eventCount = 0;
    if (timestampUs <= this.#timestampUs) return;
    this.#timestampUs = timestampUs;
    this.books.states.nowUs = timestampUs;
  }

  /**
   * Applies one opened command message, unless its gateway's sequence says otherwise; then nothing changes but time.
   * Events go to `sink` while this runs. The reader is used up.
   */
  applyBatch(cmdSeq: number, timestampUs: number, batch: CommandBatchReader, sink: EventSink): BatchOutcome {
    const outcome = this.gateways.admit(batch.gatewayId, batch.bootId, batch.firstGatewaySeq, batch.count);
    this.begin(cmdSeq, timestampUs);
    if (outcome !== Outcome.Applied && outcome !== Outcome.Rest) return outcome;
    const seen = this.gateways.seen;
    while (batch.next()) {
      if (batch.index >= seen) this.apply(cmdSeq, batch.index, timestampUs, batch.command, sink);
    }
    return outcome;
  }

  /**
   * Applies the command at `index` of message `cmdSeq`, without any gateway check; one whose session and MsgSeqNum were
   * applied before has no effect and no event. Events go to `sink` while this runs: those of orders first, then one
   * LevelChanged per changed level, in the order in which levels were touched.
   */
  apply(cmdSeq: number, index: number, timestampUs: number, command: Command, sink: EventSink): void {
    if (cmdSeq !== this.#cmdSeq) this.begin(cmdSeq, timestampUs);
    const { books } = this;
    this.#reporter.begin(command, index, sink);
    const { sessionId, incarnation } = command;
    if (incarnation !== 0 && !this.sessions.admit(sessionId, incarnation, command.msgSeqNum)) return;
    if (books.states.watches) books.states.begin();
    books.registry.nextOrderId[0] = orderIdOf(cmdSeq, index);
    if (command.kind === NewOrder) newOrder(books, command);
    else if (command.kind === CancelOrder) cancelOrder(books, command);
    else this.#applyOther(command);
    this.#settle(command.instrumentId);
  }

  /** Ends a command that named an instrument. */
  #settle(instrumentId: number): void {
    const { books } = this;
    const { states, levels } = books;
    if (states.watches) noteTouched(books);
    levels.settle(this.#reporter);
    if (states.watches) indicate(books);
    if (states.phase[instrumentId] === Continuous && levels.isCrossed(instrumentId)) {
      throw new Error(`Cannot go on: the book of instrument ${instrumentId} is crossed`);
    }
  }

  /** What comes less often than new orders and cancels. */
  #applyOther(command: Command): void {
    const { books } = this;
    switch (command.kind) {
      case ReplaceOrder:
        return replaceOrder(books, command);
      case RequestStatus:
        return requestStatus(books, command);
      case RefuseOrder:
        return refuseOrder(books, command);
      case MassCancel:
        return massCancel(books, command);
      case MassStatus:
        return massStatus(books, command);
      case MassQuote:
        return massQuote(books, command, books.registry.nextOrderId[0]);
      case CancelQuotes:
        return cancelQuotes(books, command);
      case SetPhase:
        return setPhase(books, command);
      case SetAlgorithm:
        return setAlgorithm(books, command);
      case ExpireOrders:
        return expireOrders(books, command, this.#timestampUs);
      default:
        this.#reporter.refuse(EventKind.OrderRejected, FieldUnsupported, 0, 0);
    }
  }

  /** Visits a book's levels from the best price to the worst; none for an instrument of another shard. */
  levels(instrumentId: number, side: Side, visit: LevelVisitor): void {
    if (!this.books.instruments.has(instrumentId)) return;
    const { levels, words } = this.books;
    let level = levels.best(bookOf(instrumentId, side));
    for (; level !== 0; level = words[level + LEVEL_NEXT]) {
      visit(words[level + LEVEL_PRICE], levels.qty(level), words[level + LEVEL_COUNT]);
    }
  }

  /** What changes of an instrument while it trades; null for one of another shard. */
  instrumentState(instrumentId: number): InstrumentState | null {
    return this.books.instruments.has(instrumentId) ? this.books.states.of(instrumentId) : null;
  }

  /** When an instrument's volatility auction was called, µs; 0 when none runs. */
  volatilitySinceUs(instrumentId: number): number {
    return this.books.instruments.has(instrumentId) ? this.books.states.volatilitySinceUs[instrumentId] : 0;
  }

  /** The Phase of an instrument, 0 for one of another shard. */
  phaseOf(instrumentId: number): number {
    return this.instrumentState(instrumentId)?.phase ?? 0;
  }

  /** The code of the MatchAlgorithm of an instrument, 0 for one of another shard. */
  algorithmOf(instrumentId: number): number {
    return this.instrumentState(instrumentId)?.algorithm ?? 0;
  }

  /** The earliest time at which an open order expires, µs since 1970; 0 when none does. */
  nextExpiryUs(): number {
    const { expiry } = this.books.registry;
    return expiry.count === 0 ? 0 : expiry.timeOf(expiry.first);
  }

  /**
   * 16 hexadecimal digits over all state: equal after equal streams, whatever process applied them. With `instruments`
   * (ascending ids), as if no others were listed.
   */
  stateHash(instruments: Iterable<number> = this.books.instruments.ids): string {
    const steps = this.stateHashSteps(instruments);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
    }
  }

  /** {@link stateHash} in steps of some ten microseconds: it is worth nothing once anything has been applied between. */
  *stateHashSteps(instruments: Iterable<number> = this.books.instruments.ids): Generator<void, string> {
    const digest = new Digest();
    digest.word(this.shard);
    digest.integer(this.#timestampUs);
    digest.integer(this.#cmdSeq);
    yield* digestBooks(this.books, instruments, digest);
    yield* digestPast(this.books, digest);
    this.sessions.digest(digest);
    this.gateways.digest(digest);
    return digest.hex();
  }

  /** What has been applied of a gateway's commands. */
  gateway(gatewayId: number): { bootId: number; lastSeq: number } {
    return this.gateways.of(gatewayId);
  }

  /** Incarnation and highest MsgSeqNum that have been applied of a session's commands; zeros before the first. */
  session(sessionId: number): { incarnation: number; highest: number } {
    return this.sessions.of(sessionId);
  }

  /** Says that everything up to command message `cmdSeq` has been applied, the last at `timestampUs`. */
  restorePosition(cmdSeq: number, timestampUs: number): void {
    this.#cmdSeq = cmdSeq;
    this.#timestampUs = timestampUs;
    this.books.states.nowUs = timestampUs;
  }
}
