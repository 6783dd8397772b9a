/** The naive book: one list of price levels per side, best first, each a list of orders, oldest first. Pure. */
import { Side } from "../../../shared/protocol/mod.ts";
import { freshlyShown, isBetter, limitOf, type RefOrder } from "./order.ts";

/** A level's figures: what is displayed, and how many orders stand there. */
export interface RefLevel {
  readonly price: number;
  readonly qty: number;
  readonly orders: number;
}

/** The orders at one price. */
interface Queue {
  readonly price: number;
  readonly orders: RefOrder[];
}

/** One instrument's resting orders. */
export class RefBook {
  readonly #sides: Readonly<Record<number, Queue[]>> = { [Side.Buy]: [], [Side.Sell]: [] };
  /** Where each order stands: its price may change before it leaves. */
  readonly #queues = new Map<RefOrder, Queue>();

  /** The resting orders of a side, best price first, oldest first. */
  side(side: number): readonly RefOrder[] {
    return this.#sides[side].flatMap(({ orders }) => orders);
  }

  /** Puts an order behind all others at its price, freshly shown. */
  add(order: RefOrder): void {
    const queues = this.#sides[order.side];
    const price = limitOf(order);
    let at = queues.findIndex((queue) => !isBetter(order.side, queue.price, price));
    if (at < 0) at = queues.length;
    if (queues[at]?.price !== price) queues.splice(at, 0, { price, orders: [] });
    queues[at].orders.push(order);
    this.#queues.set(order, queues[at]);
    order.place = "book";
    order.shown = freshlyShown(order);
  }

  remove(order: RefOrder): void {
    const queue = this.#queues.get(order)!;
    this.#queues.delete(order);
    queue.orders.splice(queue.orders.indexOf(order), 1);
    const queues = this.#sides[order.side];
    if (queue.orders.length === 0) queues.splice(queues.indexOf(queue), 1);
    order.place = "nowhere";
    order.shown = 0;
  }

  /** The best price of a side, or undefined. */
  best(side: number): number | undefined {
    return this.#sides[side][0]?.price;
  }

  /** The orders at a price, oldest first. */
  at(side: number, price: number): RefOrder[] {
    return [...this.#sides[side].find((queue) => queue.price === price)?.orders ?? []];
  }

  /** A level's figures, zeros when there is none. */
  level(side: number, price: number): RefLevel {
    const orders = this.at(side, price);
    return { price, qty: orders.reduce((sum, order) => sum + order.shown, 0), orders: orders.length };
  }

  /** Prices with orders, best first. */
  prices(side: number): number[] {
    return this.#sides[side].map(({ price }) => price);
  }
}
