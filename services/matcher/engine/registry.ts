/**
 * Every order that the shard knows and the names it goes by: open orders, and done ones as long as one of their
 * ClOrdIDs is remembered. Owns order slots, ClOrdID entries, quotes and the queue of what is forgotten next. Pure.
 *
 * A ClOrdID is current (the last of an open order's chain) or past: replaced, a cancel's own, or of an order that is
 * done. Past ones are forgotten oldest first, beyond the history limit; an order goes with its last name. A quote's
 * orders have no ClOrdID: nothing finds them by name, and they are forgotten when they are done.
 */
import { type OrderId, OrdStatus } from "../../../shared/protocol/mod.ts";
import type { ByteSlice, Command } from "../../../shared/codec/wire/mod.ts";
import { ClOrdIdIndex } from "./cl_ord_id_index.ts";
import { ExpiryQueue } from "./expiry_queue.ts";
import type { Memory } from "./memory.ts";
import { EXTRA_LAYOUT, ExtraStore } from "./order_extra.ts";
import { OrderIdIndex } from "./order_id_index.ts";
import { ORDER_LAYOUT, OrderStore, packTerms, sideOf } from "./order_store.ts";
import { QuoteStore } from "./quote_store.ts";

const {
  ORDER_PRICE,
  ORDER_QTY,
  ORDER_CUM,
  ORDER_NOTIONAL_LOW,
  ORDER_NOTIONAL_HIGH,
  ORDER_NEXT,
  ORDER_PREV,
  ORDER_LEVEL,
  ORDER_ENTRY,
  ORDER_OWNER,
  ORDER_EXTRA,
  ORDER_TERMS,
  ORDER_STATUS,
  ORDER_REF,
} = ORDER_LAYOUT;
const { EXTRA_QUOTE } = EXTRA_LAYOUT;
const { New } = OrdStatus;

/** How many calls before it is forgotten an entry is first touched. */
const AHEAD = 3;

/** Orders by ClOrdID and OrderID. */
export class OrderRegistry {
  readonly orders: OrderStore;
  readonly names: ClOrdIdIndex;
  readonly extras: ExtraStore;
  /** Open orders with an expiry. */
  readonly expiry: ExpiryQueue;
  readonly quotes: QuoteStore;
  /**
   * Element 0: the OrderID of the order that the command makes. In an array, since a number of its size handed from
   * function to function is an object each time (bench/micro/allocation_test.ts).
   */
  readonly nextOrderId: Float64Array = new Float64Array(1);
  readonly #byOrderId: OrderIdIndex;
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  /** Past entries, a ring: the oldest at #pastHead. */
  readonly #past: number;
  readonly #history: number;
  /** Where a sum of words goes that nobody reads: what computes it has to be in the cache afterwards. */
  readonly #touched: number;
  #pastHead = 0;
  #pastCount = 0;

  /** What a registry takes of the memory; see the constructor. */
  static words(maxOpenOrders: number, history: number): readonly number[] {
    const capacity = maxOpenOrders + history + 2;
    return [
      OrderStore.words(capacity),
      ...ClOrdIdIndex.words(capacity),
      OrderIdIndex.words(capacity),
      ExtraStore.words(capacity),
      ExpiryQueue.words(maxOpenOrders + 1),
      ...QuoteStore.words(maxOpenOrders + 1),
      history,
      1,
    ];
  }

  /** Room for `maxOpenOrders` resting orders, one in flight, and `history` past ClOrdIDs (both ≥ 1). */
  constructor(memory: Memory, maxOpenOrders: number, history: number, hashSeed: number) {
    const capacity = maxOpenOrders + history + 2;
    this.#words = memory.words;
    this.#doubles = memory.doubles;
    this.orders = new OrderStore(memory, capacity);
    this.names = new ClOrdIdIndex(memory, capacity, hashSeed);
    this.#byOrderId = new OrderIdIndex(memory, capacity);
    this.extras = new ExtraStore(memory, capacity);
    this.expiry = new ExpiryQueue(memory, maxOpenOrders + 1);
    this.quotes = new QuoteStore(memory, maxOpenOrders + 1);
    this.#past = memory.take(history);
    this.#touched = memory.take(1);
    this.#history = history;
  }

  /** Past ClOrdIDs remembered now. */
  get pastCount(): number {
    return this.#pastCount;
  }

  /** The past entry at `age` (0 is the next to be forgotten). */
  pastEntry(age: number): number {
    return this.#words[this.#past + (this.#pastHead + age) % this.#history];
  }

  /** The entry of a ClOrdID in a session, or 0. */
  find(session: number, id: ByteSlice): number {
    return this.names.find(session, id);
  }

  /** The order with an OrderID, or 0. */
  findOrderId(orderId: OrderId): number {
    return orderId === 0 ? 0 : this.#byOrderId.find(orderId);
  }

  /** Whether an entry is the ClOrdID that its order goes by. */
  isCurrent(entry: number): boolean {
    return this.#words[this.names.orderOf(entry) + ORDER_ENTRY] === entry;
  }

  /** The open order {@link nextOrderId}, New, under the ClOrdID that `find` has just not found in its session. */
  open(command: Command): number {
    const words = this.#words;
    const order = this.#fresh(command.priceTicks, command.qtyLots);
    this.#doubles[order >> 1] = this.nextOrderId[0];
    words[order + ORDER_ENTRY | 0] = this.names.addProbed(order);
    words[order + ORDER_OWNER | 0] = command.sessionId | command.firmId << 16;
    words[order + ORDER_TERMS | 0] = packTerms(
      command.instrumentId,
      command.side,
      command.ordType,
      command.timeInForce,
    );
    words[order + ORDER_STATUS | 0] = New | ORDER_REF;
    this.#byOrderId.add(order);
    return order;
  }

