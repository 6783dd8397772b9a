/** Random commands, events and levels from a seed, for tests of the encodings. Test code only. */
import {
  CommandFlag,
  CommandKind,
  EventKind,
  MAX_CL_ORD_ID_BYTES,
  MAX_QUOTE_ENTRIES,
  MAX_QUOTE_ENTRY_ID_BYTES,
  MAX_QUOTE_SET_ID_BYTES,
  MAX_SYMBOL_BYTES,
  MAX_TEXT_BYTES,
} from "../../protocol/mod.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { ByteSlice } from "./byte_slice.ts";
import { Command, TRACE_BYTES } from "./command.ts";
import { Event } from "./event.ts";
import type { EventBatchWriter } from "./event_writer.ts";
import { QUOTE_ENTRY_BYTES, QuoteEntry, writeQuoteEntry } from "./quote_entry.ts";

/** Numbers from a seed, and bytes. */
export class Random extends SeededRandom {
  /** An integer from 0 to `max`, the bounds more often than chance would have them. */
  edge(max: number): number {
    const pick = this.below(8);
    if (pick === 0) return 0;
    if (pick === 1) return max;
    return Math.floor(this.below(2 ** 32) / 2 ** 32 * (max + 1));
  }

  /** Up to `limit` random bytes, sometimes none, sometimes exactly `limit`. */
  fill(slice: ByteSlice, limit: number): void {
    const bytes = new Uint8Array(this.edge(limit));
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.below(256);
    slice.set(bytes, 0, bytes.length);
  }
}

const U32 = 2 ** 32 - 1;
const I31 = 2 ** 31 - 1;

/** Fills a command with values that its reader accepts; every other one has an extension, none is a MassQuote. */
export function randomCommand(random: Random, command: Command = new Command()): Command {
  command.reset();
  do command.kind = CommandKind.NewOrder + random.below(12); while (command.kind === CommandKind.MassQuote);
  command.flags = random.below(4);
  command.sessionId = random.edge(65535);
  command.firmId = random.edge(65535);
  command.instrumentId = random.edge(65535);
  command.msgSeqNum = random.edge(U32);
  command.incarnation = random.edge(U32);
  command.side = random.edge(255);
  command.ordType = random.edge(255);
  command.timeInForce = random.edge(255);
  command.refusedKind = random.edge(255);
  command.reason = random.edge(65535);
  command.priceTicks = random.edge(I31);
  command.qtyLots = random.edge(I31);
  command.orderId = random.edge(Number.MAX_SAFE_INTEGER);
  command.account = random.edge(U32);
  if (random.below(2) === 0) randomExtension(random, command);
  random.fill(command.clOrdId, MAX_CL_ORD_ID_BYTES);
  random.fill(command.origClOrdId, MAX_CL_ORD_ID_BYTES);
  random.fill(command.symbol, MAX_SYMBOL_BYTES);
  random.fill(command.text, MAX_TEXT_BYTES);
  if (random.below(3) === 0) {
    command.flags |= CommandFlag.Traced;
    do random.fill(command.trace, TRACE_BYTES); while (command.trace.length !== TRACE_BYTES);
  }
  return command;
}

function randomExtension(random: Random, command: Command): void {
  command.flags |= CommandFlag.Extended;
  command.stopPxTicks = random.edge(I31);
  command.maxFloorLots = random.edge(I31);
  command.minQtyLots = random.edge(I31);
  command.execInst = random.edge(255);
  command.smpAction = random.edge(255);
  command.scope = random.edge(255);
  command.target = random.edge(255);
  command.expireUs = random.edge(Number.MAX_SAFE_INTEGER);
  command.smpId = 1 + random.edge(U32 - 1);
}

/** Fills a command as a MassQuote with up to `most` entries. */
export function randomMassQuote(random: Random, command: Command, most: number = MAX_QUOTE_ENTRIES): Command {
  randomCommand(random, command);
  command.kind = CommandKind.MassQuote;
  command.scope = 1 + random.below(255);
  command.flags |= CommandFlag.Extended;
  const count = random.edge(most);
  const records = new Uint8Array(count * QUOTE_ENTRY_BYTES);
  for (let i = 0; i < count; i++) writeQuoteEntry(randomQuoteEntry(random), records, i * QUOTE_ENTRY_BYTES);
  command.entries.set(records, 0, records.length);
  return command;
}

/** A quote entry as its reader accepts it. */
export function randomQuoteEntry(random: Random): QuoteEntry {
  const entry = new QuoteEntry();
  entry.instrumentId = random.edge(65535);
  entry.bidPxTicks = random.edge(I31);
  entry.bidQtyLots = random.edge(I31);
  entry.offerPxTicks = random.edge(I31);
  entry.offerQtyLots = random.edge(I31);
  entry.reason = entry.instrumentId === 0 ? 1 + random.below(65535) : random.edge(65535);
  random.fill(entry.quoteSetId, MAX_QUOTE_SET_ID_BYTES);
  random.fill(entry.quoteEntryId, MAX_QUOTE_ENTRY_ID_BYTES);
  return entry;
}

