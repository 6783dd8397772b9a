/**
 * Turns what orders do into events, written as records of the wire's layout (shared/codec/wire/event.ts), straight into
 * the message when the sink has one, since a copy costs as much as the matching (bench/micro/book.ts). Owns the count of
 * events per command message, from which trade identifiers derive. Pure. reporter.ts adds what happens seldom.
 */
import { CommandKind, EventKind, Liquidity, OrdStatus } from "../../../shared/protocol/mod.ts";
import { MAX_CL_ORD_ID_BYTES } from "../../../shared/protocol/mod.ts";
import {
  ByteSlice,
  Command,
  Event,
  EVENT_FIXED_BYTES,
  EventBatchWriter,
  LEVEL_EVENT_BYTES,
  readEvent,
  TRACE_BYTES,
} from "../../../shared/codec/wire/mod.ts";
import type { ClOrdIdIndex } from "./cl_ord_id_index.ts";
import { putNames } from "./event_names.ts";
import type { EventSink } from "./event_sink.ts";
import type { LevelListener } from "./level_store.ts";
import type { Memory } from "./memory.ts";
import { execInstOf, EXTRA_LAYOUT } from "./order_extra.ts";
import { ORDER_LAYOUT } from "./order_store.ts";

const {
  ORDER_PRICE,
  ORDER_QTY,
  ORDER_CUM,
  ORDER_NOTIONAL_LOW,
  ORDER_NOTIONAL_HIGH,
  ORDER_ENTRY,
  ORDER_OWNER,
  ORDER_EXTRA,
  ORDER_TERMS,
  ORDER_STATUS,
} = ORDER_LAYOUT;
const { EXTRA_STOP_PX, EXTRA_FLOOR, EXTRA_FLAGS } = EXTRA_LAYOUT;
const { LevelChanged, OrderExecuted, OrderStatusReported } = EventKind;
const { PartiallyFilled } = OrdStatus;
const { Added, None: NO_LIQUIDITY, Removed } = Liquidity;
/** OrdStatus in ORDER_STATUS. */
const STATUS_BITS = 15;
const FIXED_BYTES = EVENT_FIXED_BYTES;
const FIXED_WORDS = EVENT_FIXED_BYTES / 4;
const LEVEL_BYTES = LEVEL_EVENT_BYTES;

/** Makes events of orders and levels and hands them on. */
export class OrderEvents implements LevelListener {
  /** Events of the current command message so far. */
  eventCount = 0;
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  readonly #names: ClOrdIdIndex;
  #sink: EventSink = NO_SINK;
  /** Where records go: the sink's, or the own one for a sink that wants Events. */
  #records: EventBatchWriter;
  readonly #ownRecords = new EventBatchWriter(4096);
  /** Whether somebody is to be told of each record. */
  #watched = true;
  protected command: Command = NO_COMMAND;
  /** Of the command: its session, and MsgSeqNum, index and flags as events have them. */
  #sessionId = 0;
  #msgSeqNum = 0;
  #cause = 0;
  /** Where what is no order's record is put together. */
  protected readonly event: Event = new Event();
  readonly #slice = new ByteSlice();
  readonly #scratch = new Uint8Array(MAX_CL_ORD_ID_BYTES);

  constructor(memory: Memory, names: ClOrdIdIndex) {
    this.#words = memory.words;
    this.#doubles = memory.doubles;
    this.#names = names;
    this.#records = this.#ownRecords;
    this.#ownRecords.begin(0, 0, 0, 0);
  }

  /** Starts the events of a command. */
  begin(command: Command, commandIndex: number, sink: EventSink): void {
    if (sink !== this.#sink) {
      this.#sink = sink;
      this.#records = sink.records ?? this.#ownRecords;
    }
    if (command !== this.command) this.command = command;
    this.#sessionId = command.sessionId;
    this.#msgSeqNum = command.msgSeqNum | 0;
    this.#cause = commandIndex & 0xffff | (command.flags & 0xff) << 16;
    this.#watched = command.trace.length === TRACE_BYTES || this.#records === this.#ownRecords;
    sink.commandStarts(command);
  }

  /** An order as it now is, for its owner under its own ClOrdID. `reason` explains what the owner did not ask for. */
  order(kind: EventKind, order: number, reason: number = 0): void {
    const records = this.#records;
    const at = records.reserve();
    this.#putOrder(records, at, kind, order);
    records.words[at + 15 | 0] |= reason;
    this.#commit(records, kind, this.#putName(records.words, at, order));
  }

