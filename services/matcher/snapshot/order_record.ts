/**
 * One order in a snapshot: its record, what only some orders have, and its name. Owns which field stands where; where the
 * order is, is its caller's business. Pure. docs/snapshots.md, "Orders".
 */
import { ByteSlice, Command } from "../../../shared/codec/wire/mod.ts";
import { OrdStatus, Side, SmpAction } from "../../../shared/protocol/mod.ts";
import type { Books } from "../engine/books.ts";
import { execInstOf, EXTRA_LAYOUT, isQuote, isTriggered, smpActionOf } from "../engine/order_extra.ts";
import {
  instrumentOf,
  ORDER_LAYOUT,
  ordTypeOf,
  packTerms,
  setStatus,
  sideOf,
  statusOf,
  timeInForceOf,
} from "../engine/order_store.ts";
import type { ByteReader } from "./byte_reader.ts";
import type { ByteWriter } from "./byte_writer.ts";
import { ALIGNMENT, HAS_EXTRA, IS_QUOTE, IS_TRIGGERED } from "./layout.ts";

const {
  ORDER_PRICE,
  ORDER_QTY,
  ORDER_CUM,
  ORDER_NOTIONAL_LOW,
  ORDER_NOTIONAL_HIGH,
  ORDER_LEVEL,
  ORDER_ENTRY,
  ORDER_OWNER,
  ORDER_EXTRA,
  ORDER_TERMS,
  ORDER_STATUS,
} = ORDER_LAYOUT;
const { EXTRA_STOP_PX, EXTRA_FLOOR, EXTRA_SHOWN, EXTRA_SMP_ID, EXTRA_ACCOUNT, EXTRA_FLAGS, TRIGGERED } =
  EXTRA_LAYOUT;
const { Buy, Sell } = Side;
const { PartiallyFilled, Rejected } = OrdStatus;
const MAX_ACTION = SmpAction.Decrement;

const name = new ByteSlice();
const scratch = new Uint8Array(40);

/** Writes an order, with its name or, as a past ClOrdID has that, without. */
export function writeOrder(books: Books, order: number, named: boolean, out: ByteWriter): void {
  const { words, registry } = books;
  const { names } = registry;
  const terms = words[order + ORDER_TERMS];
  const extra = usedExtra(books, order);
  if (named) names.read(words[order + ORDER_ENTRY], name, scratch);
  else name.clear();
  out.f64(registry.orders.orderId(order));
  out.word(words[order + ORDER_PRICE]);
  out.word(words[order + ORDER_QTY]);
  out.word(words[order + ORDER_CUM]);
  out.word(words[order + ORDER_NOTIONAL_LOW]);
  out.word(words[order + ORDER_NOTIONAL_HIGH]);
  out.word(words[order + ORDER_OWNER]);
  out.u16(instrumentOf(terms));
  out.u8(sideOf(terms));
  out.u8(ordTypeOf(terms));
  out.u8(timeInForceOf(terms));
  out.u8(statusOf(words[order + ORDER_STATUS]));
  out.u8(extra === 0 ? 0 : HAS_EXTRA);
  out.u8(name.length);
  if (extra !== 0) writeExtra(books, order, extra, out);
  writeName(name, out);
}

/** The order's second record when it says anything, else 0: engines keep one that has become empty. */
function usedExtra({ words, registry }: Books, order: number): number {
  const extra = words[order + ORDER_EXTRA];
  if (extra === 0 || isQuote(words, order) || registry.extras.expireUs(order) !== 0) return extra;
  const fields = [EXTRA_STOP_PX, EXTRA_FLOOR, EXTRA_SMP_ID, EXTRA_ACCOUNT, EXTRA_FLAGS];
  return fields.some((field) => words[extra + field] !== 0) ? extra : 0;
}

function writeExtra({ words, registry, levels }: Books, order: number, extra: number, out: ByteWriter): void {
  const flags = words[extra + EXTRA_FLAGS];
  const rests = levels.isSeen(words[order + ORDER_LEVEL]) && words[extra + EXTRA_FLOOR] !== 0;
  out.f64(registry.extras.expireUs(order));
  out.word(words[extra + EXTRA_STOP_PX]);
  out.word(words[extra + EXTRA_FLOOR]);
  out.word(rests ? words[extra + EXTRA_SHOWN] : 0);
  out.word(words[extra + EXTRA_SMP_ID]);
  out.word(words[extra + EXTRA_ACCOUNT]);
  out.u8(smpActionOf(flags));
  out.u8(execInstOf(flags));
  out.u8((isTriggered(words, order) ? IS_TRIGGERED : 0) | (isQuote(words, order) ? IS_QUOTE : 0));
  out.u8(0);
}

