/** Random commands, events and levels from a seed, for tests of the encodings. Test code only. */
import {
  CommandFlag,
  CommandKind,
  EventKind,
  MAX_CL_ORD_ID_BYTES,
  MAX_SYMBOL_BYTES,
  MAX_TEXT_BYTES,
} from "../../protocol/mod.ts";
import type { ByteSlice } from "./byte_slice.ts";
import { Command, TRACE_BYTES } from "./command.ts";
import { Event } from "./event.ts";

/** Numbers from a seed (xorshift, 32 bits). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 1;
  }

  /** An integer from 0 to `limit` - 1 (limit ≤ 2^32). */
  below(limit: number): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return (x >>> 0) % limit;
  }

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

/** Fills a command with values that its reader accepts. */
export function randomCommand(random: Random, command: Command = new Command()): Command {
  command.reset();
  command.kind = CommandKind.NewOrder + random.below(5);
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

/** A random event, one in four a LevelChanged. */
export function randomEvent(random: Random): Event {
  const event = new Event();
  event.instrumentId = random.edge(65535);
  event.side = random.edge(255);
  event.priceTicks = random.edge(I31);
  if (random.below(4) === 0) {
    event.kind = EventKind.LevelChanged;
    event.levelQtyLots = random.edge(Number.MAX_SAFE_INTEGER);
    event.levelOrders = random.edge(U32);
    return event;
  }
  event.kind = EventKind.OrderAccepted + random.below(9);
  event.ordStatus = random.edge(255);
  event.sessionId = random.edge(65535);
  event.firmId = random.edge(65535);
  event.orderId = random.edge(Number.MAX_SAFE_INTEGER);
  event.ordType = random.edge(255);
  event.timeInForce = random.edge(255);
  event.liquidity = random.edge(255);
  event.orderQtyLots = random.edge(I31);
  event.cumQtyLots = random.edge(I31);
  event.leavesQtyLots = random.edge(I31);
  event.notionalHigh = random.edge(U32);
  event.notionalLow = random.edge(U32);
  event.lastPxTicks = random.edge(I31);
  event.lastQtyLots = random.edge(I31);
  event.tradeIndex = random.edge(U32);
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

/** A command's or event's fields as plain values, slices as text, for comparison as a whole. */
export function plain(fields: Command | Event): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "object" ? String(value) : value]),
  );
}

/** A seed for this run: the environment's, to repeat a failure, or a new one. It belongs into the test's name. */
export const SEED: number = Number(Deno.env.get("PITWIRE_SEED") ?? (Math.random() * 2 ** 31 | 0));

/** A copy of `bytes` in the middle of a larger buffer, so that reading outside shows. */
export function embedded(bytes: Uint8Array): Uint8Array {
  const around = new Uint8Array(bytes.length + 128).fill(0xaa);
  around.set(bytes, 64);
  return around.subarray(64, 64 + bytes.length);
}
