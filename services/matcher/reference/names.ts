/** The naive memory: orders by OrderID, ClOrdIDs by session and text, and which are forgotten next. Pure. */
import { isOpen, type RefOrder } from "./order.ts";

/** A ClOrdID that is remembered. */
export interface RefName {
  readonly session: number;
  readonly text: string;
  readonly order: RefOrder;
}

/** Every order and name that is known. */
export class RefNames {
  /** Past names, next to be forgotten first. */
  readonly past = new Set<RefName>();
  readonly #names = new Map<string, RefName>();
  readonly #orders = new Map<number, RefOrder>();
  /** How many past names each order has. */
  readonly #pastOf = new Map<RefOrder, number>();
  readonly #history: number;

  constructor(history: number) {
    this.#history = history;
  }

  /** The name, unless the text is empty or was never used. */
  find(session: number, text: string): RefName | undefined {
    return this.#names.get(`${session} ${text}`);
  }

  order(orderId: number): RefOrder | undefined {
    return this.#orders.get(orderId);
  }

  /** Adds a name for an order; `order.clOrdId` says whether it is the current one. */
  add(session: number, text: string, order: RefOrder): RefName {
    const name = { session, text, order };
    this.#names.set(`${session} ${text}`, name);
    this.#orders.set(order.orderId, order);
    return name;
  }

  /** Makes a name a past one; beyond the history the oldest is forgotten, and its order with its last name. */
  retire(name: RefName): void {
    this.past.add(name);
    this.#pastOf.set(name.order, (this.#pastOf.get(name.order) ?? 0) + 1);
    if (this.past.size <= this.#history) return;
    const [gone] = this.past;
    this.past.delete(gone);
    this.#names.delete(`${gone.session} ${gone.text}`);
    const left = this.#pastOf.get(gone.order)! - 1;
    if (left > 0) this.#pastOf.set(gone.order, left);
    else this.#pastOf.delete(gone.order);
    if (left === 0 && !isOpen(gone.order)) this.#orders.delete(gone.order.orderId);
  }
}
