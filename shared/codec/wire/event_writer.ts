/**
 * Writes event messages (event.ts has their layout), word by word: every field lies on a multiple of its size, and
 * whatever Deno runs on is little-endian. Owns the memory that messages are cut from. Pure.
 *
 * Messages follow each other in a slab of memory and are handed out as views of it, so that none is copied; a slab is
 * never written twice and lives as long as its last view. bench/micro/engine.ts pays for both.
 */
import { EventKind, MAX_CL_ORD_ID_BYTES, MAX_SYMBOL_BYTES, MAX_TEXT_BYTES } from "../../protocol/mod.ts";
import type { ByteSlice } from "./byte_slice.ts";
import { putSlice, TRACE_BYTES } from "./command.ts";
import {
  type Event,
  EVENT_FIXED_BYTES as ORDER_EVENT_BYTES,
  EVENT_HEADER_BYTES,
  EVENT_MAGIC,
  EVENT_VERSION,
  GROUP_CONTINUES,
  GROUP_HEADER_BYTES,
  GROUP_REFUSED,
  GROUP_REPEATED,
  LEVEL_EVENT_BYTES,
  MAX_EVENT_BYTES,
  TRACE_ENTRY_BYTES,
} from "./event.ts";

// A module's own constants are folded into the code, imported ones are loaded each time.
const FIXED_BYTES = ORDER_EVENT_BYTES;
const LEVEL_BYTES = LEVEL_EVENT_BYTES;
const MAX_BYTES = MAX_EVENT_BYTES;
const { AlgorithmChanged, AuctionIndicated, LevelChanged, OrderExecuted, PhaseChanged } = EventKind;

/** Memory for many messages at once: below what the allocator asks the operating system for each time. */
const SLAB_BYTES = 64 * 1024;
/** A message begins in the slab only where at least this is left. */
const MIN_ROOM_BYTES = 2048;
const EVENTS_AT = EVENT_HEADER_BYTES + GROUP_HEADER_BYTES;

/**
 * Builds the event message of one command message: `begin`, then `append` (and `addTrace`) per event, then `end`.
 * `end` returns messages that the caller owns: one, or several when the events pass `maxBytes`.
 */
export class EventBatchWriter {
  /** Events so far: the index that the next event will have. */
  eventCount = 0;
  readonly #maxBytes: number;
  #traces: { index: number; trace: Uint8Array }[] = [];
  /** What the traces will take. */
  #traceBytes = 0;
  #sealed: Uint8Array[] = [];
  /**
   * The slab, for who writes events itself: {@link reserve}, then the event by the layout, then {@link commit}. Valid
   * until the next `reserve`.
   */
  bytes = new Uint8Array(0);
  words = new Int32Array(0);
  doubles = new Float64Array(0);
  /** Where the message begins in the slab, and where it ends so far. Invariant: multiples of 8. */
  #start = 0;
  #end = 0;
  /** Where the message must end: the slab's end, or the largest message's. */
  #limit = 0;
  #view = new DataView(new ArrayBuffer(0));
  #firstEventIndex = 0;
  /** Of the group as a whole. */
  #flags = 0;
  #shard = 0;
  #epoch = 0;
  #cmdSeq = 0;
  #timestampUs = 0;

