/**
 * Quotes of market makers: a bid and an offer per session and instrument, set and withdrawn together. Pure.
 * docs/matching.md, "Quotes".
 */
import {
  EventKind,
  type OrderId,
  OrdType,
  Phase,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import { type Command, QuoteEntry, quoteEntryCount, readQuoteEntry } from "../../../shared/codec/wire/mod.ts";
import type { Books } from "./books.ts";
import { clOrdIdFault } from "./field_checks.ts";
import { takesCancel, takesNew } from "./instrument_state.ts";
import { EXTRA_LAYOUT, smpActionIn } from "./order_extra.ts";
import { leavesOf, ORDER_LAYOUT, packTerms } from "./order_store.ts";
import { leave, place } from "./placing.ts";

const { ORDER_PRICE, ORDER_QTY, ORDER_CUM, ORDER_EXTRA } = ORDER_LAYOUT;
const { EXTRA_SMP_ID, EXTRA_ACCOUNT, EXTRA_FLAGS } = EXTRA_LAYOUT;
const { QuoteAcknowledged, QuotesCanceled } = EventKind;
const { Limit } = OrdType;
const { NoCancel } = Phase;
const {
  BookFull,
  ClOrdIdTooLong,
  None: NO_REASON,
  PhaseForbids,
  QtyOverLimit,
  QuoteCrossed,
  QuoteInvalid,
  UnknownSymbol,
} = Reason;
const { Buy, Sell } = Side;
const { Day } = TimeInForce;

/** MassQuote: entry by entry; `orderId` is what the first entry's bid is called, the offer one more, and so on. */
export function massQuote(books: Books, command: Command, orderId: OrderId): void {
  const { reporter } = books;
  if (clOrdIdFault(command.clOrdId) !== NO_REASON) {
    return reporter.answer(QuoteAcknowledged, ClOrdIdTooLong, 0);
  }
  const total = Math.floor(quoteEntryCount(command.entries));
  for (let i = 0; i < total; i++) {
    readQuoteEntry(command.entries, i, entry);
    const reason = entryFault(books, command);
    reporter.quoteAcknowledged(entry, i + 1, total, reason);
    if (reason === NO_REASON) setQuote(books, command, orderId + 2 * i);
  }
}

/** CancelQuotes: of one instrument or of all. */
export function cancelQuotes(books: Books, command: Command): void {
  const { instruments, registry, reporter, states } = books;
  const { instrumentId, sessionId } = command;
  let reason: Reason = NO_REASON;
  if (command.clOrdId.length > 0 && clOrdIdFault(command.clOrdId) !== NO_REASON) reason = ClOrdIdTooLong;
  else if (instrumentId !== 0 && !instruments.has(instrumentId)) reason = UnknownSymbol;
  else if (instrumentId !== 0 && states.phase[instrumentId] === NoCancel) reason = PhaseForbids;
  if (reason !== NO_REASON) return reporter.answer(QuotesCanceled, reason, 0);
  let total = 0;
  for (const id of instruments.ids) {
    if (instrumentId !== 0 && id !== instrumentId || states.phase[id] === NoCancel) continue;
    const quote = registry.quotes.find(sessionId, id);
    if (quote === 0) continue;
    const bid = registry.quotes.orderOf(quote, Buy);
    const offer = registry.quotes.orderOf(quote, Sell);
    total += withdraw(books, bid) + withdraw(books, offer);
  }
  reporter.answer(QuotesCanceled, NO_REASON, total);
}

/** The entry that is dealt with. */
const entry = new QuoteEntry();

function entryFault(books: Books, command: Command): Reason {
  const { instruments, registry, states } = books;
  const { instrumentId: id, bidPxTicks, bidQtyLots, offerPxTicks, offerQtyLots } = entry;
  if (entry.reason !== 0) return entry.reason as Reason;
  if (!instruments.has(id)) return UnknownSymbol;
  const quote = registry.quotes.find(command.sessionId, id);
  const phase = states.phase[id];
  if (!takesNew(phase) || quote !== 0 && !takesCancel(phase)) return PhaseForbids;
  const both = bidPxTicks !== 0 && bidQtyLots !== 0 && offerPxTicks !== 0 && offerQtyLots !== 0;
  if (both && bidPxTicks >= offerPxTicks) return QuoteCrossed;
  if (!isSide(bidPxTicks, bidQtyLots) || !isSide(offerPxTicks, offerQtyLots)) return QuoteInvalid;
  const most = instruments.maxOrderQty[id];
  if (bidQtyLots > most || offerQtyLots > most) return QtyOverLimit;
  const added = Number(becomesNew(books, quote, Buy)) + Number(becomesNew(books, quote, Sell));
  const removed = Number(goes(books, quote, Buy)) + Number(goes(books, quote, Sell));
  const open = registry.orders.openCount - removed + added;
  return added > 0 && open > books.maxOpenOrders ? BookFull : NO_REASON;
}

/** Whether price and quantity are a quote's side, or none of it. */
function isSide(priceTicks: number, qtyLots: number): boolean {
  return priceTicks === 0 && qtyLots === 0 || priceTicks > 0 && qtyLots > 0;
}

function standing({ registry }: Books, quote: number, side: number): number {
  return quote === 0 ? 0 : registry.quotes.orderOf(quote, side);
}

function priceOf(side: number): number {
  return side === Buy ? entry.bidPxTicks : entry.offerPxTicks;
}

function qtyOf(side: number): number {
  return side === Buy ? entry.bidQtyLots : entry.offerQtyLots;
}

/** Whether the side's order goes on under the entry: same price, no more quantity than is left. */
function stays(books: Books, quote: number, side: number): boolean {
  const { words } = books;
  const order = standing(books, quote, side);
  return order !== 0 && qtyOf(side) > 0 && words[order + ORDER_PRICE | 0] === priceOf(side) &&
    qtyOf(side) <= leavesOf(words, order);
}

function goes(books: Books, quote: number, side: number): boolean {
  return standing(books, quote, side) !== 0 && !stays(books, quote, side);
}

function becomesNew(books: Books, quote: number, side: number): boolean {
  return qtyOf(side) > 0 && !stays(books, quote, side);
}

/** Puts the entry in the place of the session's quote. */
function setQuote(books: Books, command: Command, orderId: OrderId): void {
  const { quotes } = books.registry;
  const { sessionId } = command;
  const { instrumentId: id } = entry;
  const before = quotes.find(sessionId, id);
  const newBid = becomesNew(books, before, Buy);
  const newOffer = becomesNew(books, before, Sell);
  if (before !== 0) {
    const bid = quotes.orderOf(before, Buy);
    const offer = quotes.orderOf(before, Sell);
    const offerStays = stays(books, before, Sell);
    if (stays(books, before, Buy)) keep(books, command, bid, Buy);
    else withdraw(books, bid);
    if (offerStays) keep(books, command, offer, Sell);
    else withdraw(books, offer);
  }
  let quote = quotes.find(sessionId, id);
  if (quote === 0 && !newBid && !newOffer) return;
  if (quote === 0) quote = quotes.add(sessionId, id);
  quotes.rename(quote, command.clOrdId);
  const bid = newBid ? open(books, command, quote, Buy, orderId) : 0;
  const offer = newOffer ? open(books, command, quote, Sell, orderId + 1) : 0;
  if (bid !== 0) place(books, bid, 0);
  if (offer !== 0) place(books, offer, 0);
}

function open(books: Books, command: Command, quote: number, side: number, orderId: OrderId): number {
  const terms = packTerms(entry.instrumentId, side, Limit, Day);
  const order = books.registry.openQuote(orderId, quote, terms, priceOf(side), qtyOf(side), command);
  setGroup(books, command, order);
  return order;
}

/** Lets an order stand with the entry's quantity. */
function keep(books: Books, command: Command, order: number, side: number): void {
  const { words, levels } = books;
  const leaves = leavesOf(words, order);
  words[order + ORDER_QTY | 0] = words[order + ORDER_CUM | 0] + qtyOf(side);
  levels.reshow(order, 0, leaves, leaves);
  setGroup(books, command, order);
}

function setGroup({ words }: Books, command: Command, order: number): void {
  const extra = words[order + ORDER_EXTRA | 0];
  words[extra + EXTRA_SMP_ID | 0] = command.smpId;
  words[extra + EXTRA_ACCOUNT | 0] = command.account;
  words[extra + EXTRA_FLAGS | 0] = smpActionIn(command);
}

/** Takes a quote's order out without a word; 0 is no order. Returns how many that were. */
function withdraw(books: Books, order: number): number {
  if (order === 0) return 0;
  leave(books, order);
  books.registry.retire(order);
  return 1;
}
