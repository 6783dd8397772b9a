/**
 * Which order a request names, and whether it may. Pure. docs/matching.md, "Which order a request names".
 */
import { CommandKind, Reason } from "../../../shared/protocol/mod.ts";
import type { ByteSlice, Command } from "../../../shared/codec/wire/mod.ts";
import type { Books } from "./books.ts";
import { clOrdIdFault } from "./field_checks.ts";

const { RequestStatus } = CommandKind;
const {
  ClOrdIdSuperseded,
  None: NO_REASON,
  OrderIdContradicts,
  SideChanged,
  SymbolChanged,
  TooLateToCancel,
  UnknownOrder,
} = Reason;

/** The order that a cancel or replace names, or 0: by the last ClOrdID of its chain, else by OrderID. */
export function locate(books: Books, command: Command): number {
  const { registry } = books;
  const entry = books.names.find(command.sessionId, command.origClOrdId);
  if (entry === 0) return agree(books, command, 0);
  const order = books.names.orderOf(entry);
  const stands = registry.isCurrent(entry) || !registry.orders.isOpen(order);
  return agree(books, command, stands ? order : 0);
}

/** Brings OrderID in: it finds what the ClOrdID did not, and must not contradict it. Other firms' orders are none. */
export function agree(books: Books, command: Command, byName: number): number {
  const { registry } = books;
  let order = byName;
  if (order === 0) order = registry.findOrderId(command.orderId);
  else if (command.orderId !== 0 && registry.orders.orderId(order) !== command.orderId) return 0;
  return order !== 0 && registry.orders.firm(order) === command.firmId ? order : 0;
}

/** Whether the order, named by `name`, is there and is the one described by Symbol and Side. */
export function identityFault(books: Books, command: Command, name: ByteSlice, order: number): Reason {
  if (order === 0) return absence(books, command, name);
  const { orders } = books.registry;
  if (orders.instrument(order) !== command.instrumentId) {
    return SymbolChanged;
  }
  return orders.side(order) === command.side ? NO_REASON : SideChanged;
}

/** Why `name` and OrderID lead to no order. Another firm's orders are unknown. */
function absence(books: Books, command: Command, name: ByteSlice): Reason {
  const entry = books.names.find(command.sessionId, name);
  if (entry === 0) return UnknownOrder;
  const { orders } = books.registry;
  const order = books.names.orderOf(entry);
  if (orders.firm(order) !== command.firmId) return UnknownOrder;
  const isPast = command.kind !== RequestStatus && orders.isOpen(order) && !books.registry.isCurrent(entry);
  return isPast ? ClOrdIdSuperseded : OrderIdContradicts;
}

/** Why a cancel or replace of `order` is refused whatever it asks for, or None. */
export function requestFault(books: Books, command: Command, order: number): Reason {
  const fault = clOrdIdFault(command.clOrdId);
  if (fault !== NO_REASON) return fault;
  const identity = identityFault(books, command, command.origClOrdId, order);
  if (identity !== NO_REASON) return identity;
  return books.registry.orders.isOpen(order) ? NO_REASON : TooLateToCancel;
}
