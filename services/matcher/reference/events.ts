/** The naive events: each kind spelled out from a plain order. Pure. */
import {
  charOfCode,
  CommandKind,
  EventKind,
  Liquidity,
  OrdStatus,
  OrdType,
  type PhaseCause,
  Reason,
} from "../../../shared/protocol/mod.ts";
import { type Command, Event, type QuoteEntry } from "../../../shared/codec/wire/mod.ts";
import type { EventSink } from "../engine/mod.ts";
import type { RefLevel } from "./book.ts";
import type { Indication } from "./market.ts";
import { leavesOf, type RefOrder } from "./order.ts";

/** Makes a new Event object each time and gives it to the sink. */
export class RefEvents {
  /** Events of the command message so far. */
  count = 0;
  #command!: Command;
  #index = 0;
  #sink!: EventSink;

  begin(command: Command, index: number, sink: EventSink): void {
    this.#command = command;
    this.#index = index;
    this.#sink = sink;
  }

  /** For the owner, under the order's own ClOrdID. */
  ofOrder(kind: EventKind, order: RefOrder, reason: Reason = Reason.None): void {
    const event = this.#fromOrder(kind, order);
    event.reason = reason;
    this.#send(event);
  }

  /** For who asked, under the request's ClOrdID; then for the owner, when that is somebody else. */
  requested(kind: EventKind, order: RefOrder, origClOrdId: string): void {
    const event = this.#fromOrder(kind, order);
    const other = order.session !== this.#command.sessionId;
    event.sessionId = this.#command.sessionId;
    event.msgSeqNum = this.#command.msgSeqNum;
    setLatin1(event, "clOrdId", this.#command.clOrdId.toString());
    setLatin1(event, "origClOrdId", other ? this.#command.origClOrdId.toString() : origClOrdId);
    this.#send(event);
    if (other) this.ofOrder(kind, order);
  }

  /** For who asked, with a status request's own identifier. */
  status(order: RefOrder): void {
    const event = this.#fromOrder(EventKind.OrderStatusReported, order);
    event.sessionId = this.#command.sessionId;
    event.msgSeqNum = this.#command.msgSeqNum;
    if (this.#command.kind === CommandKind.RequestStatus) {
      setLatin1(event, "origClOrdId", this.#command.origClOrdId.toString());
    }
    this.#send(event);
  }

  /** One of the `total` answers to a MassStatus; `index` from 1. */
  massStatus(order: RefOrder, index: number, total: number): void {
    const event = this.#fromOrder(EventKind.OrderStatusReported, order);
    event.sessionId = this.#command.sessionId;
    event.msgSeqNum = this.#command.msgSeqNum;
    event.detail = 2;
    event.index = index;
    event.total = total;
    setLatin1(event, "origClOrdId", this.#command.clOrdId.toString());
    this.#send(event);
  }

  /** Both sides of a trade, the aggressor's (in an auction the buy's) first. */
  trade(first: RefOrder, second: RefOrder, price: number, qty: number, isAuction: boolean): void {
    const tradeIndex = this.count + 1;
    for (const order of [first, second]) {
      const event = this.#fromOrder(EventKind.OrderExecuted, order);
      event.lastPxTicks = price;
      event.lastQtyLots = qty;
      event.tradeIndex = tradeIndex;
      event.liquidity = isAuction ? Liquidity.None : order === first ? Liquidity.Removed : Liquidity.Added;
      this.#send(event);
    }
  }

  /**
   * `total`: how many orders may be open, where that is the reason; otherwise a refused term of the request that is
   * nowhere else in the event.
   */
  refuse(kind: EventKind, reason: number, detail: number, order: RefOrder | undefined, total = 0): void {
    const command = this.#command;
    const event = order === undefined ? this.#fromCommand(kind) : this.#fromOrder(kind, order);
    event.sessionId = command.sessionId;
    event.firmId = command.firmId;
    event.msgSeqNum = command.msgSeqNum;
    event.reason = reason;
    event.detail = detail;
    event.total = total || this.#refusedTerm(kind, reason);
    if (kind === EventKind.ReplaceRejected && reason === Reason.ExpirePast) event.expireUs = command.expireUs;
    const isMass = detail === 2;
    setLatin1(event, "clOrdId", isMass ? "" : command.clOrdId.toString());
    setLatin1(event, "origClOrdId", isMass ? command.clOrdId.toString() : command.origClOrdId.toString());
    setLatin1(event, "symbol", command.symbol.toString());
    setLatin1(event, "text", command.text.toString());
    this.#send(event);
  }

  #refusedTerm(kind: EventKind, reason: number): number {
    const { minQtyLots, ordType, timeInForce } = this.#command;
    if (kind === EventKind.OrderRejected) return reason === Reason.PhaseForbids ? minQtyLots : 0;
    if (kind !== EventKind.ReplaceRejected) return 0;
    switch (reason) {
      case Reason.TimeInForceUnsupported:
        return charOfCode(timeInForce);
      case Reason.OrdTypeUnsupported:
      case Reason.StopTriggered:
        return charOfCode(ordType);
      case Reason.PhaseForbids:
        return ordType === OrdType.MarketToLimit ? charOfCode(ordType) : 0;
      default:
        return 0;
    }
  }

  /** The one answer to a request that is about many orders. */
  answer(kind: EventKind, reason: number, total: number): void {
    const event = this.#answer(kind, reason, total);
    if (kind === EventKind.MassCancelReported) {
      event.side = this.#command.side;
      event.ordType = this.#command.kind === CommandKind.RefuseOrder ? this.#command.ordType : 0;
    }
    setLatin1(event, "origClOrdId", this.#command.origClOrdId.toString());
    setLatin1(event, "symbol", this.#command.symbol.toString());
    setLatin1(event, "text", this.#command.text.toString());
    this.#send(event);
  }

  /** The answer to entry `index`, from 1, of `total`. */
  quote(entry: QuoteEntry, reason: Reason, index: number, total: number): void {
    const event = this.#answer(EventKind.QuoteAcknowledged, reason, total);
    event.instrumentId = entry.instrumentId;
    event.index = index;
    setLatin1(event, "origClOrdId", entry.quoteEntryId.toString());
    setLatin1(event, "text", entry.quoteSetId.toString());
    this.#send(event);
  }

  level(instrument: number, side: number, level: RefLevel): void {
    const event = this.#ofMarket(EventKind.LevelChanged, instrument, level.price);
    event.side = side;
    event.levelQtyLots = level.qty;
    event.levelOrders = level.orders;
    this.#send(event);
  }

  phase(instrument: number, phase: number, previousPhase: number, cause: PhaseCause, price: number): void {
    const event = this.#ofMarket(EventKind.PhaseChanged, instrument, price);
    event.phase = phase;
    event.previousPhase = previousPhase;
    event.cause = cause;
    this.#send(event);
  }

  indication(instrument: number, { price, executable, surplus }: Indication): void {
    const event = this.#ofMarket(EventKind.AuctionIndicated, instrument, price);
    event.levelQtyLots = executable;
    event.surplusLots = surplus;
    this.#send(event);
  }

  algorithm(instrument: number, code: number): void {
    const event = this.#ofMarket(EventKind.AlgorithmChanged, instrument, 0);
    event.algorithm = code;
    this.#send(event);
  }

  #ofMarket(kind: EventKind, instrument: number, price: number): Event {
    const event = new Event();
    event.kind = kind;
    event.instrumentId = instrument;
    event.priceTicks = price;
    return event;
  }

  #answer(kind: EventKind, reason: number, total: number): Event {
    const command = this.#command;
    const event = new Event();
    event.kind = kind;
    event.sessionId = command.sessionId;
    event.firmId = command.firmId;
    event.msgSeqNum = command.msgSeqNum;
    event.instrumentId = command.instrumentId;
    event.reason = reason;
    event.total = total;
    event.detail = kind === EventKind.QuoteAcknowledged ? command.scope : 0;
    setLatin1(event, "clOrdId", command.clOrdId.toString());
    return event;
  }

  #fromCommand(kind: EventKind): Event {
    const command = this.#command;
    const event = new Event();
    event.kind = kind;
    event.ordStatus = OrdStatus.Rejected;
    event.instrumentId = command.instrumentId;
    event.side = command.side;
    event.ordType = command.ordType;
    event.timeInForce = command.timeInForce;
    event.priceTicks = command.priceTicks;
    event.orderQtyLots = command.qtyLots;
    event.stopPxTicks = command.stopPxTicks;
    event.maxFloorLots = command.maxFloorLots;
    event.expireUs = command.expireUs;
    event.execInst = command.execInst;
    return event;
  }

  #fromOrder(kind: EventKind, order: RefOrder): Event {
    const event = new Event();
    event.kind = kind;
    event.ordStatus = order.status;
    event.sessionId = order.session;
    event.firmId = order.firm;
    event.instrumentId = order.instrument;
    event.orderId = order.orderId;
    event.side = order.side;
    event.ordType = order.ordType;
    event.timeInForce = order.timeInForce;
    event.priceTicks = order.price;
    event.stopPxTicks = order.stopPx;
    event.maxFloorLots = order.maxFloor;
    event.expireUs = order.expireUs;
    event.execInst = order.execInst;
    event.orderQtyLots = order.qty;
    event.cumQtyLots = order.cum;
    event.leavesQtyLots = leavesOf(order);
    event.notionalHigh = Number(order.notional >> 32n);
    event.notionalLow = Number(order.notional & 0xffffffffn);
    event.msgSeqNum = order.session === this.#command.sessionId ? this.#command.msgSeqNum : 0;
    setLatin1(event, "clOrdId", order.clOrdId);
    return event;
  }

  #send(event: Event): void {
    event.commandIndex = this.#index;
    event.flags = this.#command.flags;
    this.count++;
    this.#sink.event(event);
  }
}

function setLatin1(event: Event, field: "clOrdId" | "origClOrdId" | "symbol" | "text", text: string): void {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  event[field].set(bytes, 0, bytes.length);
}
