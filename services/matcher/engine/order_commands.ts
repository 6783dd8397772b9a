/**
 * What each order command does to the books: one function per kind of command, over the engine's state. Pure.
 * Rules and their FIX sources: docs/matching.md.
 */
import {
  CommandFlag,
  CommandKind,
  EventKind,
  type OrderId,
  OrdStatus,
  OrdType,
  Reason,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import type { ByteSlice, Command } from "../../../shared/codec/wire/mod.ts";
import { clOrdIdFault, newOrderFault, priceFault, qtyFault } from "./field_checks.ts";
import type { ClOrdIdIndex } from "./cl_ord_id_index.ts";
import type { InstrumentTable } from "./instrument_table.ts";
import { bookOf, type LevelStore } from "./level_store.ts";
import type { Matching } from "./matching.ts";
import { instrumentOf, ORDER_LAYOUT, ordTypeOf, sideOf } from "./order_store.ts";
import type { OrderRegistry } from "./registry.ts";
import type { Reporter } from "./reporter.ts";

const {
  ORDER_PRICE,
  ORDER_QTY,
  ORDER_CUM,
  ORDER_LEVEL,
  ORDER_ENTRY,
  ORDER_TERMS,
  ORDER_STATUS,
} = ORDER_LAYOUT;
const { PossDup, PossResend } = CommandFlag;
const { CancelOrder, ReplaceOrder, RequestStatus } = CommandKind;
const { Canceled, Expired, Filled } = OrdStatus;
const { Limit } = OrdType;
const {
  BookFull,
  ClOrdIdSuperseded,
  DuplicateClOrdId,
  None: NO_REASON,
  OrderIdContradicts,
  OrdTypeChanged,
  SideChanged,
  SymbolChanged,
  TimeInForceUnsupported,
  TooLateToCancel,
  UnknownOrder,
  UnknownSymbol,
} = Reason;
const { Day, FillOrKill } = TimeInForce;

/** The parts of the engine that commands act on. */
export interface Books {
  readonly instruments: InstrumentTable;
  readonly registry: OrderRegistry;
  /** The memory that holds every record. */
  readonly words: Int32Array;
  /** The registry's ClOrdIDs. */
  readonly names: ClOrdIdIndex;
  readonly levels: LevelStore;
  readonly matching: Matching;
  readonly reporter: Reporter;
  readonly maxOpenOrders: number;
}

/** NewOrder: accept, match, and then rest, expire or be done. `orderId` is what the order is called. */
export function newOrder(books: Books, command: Command, orderId: OrderId): void {
  const { registry, reporter } = books;
  const known = books.names.find(command.sessionId, command.clOrdId);
  if (known !== 0) return answerKnown(books, command, EventKind.OrderRejected, known, 0);
  const rests = command.timeInForce === Day && command.ordType === Limit;
  let reason = clOrdIdFault(command.clOrdId);
  if (reason === NO_REASON) reason = newOrderFault(command, books.instruments);
  if (reason === NO_REASON && rests && registry.orders.openCount >= books.maxOpenOrders) {
    reason = BookFull;
  }
  if (reason !== NO_REASON) return reporter.refuse(EventKind.OrderRejected, reason, 0, 0);
  const order = registry.open(orderId, command);
  reporter.order(EventKind.OrderAccepted, order);
  if (command.timeInForce !== FillOrKill || books.matching.canFill(order)) {
    books.matching.match(order);
  }
  finish(books, order, rests);
}

/** CancelOrder. */
export function cancelOrder(books: Books, command: Command): void {
  const { registry, levels } = books;
  const order = locate(books, command);
  const known = books.names.find(command.sessionId, command.clOrdId);
  if (known !== 0) return answerKnown(books, command, EventKind.CancelRejected, known, order);
  const reason = requestFault(books, command, order);
  if (reason !== NO_REASON) return refuseRequest(books, EventKind.CancelRejected, reason, order);
  levels.remove(order);
  books.words[order + ORDER_STATUS | 0] = Canceled;
  registry.addPast(order);
  reportRequested(books, command, EventKind.OrderCanceled, order, currentEntry(books, order));
  registry.retire(order);
}

/** ReplaceOrder: new price, new total OrderQty, or both. */
export function replaceOrder(books: Books, command: Command): void {
  const { registry, levels } = books;
  const order = locate(books, command);
  const known = books.names.find(command.sessionId, command.clOrdId);
  if (known !== 0) return answerKnown(books, command, EventKind.ReplaceRejected, known, order);
  let reason = requestFault(books, command, order);
  if (reason === NO_REASON) reason = replaceFault(books, command, order);
  if (reason !== NO_REASON) return refuseRequest(books, EventKind.ReplaceRejected, reason, order);

  const { words } = books;
  const origEntry = words[order + ORDER_ENTRY | 0];
  if (registry.orders.session(order) === command.sessionId) registry.rename(order);
  else registry.addPast(order);
  const cum = words[order + ORDER_CUM | 0];
  const less = words[order + ORDER_QTY | 0] - command.qtyLots;
  const keepsPriority = less >= 0 && words[order + ORDER_PRICE | 0] === command.priceTicks;
  const nothingLeft = command.qtyLots <= cum;
  if (keepsPriority && !nothingLeft) {
    if (less > 0) levels.reduce(words[order + ORDER_LEVEL | 0], less);
  } else {
    levels.remove(order);
  }
  words[order + ORDER_PRICE | 0] = command.priceTicks;
  words[order + ORDER_QTY | 0] = nothingLeft ? cum : command.qtyLots;
  if (nothingLeft) words[order + ORDER_STATUS | 0] = Filled;
  reportRequested(books, command, EventKind.OrderReplaced, order, origEntry);
  if (nothingLeft) return registry.retire(order);
  if (keepsPriority) return;
  books.matching.match(order);
  finish(books, order, true);
}

/** RequestStatus. Any ClOrdID of an order's chain names it. */
export function requestStatus(books: Books, command: Command): void {
  const { reporter } = books;
  const entry = books.names.find(command.sessionId, command.clOrdId);
  const order = agree(books, command, entry === 0 ? 0 : books.names.orderOf(entry));
  const reason = identityFault(books, command, command.clOrdId, order);
  if (reason === NO_REASON) reporter.status(order);
  else reporter.refuse(EventKind.OrderRejected, reason, 1, 0);
}

/** RefuseOrder: the gateway's refusal, which gets its place in the stream here. */
export function refuseOrder(books: Books, command: Command): void {
  const { reporter } = books;
  const kind = command.refusedKind;
  if (kind === RequestStatus) {
    return reporter.refuse(EventKind.OrderRejected, command.reason, 1, 0);
  }
  const isCancel = kind === CancelOrder;
  const order = isCancel || kind === ReplaceOrder ? locate(books, command) : 0;
  const event = isCancel
    ? EventKind.CancelRejected
    : kind === ReplaceOrder
    ? EventKind.ReplaceRejected
    : EventKind.OrderRejected;
  const known = books.names.find(command.sessionId, command.clOrdId);
  if (known !== 0 && (isRepeat(command) || (command.flags & PossResend) !== 0)) {
    return answerKnown(books, command, event, known, order);
  }
  refuseRequest(books, event, command.reason as Reason, order);
}

/** A ClOrdID that was used before: a repeat is not executed twice, anything else is refused. */
function answerKnown(books: Books, command: Command, kind: EventKind, known: number, order: number): void {
  const { reporter } = books;
  if (isRepeat(command)) return;
  if ((command.flags & PossResend) !== 0) return reporter.status(books.names.orderOf(known));
  refuseRequest(books, kind, DuplicateClOrdId, order);
}

/** Whether PossDup counts: where the session's numbers are remembered, they alone say what was applied before. */
function isRepeat(command: Command): boolean {
  return (command.flags & PossDup) !== 0 && command.incarnation === 0;
}

/** The order that a cancel or replace names, or 0: by the last ClOrdID of its chain, else by OrderID. */
function locate(books: Books, command: Command): number {
  const { registry } = books;
  const entry = books.names.find(command.sessionId, command.origClOrdId);
  if (entry === 0) return agree(books, command, 0);
  const order = books.names.orderOf(entry);
  const stands = registry.isCurrent(entry) || !registry.orders.isOpen(order);
  return agree(books, command, stands ? order : 0);
}

/** Brings OrderID in: it finds what the ClOrdID did not, and must not contradict it. Other firms' orders are none. */
function agree(books: Books, command: Command, byName: number): number {
  const { registry } = books;
  let order = byName;
  if (order === 0) order = registry.findOrderId(command.orderId);
  else if (command.orderId !== 0 && registry.orders.orderId(order) !== command.orderId) return 0;
  return order !== 0 && registry.orders.firm(order) === command.firmId ? order : 0;
}

/** Whether the order, named by `name`, is there and is the one described by Symbol and Side. */
function identityFault(books: Books, command: Command, name: ByteSlice, order: number): Reason {
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

function requestFault(books: Books, command: Command, order: number): Reason {
  const fault = clOrdIdFault(command.clOrdId);
  if (fault !== NO_REASON) return fault;
  const identity = identityFault(books, command, command.origClOrdId, order);
  if (identity !== NO_REASON) return identity;
  return books.registry.orders.isOpen(order) ? NO_REASON : TooLateToCancel;
}

function replaceFault(books: Books, command: Command, order: number): Reason {
  const ordType = ordTypeOf(books.words[order + ORDER_TERMS | 0]);
  if (command.ordType !== ordType) return OrdTypeChanged;
  if (command.timeInForce !== Day) return TimeInForceUnsupported;
  const fault = priceFault(command.priceTicks);
  if (fault !== NO_REASON) return fault;
  return qtyFault(command.qtyLots, books.instruments.maxOrderQty[command.instrumentId]);
}

/** Refuses a request; names the order unless the reason says that there is none (FIX: OrderID is then "NONE"). */
function refuseRequest(books: Books, kind: EventKind, reason: Reason, order: number): void {
  const unknown = reason === UnknownOrder || reason === SymbolChanged ||
    reason === UnknownSymbol;
  books.reporter.refuse(kind, reason, 0, unknown ? 0 : order);
}

/** Tells the requester, and the owner too when that is another session of the firm. */
function reportRequested(
  books: Books,
  command: Command,
  kind: EventKind,
  order: number,
  origEntry: number,
): void {
  const { reporter } = books;
  if (books.registry.orders.session(order) === command.sessionId) {
    reporter.requested(kind, order, origEntry);
  } else {
    reporter.requestedByOther(kind, order);
    reporter.order(kind, order);
  }
}

/** After matching: done, resting, or expired. */
function finish(books: Books, order: number, rests: boolean): void {
  const { registry, levels } = books;
  const { words } = books;
  if (words[order + ORDER_STATUS | 0] === Filled) return registry.retire(order);
  if (rests) {
    const book = bookOf(instrumentOf(words[order + ORDER_TERMS | 0]), sideOf(words[order + ORDER_TERMS | 0]));
    return levels.append(order, book, words[order + ORDER_PRICE | 0]);
  }
  words[order + ORDER_STATUS | 0] = Expired;
  books.reporter.order(EventKind.OrderExpired, order);
  registry.retire(order);
}

function currentEntry(books: Books, order: number): number {
  return books.words[order + ORDER_ENTRY | 0];
}
