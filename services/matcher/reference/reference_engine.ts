/**
 * The reference engine: the rules of docs/matching.md over arrays, maps and bigints, written for clarity and compared
 * with the fast engine over random commands. Shares types, words and the digest with it, no logic. Pure.
 */
import { CommandKind, EventKind, orderIdOf, Reason, type Side } from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { EngineOptions, EventSink, LevelVisitor } from "../engine/mod.ts";
import type { Digest } from "../engine/digest.ts";
import { indicationOf } from "./auction.ts";
import { RefEvents } from "./events.ts";
import { type Indication, isCallPhase } from "./market.ts";
import { massCancel, massStatus } from "./mass.ts";
import { RefMatching } from "./matching.ts";
import { RefOrders } from "./orders.ts";
import { RefPhases } from "./phases.ts";
import { RefQuotes } from "./quotes.ts";
import { referenceHash } from "./reference_hash.ts";
import { RefSessions } from "./sessions.ts";
import { RefState } from "./state.ts";

/** A slow engine with the fast one's interface, apart from gateway sequences. */
export class ReferenceEngine {
  /** For those who check it or put a stored state into it; nobody else may write to them. */
  readonly state: RefState;
  readonly sessions = new RefSessions();
  readonly #shard: number;
  readonly #events = new RefEvents();
  readonly #orders: RefOrders;
  readonly #quotes: RefQuotes;
  readonly #phases: RefPhases;
  #cmdSeq = 0;

  constructor(options: EngineOptions) {
    this.#shard = options.shard;
    this.state = new RefState(options, this.#events);
    const matching = new RefMatching(this.state, this.#events);
    this.#orders = new RefOrders(this.state, this.#events, matching);
    this.#quotes = new RefQuotes(this.state, this.#events, matching);
    this.#phases = new RefPhases(this.state, this.#events, matching);
  }

  /** Applies one command. */
  apply(cmdSeq: number, index: number, timestampUs: number, command: Command, sink: EventSink): void {
    if (cmdSeq !== this.#cmdSeq) this.begin(cmdSeq, timestampUs);
    this.state.begin();
    sink.commandStarts(command);
    this.#events.begin(command, index, sink);
    if (!this.sessions.isNew(command)) return;
    this.#execute(command, index);
    for (const { instrument, side, level } of this.state.changedLevels()) {
      this.#events.level(instrument, side, level);
    }
    this.#indicate();
  }

  /** Starts a command message, of which nothing may be left to apply: time goes on. */
  begin(cmdSeq: number, timestampUs: number): void {
    this.#cmdSeq = cmdSeq;
    this.#events.count = 0;
    this.state.timestampUs = Math.max(this.state.timestampUs, timestampUs);
  }

  /** Visits a book's levels, best first. */
  levels(instrumentId: number, side: Side, visit: LevelVisitor): void {
    const book = this.state.markets.get(instrumentId)?.book;
    for (const price of book?.prices(side) ?? []) {
      const level = book!.level(side, price);
      visit(price, level.qty, level.orders);
    }
  }

  /** The same digest as the fast engine's; `gateways` adds what was seen of them, nothing when absent. */
  stateHash(gateways: (into: Digest) => void = () => {}): string {
    return referenceHash(this.#shard, this.#cmdSeq, this.state, this.sessions, gateways);
  }

  #execute(command: Command, index: number): void {
    switch (command.kind) {
      case CommandKind.NewOrder:
        return this.#orders.newOrder(command, orderIdOf(this.#cmdSeq, index));
      case CommandKind.CancelOrder:
        return this.#orders.cancelOrder(command);
      case CommandKind.ReplaceOrder:
        return this.#orders.replaceOrder(command);
      case CommandKind.RequestStatus:
        return this.#orders.requestStatus(command);
      case CommandKind.RefuseOrder:
        return this.#orders.refuseOrder(command);
      case CommandKind.MassCancel:
        return massCancel(this.state, this.#events, command);
      case CommandKind.MassStatus:
        return massStatus(this.state, this.#events, command);
      case CommandKind.MassQuote:
        return this.#quotes.massQuote(command, this.#cmdSeq, index);
      case CommandKind.CancelQuotes:
        return this.#quotes.cancelQuotes(command);
      case CommandKind.SetPhase:
        return this.#phases.setPhase(command);
      case CommandKind.SetAlgorithm:
        return this.#phases.setAlgorithm(command);
      case CommandKind.ExpireOrders:
        return this.#phases.expireOrders(command);
      default:
        this.#events.refuse(EventKind.OrderRejected, Reason.FieldUnsupported, 0, undefined);
    }
  }

  /** Tells what the auctions that are forming would do now, where that has changed. */
  #indicate(): void {
    for (const market of this.state.changedMarkets()) {
      if (!isCallPhase(market.phase)) continue;
      const indication = indicationOf(market);
      if (isSame(indication, market.indicated)) continue;
      market.indicated = indication;
      this.#events.indication(market.instrument.id, indication);
    }
  }
}

function isSame(a: Indication, b: Indication): boolean {
  return a.price === b.price && a.executable === b.executable && a.surplus === b.surplus;
}