  /** A writer whose messages stay at or below `maxBytes` (≥ 4096). */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Starts the events of command message `cmdSeq`, stamped by the stream at `timestampUs` (µs since 1970). */
  begin(shard: number, epoch: number, cmdSeq: number, timestampUs: number): void {
    this.#shard = shard;
    this.#epoch = epoch;
    this.#cmdSeq = cmdSeq;
    this.#timestampUs = timestampUs;
    if (this.#traceBytes > 0) this.#dropTraces();
    if (this.#sealed.length > 0) this.#sealed = [];
    this.#flags = 0;
    this.eventCount = 0;
    this.#open();
  }

  /** Makes room for the largest event; returns its first word's place in {@link words}, an even number. */
  reserve(): number {
    if ((this.#end + MAX_BYTES | 0) > (this.#limit - this.#traceBytes | 0)) this.#makeRoom(MAX_BYTES);
    return this.#end >> 2;
  }

  /** Takes what was written where {@link reserve} said as an event of `bytes` bytes, a multiple of 8. */
  commit(bytes: number): void {
    this.#end = this.#end + bytes | 0;
    this.eventCount = this.eventCount + 1 | 0;
  }

  /** Takes the last event, of `bytes` bytes, back. */
  drop(bytes: number): void {
    this.#end = this.#end - bytes | 0;
    this.eventCount = this.eventCount - 1 | 0;
  }

  /** A view of the slab, made when asked for. */
  get view(): DataView {
    if (this.#view.buffer !== this.bytes.buffer) this.#view = new DataView(this.bytes.buffer);
    return this.#view;
  }

  /** Appends an event and returns its index. */
  append(event: Event): number {
    this.reserve();
    this.#end = event.kind >= LevelChanged
      ? putInstrumentEvent(this.words, this.doubles, this.#end, event)
      : putOrderEvent(this.words, this.doubles, this.bytes, this.#end, event);
    return this.eventCount++;
  }

  /** Marks event `index`, the last appended, as caused by a traced command; the {@link TRACE_BYTES} are copied. */
  addTrace(index: number, trace: ByteSlice): void {
    if (this.#end - this.#start + this.#traceBytes + TRACE_ENTRY_BYTES > this.#maxBytes) return;
    if (this.#end + this.#traceBytes + TRACE_ENTRY_BYTES > this.#limit) this.#grow(TRACE_ENTRY_BYTES);
    this.#traces.push({ index, trace: trace.buffer.slice(trace.start, trace.start + TRACE_BYTES) });
    this.#traceBytes += TRACE_ENTRY_BYTES;
  }

  /** Says that the command message was refused whole: {@link GROUP_REFUSED}. Throws when it has caused an event. */
  refuse(): void {
    if (this.eventCount > 0) throw new RangeError("Cannot refuse a command message that has caused events");
    this.#flags |= GROUP_REFUSED;
  }

  /** Says that commands of the message had been applied before: {@link GROUP_REPEATED}. */
  repeat(): void {
    this.#flags |= GROUP_REPEATED;
  }

  /** Completes the group. The caller owns what is returned, in order, at least one message. */
  end(): Uint8Array[] {
    this.#seal(this.#flags);
    const sealed = this.#sealed;
    this.#sealed = [];
    return sealed;
  }

  /** Goes on in a new message, or when only the slab is full, in a larger one. */
  #makeRoom(bytes: number): void {
    if (this.#end - this.#start + bytes + this.#traceBytes <= this.#maxBytes) return this.#grow(bytes);
    this.#seal(GROUP_CONTINUES);
    this.#open();
    if (this.#end + bytes > this.#limit) this.#grow(bytes);
  }

  /** Moves the message so far to a new slab with room for `bytes` more and for the traces. */
  #grow(bytes: number): void {
    const length = this.#end - this.#start;
    const old = this.bytes.subarray(this.#start, this.#end);
    const needed = length + bytes + this.#traceBytes;
    this.#takeSlab(Math.min(Math.max(SLAB_BYTES, needed * 2), Math.max(this.#maxBytes, needed)));
    this.bytes.set(old);
    this.#end = length;
  }

  #takeSlab(bytes: number): void {
    this.bytes = new Uint8Array(bytes + 7 & ~7);
    this.words = new Int32Array(this.bytes.buffer);
    this.doubles = new Float64Array(this.bytes.buffer);
    this.#start = 0;
    this.#limit = Math.min(this.bytes.length, this.#maxBytes);
  }

  /** Starts a message behind the last one. */
  #open(): void {
    if (this.#start + MIN_ROOM_BYTES > this.bytes.length) this.#takeSlab(SLAB_BYTES);
    this.#limit = Math.min(this.#start + this.#maxBytes, this.bytes.length);
    this.#end = this.#start + EVENTS_AT;
    this.#firstEventIndex = this.eventCount;
  }

  /** Writes the headers and traces of the message, and takes it out of the slab. */
  #seal(flags: number): void {
    if (this.#traceBytes > 0) this.#putTraces();
    const words = this.words;
    const doubles = this.doubles;
    const length = this.#end - this.#start;
    const header = this.#start >> 2;
    const group = header + EVENT_HEADER_BYTES / 4;
    words[header] = EVENT_MAGIC | EVENT_VERSION << 16;
    words[header + 1] = this.#shard & 0xffff | 1 << 16;
    doubles[(header >> 1) + 1] = this.#epoch;
    doubles[(header >> 1) + 2] = this.#cmdSeq;
    doubles[(header >> 1) + 3] = this.#cmdSeq;
    words[header + 8] = length;
    words[header + 9] = 0;
    words[group] = length - EVENT_HEADER_BYTES;
    words[group + 1] = this.eventCount - this.#firstEventIndex;
    words[group + 2] = this.#firstEventIndex;
    words[group + 3] = this.#traces.length | flags << 16;
    doubles[(group >> 1) + 2] = this.#cmdSeq;
    doubles[(group >> 1) + 3] = this.#timestampUs;
    this.#sealed.push(new Uint8Array(this.bytes.buffer, this.#start, length));
    if (this.#traceBytes > 0) this.#dropTraces();
    this.#start = this.#end;
  }

  #dropTraces(): void {
    this.#traces = [];
    this.#traceBytes = 0;
  }

  #putTraces(): void {
    for (const { index, trace } of this.#traces) {
      this.words[this.#end >> 2] = index;
      this.words[(this.#end >> 2) + 1] = 0;
      this.bytes.set(trace, this.#end + 8);
      this.#end += TRACE_ENTRY_BYTES;
    }
  }
}

function putInstrumentEvent(words: Int32Array, doubles: Float64Array, start: number, event: Event): number {
  const at = start >> 2;
  const { kind } = event;
  const level = kind === LevelChanged;
  const phase = kind === PhaseChanged;
  const auction = kind === AuctionIndicated;
  const detail = level ? event.side : phase ? event.phase : kind === AlgorithmChanged ? event.algorithm : 0;
  words[at] = LEVEL_BYTES | (kind & 0xff) << 16 | detail << 24;
  words[at + 1] = (phase ? event.cause & 0xffff : 0) | event.instrumentId << 16;
  words[at + 2] = event.priceTicks;
  words[at + 3] = level ? event.levelOrders : phase ? event.previousPhase : 0;
  doubles[(at >> 1) + 2] = level || auction ? event.levelQtyLots : 0;
  doubles[(at >> 1) + 3] = auction ? event.surplusLots : 0;
  return start + LEVEL_BYTES;
}

function putOrderEvent(
  words: Int32Array,
  doubles: Float64Array,
  bytes: Uint8Array,
  start: number,
  event: Event,
): number {
  const at = start >> 2;
  const { clOrdId, origClOrdId, symbol, text } = event;
  const executed = event.kind === OrderExecuted;
  const used = FIXED_BYTES + clOrdId.length + origClOrdId.length + symbol.length + text.length;
  const size = used + 7 & ~7;
  words[at] = size | (event.kind & 0xff) << 16 | event.ordStatus << 24;
  words[at + 1] = event.sessionId & 0xffff | event.instrumentId << 16;
  doubles[(at >> 1) + 1] = event.orderId;
  words[at + 4] = event.priceTicks;
  words[at + 5] = event.orderQtyLots;
  words[at + 6] = event.cumQtyLots;
  words[at + 7] = event.leavesQtyLots;
  words[at + 8] = event.notionalLow;
  words[at + 9] = event.notionalHigh;
  words[at + 10] = event.lastPxTicks;
  words[at + 11] = executed ? event.lastQtyLots : event.total;
  words[at + 12] = executed ? event.tradeIndex : event.index;
  words[at + 13] = event.msgSeqNum;
  words[at + 14] = event.side & 0xff | (event.ordType & 0xff) << 8 | (event.timeInForce & 0xff) << 16 |
    (event.liquidity & 15 | event.execInst << 4) << 24;
  words[at + 15] = event.reason & 0xffff | event.firmId << 16;
  words[at + 16] = event.commandIndex & 0xffff | (event.flags & 0xff) << 16 | event.detail << 24;
  words[at + 17] = clOrdId.length | origClOrdId.length << 8 | symbol.length << 16 | text.length << 24;
  words[at + 18] = event.stopPxTicks;
  words[at + 19] = event.maxFloorLots;
  doubles[(at >> 1) + 10] = event.expireUs;
  // The padding: zero the last eight bytes before the strings go over them. Without strings they are expireUs.
  if (size > FIXED_BYTES) doubles[(start + size >> 3) - 1] = 0;
  let end = start + FIXED_BYTES;
  end = putSlice(bytes, end, clOrdId, MAX_CL_ORD_ID_BYTES);
  if (origClOrdId.length > 0) end = putSlice(bytes, end, origClOrdId, MAX_CL_ORD_ID_BYTES);
  if (symbol.length > 0) end = putSlice(bytes, end, symbol, MAX_SYMBOL_BYTES);
  if (text.length > 0) putSlice(bytes, end, text, MAX_TEXT_BYTES);
  return start + size;
}