  /** An order as it now is, for its owner, who asked under the command's ClOrdID; OrigClOrdID is `origEntry`'s. */
  requested(kind: EventKind, order: number, origEntry: number): void {
    const records = this.#records;
    const at = records.reserve();
    const orig = this.#slice;
    this.#putOrder(records, at, kind, order);
    this.#names.read(origEntry, orig, this.#scratch);
    this.#commit(records, kind, putNames(records, at, this.command.clOrdId, orig));
  }

  /** An order as it now is, for a session of its firm other than its owner, which sent the command. */
  requestedByOther(kind: EventKind, order: number): void {
    const records = this.#records;
    const at = records.reserve();
    const { clOrdId, origClOrdId } = this.command;
    this.#putOrder(records, at, kind, order);
    this.#putRecipient(records.words, at);
    this.#commit(records, kind, putNames(records, at, clOrdId, origClOrdId));
  }

  /**
   * An order as it now is, for the session that sent the command. OrigClOrdID is a status request's own identifier,
   * OrdStatusReqID(790); a repeated request of another kind that is answered so has none.
   */
  status(order: number): void {
    const records = this.#records;
    const at = records.reserve();
    const { kind, origClOrdId } = this.command;
    const name = this.#slice;
    this.#putOrder(records, at, OrderStatusReported, order);
    this.#putRecipient(records.words, at);
    this.#names.read(this.#words[order + ORDER_ENTRY | 0], name, this.#scratch);
    const requestId = kind === CommandKind.RequestStatus ? origClOrdId : NO_NAME;
    this.#commit(records, OrderStatusReported, putNames(records, at, name, requestId));
  }

  /** An order as it now is, for the session that asked for the state of all its orders: number `index` of `total`. */
  massStatus(order: number, index: number, total: number): void {
    const records = this.#records;
    const at = records.reserve();
    const { words } = records;
    const name = this.#slice;
    this.#putOrder(records, at, OrderStatusReported, order);
    this.#putRecipient(words, at);
    words[at + 11 | 0] = total;
    words[at + 12 | 0] = index;
    words[at + 16 | 0] |= MASS_DETAIL << 24;
    this.#names.read(this.#words[order + ORDER_ENTRY | 0], name, this.#scratch);
    this.#commit(records, OrderStatusReported, putNames(records, at, name, this.command.clOrdId));
  }

  /** Both sides of a trade, the aggressor's first; the fill is already booked on both orders. */
  trade(aggressor: number, resting: number, priceTicks: number, qtyLots: number): void {
    const tradeIndex = this.eventCount + 1 | 0;
    this.#execution(aggressor, priceTicks, qtyLots, tradeIndex, Removed);
    this.#execution(resting, priceTicks, qtyLots, tradeIndex, Added);
  }

  /** Both sides of a trade in an auction, where nobody takes and nobody waits; the fill is already booked on both. */
  auctionTrade(buy: number, sell: number, priceTicks: number, qtyLots: number): void {
    const tradeIndex = this.eventCount + 1 | 0;
    this.#execution(buy, priceTicks, qtyLots, tradeIndex, NO_LIQUIDITY);
    this.#execution(sell, priceTicks, qtyLots, tradeIndex, NO_LIQUIDITY);
  }

  /** A level's final figures. */
  levelChanged(
    instrumentId: number,
    side: number,
    priceTicks: number,
    qtyLots: number,
    orders: number,
  ): void {
    const records = this.#records;
    const at = records.reserve();
    const { words, doubles } = records;
    words[at] = LEVEL_BYTES | LevelChanged << 16 | side << 24;
    words[at + 1 | 0] = instrumentId << 16;
    words[at + 2 | 0] = priceTicks;
    words[at + 3 | 0] = orders;
    doubles[(at >> 1) + 2 | 0] = qtyLots;
    doubles[(at >> 1) + 3 | 0] = 0;
    this.#commit(records, LevelChanged, LEVEL_BYTES);
  }

