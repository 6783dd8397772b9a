/**
 * What each command about one order does to the books: one function per kind of command, over the engine's state. Pure.
 * Rules and their FIX sources: docs/matching.md.
 */
import {
  CommandFlag,
  CommandKind,
  EventKind,
  OrdStatus,
  OrdType,
  Phase,
  Reason,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { Books } from "./books.ts";
import { clOrdIdFault, plainFault } from "./field_checks.ts";
import { takesCancel, takesReplace } from "./instrument_state.ts";
import { bookOf, LEVEL_LAYOUT } from "./level_store.ts";
import { refuseMass } from "./mass_actions.ts";
import { Outcome } from "./matching.ts";
import { EXTRA_LAYOUT, floorOf, isPlain, isTriggered, shownOf } from "./order_extra.ts";
import { leavesOf, ORDER_LAYOUT, ordTypeOf, packTerms, setStatus, timeInForceOf } from "./order_store.ts";
import { isStopType, mayRest, newOrderFault, replacedFault } from "./order_terms.ts";
import { cascade, expire, leave, place, postOnlyPrice, restate } from "./placing.ts";
import { agree, identityFault, locate, requestFault } from "./request_target.ts";

const { ORDER_PRICE, ORDER_QTY, ORDER_CUM, ORDER_ENTRY, ORDER_EXTRA, ORDER_LEVEL, ORDER_TERMS } =
  ORDER_LAYOUT;
const { EXTRA_STOP_PX, EXTRA_ACCOUNT } = EXTRA_LAYOUT;
const { LEVEL_COUNT } = LEVEL_LAYOUT;
const { PossDup, PossResend } = CommandFlag;
const { CancelOrder, ReplaceOrder, RequestStatus } = CommandKind;
const { CancelRejected, OrderAccepted, OrderCanceled, OrderRejected, OrderReplaced, ReplaceRejected } =
  EventKind;
const { Canceled, Filled: FILLED } = OrdStatus;
const { Limit, Market } = OrdType;
const { Continuous } = Phase;
const { Filled, Left } = Outcome;
const {
  BookFull,
  DuplicateClOrdId,
  None: NO_REASON,
  PhaseForbids,
  PostOnlyRepriced,
  PostOnlyWouldTrade,
  StopTriggered,
  SymbolChanged,
  UnknownOrder,
  UnknownSymbol,
} = Reason;
const { Day, FillOrKill, ImmediateOrCancel } = TimeInForce;

/** NewOrder: accept, match, and then rest, expire or be done. */
export function newOrder(books: Books, command: Command): void {
  const known = books.names.find(command.sessionId, command.clOrdId);
  if (known !== 0) return answerKnown(books, command, OrderRejected, known, 0);
  const { ordType, timeInForce } = command;
  const isSimple = (ordType === Limit || ordType === Market) &&
    (timeInForce === Day || timeInForce === ImmediateOrCancel || timeInForce === FillOrKill) &&
    books.states.phase[command.instrumentId] === Continuous && isPlain(command);
  if (isSimple) newPlain(books, command);
  else newOther(books, command);
}

/** What most orders are: limit or market, without anything special, in continuous trading. */
function newPlain(books: Books, command: Command): void {
  const { registry, reporter, states } = books;
  const { instrumentId } = command;
  const rests = command.timeInForce === Day && command.ordType === Limit;
  let reason = clOrdIdFault(command.clOrdId);
  if (reason === NO_REASON) reason = plainFault(command, books.instruments);
  if (reason === NO_REASON && rests && registry.orders.openCount >= books.maxOpenOrders) reason = BookFull;
  if (reason !== NO_REASON) return refuseNew(books, reason);
  const order = registry.open(command);
  reporter.order(OrderAccepted, order);
  const kills = command.timeInForce === FillOrKill && !books.matching.canFill(order, command.qtyLots);
  const outcome = kills ? Left : books.matching.match(order);
  if (outcome === Filled) {
    registry.retire(order);
  } else if (rests) {
    // As `rest` does; nothing else of this command has touched the order's own side of the book.
    const { levels, words } = books;
    const book = bookOf(instrumentId, command.side);
    levels.append(order, book, command.priceTicks);
    const level = words[order + ORDER_LEVEL | 0];
    const isBest = words[level + LEVEL_COUNT | 0] === 1 && levels.best(book) === level;
    if (isBest && states.phase[instrumentId] === Continuous) levels.setTop(book, order);
  } else {
    expire(books, order);
  }
  if (states.stops[instrumentId] !== 0) cascade(books, instrumentId);
}

function refuseNew({ reporter, maxOpenOrders }: Books, reason: Reason): void {
  reporter.refuse(OrderRejected, reason, 0, 0, reason === BookFull ? maxOpenOrders : 0);
}

function newOther(books: Books, command: Command): void {
  const { registry, reporter, instruments, states } = books;
  const phase = states.phase[command.instrumentId];
  let reason = clOrdIdFault(command.clOrdId);
  if (reason === NO_REASON) reason = newOrderFault(command, instruments, phase, states.nowUs);
  const isFull = registry.orders.openCount >= books.maxOpenOrders;
  if (reason === NO_REASON && isFull && mayRest(command, phase)) reason = BookFull;
  let price = command.priceTicks;
  if (reason === NO_REASON && command.execInst !== 0 && phase === Continuous) {
    price = postOnlyPrice(books, command.instrumentId, command.side, price);
    if (price === 0) reason = PostOnlyWouldTrade;
  }
  if (reason !== NO_REASON) return refuseNew(books, reason);
  const order = registry.open(command);
  registry.extras.set(order, command);
  registry.expiry.update(order);
  reporter.order(OrderAccepted, order);
  if (price !== command.priceTicks) restate(books, order, price, PostOnlyRepriced);
  place(books, order, command.minQtyLots);
}

/** CancelOrder. */
export function cancelOrder(books: Books, command: Command): void {
  const { registry } = books;
  const order = locate(books, command);
  const known = books.names.find(command.sessionId, command.clOrdId);
  if (known !== 0) return answerKnown(books, command, CancelRejected, known, order);
  let reason = requestFault(books, command, order);
  if (reason === NO_REASON && !takesCancel(books.states.phase[command.instrumentId])) reason = PhaseForbids;
  if (reason !== NO_REASON) return refuseRequest(books, CancelRejected, reason, order);
  leave(books, order);
  setStatus(books.words, order, Canceled);
  registry.addPast(order);
  reportRequested(books, command, OrderCanceled, order, books.words[order + ORDER_ENTRY | 0]);
  registry.retire(order);
}

/** ReplaceOrder: new terms, a new total OrderQty, or both. */
export function replaceOrder(books: Books, command: Command): void {
  const { registry, words } = books;
  const order = locate(books, command);
  const known = books.names.find(command.sessionId, command.clOrdId);
  if (known !== 0) return answerKnown(books, command, ReplaceRejected, known, order);
  let reason = requestFault(books, command, order);
  if (reason === NO_REASON) reason = replaceFault(books, command, order);
  const cum = words[order + ORDER_CUM | 0];
  const nothingLeft = command.qtyLots <= cum;
  let price = command.priceTicks;
  if (reason === NO_REASON && !nothingLeft && command.execInst !== 0 && isContinuous(books, command)) {
    price = postOnlyPrice(books, command.instrumentId, command.side, price);
    if (price === 0) reason = PostOnlyWouldTrade;
  }
  if (reason !== NO_REASON) return refuseRequest(books, ReplaceRejected, reason, order);

  const origEntry = words[order + ORDER_ENTRY | 0];
  if (registry.orders.session(order) === command.sessionId) registry.rename(order);
  else registry.addPast(order);
  const keepsPlace = !nothingLeft && keeps(books, command, order);
  const leaves = leavesOf(words, order);
  const shown = shownOf(words, order);
  if (!keepsPlace) leave(books, order);
  setTerms(books, command, order, nothingLeft ? cum : command.qtyLots);
  if (keepsPlace) books.levels.reshow(order, floorOf(words, order), shown, leaves);
  if (nothingLeft) setStatus(words, order, FILLED);
  reportRequested(books, command, OrderReplaced, order, origEntry);
  if (nothingLeft) return registry.retire(order);
  if (keepsPlace) return;
  if (price !== command.priceTicks) restate(books, order, price, PostOnlyRepriced);
  place(books, order, 0);
}

/** RequestStatus. Any ClOrdID of an order's chain names it. */
export function requestStatus(books: Books, command: Command): void {
  const { reporter } = books;
  const entry = books.names.find(command.sessionId, command.clOrdId);
  const order = agree(books, command, entry === 0 ? 0 : books.names.orderOf(entry));
  const reason = identityFault(books, command, command.clOrdId, order);
  if (reason === NO_REASON) reporter.status(order);
  else reporter.refuse(OrderRejected, reason, 1, 0);
}

/** RefuseOrder: the gateway's refusal, which gets its place in the stream here. */
export function refuseOrder(books: Books, command: Command): void {
  const { reporter } = books;
  const kind = command.refusedKind;
  if (kind === RequestStatus) return reporter.refuse(OrderRejected, command.reason, 1, 0);
  if (refuseMass(books, command)) return;
  const isCancel = kind === CancelOrder;
  const order = isCancel || kind === ReplaceOrder ? locate(books, command) : 0;
  const event = isCancel ? CancelRejected : kind === ReplaceOrder ? ReplaceRejected : OrderRejected;
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

function replaceFault(books: Books, command: Command, order: number): Reason {
  const { instruments, states, words } = books;
  const { instrumentId } = command;
  const phase = states.phase[instrumentId];
  if (!takesReplace(phase)) return PhaseForbids;
  if (isStopType(command.ordType) && isTriggered(words, order)) return StopTriggered;
  const timeInForce = timeInForceOf(words[order + ORDER_TERMS | 0]);
  return replacedFault(
    command,
    timeInForce,
    instruments.maxOrderQty[instrumentId],
    phase,
    books.states.nowUs,
  );
}

function isContinuous({ states }: Books, command: Command): boolean {
  return states.phase[command.instrumentId] === Continuous;
}

/** Whether an order keeps its priority under a command's terms. */
function keeps({ words }: Books, command: Command, order: number): boolean {
  const before = floorOf(words, order);
  const now = command.maxFloorLots;
  const extra = words[order + ORDER_EXTRA | 0];
  const account = extra === 0 ? 0 : words[extra + EXTRA_ACCOUNT | 0];
  const stopPx = extra === 0 || isTriggered(words, order) ? 0 : words[extra + EXTRA_STOP_PX | 0];
  return words[order + ORDER_PRICE | 0] === command.priceTicks &&
    command.qtyLots <= words[order + ORDER_QTY | 0] &&
    ordTypeOf(words[order + ORDER_TERMS | 0]) === command.ordType &&
    stopPx === command.stopPxTicks && account === (command.account | 0) &&
    (before === 0 || now !== 0 && now <= before);
}

function setTerms(books: Books, command: Command, order: number, qtyLots: number): void {
  const { registry, words } = books;
  words[order + ORDER_PRICE | 0] = command.priceTicks;
  words[order + ORDER_QTY | 0] = qtyLots;
  words[order + ORDER_TERMS | 0] = packTerms(
    command.instrumentId,
    command.side,
    command.ordType,
    command.timeInForce,
  );
  registry.extras.set(order, command);
  registry.expiry.update(order);
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
