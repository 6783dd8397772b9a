/**
 * Turns what happens to orders into events: the one place that fills an Event. Owns the event that a sink borrows and
 * the count of events per command message, from which trade identifiers derive. Pure.
 */
import { CommandKind, EventKind, Liquidity, OrdStatus } from "../../../shared/protocol/mod.ts";
import { Command, Event } from "../../../shared/codec/wire/mod.ts";
import { MAX_CL_ORD_ID_BYTES } from "../../../shared/protocol/mod.ts";
import type { ClOrdIdIndex } from "./cl_ord_id_index.ts";
import type { LevelListener } from "./level_store.ts";
import { instrumentOf, ORDER_LAYOUT, ordTypeOf, sideOf, timeInForceOf } from "./order_store.ts";
import type { OrderRegistry } from "./registry.ts";

const {
  ORDER_WORDS,
  ORDER_PRICE,
  ORDER_QTY,
  ORDER_CUM,
  ORDER_NOTIONAL_LOW,
  ORDER_NOTIONAL_HIGH,
  ORDER_ENTRY,
  ORDER_OWNER,
  ORDER_TERMS,
  ORDER_STATUS,
} = ORDER_LAYOUT;
const { PartiallyFilled, Rejected } = OrdStatus;

/** Takes events as they happen. */
export interface EventSink {
  /** Called before a command's events. `command` is borrowed until the next call of this method. */
  commandStarts(command: Command): void;
  /** One event; borrowed for the call. */
  event(event: Event): void;
}

/** Fills events and hands them on. */
export class Reporter implements LevelListener {
  /** Events of the current command message so far. */
  eventCount = 0;
  #sink: EventSink = NO_SINK;
  #command: Command = NO_COMMAND;
  readonly #event = new Event();
  readonly #orders: Int32Array;
  readonly #orderIds: Float64Array;
  readonly #names: ClOrdIdIndex;
  readonly #scratch = new Uint8Array(MAX_CL_ORD_ID_BYTES);
  readonly #origScratch = new Uint8Array(MAX_CL_ORD_ID_BYTES);

  constructor(registry: OrderRegistry) {
    this.#orders = registry.orders.words;
    this.#orderIds = registry.orders.doubles;
    this.#names = registry.names;
  }

