/**
 * What only some orders have: stops, icebergs, good-till-date, self-match groups, accounts, quotes. Owns a second record
 * of 64 bytes for those orders, so that a plain one stays within its own cache line; knows nothing of books. Pure.
 */
import { SmpAction } from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { Memory } from "./memory.ts";
import { ORDER_LAYOUT } from "./order_store.ts";

/**
 * Fields in 32-bit words; words 0 and 1 are a double, when the order expires (µs, 0 for never). Users take these apart in
 * their own module's scope, as with ORDER_LAYOUT.
 */
export const EXTRA_LAYOUT = {
  /** 32-bit words per record. */
  EXTRA_WORDS: 16,
  /** StopPx, ticks; stays when the stop is triggered. */
  EXTRA_STOP_PX: 2,
  /** MaxFloor, lots; 0 for an order that shows everything. */
  EXTRA_FLOOR: 3,
  /** Of an order with a floor that rests: what its level shows of it, lots. Invariant: 0 < shown ≤ LeavesQty. */
  EXTRA_SHOWN: 4,
  EXTRA_SMP_ID: 5,
  EXTRA_ACCOUNT: 6,
  /** SmpAction, 3 bits; ExecInst << 3, 4 bits; bit 7: a stop that was triggered. */
  EXTRA_FLAGS: 7,
  /** The quote (quote_store.ts) that the order is a side of; 0 for any other order. */
  EXTRA_QUOTE: 8,
  /** Place in the queue of expiries (expiry_queue.ts), from 1; 0 when it does not stand there. */
  EXTRA_QUEUED: 9,
  /** Bit of EXTRA_FLAGS. */
  TRIGGERED: 128,
} as const;

const {
  EXTRA_WORDS,
  EXTRA_STOP_PX,
  EXTRA_FLOOR,
  EXTRA_SHOWN,
  EXTRA_SMP_ID,
  EXTRA_ACCOUNT,
  EXTRA_FLAGS,
  EXTRA_QUOTE,
  TRIGGERED,
} = EXTRA_LAYOUT;
const { ORDER_QTY, ORDER_CUM, ORDER_EXTRA } = ORDER_LAYOUT;
const MAX_ACTION = SmpAction.Decrement;

/** SmpAction in EXTRA_FLAGS. */
export function smpActionOf(flags: number): number {
  return flags & 7;
}

/** ExecInst bits in EXTRA_FLAGS. */
export function execInstOf(flags: number): number {
  return flags >> 3 & 15;
}

/** A command's self-match action; one that does not exist is none. */
export function smpActionIn(command: Command): number {
  const action = command.smpAction;
  return action >= 0 && action <= MAX_ACTION ? action | 0 : 0;
}

/** Whether an order of these terms has none of what this file keeps. */
export function isPlain(command: Command): boolean {
  return command.stopPxTicks === 0 && command.maxFloorLots === 0 && command.minQtyLots === 0 &&
    command.execInst === 0 && command.smpAction === 0 && command.smpId === 0 && command.account === 0 &&
    command.expireUs === 0;
}

/** What a resting order shows, lots. */
export function shownOf(words: Int32Array, order: number): number {
  const extra = words[order + ORDER_EXTRA | 0];
  return extra !== 0 && words[extra + EXTRA_FLOOR | 0] !== 0
    ? words[extra + EXTRA_SHOWN | 0]
    : words[order + ORDER_QTY | 0] - words[order + ORDER_CUM | 0] | 0;
}

/** Lets a resting order show `qtyLots` less than it does. */
export function showLess(words: Int32Array, order: number, qtyLots: number): void {
  const extra = words[order + ORDER_EXTRA | 0];
  if (words[extra + EXTRA_FLOOR | 0] !== 0) words[extra + EXTRA_SHOWN | 0] -= qtyLots;
}

/** MaxFloor of an order, 0 for none. */
export function floorOf(words: Int32Array, order: number): number {
  const extra = words[order + ORDER_EXTRA | 0];
  return extra === 0 ? 0 : words[extra + EXTRA_FLOOR | 0];
}

/** StopPx of an order, 0 for none. */
export function stopPxOf(words: Int32Array, order: number): number {
  const extra = words[order + ORDER_EXTRA | 0];
  return extra === 0 ? 0 : words[extra + EXTRA_STOP_PX | 0];
}

/** Whether an order is a stop that was triggered. */
export function isTriggered(words: Int32Array, order: number): boolean {
  const extra = words[order + ORDER_EXTRA | 0];
  return extra !== 0 && (words[extra + EXTRA_FLAGS | 0] & TRIGGERED) !== 0;
}

/** Whether an order is a side of a quote. */
export function isQuote(words: Int32Array, order: number): boolean {
  const extra = words[order + ORDER_EXTRA | 0];
  return extra !== 0 && words[extra + EXTRA_QUOTE | 0] !== 0;
}

/** Self-match group of an order. */
export function smpIdOf(words: Int32Array, order: number): number {
  const extra = words[order + ORDER_EXTRA | 0];
  return extra === 0 ? 0 : words[extra + EXTRA_SMP_ID | 0];
}

/** A pool of records. */
export class ExtraStore {
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  #free = 0;
  #fresh: number;

  /** What a store takes of the memory for `capacity` records. */
  static words(capacity: number): number {
    return capacity * EXTRA_WORDS;
  }

  /** A pool of `capacity` records: as many as orders, so that it cannot run out. */
  constructor(memory: Memory, capacity: number) {
    this.#words = memory.words;
    this.#doubles = memory.doubles;
    this.#fresh = memory.take(ExtraStore.words(capacity));
  }

  /** When the order expires, µs; 0 for never. */
  expireUs(order: number): number {
    const extra = this.#words[order + ORDER_EXTRA | 0];
    return extra === 0 ? 0 : this.#doubles[extra >> 1];
  }

  /** The order's record, which it gets, empty, when it has none. */
  of(order: number): number {
    const words = this.#words;
    const own = words[order + ORDER_EXTRA | 0];
    if (own !== 0) return own;
    let extra = this.#free;
    if (extra !== 0) {
      this.#free = words[extra];
    } else {
      extra = this.#fresh;
      this.#fresh = extra + EXTRA_WORDS;
    }
    words.fill(0, extra, extra + EXTRA_WORDS);
    words[order + ORDER_EXTRA | 0] = extra;
    return extra;
  }

  /**
   * Gives an order what a command asks for; a triggered stop keeps its StopPx. EXTRA_SHOWN stays as it is.
   */
  set(order: number, command: Command): void {
    if (this.#words[order + ORDER_EXTRA | 0] === 0 && isPlain(command)) return;
    const words = this.#words;
    const extra = this.of(order);
    const triggered = words[extra + EXTRA_FLAGS | 0] & TRIGGERED;
    this.#doubles[extra >> 1] = command.expireUs;
    if (triggered === 0) words[extra + EXTRA_STOP_PX | 0] = command.stopPxTicks;
    words[extra + EXTRA_FLOOR | 0] = command.maxFloorLots;
    words[extra + EXTRA_SMP_ID | 0] = command.smpId;
    words[extra + EXTRA_ACCOUNT | 0] = command.account;
    words[extra + EXTRA_FLAGS | 0] = smpActionIn(command) | command.execInst << 3 | triggered;
  }

  /** Takes the order's record back, when it has one. */
  release(order: number): void {
    const words = this.#words;
    const extra = words[order + ORDER_EXTRA | 0];
    if (extra === 0) return;
    words[extra] = this.#free;
    words[order + ORDER_EXTRA | 0] = 0;
    this.#free = extra;
  }
}
