/**
 * Event batches: what one message of EV_s (and one direct message to gateways) holds. Fixed layout, little-endian,
 * version 1; docs/wire.md draws it. Pure.
 *
 * Header, 40 bytes: u16 magic, u8 version, u8 0, u16 shard, u16 groupCount, f64 epoch, f64 firstCmdSeq, f64
 * lastCmdSeq, u32 total bytes, u32 nextEventIndex (0 but in a claim). Then one group per command message, in stream
 * order and without gaps, even when it caused no event: u32 size, u32 eventCount, u32 firstEventIndex, u16 traceCount,
 * u16 flags (1: more of this group follows in the next message; 2: the command message was refused), f64 cmdSeq, f64 timestampUs; the events; the traces
 * (u32 eventIndex, u32 0, 24 bytes of trace id and span id). A command that meets so many orders that its events pass
 * one message is cut between two events.
 *
 * A claim is a header alone (groupCount 0): a matcher says that it writes from here on, under a higher epoch.
 */
import { EventKind, MAX_CL_ORD_ID_BYTES, MAX_SYMBOL_BYTES, MAX_TEXT_BYTES } from "../../protocol/mod.ts";
import { ByteSlice } from "./byte_slice.ts";
import { padTo8, putSlice, TRACE_BYTES } from "./command.ts";

/** The header's first fields, and sizes of headers. */
export const EVENT_MAGIC = 0x4550;
export const EVENT_VERSION = 1;
export const EVENT_HEADER_BYTES = 40;
export const GROUP_HEADER_BYTES = 32;
/** Group flag: the group goes on in the next message. */
export const GROUP_CONTINUES = 1;
/**
 * Group flag: the command message was refused whole, since it is unreadable, stands behind a gap in its gateway's
 * numbers or comes from an ended run of its gateway. Its group has no events.
 */
export const GROUP_REFUSED = 2;
/** Fixed part of an order event. */
export const EVENT_FIXED_BYTES = 88;
/** A LevelChanged event, whole. */
export const LEVEL_EVENT_BYTES = 32;
export const TRACE_ENTRY_BYTES = 8 + TRACE_BYTES;
/** The largest encoded event. */
export const MAX_EVENT_BYTES = EVENT_FIXED_BYTES + 2 * MAX_CL_ORD_ID_BYTES + MAX_SYMBOL_BYTES +
  MAX_TEXT_BYTES + 8;

/** One event's fields. LevelChanged uses only kind, instrumentId, side, priceTicks, levelQtyLots and levelOrders. */
export class Event {
  kind: number = EventKind.OrderAccepted;
  /** OrdStatus after the event. */
  ordStatus = 0;
  /** The FIX session that is to hear of it. */
  sessionId = 0;
  firmId = 0;
  instrumentId = 0;
  /** 0 when there is no order (rejected, unknown). */
  orderId = 0;
  side = 0;
  ordType = 0;
  timeInForce = 0;
  /** Liquidity, executions only. */
  liquidity = 0;
  priceTicks = 0;
  orderQtyLots = 0;
  cumQtyLots = 0;
  leavesQtyLots = 0;
  /** Sum of LastPx × LastQty, tick-lots: high × 2^32 + low, each an unsigned 32-bit integer. */
  notionalHigh = 0;
  notionalLow = 0;
  lastPxTicks = 0;
  lastQtyLots = 0;
  /** The trade, the same for both sides: index of its first event in the group + 1; 0 outside executions. */
  tradeIndex = 0;
  reason = 0;
  /** CancelRejected, ReplaceRejected, OrderRejected: whether the request was a RequestStatus (1) or not (0). */
  detail = 0;
  /** MsgSeqNum(34) of the message that caused it when the recipient sent that message, else 0 (unsolicited). */
  msgSeqNum = 0;
  /** CommandFlag bits of the causing command. */
  flags = 0;
  /** Index of the causing command in its batch. */
  commandIndex = 0;
  /** LevelChanged: sum of LeavesQty displayed at the price, lots (may pass 2^32). */
  levelQtyLots = 0;
  /** LevelChanged: orders at the price. */
  levelOrders = 0;
  readonly clOrdId: ByteSlice = new ByteSlice();
  /** OrigClOrdID(41); of a status request OrdStatusReqID(790). */
  readonly origClOrdId: ByteSlice = new ByteSlice();
  readonly symbol: ByteSlice = new ByteSlice();
  readonly text: ByteSlice = new ByteSlice();
}