  /** Starts the events of a command. */
  begin(command: Command, commandIndex: number, sink: EventSink): void {
    if (sink !== this.#sink) this.#sink = sink;
    if (command !== this.#command) this.#command = command;
    this.#event.commandIndex = commandIndex;
    this.#event.flags = command.flags;
    sink.commandStarts(command);
  }

  /** An order as it now is, for its owner under its own ClOrdID. `reason` explains what was not asked for. */
  order(kind: EventKind, order: number): void {
    this.#fromOrder(kind, order);
    this.#send();
  }

  /** An order as it now is, for its owner, who asked under the command's ClOrdID; OrigClOrdID is `origEntry`'s. */
  requested(kind: EventKind, order: number, origEntry: number): void {
    const event = this.#event;
    const { clOrdId } = this.#command;
    this.#fromOrder(kind, order);
    event.clOrdId.set(clOrdId.buffer, clOrdId.start, clOrdId.length);
    this.#names.read(origEntry, event.origClOrdId, this.#origScratch);
    this.#send();
  }

  /** An order as it now is, for a session of its firm other than its owner, which sent the command. */
  requestedByOther(kind: EventKind, order: number): void {
    const event = this.#event;
    const { clOrdId, origClOrdId, sessionId } = this.#command;
    this.#fromOrder(kind, order);
    event.sessionId = sessionId;
    event.msgSeqNum = this.#command.msgSeqNum;
    event.clOrdId.set(clOrdId.buffer, clOrdId.start, clOrdId.length);
    event.origClOrdId.set(origClOrdId.buffer, origClOrdId.start, origClOrdId.length);
    this.#send();
  }

  /**
   * An order as it now is, for the session that sent the command. OrigClOrdID is a status request's own identifier,
   * OrdStatusReqID(790); a repeated request of another kind that is answered so has none.
   */
  status(order: number): void {
    const event = this.#event;
    const { kind, sessionId, msgSeqNum, origClOrdId } = this.#command;
    this.#fromOrder(EventKind.OrderStatusReported, order);
    event.sessionId = sessionId;
    event.msgSeqNum = msgSeqNum;
    if (kind === CommandKind.RequestStatus) {
      event.origClOrdId.set(origClOrdId.buffer, origClOrdId.start, origClOrdId.length);
    }
    this.#send();
  }

  /** Both sides of a trade, the aggressor's first; the fill is already booked on both orders. */
  trade(aggressor: number, resting: number, priceTicks: number, qtyLots: number): void {
    const event = this.#event;
    const tradeIndex = this.eventCount + 1;
    this.#fromOrder(EventKind.OrderExecuted, aggressor);
    event.liquidity = Liquidity.Removed;
    event.lastPxTicks = priceTicks;
    event.lastQtyLots = qtyLots;
    event.tradeIndex = tradeIndex;
    this.#send();
    this.#fromOrder(EventKind.OrderExecuted, resting);
    event.liquidity = Liquidity.Added;
    event.lastPxTicks = priceTicks;
    event.lastQtyLots = qtyLots;
    event.tradeIndex = tradeIndex;
    this.#send();
    event.liquidity = Liquidity.None;
    event.lastPxTicks = 0;
    event.lastQtyLots = 0;
    event.tradeIndex = 0;
  }

  /** A refusal of the command, for its sender; `order` is the order that it named, 0 when none is known. */
  refuse(kind: EventKind, reason: number, detail: number, order: number): void {
    const event = this.#event;
    const command = this.#command;
    if (order !== 0) {
      this.#fromOrder(kind, order);
    } else {
      event.kind = kind;
      event.ordStatus = Rejected;
      event.orderId = 0;
      event.instrumentId = command.instrumentId;
      event.side = command.side;
      event.ordType = command.ordType;
      event.timeInForce = command.timeInForce;
      event.priceTicks = command.priceTicks;
      event.orderQtyLots = command.qtyLots;
      event.cumQtyLots = 0;
      event.leavesQtyLots = 0;
      event.notionalLow = 0;
      event.notionalHigh = 0;
    }
    event.sessionId = command.sessionId;
    event.firmId = command.firmId;
    event.msgSeqNum = command.msgSeqNum;
    event.reason = reason;
    event.detail = detail;
    event.clOrdId.set(command.clOrdId.buffer, command.clOrdId.start, command.clOrdId.length);
    event.origClOrdId.set(command.origClOrdId.buffer, command.origClOrdId.start, command.origClOrdId.length);
    event.symbol.set(command.symbol.buffer, command.symbol.start, command.symbol.length);
    event.text.set(command.text.buffer, command.text.start, command.text.length);
    this.#send();
    event.reason = 0;
    event.detail = 0;
    event.symbol.clear();
    event.text.clear();
  }

  /** A level's final figures. */
  levelChanged(
    instrumentId: number,
    side: number,
    priceTicks: number,
    qtyLots: number,
    orders: number,
  ): void {
    const event = this.#event;
    event.kind = EventKind.LevelChanged;
    event.instrumentId = instrumentId;
    event.side = side;
    event.priceTicks = priceTicks;
    event.levelQtyLots = qtyLots;
    event.levelOrders = orders;
    this.#send();
  }

  #fromOrder(kind: EventKind, order: number): void {
    const event = this.#event;
    const words = this.#orders;
    const base = order * ORDER_WORDS;
    const status = words[base + ORDER_STATUS];
    const owner = words[base + ORDER_OWNER];
    const terms = words[base + ORDER_TERMS];
    const qty = words[base + ORDER_QTY];
    const cum = words[base + ORDER_CUM];
    const session = owner & 0xffff;
    event.kind = kind;
    event.ordStatus = status;
    event.sessionId = session;
    event.firmId = owner >>> 16;
    event.instrumentId = instrumentOf(terms);
    event.orderId = this.#orderIds[order * 8];
    event.side = sideOf(terms);
    event.ordType = ordTypeOf(terms);
    event.timeInForce = timeInForceOf(terms);
    event.priceTicks = words[base + ORDER_PRICE];
    event.orderQtyLots = qty;
    event.cumQtyLots = cum;
    event.leavesQtyLots = status <= PartiallyFilled ? qty - cum : 0;
    event.notionalLow = words[base + ORDER_NOTIONAL_LOW] >>> 0;
    event.notionalHigh = words[base + ORDER_NOTIONAL_HIGH];
    event.msgSeqNum = session === this.#command.sessionId ? this.#command.msgSeqNum : 0;
    event.origClOrdId.length = 0;
    this.#names.read(words[base + ORDER_ENTRY], event.clOrdId, this.#scratch);
  }

  #send(): void {
    this.eventCount++;
    this.#sink.event(this.#event);
  }
}

const NO_SINK: EventSink = { commandStarts() {}, event() {} };
const NO_COMMAND = new Command();
