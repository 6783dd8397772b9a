/**
 * What the venue itself asks for: phases, algorithms, the end of good-till-date orders. Pure. docs/matching.md, "Phases".
 */
import { EventKind, OrdType, Phase, PhaseCause, TimeInForce } from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { Books } from "./books.ts";
import { isPhase } from "./instrument_state.ts";
import { isQuote } from "./order_extra.ts";
import { ORDER_LAYOUT, ordTypeOf, timeInForceOf } from "./order_store.ts";
import { cascade, expire, leave, rest } from "./placing.ts";
import { uncross } from "./uncross.ts";

const { ORDER_TERMS } = ORDER_LAYOUT;
const { Market } = OrdType;
const { Closed, ClosingAuction, Continuous } = Phase;
const { AtTheClose, AtTheOpening, Day } = TimeInForce;

/** SetPhase: one instrument, or with instrument 0 all, by ascending id. */
export function setPhase(books: Books, command: Command): void {
  const { instrumentId } = command;
  if (!isPhase(command.target)) return;
  if (instrumentId === 0) {
    for (const id of books.instruments.ids) enter(books, command, id);
  } else if (books.instruments.has(instrumentId)) {
    enter(books, command, instrumentId);
  }
}

/** SetAlgorithm. */
export function setAlgorithm({ instruments, reporter }: Books, command: Command): void {
  const { instrumentId, target } = command;
  if (!instruments.has(instrumentId) || !instruments.setAlgorithm(instrumentId, target)) return;
  reporter.algorithmChanged(instrumentId, target);
}

/** ExpireOrders: good-till-date orders whose time has come by the command and by the engine's time, `nowUs`. */
export function expireOrders(books: Books, command: Command, nowUs: number): void {
  const { expiry } = books.registry;
  const until = Math.min(command.expireUs, nowUs);
  for (let order = expiry.first; order !== 0 && expiry.timeOf(order) <= until; order = expiry.first) {
    leave(books, order);
    expire(books, order);
  }
}

function enter(books: Books, command: Command, id: number): void {
  const { states } = books;
  const { scope, target, expireUs: dueUs } = command;
  const from = states.phase[id];
  if (scope !== 0 && from !== scope) return;
  if (dueUs > 0) {
    if (dueUs <= states.lastScheduledUs[id]) return;
    states.lastScheduledUs[id] = dueUs;
  }
  if (from === target) return;
  states.change(id, target, PhaseCause.Command, 0);
  if (target === Continuous || target === Closed && from === ClosingAuction) {
    uncross(books, id);
    expireAuctioned(books, id, from === ClosingAuction);
  }
  if (target === ClosingAuction) enterParked(books, id);
  if (target === Closed) expireDay(books, id);
  if (target === Continuous) cascade(books, id);
}

/** Ends what was for the auction only. */
function expireAuctioned(books: Books, id: number, closing: boolean): void {
  const { walk, words } = books;
  const count = walk.books(id);
  for (let i = 0; i < count; i++) {
    const order = walk.at(i);
    const terms = words[order + ORDER_TERMS | 0];
    const time = timeInForceOf(terms);
    const ends = ordTypeOf(terms) === Market || time === AtTheOpening || closing && time === AtTheClose;
    if (ends) end(books, order);
  }
}

/** Lets the orders that were parked for the closing auction take part in it. */
function enterParked(books: Books, id: number): void {
  const { walk, reporter } = books;
  const count = walk.parked(id);
  for (let i = 0; i < count; i++) {
    const order = walk.at(i);
    leave(books, order);
    reporter.order(EventKind.OrderTriggered, order);
    rest(books, order);
  }
}

/** Ends what lasts for the day. */
function expireDay(books: Books, id: number): void {
  const { walk, words } = books;
  const count = walk.all(id, 0);
  for (let i = 0; i < count; i++) {
    const order = walk.at(i);
    const time = timeInForceOf(words[order + ORDER_TERMS | 0]);
    const ends = time === Day || time === AtTheOpening || time === AtTheClose || isQuote(words, order);
    if (ends) end(books, order);
  }
}

function end(books: Books, order: number): void {
  leave(books, order);
  expire(books, order);
}
