/**
 * What the state hash covers, in canonical order: books, phases, stops, quotes, orders and remembered ClOrdIDs. Nothing
 * that only speeds things up (hash tables, free lists, slot numbers). docs/matching.md, "State hash". Pure.
 */
import { ByteSlice } from "../../../shared/codec/wire/mod.ts";
import { Side } from "../../../shared/protocol/mod.ts";
import type { Books } from "./books.ts";
import type { Digest } from "./digest.ts";
import { bookOf, LEVEL_LAYOUT } from "./level_store.ts";
import { execInstOf, EXTRA_LAYOUT, isQuote, isTriggered, shownOf, smpActionOf } from "./order_extra.ts";
import { ORDER_LAYOUT, statusOf } from "./order_store.ts";
import type { QuoteView } from "./quote_store.ts";

const {
  ORDER_PRICE,
  ORDER_QTY,
  ORDER_CUM,
  ORDER_NOTIONAL_LOW,
  ORDER_NOTIONAL_HIGH,
  ORDER_NEXT,
  ORDER_LEVEL,
  ORDER_ENTRY,
  ORDER_EXTRA,
  ORDER_OWNER,
  ORDER_TERMS,
  ORDER_STATUS,
} = ORDER_LAYOUT;
const { EXTRA_STOP_PX, EXTRA_FLOOR, EXTRA_SMP_ID, EXTRA_ACCOUNT, EXTRA_FLAGS } = EXTRA_LAYOUT;
const { LEVEL_PRICE, LEVEL_HEAD, LEVEL_NEXT } = LEVEL_LAYOUT;
const { Buy, Sell } = Side;

/** After so many orders a walk can be left, and gone on with as long as nothing has changed. */
const ORDERS_PER_STEP = 128;

/** Adds each instrument (ids ascending): its state, its books, stops and parked orders, its quotes. In steps. */
export function* digestBooks(books: Books, ids: Iterable<number>, into: Digest): Generator<void> {
  const quotes = books.registry.quotes.all();
  let next = 0;
  for (const id of ids) {
    while (next < quotes.length && quotes[next].instrument < id) next++;
    digestState(books, id, into);
    yield* digestBook(books, id, Buy, into);
    yield* digestBook(books, id, Sell, into);
    yield* digestList(books, books.levels.stopBook(id, Buy), into);
    yield* digestList(books, books.levels.stopBook(id, Sell), into);
    yield* digestList(books, books.levels.parkedBook(id), into);
    const first = next;
    while (next < quotes.length && quotes[next].instrument === id) next++;
    digestQuotes(books, quotes.slice(first, next), into);
  }
}

/** Adds the past ClOrdIDs, next to be forgotten first, each with the order that it names. In steps. */
export function* digestPast(books: Books, into: Digest): Generator<void> {
  const { registry } = books;
  into.word(registry.pastCount);
  for (let age = 0; age < registry.pastCount; age++) {
    const entry = registry.pastEntry(age);
    digestName(books, entry, into);
    digestOrder(books, registry.names.orderOf(entry), into);
    if (age % ORDERS_PER_STEP === 0) yield;
  }
}

function digestState(books: Books, id: number, into: Digest): void {
  const { instruments, states, levels, registry } = books;
  into.word(id);
  into.word(states.phase[id]);
  into.word(instruments.algorithm[id]);
  into.word(states.lastPx[id]);
  into.integer(states.lastScheduledUs[id]);
  into.word(states.indicativePx[id]);
  into.integer(states.indicativeQty[id]);
  into.integer(states.surplus[id]);
  for (const side of [Buy, Sell]) {
    const top = levels.top(bookOf(id, side));
    into.integer(top === 0 ? 0 : registry.orders.orderId(top));
  }
}

/** One side's levels, best price first, oldest order first; nothing for a side without any. */
function* digestBook(books: Books, id: number, side: number, into: Digest): Generator<void> {
  const { levels, words } = books;
  let count = 0;
  let level = levels.best(bookOf(id, side));
  if (level === 0) return;
  into.word(id);
  into.word(side);
  for (; level !== 0; level = words[level + LEVEL_NEXT]) {
    into.word(words[level + LEVEL_PRICE]);
    let order = words[level + LEVEL_HEAD];
    for (; order !== 0; order = words[order + ORDER_NEXT]) {
      digestOrder(books, order, into);
      digestName(books, words[order + ORDER_ENTRY], into);
      if (++count % ORDERS_PER_STEP === 0) yield;
    }
    into.word(0);
  }
}

/** The orders of a book that nobody sees, behind their number. */
function* digestList(books: Books, book: number, into: Digest): Generator<void> {
  const { words } = books;
  const orders: number[] = [];
  for (let level = books.levels.best(book); level !== 0; level = words[level + LEVEL_NEXT]) {
    for (let order = words[level + LEVEL_HEAD]; order !== 0; order = words[order + ORDER_NEXT]) {
      orders.push(order);
    }
  }
  into.word(orders.length);
  let count = 0;
  for (const order of orders) {
    digestOrder(books, order, into);
    digestName(books, words[order + ORDER_ENTRY], into);
    if (++count % ORDERS_PER_STEP === 0) yield;
  }
}

function digestQuotes({ registry }: Books, quotes: readonly QuoteView[], into: Digest): void {
  into.word(quotes.length);
  for (const { session, bid, offer } of quotes) {
    into.word(session);
    into.integer(bid === 0 ? 0 : registry.orders.orderId(bid));
    into.integer(offer === 0 ? 0 : registry.orders.orderId(offer));
  }
}

function digestOrder(books: Books, order: number, into: Digest): void {
  const { words, registry, levels } = books;
  into.integer(registry.orders.orderId(order));
  into.word(words[order + ORDER_PRICE]);
  into.word(words[order + ORDER_QTY]);
  into.word(words[order + ORDER_CUM]);
  into.word(words[order + ORDER_NOTIONAL_LOW]);
  into.word(words[order + ORDER_NOTIONAL_HIGH]);
  into.word(words[order + ORDER_OWNER] & 0xffff);
  into.word(words[order + ORDER_OWNER] >>> 16);
  into.word(words[order + ORDER_TERMS]);
  into.word(statusOf(words[order + ORDER_STATUS]));
  const extra = words[order + ORDER_EXTRA];
  const flags = extra === 0 ? 0 : words[extra + EXTRA_FLAGS];
  into.word(levels.isSeen(words[order + ORDER_LEVEL]) ? shownOf(words, order) : 0);
  into.word(extra === 0 ? 0 : words[extra + EXTRA_FLOOR]);
  into.word(extra === 0 ? 0 : words[extra + EXTRA_STOP_PX]);
  into.integer(registry.extras.expireUs(order));
  into.word(extra === 0 ? 0 : words[extra + EXTRA_SMP_ID]);
  into.word(smpActionOf(flags));
  into.word(execInstOf(flags));
  into.word(extra === 0 ? 0 : words[extra + EXTRA_ACCOUNT]);
  into.word(Number(isTriggered(words, order)));
  into.word(Number(isQuote(words, order)));
}

const name = new ByteSlice();
const scratch = new Uint8Array(40);

function digestName(books: Books, entry: number, into: Digest): void {
  const { names } = books.registry;
  names.read(entry, name, scratch);
  into.word(names.sessionOf(entry));
  into.bytes(name.buffer, name.start, name.length);
}