/** A random event, one in four of an instrument. */
export function randomEvent(random: Random): Event {
  const event = new Event();
  event.instrumentId = random.edge(65535);
  event.priceTicks = random.edge(I31);
  if (random.below(4) === 0) return randomInstrumentEvent(random, event);
  event.side = random.edge(255);
  event.kind = EventKind.OrderAccepted + random.below(14);
  event.ordStatus = random.edge(255);
  event.sessionId = random.edge(65535);
  event.firmId = random.edge(65535);
  event.orderId = random.edge(Number.MAX_SAFE_INTEGER);
  event.ordType = random.edge(255);
  event.timeInForce = random.edge(255);
  event.liquidity = random.edge(15);
  event.execInst = random.edge(15);
  event.orderQtyLots = random.edge(I31);
  event.cumQtyLots = random.edge(I31);
  event.leavesQtyLots = random.edge(I31);
  event.notionalHigh = random.edge(U32);
  event.notionalLow = random.edge(U32);
  event.lastPxTicks = random.edge(I31);
  if (event.kind === EventKind.OrderExecuted) {
    event.lastQtyLots = random.edge(I31);
    event.tradeIndex = random.edge(U32);
  } else {
    event.total = random.edge(I31);
    event.index = random.edge(U32);
  }
  event.stopPxTicks = random.edge(I31);
  event.maxFloorLots = random.edge(I31);
  event.expireUs = random.edge(Number.MAX_SAFE_INTEGER);
  event.reason = random.edge(65535);
  event.detail = random.edge(255);
  event.msgSeqNum = random.edge(U32);
  event.flags = random.edge(255);
  event.commandIndex = random.edge(65535);
  random.fill(event.clOrdId, MAX_CL_ORD_ID_BYTES);
  random.fill(event.origClOrdId, MAX_CL_ORD_ID_BYTES);
  random.fill(event.symbol, MAX_SYMBOL_BYTES);
  random.fill(event.text, MAX_TEXT_BYTES);
  return event;
}

function randomInstrumentEvent(random: Random, event: Event): Event {
  event.kind = EventKind.LevelChanged + random.below(4);
  const quantity = random.edge(Number.MAX_SAFE_INTEGER);
  switch (event.kind) {
    case EventKind.LevelChanged:
      event.side = random.edge(255);
      event.levelOrders = random.edge(U32);
      event.levelQtyLots = quantity;
      break;
    case EventKind.PhaseChanged:
      event.phase = random.edge(255);
      event.previousPhase = random.edge(U32);
      event.cause = random.edge(65535);
      break;
    case EventKind.AuctionIndicated:
      event.levelQtyLots = quantity;
      event.surplusLots = random.edge(Number.MAX_SAFE_INTEGER) * (random.below(2) === 0 ? 1 : -1) + 0;
      break;
    default:
      event.algorithm = random.edge(255);
  }
  return event;
}

/** A command's or event's fields as plain values, slices as text, for comparison as a whole. */
export function plain(fields: Command | Event): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "object" ? String(value) : value]),
  );
}

/** The fields that an event of its kind has, as plain values. */
export function fieldsOf(event: Event): Record<string, unknown> {
  const { kind, instrumentId, priceTicks, side, levelQtyLots, levelOrders, surplusLots, algorithm } = event;
  const { phase, previousPhase, cause } = event;
  switch (kind) {
    case EventKind.LevelChanged:
      return { kind, instrumentId, priceTicks, side, levelQtyLots, levelOrders };
    case EventKind.PhaseChanged:
      return { kind, instrumentId, priceTicks, phase, previousPhase, cause };
    case EventKind.AuctionIndicated:
      return { kind, instrumentId, priceTicks, levelQtyLots, surplusLots };
    case EventKind.AlgorithmChanged:
      return { kind, instrumentId, priceTicks, algorithm };
  }
  const fields = plain(event);
  for (const name of INSTRUMENT_FIELDS) delete fields[name];
  return fields;
}

const INSTRUMENT_FIELDS = [
  "levelQtyLots",
  "levelOrders",
  "surplusLots",
  "algorithm",
  "phase",
  "previousPhase",
  "cause",
] as const;

/** A seed for this run: the environment's, to repeat a failure, or a new one. It belongs into the test's name. */
export const SEED: number = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));

/** The messages of one group of events of shard 2, epoch 5. */
export function messagesOf(writer: EventBatchWriter, cmdSeq: number, events: readonly Event[]): Uint8Array[] {
  writer.begin(2, 5, cmdSeq, 1_700_000_000_000_000 + cmdSeq);
  for (const event of events) writer.append(event);
  return writer.end();
}

/** A random trace. */
export function traceOf(random: Random): ByteSlice {
  const trace = new ByteSlice();
  do random.fill(trace, TRACE_BYTES); while (trace.length !== TRACE_BYTES);
  return trace;
}

/** A copy of `bytes` in the middle of a larger buffer, so that reading outside shows. */
export function embedded(bytes: Uint8Array): Uint8Array {
  const around = new Uint8Array(bytes.length + 128).fill(0xaa);
  around.set(bytes, 64);
  return around.subarray(64, 64 + bytes.length);
}

/** `bytes` with every byte changed to every value, one after the other, each {@link embedded}. The same buffer each time. */
export function* everyChange(bytes: Uint8Array): Generator<Uint8Array> {
  const copy = embedded(bytes);
  for (let at = 0; at < bytes.length; at++) {
    for (let value = 0; value < 256; value++) {
      copy[at] = value;
      yield copy;
    }
    copy[at] = bytes[at];
  }
}