  /** An open order with status New for a side of `quote`, `terms` as packTerms makes them, owner and rest of `command`. */
  openQuote(
    orderId: OrderId,
    quote: number,
    terms: number,
    priceTicks: number,
    qtyLots: number,
    command: Command,
  ): number {
    const words = this.#words;
    const order = this.#fresh(priceTicks, qtyLots);
    this.#doubles[order >> 1] = orderId;
    words[order + ORDER_ENTRY | 0] = this.quotes.nameOf(quote);
    words[order + ORDER_OWNER | 0] = command.sessionId | command.firmId << 16;
    words[order + ORDER_TERMS | 0] = terms;
    words[order + ORDER_STATUS | 0] = New;
    words[this.extras.of(order) + EXTRA_QUOTE | 0] = quote;
    this.quotes.setOrder(quote, sideOf(terms), order);
    return order;
  }

  #fresh(priceTicks: number, qtyLots: number): number {
    const { orders } = this;
    const words = this.#words;
    const order = orders.take();
    orders.openCount = orders.openCount + 1 | 0;
    words[order + ORDER_PRICE | 0] = priceTicks;
    words[order + ORDER_QTY | 0] = qtyLots;
    words[order + ORDER_CUM | 0] = 0;
    words[order + ORDER_NOTIONAL_LOW | 0] = 0;
    words[order + ORDER_NOTIONAL_HIGH | 0] = 0;
    words[order + ORDER_NEXT | 0] = 0;
    words[order + ORDER_PREV | 0] = 0;
    words[order + ORDER_LEVEL | 0] = 0;
    words[order + ORDER_EXTRA | 0] = 0;
    return order;
  }

  /** Gives an open order the ClOrdID just not found in its session; the one before becomes a past one. */
  rename(order: number): void {
    const words = this.#words;
    const before = words[order + ORDER_ENTRY | 0];
    words[order + ORDER_ENTRY | 0] = this.names.addProbed(order);
    words[order + ORDER_STATUS | 0] += ORDER_REF;
    this.#remember(before);
  }

  /** Records a request's ClOrdID, just not found in its session, as a past one of the order that it concerned. */
  addPast(order: number): void {
    const entry = this.names.addProbed(order);
    this.#words[order + ORDER_STATUS | 0] += ORDER_REF;
    this.#remember(entry);
  }

  /**
   * Ends an order that no longer rests; its status must be a final one. May forget older orders, never this one unless it
   * is a quote's: that one is gone.
   */
  retire(order: number): void {
    this.orders.openCount = this.orders.openCount - 1 | 0;
    if (this.#words[order + ORDER_EXTRA | 0] !== 0 && this.#endOther(order)) return;
    this.#remember(this.#words[order + ORDER_ENTRY | 0]);
  }

  /** What is to do for an order with a second record; true when nobody can name it. */
  #endOther(order: number): boolean {
    const quote = this.#words[this.#words[order + ORDER_EXTRA | 0] + EXTRA_QUOTE | 0];
    this.expiry.remove(order);
    if (quote === 0) return false;
    this.#dropQuoted(order, quote);
    return true;
  }

  #dropQuoted(order: number, quote: number): void {
    const { quotes } = this;
    quotes.setOrder(quote, this.orders.side(order), 0);
    if (quotes.isEmpty(quote)) quotes.remove(quote);
    this.extras.release(order);
    this.orders.release(order);
  }

  #remember(entry: number): void {
    const words = this.#words;
    if (this.#pastCount < this.#history) {
      const end = this.#pastHead + this.#pastCount;
      words[this.#past + (end < this.#history ? end : end - this.#history)] = entry;
      this.#pastCount = this.#pastCount + 1 | 0;
      return;
    }
    const head = this.#pastHead;
    const oldest = words[this.#past + head | 0];
    words[this.#past + head | 0] = entry;
    const next = head + 1 | 0;
    this.#pastHead = next < this.#history ? next : 0;
    this.#forget(oldest);
    if (this.#history >= AHEAD) this.#touchNext(this.#pastHead);
  }

  /**
   * Reads what forgetting will need, a few calls before it does: each step needs what the one before has read, and all
   * of it is so old that it has left the nearest cache. The processor waits for none of it here.
   */
  #touchNext(head: number): void {
    const words = this.#words;
    const later = head + AHEAD - 1 | 0;
    const entry = words[this.#past + head | 0];
    const order = this.names.orderOf(entry);
    words[this.#touched] =
      words[words[this.#past + (later < this.#history ? later : later - this.#history) | 0]] ^
      words[order + ORDER_STATUS | 0] ^ this.names.touch(entry);
  }

  #forget(entry: number): void {
    const words = this.#words;
    const order = this.names.orderOf(entry);
    this.names.remove(entry);
    const status = words[order + ORDER_STATUS | 0] - ORDER_REF | 0;
    words[order + ORDER_STATUS | 0] = status;
    if (status >= ORDER_REF) return;
    this.#byOrderId.remove(order);
    if (words[order + ORDER_EXTRA | 0] !== 0) this.extras.release(order);
    this.orders.release(order);
  }
}
