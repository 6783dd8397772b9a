/** Which order a command means, and whether it may be acted on: the naive rules. Pure. */
import { CommandKind, Reason } from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import { clOrdIdFault } from "./faults.ts";
import type { RefName, RefNames } from "./names.ts";
import { isOpen, type RefOrder } from "./order.ts";

/** The order that OrigClOrdID and OrderID agree on; a past ClOrdID of an open order no longer names it. */
export function namedOrder(command: Command, names: RefNames): RefOrder | undefined {
  const name = names.find(command.sessionId, command.origClOrdId.toString());
  return agreedOrder(command, names, name !== undefined && stands(command, name) ? name.order : undefined);
}

/** Whether a name still names its order: for a status request always. */
function stands(command: Command, { order, session, text }: RefName): boolean {
  if (command.kind === CommandKind.RequestStatus || !isOpen(order)) return true;
  return order.session === session && order.clOrdId === text;
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

/** Whether there is an order and Symbol and Side are its own; `name` is what it was looked for by. */
export function identityFault(
  command: Command,
  name: RefName | undefined,
  order: RefOrder | undefined,
): Reason {
  if (order === undefined) {
    if (name === undefined || name.order.firm !== command.firmId) return Reason.UnknownOrder;
    const agreed = command.orderId === 0 || command.orderId === name.order.orderId;
    return agreed || !stands(command, name) ? Reason.ClOrdIdSuperseded : Reason.OrderIdContradicts;
  }
  if (order.instrument !== command.instrumentId) return Reason.SymbolChanged;
  return order.side === command.side ? Reason.None : Reason.SideChanged;
}

/** Why a cancel or replace cannot be done, or None. */
export function requestFault(command: Command, names: RefNames, order: RefOrder | undefined): Reason {
  const name = names.find(command.sessionId, command.origClOrdId.toString());
  const reason = clOrdIdFault(command.clOrdId.toString()) || identityFault(command, name, order);
  return reason || (isOpen(order!) ? Reason.None : Reason.TooLateToCancel);
}
