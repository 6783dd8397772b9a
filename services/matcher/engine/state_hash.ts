/**
 * The state hash: a digest of everything that a later event could depend on, in a defined order, so that two engines
 * that applied the same stream agree. Pure. Read-only; costs a walk over the whole state. docs/matching.md lists it.
 */
import { Side } from "../../../shared/protocol/mod.ts";
import { ByteSlice } from "../../../shared/codec/wire/mod.ts";
import type { Digest } from "./digest.ts";
import { bookOf, LEVEL_LAYOUT } from "./level_store.ts";
import type { Books } from "./order_commands.ts";
import { ORDER_LAYOUT } from "./order_store.ts";

const {
  ORDER_PRICE,
  ORDER_QTY,
  ORDER_CUM,
  ORDER_NOTIONAL_LOW,
  ORDER_NOTIONAL_HIGH,
  ORDER_NEXT,
  ORDER_ENTRY,
  ORDER_OWNER,
  ORDER_TERMS,
  ORDER_STATUS,
} = ORDER_LAYOUT;
const { LEVEL_PRICE, LEVEL_HEAD, LEVEL_NEXT } = LEVEL_LAYOUT;

/** Adds the books: instruments by ascending id, buys then sells, best price first, oldest order first. */
export function digestBooks(books: Books, into: Digest): void {
  const { levels, words, instruments } = books;
  for (const id of instruments.ids) {
    for (let side: number = Side.Buy; side <= Side.Sell; side++) {
      let level = levels.best(bookOf(id, side));
      if (level === 0) continue;
      into.word(id);
      into.word(side);
      for (; level !== 0; level = words[level + LEVEL_NEXT]) {
        into.word(words[level + LEVEL_PRICE]);
        let order = words[level + LEVEL_HEAD];
        for (; order !== 0; order = words[order + ORDER_NEXT]) {
          digestOrder(books, order, into);
          digestName(books, words[order + ORDER_ENTRY], into);
        }
        into.word(0);
      }
    }
  }
}

/** Adds the past ClOrdIDs, next to be forgotten first, each with the order that it names. */
export function digestPast(books: Books, into: Digest): void {
  const { registry } = books;
  into.word(registry.pastCount);
  for (let age = 0; age < registry.pastCount; age++) {
    const entry = registry.pastEntry(age);
    digestName(books, entry, into);
    digestOrder(books, registry.names.orderOf(entry), into);
  }
}

function digestOrder(books: Books, order: number, into: Digest): void {
  const { words, registry } = books;
  into.integer(registry.orders.orderId(order));
  into.word(words[order + ORDER_PRICE]);
  into.word(words[order + ORDER_QTY]);
  into.word(words[order + ORDER_CUM]);
  into.word(words[order + ORDER_NOTIONAL_LOW]);
  into.word(words[order + ORDER_NOTIONAL_HIGH]);
  into.word(words[order + ORDER_OWNER] & 0xffff);
  into.word(words[order + ORDER_OWNER] >>> 16);
  into.word(words[order + ORDER_TERMS]);
  into.word(words[order + ORDER_STATUS]);
}

const name = new ByteSlice();
const scratch = new Uint8Array(40);

function digestName(books: Books, entry: number, into: Digest): void {
  const { names } = books.registry;
  names.read(entry, name, scratch);
  into.word(names.sessionOf(entry));
  into.bytes(name.buffer, name.start, name.length);
}
