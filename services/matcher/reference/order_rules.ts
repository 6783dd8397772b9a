/** Which order a command means, and whether it may be acted on: the naive rules. Pure. */
import { Reason, Side } from "../../../shared/protocol/mod.ts";
import { OrdType } from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import { isOpen, type RefBook, type RefOrder } from "./book.ts";
import { clOrdIdFault } from "./faults.ts";
import type { RefNames } from "./names.ts";

/** The order that OrigClOrdID and OrderID agree on; a past ClOrdID of an open order no longer names it. */
export function namedOrder(command: Command, names: RefNames): RefOrder | undefined {
  const name = names.find(command.sessionId, command.origClOrdId.toString());
  if (name === undefined) return agreedOrder(command, names, undefined);
  const current = name.order.session === name.session && name.order.clOrdId === name.text;
  return agreedOrder(command, names, current || !isOpen(name.order) ? name.order : undefined);
}

/** The order found by name, else by OrderID; none when they differ or it is another firm's. */
export function agreedOrder(
  command: Command,
  names: RefNames,
  byName: RefOrder | undefined,
): RefOrder | undefined {
  const { orderId, firmId } = command;
  const order = byName ?? names.order(orderId);
  if (order === undefined || order.firm !== firmId) return undefined;
  return orderId === 0 || order.orderId === orderId ? order : undefined;
}

/** Whether there is an order and Symbol and Side are its own. */
export function identityFault(command: Command, order: RefOrder | undefined): Reason {
  if (order === undefined) return Reason.UnknownOrder;
  if (order.instrument !== command.instrumentId) return Reason.SymbolChanged;
  return order.side === command.side ? Reason.None : Reason.SideChanged;
}

/** Why a cancel or replace cannot be done, or None. */
export function requestFault(command: Command, order: RefOrder | undefined): Reason {
  const reason = clOrdIdFault(command.clOrdId.toString()) || identityFault(command, order);
  return reason || (isOpen(order!) ? Reason.None : Reason.TooLateToCancel);
}

/** Resting orders on the other side that the order's price reaches, best price first. */
export function oppositeOrders(order: RefOrder, book: RefBook): RefOrder[] {
  const buys = order.side === Side.Buy;
  return book.side(buys ? Side.Sell : Side.Buy).filter((resting) =>
    order.ordType === OrdType.Market ||
    (buys ? resting.price <= order.price : resting.price >= order.price)
  );
}
