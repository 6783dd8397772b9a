/**
 * Every order that the shard knows and the names it goes by: open orders, and done ones as long as one of their
 * ClOrdIDs is remembered. Owns order slots, ClOrdID entries and the queue of what is forgotten next. Pure.
 *
 * A ClOrdID is current (the last of an open order's chain) or past: replaced, a cancel's own, or of an order that is
 * done. Past ones are forgotten oldest first, beyond the history limit; an order goes with its last name.
 */
import { type OrderId, OrdStatus } from "../../../shared/protocol/mod.ts";
import type { ByteSlice, Command } from "../../../shared/codec/wire/mod.ts";
import { ClOrdIdIndex } from "./cl_ord_id_index.ts";
import { OrderIdIndex } from "./order_id_index.ts";
import { ORDER_LAYOUT, OrderStore, packTerms } from "./order_store.ts";

const {
  ORDER_WORDS,
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
  ORDER_REFS,
  ORDER_TERMS,
  ORDER_STATUS,
} = ORDER_LAYOUT;
const { New } = OrdStatus;

/** Orders by ClOrdID and OrderID. */
export class OrderRegistry {
  readonly orders: OrderStore;
  readonly names: ClOrdIdIndex;
  readonly #byOrderId: OrderIdIndex;
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  /** Past entries, a ring: the oldest at #pastHead. */
  readonly #past: Int32Array;
  #pastHead = 0;
  #pastCount = 0;

  /** Room for `maxOpenOrders` resting orders, one in flight, and `history` past ClOrdIDs (both ≥ 1). */
  constructor(maxOpenOrders: number, history: number, hashSeed: number) {
    const capacity = maxOpenOrders + history + 2;
    this.orders = new OrderStore(capacity);
    this.#words = this.orders.words;
    this.#doubles = this.orders.doubles;
    this.names = new ClOrdIdIndex(capacity, hashSeed);
    this.#byOrderId = new OrderIdIndex(this.orders);
    this.#past = new Int32Array(history);
  }

  /** Past ClOrdIDs remembered now. */
  get pastCount(): number {
    return this.#pastCount;
  }

  /** The past entry at `age` (0 is the next to be forgotten). */
  pastEntry(age: number): number {
    return this.#past[(this.#pastHead + age) % this.#past.length];
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
    return this.#words[this.names.orderOf(entry) * ORDER_WORDS + ORDER_ENTRY] === entry;
  }

  /** An open order with status New, under the ClOrdID that `find` has just not found in its session. */
  open(orderId: OrderId, command: Command): number {
    const orders = this.orders;
    const order = orders.take();
    const words = this.#words;
    const base = order * ORDER_WORDS;
    orders.openCount++;
    this.#doubles[order * 8] = orderId;
    words[base + ORDER_PRICE] = command.priceTicks;
    words[base + ORDER_QTY] = command.qtyLots;
    words[base + ORDER_CUM] = 0;
    words[base + ORDER_NOTIONAL_LOW] = 0;
    words[base + ORDER_NOTIONAL_HIGH] = 0;
    words[base + ORDER_NEXT] = 0;
    words[base + ORDER_PREV] = 0;
    words[base + ORDER_LEVEL] = 0;
    words[base + ORDER_ENTRY] = this.names.addProbed(order);
    words[base + ORDER_OWNER] = command.sessionId | command.firmId << 16;
    words[base + ORDER_REFS] = 1;
    words[base + ORDER_TERMS] = packTerms(
      command.instrumentId,
      command.side,
      command.ordType,
      command.timeInForce,
    );
    words[base + ORDER_STATUS] = New;
    this.#byOrderId.add(order);
    return order;
  }

  /** Gives an open order the ClOrdID just not found in its session; the one before becomes a past one. */
  rename(order: number): void {
    const words = this.#words;
    const base = order * ORDER_WORDS;
    const before = words[base + ORDER_ENTRY];
    words[base + ORDER_ENTRY] = this.names.addProbed(order);
    words[base + ORDER_REFS]++;
    this.#remember(before);
  }

  /** Records a request's ClOrdID, just not found in its session, as a past one of the order that it concerned. */
  addPast(order: number): void {
    const entry = this.names.addProbed(order);
    this.#words[order * ORDER_WORDS + ORDER_REFS]++;
    this.#remember(entry);
  }

  /** Ends an order that no longer rests; its status must be a final one. May forget older orders, never this one. */
  retire(order: number): void {
    this.orders.openCount--;
    this.#remember(this.#words[order * ORDER_WORDS + ORDER_ENTRY]);
  }

  #remember(entry: number): void {
    const past = this.#past;
    if (this.#pastCount < past.length) {
      const end = this.#pastHead + this.#pastCount;
      past[end < past.length ? end : end - past.length] = entry;
      this.#pastCount++;
      return;
    }
    const head = this.#pastHead;
    const oldest = past[head];
    past[head] = entry;
    this.#pastHead = head + 1 < past.length ? head + 1 : 0;
    this.#forget(oldest);
  }

  #forget(entry: number): void {
    const order = this.names.orderOf(entry);
    this.names.remove(entry);
    if (--this.#words[order * ORDER_WORDS + ORDER_REFS] > 0) return;
    this.#byOrderId.remove(order);
    this.orders.release(order);
  }
}