  #execution(
    order: number,
    priceTicks: number,
    qtyLots: number,
    tradeIndex: number,
    liquidity: number,
  ): void {
    const records = this.#records;
    const at = records.reserve();
    const { words } = records;
    this.#putOrder(records, at, OrderExecuted, order);
    words[at + 10 | 0] = priceTicks | 0;
    words[at + 11 | 0] = qtyLots | 0;
    words[at + 12 | 0] = tradeIndex | 0;
    words[at + 14 | 0] |= liquidity << 24;
    this.#commit(records, OrderExecuted, this.#putName(words, at, order));
  }

  /** Everything of an order but names, for its owner; sizes are still open in the first word. */
  #putOrder(records: EventBatchWriter, at: number, kind: EventKind, order: number): void {
    const from = this.#words;
    const { words, doubles } = records;
    const status = from[order + ORDER_STATUS | 0] & STATUS_BITS;
    const extra = from[order + ORDER_EXTRA | 0];
    const owner = from[order + ORDER_OWNER | 0];
    const terms = from[order + ORDER_TERMS | 0];
    const qty = from[order + ORDER_QTY | 0];
    const cum = from[order + ORDER_CUM | 0];
    const session = owner & 0xffff;
    words[at] = kind << 16 | status << 24;
    words[at + 1 | 0] = session | terms << 16;
    doubles[(at >> 1) + 1 | 0] = this.#doubles[order >> 1];
    words[at + 4 | 0] = from[order + ORDER_PRICE | 0];
    words[at + 5 | 0] = qty;
    words[at + 6 | 0] = cum;
    words[at + 7 | 0] = status <= PartiallyFilled ? qty - cum | 0 : 0;
    words[at + 8 | 0] = from[order + ORDER_NOTIONAL_LOW | 0];
    words[at + 9 | 0] = from[order + ORDER_NOTIONAL_HIGH | 0];
    words[at + 10 | 0] = 0;
    words[at + 11 | 0] = 0;
    words[at + 12 | 0] = 0;
    words[at + 13 | 0] = session === this.#sessionId ? this.#msgSeqNum : 0;
    words[at + 14 | 0] = terms >> 16 & 3 | (terms >> 18 & 63) << 8 | (terms >> 24 & 63) << 16;
    words[at + 15 | 0] = owner & ~0xffff;
    words[at + 16 | 0] = this.#cause;
    if (extra === 0) {
      doubles[(at >> 1) + 9 | 0] = 0;
      doubles[(at >> 1) + 10 | 0] = 0;
    } else {
      words[at + 14 | 0] |= execInstOf(from[extra + EXTRA_FLAGS | 0]) << 28;
      words[at + 18 | 0] = from[extra + EXTRA_STOP_PX | 0];
      words[at + 19 | 0] = from[extra + EXTRA_FLOOR | 0];
      doubles[(at >> 1) + 10 | 0] = this.#doubles[extra >> 1];
    }
  }

  /** Makes the command's session the recipient. */
  #putRecipient(words: Int32Array, at: number): void {
    words[at + 1 | 0] = words[at + 1 | 0] & ~0xffff | this.#sessionId;
    words[at + 13 | 0] = this.#msgSeqNum;
  }

  /** The order's own ClOrdID and nothing else; returns the size of the event. */
  #putName(words: Int32Array, at: number, order: number): number {
    const length = this.#names.copy(this.#words[order + ORDER_ENTRY | 0], words, at + FIXED_WORDS | 0);
    const size = FIXED_BYTES + length + 7 & ~7;
    words[at] |= size;
    words[at + 17 | 0] = length;
    return size;
  }

  /** Index of the command in its message. */
  protected get commandIndex(): number {
    return this.#cause & 0xffff;
  }

  /** Hands {@link event} on. */
  protected hand(): void {
    this.eventCount = this.eventCount + 1 | 0;
    this.#sink.event(this.event);
  }

  /** Fills {@link event} with an order as it now is. */
  protected describe(kind: EventKind, order: number): void {
    const records = this.#ownRecords;
    const at = records.reserve();
    this.#putOrder(records, at, kind, order);
    this.#putName(records.words, at, order);
    readEvent(records.view, records.bytes, at << 2, this.event);
  }

  #commit(records: EventBatchWriter, kind: EventKind, size: number): void {
    this.eventCount = this.eventCount + 1 | 0;
    records.commit(size);
    if (this.#watched) this.#tell(kind, size);
  }

  #tell(kind: EventKind, size: number): void {
    const records = this.#records;
    if (records !== this.#ownRecords) return this.#sink.recorded!(kind);
    records.drop(size);
    readEvent(records.view, records.bytes, records.reserve() << 2, this.event);
    this.#sink.event(this.event);
  }
}

const NO_SINK: EventSink = { commandStarts() {}, event() {} };
const NO_COMMAND = new Command();
const NO_NAME = new ByteSlice();
/** `detail` of what answers a mass status request. */
export const MASS_DETAIL = 2;
