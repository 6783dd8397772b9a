/** The naive events: each kind spelled out from a plain order. Pure. */
import { CommandKind, EventKind, Liquidity, OrdStatus } from "../../../shared/protocol/mod.ts";
import { type Command, Event } from "../../../shared/codec/wire/mod.ts";
import type { EventSink } from "../engine/mod.ts";
import { leavesOf, type RefLevel, type RefOrder } from "./book.ts";

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
  ofOrder(kind: EventKind, order: RefOrder): void {
    this.#send(this.#fromOrder(kind, order));
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

  trade(aggressor: RefOrder, resting: RefOrder, price: number, qty: number): void {
    const tradeIndex = this.count + 1;
    for (const order of [aggressor, resting]) {
      const event = this.#fromOrder(EventKind.OrderExecuted, order);
      event.lastPxTicks = price;
      event.lastQtyLots = qty;
      event.tradeIndex = tradeIndex;
      event.liquidity = order === aggressor ? Liquidity.Removed : Liquidity.Added;
      this.#send(event);
    }
  }

  refuse(kind: EventKind, reason: number, detail: number, order: RefOrder | undefined): void {
    const command = this.#command;
    const event = order === undefined ? this.#fromCommand(kind) : this.#fromOrder(kind, order);
    event.sessionId = command.sessionId;
    event.firmId = command.firmId;
    event.msgSeqNum = command.msgSeqNum;
    event.reason = reason;
    event.detail = detail;
    setLatin1(event, "clOrdId", command.clOrdId.toString());
    setLatin1(event, "origClOrdId", command.origClOrdId.toString());
    setLatin1(event, "symbol", command.symbol.toString());
    setLatin1(event, "text", command.text.toString());
    this.#send(event);
  }

  level(instrument: number, side: number, level: RefLevel): void {
    const event = new Event();
    event.kind = EventKind.LevelChanged;
    event.instrumentId = instrument;
    event.side = side;
    event.priceTicks = level.price;
    event.levelQtyLots = level.qty;
    event.levelOrders = level.orders;
    this.#send(event);
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
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
  event[field].set(bytes, 0, bytes.length);
}
