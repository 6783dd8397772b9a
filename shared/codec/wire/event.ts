/**
 * Event batches: what one message of EV_s (and one direct message to gateways) holds. Fixed layout, little-endian,
 * version 2; docs/wire.md draws it. Pure.
 *
 * Header, 40 bytes: u16 magic, u8 version, u8 0, u16 shard, u16 groupCount, f64 epoch, f64 firstCmdSeq, f64
 * lastCmdSeq, u32 total bytes, u32 nextEventIndex (0 but in a claim). Then one group per command message, in stream
 * order and without gaps, even when it caused no event: u32 size, u32 eventCount, u32 firstEventIndex, u16 traceCount,
 * u16 flags (1: more of this group follows in the next message; 2: the command message was refused; 4: commands of it had
 * been applied before), f64 cmdSeq, f64 timestampUs; the events; the traces (u32 eventIndex, u32 0, 24 bytes of trace id and span id). A command that meets
 * so many orders that its events pass one message is cut between two events.
 *
 * A claim is a header alone (groupCount 0): a matcher says that it writes from here on, under a higher epoch.
 */
import { EventKind, MAX_CL_ORD_ID_BYTES, MAX_SYMBOL_BYTES, MAX_TEXT_BYTES } from "../../protocol/mod.ts";
import { ByteSlice } from "./byte_slice.ts";
import { TRACE_BYTES } from "./command.ts";

/** The header's first fields, and sizes of headers. */
export const EVENT_MAGIC = 0x4550;
export const EVENT_VERSION = 2;
export const EVENT_HEADER_BYTES = 40;
export const GROUP_HEADER_BYTES = 32;
/** Group flag: the group goes on in the next message. */
export const GROUP_CONTINUES = 1;
/**
 * Group flag: the command message was refused whole, since it is unreadable, stands behind a gap in its gateway's
 * numbers or comes from an ended run of its gateway. Its group has no events.
 */
export const GROUP_REFUSED = 2;
/**
 * Group flag, on a group's last part: some commands at the front of the message, or all, had been applied before and
 * caused nothing this time.
 */
export const GROUP_REPEATED = 4;
/** Fixed part of an order event. */
export const EVENT_FIXED_BYTES = 88;
/** An event of an instrument (LevelChanged to AlgorithmChanged), whole. */
export const LEVEL_EVENT_BYTES = 32;
export const TRACE_ENTRY_BYTES = 8 + TRACE_BYTES;
/** The largest encoded event. */
export const MAX_EVENT_BYTES = EVENT_FIXED_BYTES + 2 * MAX_CL_ORD_ID_BYTES + MAX_SYMBOL_BYTES +
  MAX_TEXT_BYTES + 8;

/**
 * One event's fields. LevelChanged uses only kind, instrumentId, side, priceTicks, levelQtyLots and levelOrders;
 * PhaseChanged, AuctionIndicated and AlgorithmChanged only kind, instrumentId, priceTicks and their own fields.
 */
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
  /**
   * OrderRejected, OrderStatusReported: 1 when a RequestStatus caused it, 2 when a MassStatus did, else 0.
   * QuoteAcknowledged: QuoteResponseLevel(301) of the message.
   */
  detail = 0;
  /** StopPx, ticks; 0 for an order that is and was no stop. */
  stopPxTicks = 0;
  /** MaxFloor, lots; 0 for none. */
  maxFloorLots = 0;
  /** When the order expires, µs since 1970; 0 for no such time. */
  expireUs = 0;
  /** ExecInst bits of the order; there is room for four. */
  execInst = 0;
  /** Mass status: which report this is, from 1. QuoteAcknowledged: which entry. Shares its place with tradeIndex. */
  index = 0;
  /**
   * Mass status, QuoteAcknowledged, MassCancelReported, QuotesCanceled: how many in all. OrderRejected as BookFull: how many
   * may be open; as PhaseForbids: MinQty, lots. ReplaceRejected for its OrdType or TimeInForce: the character that was
   * sent. Shares its place with lastQtyLots.
   */
  total = 0;
  /** PhaseChanged: the Phase now and before, and a PhaseCause. */
  phase = 0;
  previousPhase = 0;
  cause = 0;
  /** AuctionIndicated: executable buys less executable sells at the price, lots. */
  surplusLots = 0;
  /** AlgorithmChanged: the code of MatchAlgorithm's character. */
  algorithm = 0;
  /** MsgSeqNum(34) of the message that caused it when the recipient sent that message, else 0 (unsolicited). */
  msgSeqNum = 0;
  /** CommandFlag bits of the causing command. */
  flags = 0;
  /** Index of the causing command in its batch. */
  commandIndex = 0;
  /** LevelChanged: sum of the quantity displayed at the price; AuctionIndicated: executable quantity; lots (may pass 2^32). */
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
