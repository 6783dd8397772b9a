/**
 * Walks all state of an engine in the order of the state hash and writes it, section by section. Reads the engine, which
 * must stand between two command messages, and changes nothing in it. Pure. docs/snapshots.md.
 */
import { ByteSlice } from "../../../shared/codec/wire/mod.ts";
import { type Instrument, Side } from "../../../shared/protocol/mod.ts";
import type { Books } from "../engine/books.ts";
import type { Engine } from "../engine/mod.ts";
import { bookOf, LEVEL_LAYOUT, type LevelStore } from "../engine/level_store.ts";
import { ORDER_LAYOUT, statusOf } from "../engine/order_store.ts";
import { OrdStatus } from "../../../shared/protocol/mod.ts";
import type { ByteWriter } from "./byte_writer.ts";
import type { Pace } from "./pace.ts";
import { rulesDigest } from "./rules_digest.ts";
import { ALIGNMENT, ORDER_FOLLOWS, SectionKind } from "./layout.ts";
import { writeName, writeOrder } from "./order_record.ts";

const { ORDER_NEXT, ORDER_STATUS } = ORDER_LAYOUT;
const { LEVEL_PRICE, LEVEL_HEAD, LEVEL_COUNT, LEVEL_NEXT } = LEVEL_LAYOUT;
const { Buy, Sell } = Side;
const { PartiallyFilled } = OrdStatus;

/** How much there is of each, for the header. */
export interface StateCounts {
  readonly instruments: number;
  readonly openOrders: number;
  readonly pastNames: number;
  readonly sessions: number;
  readonly gateways: number;
}

/** Writes the body of a section, and asks `pace` every {@link RECORDS_A_LOOK} of its records at least. */
export type SectionWriter = (
  engine: Engine,
  instruments: readonly Instrument[],
  out: ByteWriter,
  pace: Pace,
) => void;

/** Orders or names, written or read, between two looks at the clock: some ten microseconds. */
export const RECORDS_A_LOOK = 16;

/** How each section is written, in their order. `instruments` are those of the engine's shard, ids ascending. */
export const SECTION_WRITERS: readonly (readonly [SectionKind, SectionWriter])[] = [
  [SectionKind.Instruments, writeInstruments],
  [SectionKind.Books, writeBooks],
  [SectionKind.Past, writePast],
  [SectionKind.Sessions, writeSessions],
  [SectionKind.Gateways, writeGateways],
];

/** The counts of an engine's state. */
export function countsOf({ books, gateways, sessions }: Engine): StateCounts {
  let sessionCount = 0;
  let gatewayCount = 0;
  sessions.forEach(() => sessionCount++);
  gateways.forEach(() => gatewayCount++);
  return {
    instruments: books.instruments.ids.length,
    openOrders: books.registry.orders.openCount,
    pastNames: books.registry.pastCount,
    sessions: sessionCount,
    gateways: gatewayCount,
  };
}

/** The books of an instrument, in the order of the state hash: what people see, stops, parked orders. */
export function booksOf(levels: LevelStore, id: number): readonly number[] {
  return [
    bookOf(id, Buy),
    bookOf(id, Sell),
    levels.stopBook(id, Buy),
    levels.stopBook(id, Sell),
    levels.parkedBook(id),
  ];
}

function writeInstruments({ books }: Engine, instruments: readonly Instrument[], out: ByteWriter): void {
  const { levels, registry, states } = books;
  const topOf = (id: number, side: number) => {
    const order = levels.top(bookOf(id, side));
    return order === 0 ? 0 : registry.orders.orderId(order);
  };
  for (const instrument of instruments) {
    const { id } = instrument;
    const state = states.of(id);
    out.word(id);
    out.u8(state.phase);
    out.u8(state.algorithm);
    out.u16(0);
    out.text(rulesDigest(instrument));
    out.word(state.lastPxTicks);
    out.word(state.indicativePriceTicks);
    out.f64(state.indicativeQtyLots);
    out.f64(state.surplusLots);
    out.f64(state.lastScheduledUs);
    out.f64(states.volatilitySinceUs[id]);
    out.f64(topOf(id, Buy));
    out.f64(topOf(id, Sell));
  }
}

function writeBooks(
  { books }: Engine,
  instruments: readonly Instrument[],
  out: ByteWriter,
  pace: Pace,
): void {
  const { levels } = books;
  for (const { id } of instruments) {
    for (const book of booksOf(levels, id)) writeBook(books, book, out, pace);
  }
}

/** A book's levels behind their number, best first; each level's orders, oldest first. */
function writeBook(books: Books, book: number, out: ByteWriter, pace: Pace): void {
  const { levels, words } = books;
  const countAt = out.length;
  let count = 0;
  let orders = 0;
  out.f64(0);
  for (let level = levels.best(book); level !== 0; level = words[level + LEVEL_NEXT]) {
    count++;
    out.word(words[level + LEVEL_PRICE]);
    out.word(words[level + LEVEL_COUNT]);
    for (let order = words[level + LEVEL_HEAD]; order !== 0; order = words[order + ORDER_NEXT]) {
      writeOrder(books, order, true, out);
      if (++orders % RECORDS_A_LOOK === 0) pace.look();
    }
  }
  out.setF64(countAt, count);
}

/** Past ClOrdIDs, next to be forgotten first. A done order stands with the first of its names. */
function writePast(
  { books }: Engine,
  _instruments: readonly Instrument[],
  out: ByteWriter,
  pace: Pace,
): void {
  const { registry, words } = books;
  const { names, orders } = registry;
  const written = new Set<number>();
  const name = new ByteSlice();
  const scratch = new Uint8Array(40);
  for (let age = 0; age < registry.pastCount; age++) {
    if (age % RECORDS_A_LOOK === 0) pace.look();
    const entry = registry.pastEntry(age);
    const order = names.orderOf(entry);
    const isNews = statusOf(words[order + ORDER_STATUS]) > PartiallyFilled && !written.has(order);
    names.read(entry, name, scratch);
    out.f64(orders.orderId(order));
    out.u16(names.sessionOf(entry));
    out.u8(name.length);
    out.u8(isNews ? ORDER_FOLLOWS : 0);
    out.word(0);
    writeName(name, out);
    if (!isNews) continue;
    written.add(order);
    writeOrder(books, order, false, out);
  }
}

function writeSessions({ sessions }: Engine, _instruments: readonly Instrument[], out: ByteWriter): void {
  sessions.forEach((session, incarnation, highest, seen) => {
    let words = seen.length;
    while (words > 0 && seen[words - 1] === 0) words--;
    out.word(session);
    out.word(words);
    out.f64(incarnation);
    out.f64(highest);
    for (let i = 0; i < words; i++) out.word(seen[i]);
    out.align(ALIGNMENT);
  });
}

function writeGateways({ gateways }: Engine, _instruments: readonly Instrument[], out: ByteWriter): void {
  gateways.forEach((gatewayId, bootId, lastSeq) => {
    out.f64(gatewayId);
    out.f64(bootId);
    out.f64(lastSeq);
  });
}
