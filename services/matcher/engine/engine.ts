/**
 * The matching engine of one shard: `apply(sequence, index, time, command, sink)`, a function of the command stream
 * and of nothing else. Owns the books, the orders, what it has seen of each gateway and session. Pure: no clock, no
 * randomness, no I/O, and no content of a command makes it throw. docs/matching.md.
 */
import {
  CommandKind,
  EventKind,
  type Instrument,
  orderIdOf,
  Reason,
  type Side,
} from "../../../shared/protocol/mod.ts";
import type { Command, CommandBatchReader } from "../../../shared/codec/wire/mod.ts";
import { Digest } from "./digest.ts";
import { type BatchOutcome, BatchOutcome as Outcome, GatewaySequences } from "./gateway_sequences.ts";
import { InstrumentTable } from "./instrument_table.ts";
import { bookOf, LEVEL_LAYOUT, LevelStore } from "./level_store.ts";
import { Memory } from "./memory.ts";
import { Matching } from "./matching.ts";
import {
  type Books,
  cancelOrder,
  newOrder,
  refuseOrder,
  replaceOrder,
  requestStatus,
} from "./order_commands.ts";
import { OrderRegistry } from "./registry.ts";
import type { EventSink } from "./event_sink.ts";
import { Reporter } from "./reporter.ts";
import { SessionSequences } from "./session_sequences.ts";
import { digestBooks, digestPast } from "./state_hash.ts";

const { LEVEL_PRICE, LEVEL_COUNT, LEVEL_NEXT } = LEVEL_LAYOUT;
const { CancelOrder, NewOrder, RefuseOrder, ReplaceOrder, RequestStatus } = CommandKind;
const { FieldUnsupported } = Reason;

/** What an engine is made for. Two engines agree on state and events only when all but `hashSeed` are equal. */
export interface EngineOptions {
  readonly shard: number;
  /** The venue's instruments; those of other shards are left out. */
  readonly instruments: readonly Instrument[];
  /** Orders that may rest at once (≥ 1); a resting order beyond is rejected with BookFull. */
  readonly maxOpenOrders: number;
  /** Past ClOrdIDs remembered (≥ 1): replaced ones, those of cancels, those of orders that are done. */
  readonly clOrdIdHistory: number;
  /** Moves the hash values of ClOrdIDs, never results. Default: a constant. */
  readonly hashSeed?: number;
}

/** Price, quantity (lots) and number of orders of a level. */
export type LevelVisitor = (priceTicks: number, qtyLots: number, orders: number) => void;

const DEFAULT_HASH_SEED = 0x5bd1e995;

/** One shard's books. All memory is reserved at construction and becomes resident as it is first used. */
export class Engine {
  readonly shard: number;
  /** Parts, for the state's readers (hash, invariants); nobody else may write to them. */
  readonly books: Books;
  readonly #gateways = new GatewaySequences();
  readonly #sessions = new SessionSequences();
  /** Latest stream time, µs. Invariant: never decreases. */
  #timestampUs = 0;
  /** Sequence of the command message last applied. */
  #cmdSeq = 0;
  readonly #reporter: Reporter;

  /** Throws RangeError on limits or instruments that a validated configuration cannot hold. */
  constructor(options: EngineOptions) {
    const { maxOpenOrders, clOrdIdHistory } = options;
    if (!(maxOpenOrders >= 1) || !(clOrdIdHistory >= 1)) {
      throw new RangeError(
        `Cannot create an engine: expected maxOpenOrders and clOrdIdHistory of at least 1, got ${maxOpenOrders} and ${clOrdIdHistory}`,
      );
    }
    this.shard = options.shard;
    const instruments = new InstrumentTable(options.shard, options.instruments);
    const memory = new Memory(
      ...OrderRegistry.words(maxOpenOrders, clOrdIdHistory),
      ...LevelStore.words(instruments.maxId, maxOpenOrders + 1),
    );
    const hashSeed = options.hashSeed ?? DEFAULT_HASH_SEED;
    const registry = new OrderRegistry(memory, maxOpenOrders, clOrdIdHistory, hashSeed);
    const levels = new LevelStore(memory, instruments.maxId, maxOpenOrders + 1);
    const reporter = new Reporter(memory, registry.names);
    const matching = new Matching(memory, instruments, registry, levels, reporter, maxOpenOrders);
    const { words } = memory;
    const { names } = registry;
    this.#reporter = reporter;
    this.books = { instruments, registry, words, names, levels, matching, reporter, maxOpenOrders };
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

  /**
   * Applies one opened command message, unless its gateway's sequence says otherwise; then nothing changes but time.
   * Events go to `sink` while this runs. The reader is used up.
   */
  applyBatch(cmdSeq: number, timestampUs: number, batch: CommandBatchReader, sink: EventSink): BatchOutcome {
    const outcome = this.#gateways.admit(batch.gatewayId, batch.bootId, batch.firstGatewaySeq, batch.count);
    this.#beginMessage(cmdSeq, timestampUs);
    if (outcome !== Outcome.Applied && outcome !== Outcome.Rest) return outcome;
    const seen = this.#gateways.seen;
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
    if (cmdSeq !== this.#cmdSeq) this.#beginMessage(cmdSeq, timestampUs);
    const { books } = this;
    this.#reporter.begin(command, index, sink);
    const { sessionId, incarnation, msgSeqNum } = command;
    if (incarnation !== 0 && !this.#sessions.admit(sessionId, incarnation, msgSeqNum)) return;
    switch (command.kind) {
      case NewOrder:
        newOrder(books, command, orderIdOf(cmdSeq, index));
        break;
      case CancelOrder:
        cancelOrder(books, command);
        break;
      case ReplaceOrder:
        replaceOrder(books, command);
        break;
      case RequestStatus:
        requestStatus(books, command);
        break;
      case RefuseOrder:
        refuseOrder(books, command);
        break;
      default:
        this.#reporter.refuse(EventKind.OrderRejected, FieldUnsupported, 0, 0);
    }
    books.levels.settle(this.#reporter);
    if (books.instruments.has(command.instrumentId) && books.levels.isCrossed(command.instrumentId)) {
      throw new Error(`Cannot go on: the book of instrument ${command.instrumentId} is crossed`);
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

  /** 16 hexadecimal digits over all state: equal after equal streams, whatever process applied them. */
  stateHash(): string {
    const digest = new Digest();
    digest.word(this.shard);
    digest.integer(this.#timestampUs);
    digest.integer(this.#cmdSeq);
    digestBooks(this.books, digest);
    digestPast(this.books, digest);
    this.#sessions.digest(digest);
    this.#gateways.digest(digest);
    return digest.hex();
  }

  /** What has been applied of a gateway's commands. */
  gateway(gatewayId: number): { bootId: number; lastSeq: number } {
    return this.#gateways.of(gatewayId);
  }

  /** Incarnation and highest MsgSeqNum that have been applied of a session's commands; zeros before the first. */
  session(sessionId: number): { incarnation: number; highest: number } {
    return this.#sessions.of(sessionId);
  }

  #beginMessage(cmdSeq: number, timestampUs: number): void {
    this.#cmdSeq = cmdSeq;
    this.#reporter.eventCount = 0;
    if (timestampUs > this.#timestampUs) this.#timestampUs = timestampUs;
  }
}
