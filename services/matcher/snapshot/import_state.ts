/**
 * Puts the sections of a snapshot into a fresh engine, by the engine's own ways of adding orders, so that its tables and
 * free lists become what they would be. Checks what it needs in order not to harm; that nothing else is amiss, the state
 * hash says. Pure. docs/snapshots.md.
 */
import { ByteSlice } from "../../../shared/codec/wire/mod.ts";
import {
  type Instrument,
  MAX_CL_ORD_ID_BYTES,
  MAX_PRICE_TICKS,
  Phase,
  Side,
} from "../../../shared/protocol/mod.ts";
import type { Books } from "../engine/books.ts";
import type { Engine } from "../engine/mod.ts";
import { isPhase } from "../engine/instrument_state.ts";
import { bookOf, LEVEL_LAYOUT, type LevelListener } from "../engine/level_store.ts";
import { EXTRA_LAYOUT, shownOf, smpActionIn } from "../engine/order_extra.ts";
import { leavesOf, ORDER_LAYOUT } from "../engine/order_store.ts";
import { isStopType } from "../engine/order_terms.ts";
import type { ByteReader } from "./byte_reader.ts";
import { booksOf, RECORDS_A_LOOK } from "./export_state.ts";
import { readGateways, readSessions } from "./import_sequences.ts";
import { ALIGNMENT, HASH_DIGITS, ORDER_FOLLOWS, SectionKind } from "./layout.ts";
import { OrderRecord } from "./order_record.ts";
import type { Pace } from "./pace.ts";
import { rulesDigest } from "./rules_digest.ts";

const { ORDER_ENTRY, ORDER_EXTRA, ORDER_NEXT } = ORDER_LAYOUT;
const { LEVEL_HEAD } = LEVEL_LAYOUT;
const { EXTRA_SMP_ID, EXTRA_ACCOUNT, EXTRA_FLAGS } = EXTRA_LAYOUT;
const { Buy, Sell } = Side;
const { Continuous } = Phase;
/** Level changes that nobody has to hear of. */
const NOBODY: LevelListener = { levelChanged() {} };

/** What the header promises, and what the engine can hold. */
export interface ImportLimits {
  readonly instruments: number;
  readonly openOrders: number;
  readonly pastNames: number;
  readonly sessions: number;
  readonly gateways: number;
}

/** Reads sections 1 to 5, one call each and in their order. A call returns null or why the snapshot is no good. */
export class StateImport {
  /** Ids of the instruments that the snapshot knows, ascending. */
  readonly ids: number[] = [];
  readonly #engine: Engine;
  readonly #books: Books;
  readonly #known: ReadonlyMap<number, Instrument>;
  readonly #limits: ImportLimits;
  readonly #record = new OrderRecord();
  /** OrderID of each side's top order, by book. */
  readonly #tops = new Map<number, number>();
  readonly #pace: Pace;

  /** `engine` is new, made for `instruments`. */
  constructor(engine: Engine, instruments: readonly Instrument[], limits: ImportLimits, pace: Pace) {
    this.#pace = pace;
    this.#engine = engine;
    this.#books = engine.books;
    this.#known = new Map(instruments.map((each) => [each.id, each]));
    this.#limits = limits;
  }

  /** Reads a section whole. */
  read(kind: SectionKind, from: ByteReader): string | null {
    const fault = this.#readBody(kind, from);
    if (fault !== null) return fault;
    if (from.failed) return `section ${kind} is shorter than what it holds`;
    return from.left === 0 ? null : `section ${kind} is longer than what it holds`;
  }

  #readBody(kind: SectionKind, from: ByteReader): string | null {
    switch (kind) {
      case SectionKind.Instruments:
        return this.#instruments(from);
      case SectionKind.Books:
        return this.#allBooks(from);
      case SectionKind.Past:
        return this.#past(from);
      case SectionKind.Sessions:
        return readSessions(this.#engine, this.#limits.sessions, from);
      case SectionKind.Gateways:
        return readGateways(this.#engine, this.#limits.gateways, from);
    }
  }

  #instruments(from: ByteReader): string | null {
    for (let i = 0; i < this.#limits.instruments; i++) {
      const id = from.u32();
      const instrument = this.#known.get(id);
      if (from.failed) return null;
      if (instrument === undefined) return `the venue does not list its instrument ${id}`;
      if (i > 0 && id <= this.ids[i - 1]) return `instrument ${id} is out of order`;
      this.ids.push(id);
      const fault = this.#instrument(instrument, from);
      if (fault !== null) return fault;
    }
    return null;
  }

