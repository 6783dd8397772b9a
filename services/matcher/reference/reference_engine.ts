/**
 * The reference engine: the rules of docs/matching.md over arrays, maps and bigints, written for clarity and compared
 * with the fast engine over random commands. Shares types, words and the digest with it, no logic. Pure.
 */
import {
  CommandFlag,
  CommandKind,
  EventKind,
  type Instrument,
  orderIdOf,
  OrdStatus,
  OrdType,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { EngineOptions, EventSink, LevelVisitor } from "../engine/mod.ts";
import { allocate } from "./allocation.ts";
import { isOpen, leavesOf, RefBook, type RefLevel, type RefOrder } from "./book.ts";
import { RefEvents } from "./events.ts";
import { clOrdIdFault, newOrderFault, replaceFault } from "./faults.ts";
import { RefNames } from "./names.ts";
import { agreedOrder, identityFault, namedOrder, oppositeOrders, requestFault } from "./order_rules.ts";
import { referenceHash } from "./reference_hash.ts";
import { RefSessions } from "./sessions.ts";

interface Touched {
  readonly instrument: number;
  readonly side: number;
  readonly before: RefLevel;
}

/** A slow engine with the fast one's interface, apart from gateway sequences. */
export class ReferenceEngine {
  readonly #options: EngineOptions;
  readonly #instruments = new Map<number, Instrument>();
  readonly #books = new Map<number, RefBook>();
  readonly #names: RefNames;
  readonly #events = new RefEvents();
  readonly #sessions = new RefSessions();
  #touched: Touched[] = [];
  #command!: Command;
  #cmdSeq = 0;
  #timestampUs = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#names = new RefNames(options.clOrdIdHistory);
    for (const instrument of options.instruments) {
      if (instrument.shard !== options.shard) continue;
      this.#instruments.set(instrument.id, instrument);
      this.#books.set(instrument.id, new RefBook());
    }
  }

  /** Applies one command. */
  apply(cmdSeq: number, index: number, timestampUs: number, command: Command, sink: EventSink): void {
    if (cmdSeq !== this.#cmdSeq) {
      this.#events.count = 0;
      this.#timestampUs = Math.max(this.#timestampUs, timestampUs);
    }
    this.#cmdSeq = cmdSeq;
    this.#command = command;
    this.#touched = [];
    sink.commandStarts(command);
    this.#events.begin(command, index, sink);
    if (!this.#sessions.isNew(command)) return;
    switch (command.kind) {
      case CommandKind.NewOrder:
        this.#newOrder(orderIdOf(cmdSeq, index));
        break;
      case CommandKind.CancelOrder:
        this.#cancelOrder();
        break;
      case CommandKind.ReplaceOrder:
        this.#replaceOrder();
        break;
      case CommandKind.RequestStatus:
        this.#requestStatus();
        break;
      case CommandKind.RefuseOrder:
        this.#refuseOrder();
        break;
      default:
        this.#events.refuse(EventKind.OrderRejected, Reason.FieldUnsupported, 0, undefined);
    }
    for (const { instrument, side, before } of this.#touched) {
      const after = this.#books.get(instrument)!.level(side, before.price);
      if (after.qty !== before.qty || after.orders !== before.orders) {
        this.#events.level(instrument, side, after);
      }
    }
  }

  /** Visits a book's levels, best first. */
  levels(instrumentId: number, side: Side, visit: LevelVisitor): void {
    const book = this.#books.get(instrumentId);
    for (const price of book?.prices(side) ?? []) {
      const level = book!.level(side, price);
      visit(price, level.qty, level.orders);
    }
  }

  /** The same digest as the fast engine's, of an engine that heard of no gateway. */
  stateHash(): string {
    return referenceHash(
      this.#options.shard,
      this.#timestampUs,
      this.#cmdSeq,
      this.#books,
      this.#names,
      this.#sessions,
    );
  }

  #newOrder(orderId: number): void {
    const command = this.#command;
    const clOrdId = command.clOrdId.toString();
    const known = this.#names.find(command.sessionId, clOrdId);
    if (known !== undefined) return this.#answerKnown(EventKind.OrderRejected, known.order, undefined);
    const instrument = this.#instruments.get(command.instrumentId);
    let reason = clOrdIdFault(clOrdId) || newOrderFault(command, instrument);
    const rests = command.ordType === OrdType.Limit && command.timeInForce === TimeInForce.Day;
    const open = this.#names.orders.filter(isOpen).length;
    if (reason === Reason.None && rests && open >= this.#options.maxOpenOrders) reason = Reason.BookFull;
    if (reason !== Reason.None) return this.#events.refuse(EventKind.OrderRejected, reason, 0, undefined);
    const order: RefOrder = {
      orderId,
      session: command.sessionId,
      firm: command.firmId,
      instrument: command.instrumentId,
      side: command.side,
      ordType: command.ordType,
      timeInForce: command.timeInForce,
      price: command.priceTicks,
      qty: command.qtyLots,
      cum: 0,
      notional: 0n,
      status: OrdStatus.New,
      clOrdId,
    };
    this.#names.add(order.session, clOrdId, order);
    this.#events.ofOrder(EventKind.OrderAccepted, order);
    if (order.timeInForce !== TimeInForce.FillOrKill || this.#reachable(order) >= order.qty) {
      this.#match(order);
    }
    this.#finish(order, rests);
  }

  #cancelOrder(): void {
    const command = this.#command;
    const order = namedOrder(command, this.#names);
    const known = this.#names.find(command.sessionId, command.clOrdId.toString());
    if (known !== undefined) return this.#answerKnown(EventKind.CancelRejected, known.order, order);
    const reason = requestFault(command, this.#names, order);
    if (reason !== Reason.None) return this.#refuse(EventKind.CancelRejected, reason, order);
    this.#unrest(order!);
    order!.status = OrdStatus.Canceled;
    this.#names.retire(this.#names.add(command.sessionId, command.clOrdId.toString(), order!));
    this.#events.requested(EventKind.OrderCanceled, order!, order!.clOrdId);
    this.#done(order!);
  }

  #replaceOrder(): void {
    const command = this.#command;
    const order = namedOrder(command, this.#names);
    const known = this.#names.find(command.sessionId, command.clOrdId.toString());
    if (known !== undefined) return this.#answerKnown(EventKind.ReplaceRejected, known.order, order);
    const reason = requestFault(command, this.#names, order) ||
      replaceFault(command, order!, this.#instruments.get(command.instrumentId)!);
    if (reason !== Reason.None) return this.#refuse(EventKind.ReplaceRejected, reason, order);
    this.#replace(order!);
  }

  #replace(order: RefOrder): void {
    const command = this.#command;
    const origClOrdId = order.clOrdId;
    const name = this.#names.add(command.sessionId, command.clOrdId.toString(), order);
    if (command.sessionId === order.session) {
      order.clOrdId = name.text;
      this.#names.retire(this.#names.find(order.session, origClOrdId)!);
    } else {
      this.#names.retire(name);
    }
    this.#touch(order.instrument, order.side, order.price);
    const keepsPlace = command.priceTicks === order.price && command.qtyLots <= order.qty &&
      command.qtyLots > order.cum;
    if (!keepsPlace) this.#books.get(order.instrument)!.remove(order);
    order.price = command.priceTicks;
    order.qty = Math.max(command.qtyLots, order.cum);
    if (order.qty === order.cum) order.status = OrdStatus.Filled;
    this.#events.requested(EventKind.OrderReplaced, order, origClOrdId);
    if (keepsPlace) return;
    if (isOpen(order)) this.#match(order);
    this.#finish(order, true);
  }

  #requestStatus(): void {
    const command = this.#command;
    const name = this.#names.find(command.sessionId, command.clOrdId.toString());
    const order = agreedOrder(command, this.#names, name?.order);
    const reason = identityFault(command, name, order);
    if (reason === Reason.None) this.#events.status(order!);
    else this.#events.refuse(EventKind.OrderRejected, reason, 1, undefined);
  }

  #refuseOrder(): void {
    const command = this.#command;
    const { refusedKind, reason } = command;
    if (refusedKind === CommandKind.RequestStatus) {
      return this.#events.refuse(EventKind.OrderRejected, reason, 1, undefined);
    }
    const kinds: Record<number, EventKind> = {
      [CommandKind.CancelOrder]: EventKind.CancelRejected,
      [CommandKind.ReplaceOrder]: EventKind.ReplaceRejected,
    };
    const kind = kinds[refusedKind] ?? EventKind.OrderRejected;
    const order = kind === EventKind.OrderRejected ? undefined : namedOrder(command, this.#names);
    const known = this.#names.find(command.sessionId, command.clOrdId.toString());
    const repeat = this.#isRepeat() || (command.flags & CommandFlag.PossResend) !== 0;
    if (known !== undefined && repeat) return this.#answerKnown(kind, known.order, order);
    this.#refuse(kind, reason as Reason, order);
  }

  #answerKnown(kind: EventKind, known: RefOrder, order: RefOrder | undefined): void {
    if (this.#isRepeat()) return;
    if ((this.#command.flags & CommandFlag.PossResend) !== 0) return this.#events.status(known);
    this.#refuse(kind, Reason.DuplicateClOrdId, order);
  }

  #isRepeat(): boolean {
    return (this.#command.flags & CommandFlag.PossDup) !== 0 && this.#command.incarnation === 0;
  }

  #refuse(kind: EventKind, reason: Reason, order: RefOrder | undefined): void {
    const unknown: Reason[] = [Reason.UnknownOrder, Reason.UnknownSymbol, Reason.SymbolChanged];
    this.#events.refuse(kind, reason, 0, unknown.includes(reason) ? undefined : order);
  }

  #opposite(order: RefOrder): RefOrder[] {
    return oppositeOrders(order, this.#books.get(order.instrument)!);
  }

  #reachable(order: RefOrder): number {
    return this.#opposite(order).reduce((sum, resting) => sum + leavesOf(resting), 0);
  }

  #match(order: RefOrder): void {
    const { algorithm, proRataMin } = this.#instruments.get(order.instrument)!;
    for (const price of new Set(this.#opposite(order).map((resting) => resting.price))) {
      if (!isOpen(order)) return;
      const queue = this.#opposite(order).filter((resting) => resting.price === price);
      const taken = allocate(algorithm, proRataMin, queue.map(leavesOf), leavesOf(order));
      queue.forEach((resting, i) => {
        if (taken[i] > 0) this.#trade(order, resting, taken[i]);
      });
    }
  }

  #trade(order: RefOrder, resting: RefOrder, qty: number): void {
    const price = resting.price;
    this.#touch(resting.instrument, resting.side, price);
    for (const side of [order, resting]) {
      side.cum += qty;
      side.notional += BigInt(price) * BigInt(qty);
      side.status = side.cum === side.qty ? OrdStatus.Filled : OrdStatus.PartiallyFilled;
    }
    if (!isOpen(resting)) this.#books.get(resting.instrument)!.remove(resting);
    this.#events.trade(order, resting, price, qty);
    if (!isOpen(resting)) this.#done(resting);
  }

  #finish(order: RefOrder, rests: boolean): void {
    if (isOpen(order) && rests) {
      this.#touch(order.instrument, order.side, order.price);
      return this.#books.get(order.instrument)!.add(order);
    }
    if (isOpen(order)) {
      order.status = OrdStatus.Expired;
      this.#events.ofOrder(EventKind.OrderExpired, order);
    }
    this.#done(order);
  }

  #unrest(order: RefOrder): void {
    this.#touch(order.instrument, order.side, order.price);
    this.#books.get(order.instrument)!.remove(order);
  }

  #done(order: RefOrder): void {
    this.#names.retire(this.#names.find(order.session, order.clOrdId)!);
  }

  #touch(instrument: number, side: number, price: number): void {
    const same = (t: Touched) => t.instrument === instrument && t.side === side && t.before.price === price;
    if (this.#touched.some(same)) return;
    this.#touched.push({ instrument, side, before: this.#books.get(instrument)!.level(side, price) });
  }
}