/**
 * Builds the event message of one command message: `begin`, then `append` (and `addTrace`) per event, then `end`.
 * `end` returns messages that the caller owns: one, or several when the events pass `maxBytes`.
 */
export class EventBatchWriter {
  /** Events so far: the index that the next event will have. */
  eventCount = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #traces: { index: number; trace: Uint8Array }[] = [];
  readonly #sealed: Uint8Array[] = [];
  #length = 0;
  #firstEventIndex = 0;
  #refused = false;

  /** A writer whose messages stay at or below `maxBytes` (≥ 4096). */
  constructor(maxBytes: number) {
    this.#bytes = new Uint8Array(maxBytes);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Starts the events of command message `cmdSeq`, stamped by the stream at `timestampUs` (µs since 1970). */
  begin(shard: number, epoch: number, cmdSeq: number, timestampUs: number): void {
    const view = this.#view;
    view.setUint16(0, EVENT_MAGIC, true);
    view.setUint8(2, EVENT_VERSION);
    view.setUint16(4, shard, true);
    view.setUint16(6, 1, true);
    view.setFloat64(8, epoch, true);
    view.setFloat64(16, cmdSeq, true);
    view.setFloat64(24, cmdSeq, true);
    view.setFloat64(EVENT_HEADER_BYTES + 16, cmdSeq, true);
    view.setFloat64(EVENT_HEADER_BYTES + 24, timestampUs, true);
    this.#sealed.length = 0;
    this.eventCount = 0;
    this.#refused = false;
    this.#open();
  }

  /** Appends an event and returns its index. */
  append(event: Event): number {
    if (this.#length + MAX_EVENT_BYTES + this.#traceBytes > this.#bytes.length) {
      this.#seal(GROUP_CONTINUES);
      this.#open();
    }
    const start = this.#length;
    const view = this.#view;
    view.setUint8(start + 2, event.kind);
    view.setUint16(start + 6, event.instrumentId, true);
    this.#length = event.kind === EventKind.LevelChanged
      ? putLevelEvent(view, start, event)
      : putOrderEvent(this.#bytes, view, start, event);
    return this.eventCount++;
  }

  /** Marks event `index`, the last appended, as caused by a traced command; the {@link TRACE_BYTES} are copied. */
  addTrace(index: number, trace: ByteSlice): void {
    if (this.#length + this.#traceBytes + TRACE_ENTRY_BYTES > this.#bytes.length) return;
    this.#traces.push({ index, trace: trace.buffer.slice(trace.start, trace.start + TRACE_BYTES) });
  }

  /** Says that the command message was refused whole: {@link GROUP_REFUSED}. Throws when it has caused an event. */
  refuse(): void {
    if (this.eventCount > 0) throw new RangeError("Cannot refuse a command message that has caused events");
    this.#refused = true;
  }

  /** Completes the group. The caller owns what is returned, in order, at least one message. */
  end(): Uint8Array[] {
    this.#seal(this.#refused ? GROUP_REFUSED : 0);
    return this.#sealed.slice();
  }

  get #traceBytes(): number {
    return this.#traces.length * TRACE_ENTRY_BYTES;
  }

  #open(): void {
    this.#length = EVENT_HEADER_BYTES + GROUP_HEADER_BYTES;
    this.#firstEventIndex = this.eventCount;
  }

  #seal(flags: number): void {
    const view = this.#view;
    const events = this.eventCount - this.#firstEventIndex;
    for (const { index, trace } of this.#traces) {
      view.setUint32(this.#length, index, true);
      view.setUint32(this.#length + 4, 0, true);
      this.#bytes.set(trace, this.#length + 8);
      this.#length += TRACE_ENTRY_BYTES;
    }
    view.setUint32(32, this.#length, true);
    view.setUint32(EVENT_HEADER_BYTES, this.#length - EVENT_HEADER_BYTES, true);
    view.setUint32(EVENT_HEADER_BYTES + 4, events, true);
    view.setUint32(EVENT_HEADER_BYTES + 8, this.#firstEventIndex, true);
    view.setUint16(EVENT_HEADER_BYTES + 12, this.#traces.length, true);
    view.setUint16(EVENT_HEADER_BYTES + 14, flags, true);
    this.#traces.length = 0;
    this.#sealed.push(this.#bytes.slice(0, this.#length));
  }
}

/**
 * Joins messages of one epoch whose groups follow each other into one message, taking as many from the front of
 * `messages` as stay within `maxBytes` (always at least one). Returns the message and how many it holds.
 */
export function joinEventBatches(
  messages: readonly Uint8Array[],
  maxBytes: number,
): { bytes: Uint8Array; taken: number } {
  let taken = 1;
  let length = messages[0].length;
  while (taken < messages.length && length + messages[taken].length - EVENT_HEADER_BYTES <= maxBytes) {
    length += messages[taken].length - EVENT_HEADER_BYTES;
    taken++;
  }
  if (taken === 1) return { bytes: messages[0], taken };
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes.set(messages[0]);
  let at = messages[0].length;
  let groups = view.getUint16(6, true);
  for (let i = 1; i < taken; i++) {
    const part = messages[i];
    bytes.set(part.subarray(EVENT_HEADER_BYTES), at);
    at += part.length - EVENT_HEADER_BYTES;
    groups += part[6] | part[7] << 8;
  }
  const last = messages[taken - 1];
  bytes.set(last.subarray(24, 32), 24);
  view.setUint16(6, groups, true);
  view.setUint32(32, length, true);
  return { bytes, taken };
}

/**
 * A claim: the matcher of `epoch` writes from here on. What EV_s holds before it: every group up to `completeCmdSeq`
 * (0 for none), and the first `nextEventIndex` events of the group after. The caller owns the bytes.
 */
export function encodeClaim(
  shard: number,
  epoch: number,
  completeCmdSeq: number,
  nextEventIndex: number,
): Uint8Array {
  const bytes = new Uint8Array(EVENT_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, EVENT_MAGIC, true);
  view.setUint8(2, EVENT_VERSION);
  view.setUint16(4, shard, true);
  view.setFloat64(8, epoch, true);
  view.setFloat64(16, completeCmdSeq + 1, true);
  view.setFloat64(24, completeCmdSeq, true);
  view.setUint32(32, EVENT_HEADER_BYTES, true);
  view.setUint32(36, nextEventIndex, true);
  return bytes;
}

function putLevelEvent(view: DataView, start: number, event: Event): number {
  view.setUint8(start + 3, event.side);
  view.setUint16(start + 4, 0, true);
  view.setInt32(start + 8, event.priceTicks, true);
  view.setUint32(start + 12, event.levelOrders, true);
  view.setFloat64(start + 16, event.levelQtyLots, true);
  view.setFloat64(start + 24, 0, true);
  view.setUint16(start, LEVEL_EVENT_BYTES, true);
  return start + LEVEL_EVENT_BYTES;
}

function putOrderEvent(bytes: Uint8Array, view: DataView, start: number, event: Event): number {
  view.setUint8(start + 3, event.ordStatus);
  view.setUint16(start + 4, event.sessionId, true);
  view.setFloat64(start + 8, event.orderId, true);
  view.setInt32(start + 16, event.priceTicks, true);
  view.setInt32(start + 20, event.orderQtyLots, true);
  view.setInt32(start + 24, event.cumQtyLots, true);
  view.setInt32(start + 28, event.leavesQtyLots, true);
  view.setUint32(start + 32, event.notionalLow, true);
  view.setUint32(start + 36, event.notionalHigh, true);
  view.setInt32(start + 40, event.lastPxTicks, true);
  view.setInt32(start + 44, event.lastQtyLots, true);
  view.setUint32(start + 48, event.tradeIndex, true);
  view.setUint32(start + 52, event.msgSeqNum, true);
  view.setUint8(start + 56, event.side);
  view.setUint8(start + 57, event.ordType);
  view.setUint8(start + 58, event.timeInForce);
  view.setUint8(start + 59, event.liquidity);
  view.setUint16(start + 60, event.reason, true);
  view.setUint16(start + 62, event.firmId, true);
  view.setUint16(start + 64, event.commandIndex, true);
  view.setUint8(start + 66, event.flags);
  view.setUint8(start + 67, event.detail);
  view.setUint8(start + 68, event.clOrdId.length);
  view.setUint8(start + 69, event.origClOrdId.length);
  view.setUint8(start + 70, event.symbol.length);
  view.setUint8(start + 71, event.text.length);
  view.setFloat64(start + 72, 0, true);
  view.setFloat64(start + 80, 0, true);
  let at = start + EVENT_FIXED_BYTES;
  at = putSlice(bytes, at, event.clOrdId, MAX_CL_ORD_ID_BYTES);
  at = putSlice(bytes, at, event.origClOrdId, MAX_CL_ORD_ID_BYTES);
  at = putSlice(bytes, at, event.symbol, MAX_SYMBOL_BYTES);
  at = putSlice(bytes, at, event.text, MAX_TEXT_BYTES);
  at = padTo8(bytes, at);
  view.setUint16(start, at - start, true);
  return at;
}