  #instrument(instrument: Instrument, from: ByteReader): string | null {
    const { id, symbol } = instrument;
    const phase = from.u8();
    const algorithm = from.u8();
    from.skip(2);
    const rules = from.text(HASH_DIGITS);
    const state = {
      phase,
      algorithm,
      lastPxTicks: from.i32(),
      indicativePriceTicks: from.i32(),
      indicativeQtyLots: from.integer(),
      surplusLots: from.f64(),
      lastScheduledUs: from.integer(),
    };
    const volatilitySinceUs = from.integer();
    for (const side of [Buy, Sell]) this.#tops.set(bookOf(id, side), from.integer());
    if (from.failed) return `the state of instrument ${id} is no such thing`;
    if (rules !== rulesDigest(instrument)) return `the rules of ${symbol} (instrument ${id}) are others now`;
    if (!isPhase(phase) || !Number.isSafeInteger(state.surplusLots)) {
      return `the state of instrument ${id} is no such thing`;
    }
    this.#books.states.restore(id, state, volatilitySinceUs);
    return this.#books.instruments.algorithm[id] === algorithm
      ? null
      : `instrument ${id} has an unknown algorithm ${algorithm}`;
  }

  #allBooks(from: ByteReader): string | null {
    const { levels, registry, states } = this.#books;
    for (const id of this.ids) {
      for (const book of booksOf(levels, id)) {
        const fault = this.#book(id, book, from);
        if (fault !== null) return fault;
      }
      levels.settle(NOBODY);
      if (states.phase[id] === Continuous && levels.isCrossed(id)) {
        return `the book of instrument ${id} is crossed`;
      }
    }
    const { openCount } = registry.orders;
    return openCount === this.#limits.openOrders ? this.#setTops() : `it holds ${openCount} open orders`;
  }

  #book(id: number, book: number, from: ByteReader): string | null {
    const count = from.integer();
    for (let i = 0; i < count; i++) {
      const price = from.i32();
      const orders = from.u32();
      if (from.failed) return null;
      if (price < 1 || price > MAX_PRICE_TICKS || orders === 0) return `instrument ${id} has no such level`;
      for (let j = 0; j < orders; j++) {
        const fault = this.#resting(id, book, price, from);
        if (fault !== null) return fault;
      }
    }
    return null;
  }

  #resting(id: number, book: number, price: number, from: ByteReader): string | null {
    const record = this.#record;
    const { command } = record;
    const { registry, levels, words, states } = this.#books;
    if (registry.orders.openCount >= this.#limits.openOrders) return "it holds more open orders than it says";
    if (!record.read(from)) return `an order of instrument ${id} is no such thing`;
    const { orderId } = record;
    if (command.instrumentId !== id || !record.isOpen) return `order ${orderId} is in the wrong place`;
    const order = record.isQuote ? this.#quoted() : this.#named();
    if (order === 0) return `order ${orderId} has a name that it cannot have`;
    record.complete(this.#books, order);
    const leaves = leavesOf(words, order);
    if (leaves < 1) return `order ${orderId} has nothing left`;
    levels.append(order, book, price);
    if (record.shown !== 0) levels.reshow(order, record.shown, shownOf(words, order), leaves);
    registry.expiry.update(order);
    if (isStopType(command.ordType)) states.stops[id]++;
    if (registry.orders.openCount % RECORDS_A_LOOK === 0) this.#pace.look();
    return null;
  }

  /** A new open order under its ClOrdID; 0 when that, or its OrderID, is taken or no such thing. */
  #named(): number {
    const { registry, names } = this.#books;
    const { command, orderId } = this.#record;
    const { clOrdId, sessionId } = command;
    if (clOrdId.length === 0 || clOrdId.length > MAX_CL_ORD_ID_BYTES) return 0;
    if (names.find(sessionId, clOrdId) !== 0 || registry.findOrderId(orderId) !== 0) return 0;
    registry.nextOrderId[0] = orderId;
    return registry.open(command);
  }

  /** A new open order for a side of its session's quote; 0 when there is one, or the QuoteID is no such thing. */
  #quoted(): number {
    const { registry, words } = this.#books;
    const { quotes } = registry;
    const record = this.#record;
    const { command } = record;
    const { clOrdId, sessionId, instrumentId, side } = command;
    if (clOrdId.length === 0 || clOrdId.length > MAX_CL_ORD_ID_BYTES) return 0;
    let quote = quotes.find(sessionId, instrumentId);
    if (quote === 0) quote = quotes.add(sessionId, instrumentId);
    if (quotes.orderOf(quote, side) !== 0) return 0;
    quotes.rename(quote, clOrdId);
    const { priceTicks, qtyLots } = command;
    const order = registry.openQuote(record.orderId, quote, record.terms, priceTicks, qtyLots, command);
    const extra = words[order + ORDER_EXTRA];
    words[extra + EXTRA_SMP_ID] = command.smpId;
    words[extra + EXTRA_ACCOUNT] = command.account;
    words[extra + EXTRA_FLAGS] = smpActionIn(command);
    return order;
  }

  /** Top orders, once every order is there: a quote's side has no place in the index of OrderIDs. */
  #setTops(): string | null {
    const { levels, registry, words } = this.#books;
    for (const [book, orderId] of this.#tops) {
      if (orderId === 0) continue;
      let order = words[levels.best(book) + LEVEL_HEAD];
      while (order !== 0 && registry.orders.orderId(order) !== orderId) order = words[order + ORDER_NEXT];
      if (order === 0) return `the top order ${orderId} is not at the best price`;
      levels.setTop(book, order);
    }
    return null;
  }

  #past(from: ByteReader): string | null {
    const { registry } = this.#books;
    const name = new ByteSlice();
    for (let age = 0; age < this.#limits.pastNames; age++) {
      if (age % RECORDS_A_LOOK === 0) this.#pace.look();
      const orderId = from.integer();
      const session = from.u16();
      const nameLength = from.u8();
      const flags = from.u8();
      from.skip(4);
      from.slice(nameLength, name);
      from.align(ALIGNMENT);
      if (from.failed) return null;
      if (nameLength === 0 || nameLength > MAX_CL_ORD_ID_BYTES || flags > ORDER_FOLLOWS) {
        return `past ClOrdID ${age} is no such thing`;
      }
      const known = registry.findOrderId(orderId);
      if (flags === ORDER_FOLLOWS) {
        if (known !== 0 || !this.#done(orderId, session, name, from)) {
          return `the order of past ClOrdID ${age} is no such thing`;
        }
      } else if (known === 0 || !this.#addPast(known, session, name)) {
        return `past ClOrdID ${age} names no order`;
      }
    }
    return null;
  }

  /** A done order under the first of its past names. */
  #done(orderId: number, session: number, name: ByteSlice, from: ByteReader): boolean {
    const record = this.#record;
    const { registry, names } = this.#books;
    if (!record.read(from) || record.orderId !== orderId || record.isOpen || record.isQuote) return false;
    if (names.find(session, name) !== 0) return false;
    registry.nextOrderId[0] = orderId;
    const order = registry.open(record.command);
    record.complete(this.#books, order);
    registry.retire(order);
    return true;
  }

  /** Another past name of an order. The last of a done order's is the one that it goes by. */
  #addPast(order: number, session: number, name: ByteSlice): boolean {
    const { registry, names, words } = this.#books;
    if (names.find(session, name) !== 0) return false;
    registry.addPast(order);
    if (!registry.orders.isOpen(order)) {
      words[order + ORDER_ENTRY] = registry.pastEntry(registry.pastCount - 1);
    }
    return true;
  }
}
