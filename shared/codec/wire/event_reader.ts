/** Reads event batches (event.ts has their layout) from bytes that may be damaged in any way. Pure. */
import { EventKind } from "../../protocol/mod.ts";
import { ByteSlice } from "./byte_slice.ts";
import { TRACE_BYTES } from "./command.ts";
import type { WireFault } from "./command_reader.ts";
import {
  Event,
  EVENT_FIXED_BYTES,
  EVENT_HEADER_BYTES,
  EVENT_MAGIC,
  EVENT_VERSION,
  GROUP_CONTINUES,
  GROUP_HEADER_BYTES,
  GROUP_REFUSED,
  GROUP_REPEATED,
  LEVEL_EVENT_BYTES,
  TRACE_ENTRY_BYTES,
} from "./event.ts";

/**
 * Reads a batch group by group and event by event:
 * `open`, then while `nextGroup()` while `nextEvent()`. `open` checks all lengths, so the others cannot fail.
 * Slices of {@link event} borrow from the bytes given to `open`.
 */
export class EventBatchReader {
  readonly event: Event = new Event();
  shard = 0;
  epoch = 0;
  firstCmdSeq = 0;
  lastCmdSeq = 0;
  /** 0 in a claim; then firstCmdSeq is the group that comes next and lastCmdSeq the last one that is whole. */
  groupCount = 0;
  /** Claims only: how many events of group firstCmdSeq are stored before the claim. */
  nextEventIndex = 0;
  /** Of the current group: its command message, the stream's time for it, and the events in this part. */
  cmdSeq = 0;
  timestampUs = 0;
  eventCount = 0;
  traceCount = 0;
  /** Index of the first event of this part of the group; 0 unless the part before was cut. */
  firstEventIndex = 0;
  /** Whether the rest of the group follows in the next message. */
  continues = false;
  /** Whether the command message was refused whole; the group then has no events. */
  refused = false;
  /** In a group's last part: whether commands of the message had been applied before. */
  repeated = false;
  /** Index of {@link event} in its group. */
  eventIndex = -1;
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(this.#bytes.buffer);
  #group = 0;
  #groupEnd = 0;
  #at = 0;
  /** The first trace of the group that was not passed by {@link traceOf}. */
  #traceAt = 0;

  /** Takes a batch. Returns null, or the fault that makes it unreadable. */
  open(bytes: Uint8Array): WireFault | null {
    if (bytes.length < EVENT_HEADER_BYTES) return "truncated";
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (view.getUint16(0, true) !== EVENT_MAGIC) return "bad magic";
    if (view.getUint8(2) !== EVENT_VERSION) return "unsupported version";
    if (view.getUint32(32, true) !== bytes.length) return "bad length";
    if (view.getUint8(3) !== 0) return "bad field";
    const groups = view.getUint16(6, true);
    const nextEventIndex = view.getUint32(36, true);
    const epoch = view.getFloat64(8, true);
    const first = view.getFloat64(16, true);
    const last = view.getFloat64(24, true);
    if (!Number.isSafeInteger(epoch) || epoch < 0) return "bad field";
    if (!Number.isSafeInteger(first) || first < 1) return "bad field";
    if (groups > 0 ? nextEventIndex !== 0 : bytes.length !== EVENT_HEADER_BYTES) return "bad field";
    let at = EVENT_HEADER_BYTES;
    let cmdSeq = first;
    let events = 0;
    for (let i = 0; i < groups; i++) {
      const fault = faultOfGroup(view, at);
      if (fault !== null) return fault;
      if (view.getFloat64(at + 16, true) !== cmdSeq) return "bad field";
      if (i > 0 && view.getUint32(at + 8, true) !== events) return "bad field";
      const continues = (view.getUint16(at + 14, true) & GROUP_CONTINUES) !== 0;
      events = continues ? view.getUint32(at + 8, true) + view.getUint32(at + 4, true) : 0;
      if (i === groups - 1) break;
      if (!continues) cmdSeq++;
      at += view.getUint32(at, true);
    }
    if (groups === 0) cmdSeq--;
    else if (at + view.getUint32(at, true) !== bytes.length) return "bad length";
    if (cmdSeq !== last) return "bad field";
    this.shard = view.getUint16(4, true);
    this.epoch = epoch;
    this.firstCmdSeq = first;
    this.lastCmdSeq = last;
    this.groupCount = groups;
    this.nextEventIndex = nextEventIndex;
    this.#bytes = bytes;
    this.#view = view;
    this.#group = 0;
    this.#groupEnd = EVENT_HEADER_BYTES;
    return null;
  }

  /** Moves to the next group; false after the last. */
  nextGroup(): boolean {
    if (this.#group >= this.groupCount) return false;
    this.#group++;
    const view = this.#view;
    const start = this.#groupEnd;
    this.#groupEnd = start + view.getUint32(start, true);
    this.eventCount = view.getUint32(start + 4, true);
    this.firstEventIndex = view.getUint32(start + 8, true);
    this.traceCount = view.getUint16(start + 12, true);
    const flags = view.getUint16(start + 14, true);
    this.continues = (flags & GROUP_CONTINUES) !== 0;
    this.refused = (flags & GROUP_REFUSED) !== 0;
    this.repeated = (flags & GROUP_REPEATED) !== 0;
    this.cmdSeq = view.getFloat64(start + 16, true);
    this.timestampUs = view.getFloat64(start + 24, true);
    this.eventIndex = this.firstEventIndex - 1;
    this.#at = start + GROUP_HEADER_BYTES;
    this.#traceAt = this.#groupEnd - this.traceCount * TRACE_ENTRY_BYTES;
    return true;
  }

  /** Moves {@link event} to the next event of the group; false after the last. */
  nextEvent(): boolean {
    if (this.eventIndex + 1 >= this.firstEventIndex + this.eventCount) return false;
    this.eventIndex++;
    const start = this.#at;
    this.#at = start + this.#view.getUint16(start, true);
    readEvent(this.#view, this.#bytes, start, this.event);
    return true;
  }

  /**
   * Points `into` at the trace of event `index` of the current group; false when that event has none. A cursor: within
   * a group `index` must not fall from call to call.
   */
  traceOf(index: number, into: ByteSlice): boolean {
    const view = this.#view;
    const end = this.#groupEnd;
    let at = this.#traceAt;
    while (at < end && view.getUint32(at, true) < index) at += TRACE_ENTRY_BYTES;
    this.#traceAt = at;
    if (at === end || view.getUint32(at, true) !== index) return false;
    into.set(this.#bytes, at + 8, TRACE_BYTES);
    return true;
  }
}

/**
 * Reads the well-formed event at `start` of `bytes`, which `view` spans, into `event`; its slices borrow from `bytes`.
 * The fields that its kind does not use stay as they were.
 */
export function readEvent(view: DataView, bytes: Uint8Array, start: number, event: Event): void {
  event.kind = view.getUint8(start + 2);
  event.instrumentId = view.getUint16(start + 6, true);
  if (event.kind >= EventKind.LevelChanged) return readInstrumentEvent(view, start, event);
  event.ordStatus = view.getUint8(start + 3);
  event.sessionId = view.getUint16(start + 4, true);
  event.orderId = view.getFloat64(start + 8, true);
  event.priceTicks = view.getInt32(start + 16, true);
  event.orderQtyLots = view.getInt32(start + 20, true);
  event.cumQtyLots = view.getInt32(start + 24, true);
  event.leavesQtyLots = view.getInt32(start + 28, true);
  event.notionalLow = view.getUint32(start + 32, true);
  event.notionalHigh = view.getUint32(start + 36, true);
  event.lastPxTicks = view.getInt32(start + 40, true);
  const quantityOrTotal = view.getInt32(start + 44, true);
  const index = view.getUint32(start + 48, true);
  const executed = event.kind === EventKind.OrderExecuted;
  event.lastQtyLots = executed ? quantityOrTotal : 0;
  event.total = executed ? 0 : quantityOrTotal;
  event.tradeIndex = executed ? index : 0;
  event.index = executed ? 0 : index;
  event.msgSeqNum = view.getUint32(start + 52, true);
  event.side = view.getUint8(start + 56);
  event.ordType = view.getUint8(start + 57);
  event.timeInForce = view.getUint8(start + 58);
  event.liquidity = view.getUint8(start + 59) & 15;
  event.execInst = view.getUint8(start + 59) >> 4;
  event.reason = view.getUint16(start + 60, true);
  event.firmId = view.getUint16(start + 62, true);
  event.commandIndex = view.getUint16(start + 64, true);
  event.flags = view.getUint8(start + 66);
  event.detail = view.getUint8(start + 67);
  event.stopPxTicks = view.getInt32(start + 72, true);
  event.maxFloorLots = view.getInt32(start + 76, true);
  event.expireUs = view.getFloat64(start + 80, true);
  let at = start + EVENT_FIXED_BYTES;
  event.clOrdId.set(bytes, at, view.getUint8(start + 68));
  at += event.clOrdId.length;
  event.origClOrdId.set(bytes, at, view.getUint8(start + 69));
  at += event.origClOrdId.length;
  event.symbol.set(bytes, at, view.getUint8(start + 70));
  at += event.symbol.length;
  event.text.set(bytes, at, view.getUint8(start + 71));
}

function readInstrumentEvent(view: DataView, start: number, event: Event): void {
  const detail = view.getUint8(start + 3);
  const word = view.getUint32(start + 12, true);
  event.priceTicks = view.getInt32(start + 8, true);
  switch (event.kind) {
    case EventKind.LevelChanged:
      event.side = detail;
      event.levelOrders = word;
      event.levelQtyLots = view.getFloat64(start + 16, true);
      return;
    case EventKind.PhaseChanged:
      event.phase = detail;
      event.cause = view.getUint16(start + 4, true);
      event.previousPhase = word;
      return;
    case EventKind.AuctionIndicated:
      event.levelQtyLots = view.getFloat64(start + 16, true);
      event.surplusLots = view.getFloat64(start + 24, true);
      return;
    default:
      event.algorithm = detail;
  }
}

function faultOfGroup(view: DataView, start: number): WireFault | null {
  const total = view.byteLength;
  if (start + GROUP_HEADER_BYTES > total) return "truncated";
  const size = view.getUint32(start, true);
  if (size < GROUP_HEADER_BYTES || start + size > total) return "truncated";
  const timestampUs = view.getFloat64(start + 24, true);
  if (!Number.isSafeInteger(timestampUs) || timestampUs < 0) return "bad field";
  const events = view.getUint32(start + 4, true);
  const firstEventIndex = view.getUint32(start + 8, true);
  const traces = view.getUint16(start + 12, true);
  const flags = view.getUint16(start + 14, true);
  if (flags !== GROUP_CONTINUES && flags !== GROUP_REPEATED && flags !== GROUP_REFUSED && flags !== 0) {
    return "bad field";
  }
  if (flags === GROUP_REFUSED && events + firstEventIndex > 0) return "bad field";
  const end = start + size - traces * TRACE_ENTRY_BYTES;
  if (end < start + GROUP_HEADER_BYTES || events > (end - start) / LEVEL_EVENT_BYTES) return "bad length";
  let at = start + GROUP_HEADER_BYTES;
  for (let i = 0; i < events; i++) {
    const fault = faultOfEvent(view, at, end);
    if (fault !== null) return fault;
    at += view.getUint16(at, true);
  }
  if (at !== end) return "bad length";
  let lowest = firstEventIndex;
  for (; at < start + size; at += TRACE_ENTRY_BYTES) {
    const index = view.getUint32(at, true);
    if (index < lowest || index >= firstEventIndex + events) return "bad field";
    lowest = index + 1;
  }
  return null;
}

function faultOfEvent(view: DataView, start: number, end: number): WireFault | null {
  if (start + LEVEL_EVENT_BYTES > end) return "truncated";
  const size = view.getUint16(start, true);
  const kind = view.getUint8(start + 2);
  if (kind >= EventKind.LevelChanged && kind <= EventKind.AlgorithmChanged) {
    if (size !== LEVEL_EVENT_BYTES) return "bad length";
    return isInstrumentEvent(view, start, kind) ? null : "bad field";
  }
  if (kind < EventKind.OrderAccepted || kind > EventKind.QuotesCanceled) return "bad field";
  if (start + EVENT_FIXED_BYTES > end) return "truncated";
  const strings = view.getUint8(start + 68) + view.getUint8(start + 69) + view.getUint8(start + 70) +
    view.getUint8(start + 71);
  if (size !== (EVENT_FIXED_BYTES + strings + 7 & ~7)) return "bad length";
  if (start + size > end) return "truncated";
  if (!Number.isSafeInteger(view.getFloat64(start + 8, true))) return "bad field";
  const expireUs = view.getFloat64(start + 80, true);
  return Number.isSafeInteger(expireUs) && expireUs >= 0 ? null : "bad field";
}

/** Whether the event's figures are integers and what its kind does not use is 0. */
function isInstrumentEvent(view: DataView, start: number, kind: number): boolean {
  const detail = view.getUint8(start + 3);
  const cause = view.getUint16(start + 4, true);
  const word = view.getUint32(start + 12, true);
  const qtyLots = view.getFloat64(start + 16, true);
  const surplusLots = view.getFloat64(start + 24, true);
  if (!Number.isSafeInteger(qtyLots) || qtyLots < 0 || !Number.isSafeInteger(surplusLots)) return false;
  switch (kind) {
    case EventKind.LevelChanged:
      return cause === 0 && surplusLots === 0;
    case EventKind.PhaseChanged:
      return qtyLots === 0 && surplusLots === 0;
    case EventKind.AuctionIndicated:
      return detail === 0 && cause === 0 && word === 0;
    default:
      return cause === 0 && word === 0 && qtyLots === 0 && surplusLots === 0;
  }
}
