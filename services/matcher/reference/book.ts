/** The naive book: one array of orders per side, in priority, and levels found by looking. Pure. */
import { OrdStatus, Side } from "../../../shared/protocol/mod.ts";

/** An order as plain as can be. */
export interface RefOrder {
  readonly orderId: number;
  readonly session: number;
  readonly firm: number;
  readonly instrument: number;
  readonly side: number;
  readonly ordType: number;
  readonly timeInForce: number;
  price: number;
  qty: number;
  cum: number;
  notional: bigint;
  status: number;
  /** The ClOrdID that it goes by, or went by last. */
  clOrdId: string;
}

/** A level's figures. */
export interface RefLevel {
  readonly price: number;
  readonly qty: number;
  readonly orders: number;
}

/** Whether an order may still trade. */
export function isOpen(order: RefOrder): boolean {
  return order.status === OrdStatus.New || order.status === OrdStatus.PartiallyFilled;
}

/** LeavesQty. */
export function leavesOf(order: RefOrder): number {
  return isOpen(order) ? order.qty - order.cum : 0;
}

/** One instrument's resting orders. */
export class RefBook {
  readonly #sides: Readonly<Record<number, RefOrder[]>> = { [Side.Buy]: [], [Side.Sell]: [] };

  /** The resting orders of a side, best price first, oldest first. */
  side(side: number): readonly RefOrder[] {
    return this.#sides[side];
  }

  add(order: RefOrder): void {
    const orders = this.#sides[order.side];
    const better = (other: RefOrder) =>
      order.side === Side.Buy ? other.price >= order.price : other.price <= order.price;
    let at = 0;
    while (at < orders.length && better(orders[at])) at++;
    orders.splice(at, 0, order);
  }

  remove(order: RefOrder): void {
    const orders = this.#sides[order.side];
    orders.splice(orders.indexOf(order), 1);
  }

  /** The orders at a price, oldest first. */
  at(side: number, price: number): RefOrder[] {
    return this.#sides[side].filter((order) => order.price === price);
  }

  /** A level's figures, zeros when there is none. */
  level(side: number, price: number): RefLevel {
    const orders = this.at(side, price);
    return {
      price,
      qty: orders.reduce((sum, order) => sum + order.qty - order.cum, 0),
      orders: orders.length,
    };
  }

  /** Prices with orders, best first. */
  prices(side: number): number[] {
    return [...new Set(this.#sides[side].map((order) => order.price))];
  }
}