/** Writes a name that its reader knows the length of. */
export function writeName(slice: ByteSlice, out: ByteWriter): void {
  out.bytes(slice.buffer, slice.start, slice.length);
  out.align(ALIGNMENT);
}

/** An order as it is read: what a command can carry of it, and the rest. Reused for each. */
export class OrderRecord {
  /** Session, firm, instrument, side, terms, price, OrderQty, name, and what only some orders have. */
  readonly command: Command = new Command();
  orderId = 0;
  cumQty = 0;
  notionalLow = 0;
  notionalHigh = 0;
  status = 0;
  /** What its level shows of an order with a floor that rests, lots. */
  shown = 0;
  hasExtra = false;
  isTriggered = false;
  isQuote = false;

  /** Whether it may still trade. */
  get isOpen(): boolean {
    return this.status <= PartiallyFilled;
  }

  /** Reads one; false when there is none that an engine can hold. */
  read(from: ByteReader): boolean {
    const { command } = this;
    command.reset();
    this.orderId = from.integer();
    command.priceTicks = from.i32();
    command.qtyLots = from.i32();
    this.cumQty = from.i32();
    this.notionalLow = from.i32();
    this.notionalHigh = from.i32();
    command.sessionId = from.u16();
    command.firmId = from.u16();
    command.instrumentId = from.u16();
    command.side = from.u8();
    command.ordType = from.u8();
    command.timeInForce = from.u8();
    this.status = from.u8();
    const flags = from.u8();
    const nameLength = from.u8();
    this.hasExtra = flags === HAS_EXTRA;
    this.shown = 0;
    this.isTriggered = this.isQuote = false;
    if (this.hasExtra && !this.#readExtra(from)) return false;
    from.slice(nameLength, command.clOrdId);
    from.align(ALIGNMENT);
    return !from.failed && flags <= HAS_EXTRA && this.#isSound();
  }

  /** Writes into an order that was just made of {@link command} what a command does not carry. */
  complete(books: Books, order: number): void {
    const { words, registry } = books;
    words[order + ORDER_CUM] = this.cumQty;
    words[order + ORDER_NOTIONAL_LOW] = this.notionalLow;
    words[order + ORDER_NOTIONAL_HIGH] = this.notionalHigh;
    setStatus(words, order, this.status);
    if (!this.hasExtra || this.isQuote) return;
    registry.extras.set(order, this.command);
    if (this.isTriggered) words[words[order + ORDER_EXTRA] + EXTRA_FLAGS] |= TRIGGERED;
  }

  /** The terms as the order store packs them. */
  get terms(): number {
    const { instrumentId, side, ordType, timeInForce } = this.command;
    return packTerms(instrumentId, side, ordType, timeInForce);
  }

  #readExtra(from: ByteReader): boolean {
    const { command } = this;
    command.expireUs = from.integer();
    command.stopPxTicks = from.i32();
    command.maxFloorLots = from.i32();
    this.shown = from.i32();
    command.smpId = from.u32();
    command.account = from.i32();
    command.smpAction = from.u8();
    command.execInst = from.u8();
    const bits = from.u8();
    this.isTriggered = (bits & IS_TRIGGERED) !== 0;
    this.isQuote = (bits & IS_QUOTE) !== 0;
    return from.u8() === 0 && bits <= (IS_TRIGGERED | IS_QUOTE) && command.smpAction <= MAX_ACTION &&
      command.execInst <= 15 && command.stopPxTicks >= 0 && command.maxFloorLots >= 0 && this.shown >= 0;
  }

  #isSound(): boolean {
    const { priceTicks, qtyLots, side, ordType, timeInForce } = this.command;
    return this.orderId > 0 && priceTicks >= 0 && qtyLots >= 0 && this.cumQty >= 0 &&
      this.cumQty <= qtyLots &&
      (side === Buy || side === Sell) && ordType < 64 && timeInForce < 64 && this.status < 16 &&
      this.status !== Rejected;
  }
}
