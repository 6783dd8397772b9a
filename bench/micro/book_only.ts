/**
 * The order book alone on one core, on the FIFO flow of book.ts: price levels, queues and matching over integer order
 * handles, every fill and every changed level told to a listener that counts. It has no ClOrdIDs, no checks and no
 * encoding: what other order books' own benchmarks measure. book.ts measures the engine.
 */
import { InstrumentStates } from "../../services/matcher/engine/instrument_state.ts";
import { InstrumentTable } from "../../services/matcher/engine/instrument_table.ts";
import { bookOf, LevelStore } from "../../services/matcher/engine/level_store.ts";
import { Matching } from "../../services/matcher/engine/matching.ts";
import { Memory } from "../../services/matcher/engine/memory.ts";
import { ORDER_LAYOUT, OrderStore, packTerms } from "../../services/matcher/engine/order_store.ts";
import type { OrderRegistry } from "../../services/matcher/engine/registry.ts";
import type { Reporter } from "../../services/matcher/engine/reporter.ts";
import { OrdStatus, OrdType, Side, TimeInForce } from "../../shared/protocol/mod.ts";
import { testInstrument } from "../../shared/testing/instrument.ts";
import type { BenchResult } from "../result.ts";
import { record, TRADING } from "./book.ts";
import type { Flow } from "./book_flow.ts";
import { Slices } from "./slices.ts";

const { ORDER_PRICE, ORDER_QTY, ORDER_CUM, ORDER_NOTIONAL_LOW, ORDER_NOTIONAL_HIGH } = ORDER_LAYOUT;
const { ORDER_EXTRA, ORDER_LEVEL, ORDER_TERMS, ORDER_STATUS } = ORDER_LAYOUT;
const ROUNDS = 12;
const MAX_ORDERS = 1 << 16;

/** The book of one instrument. */
class Book {
  fills = 0;
  lots = 0;
  levelChanges = 0;
  readonly #words: Int32Array;
  readonly #orders: OrderStore;
  readonly #levels: LevelStore;
  readonly #matching: Matching;

  constructor() {
    const memory = new Memory(null, OrderStore.words(MAX_ORDERS), ...LevelStore.words(1, MAX_ORDERS));
    this.#words = memory.words;
    this.#orders = new OrderStore(memory, MAX_ORDERS);
    this.#levels = new LevelStore(memory, 1, MAX_ORDERS);
    const instruments = new InstrumentTable(0, [testInstrument(1)]);
    const retire = (order: number) => this.#orders.release(order);
    const trade = (_aggressor: number, _resting: number, _priceTicks: number, qtyLots: number) => {
      this.fills++;
      this.lots += qtyLots;
    };
    // Matching calls nothing else of the two; a book without ids has neither.
    const registry = { retire } as unknown as OrderRegistry;
    const reporter = { trade } as unknown as Reporter;
    const states = new InstrumentStates(instruments, this.#levels, reporter);
    this.#matching = new Matching(memory, instruments, states, registry, this.#levels, reporter, MAX_ORDERS);
  }

  /** Matches a new order. Returns its handle when it rests, else 0. `priceTicks` 0 is a market order. */
  add(side: Side, priceTicks: number, qtyLots: number): number {
    const words = this.#words;
    const order = this.#orders.take();
    words[order + ORDER_PRICE] = priceTicks;
    words[order + ORDER_QTY] = qtyLots;
    words[order + ORDER_CUM] = 0;
    words[order + ORDER_NOTIONAL_LOW] = 0;
    words[order + ORDER_NOTIONAL_HIGH] = 0;
    words[order + ORDER_LEVEL] = 0;
    words[order + ORDER_EXTRA] = 0;
    words[order + ORDER_STATUS] = OrdStatus.New;
    const type = priceTicks === 0 ? OrdType.Market : OrdType.Limit;
    words[order + ORDER_TERMS] = packTerms(1, side, type, TimeInForce.Day);
    this.#matching.match(order);
    const rests = priceTicks !== 0 && words[order + ORDER_STATUS] !== OrdStatus.Filled;
    if (rests) this.#levels.append(order, bookOf(1, side), priceTicks);
    else this.#orders.release(order);
    this.#levels.settle(this);
    return rests ? order : 0;
  }

  /** Takes a resting order out. */
  cancel(order: number): void {
    this.#levels.remove(order);
    this.#orders.release(order);
    this.#levels.settle(this);
  }

  levelChanged(): void {
    this.levelChanges++;
  }
}

/** Operations per second, best round of each slice; `scale` shrinks the run for tests. */
export function run(scale = 1): BenchResult[] {
  const flow = record(TRADING, scale);
  const slices = new Slices(flow.fill, flow.total);
  let hash = "";
  for (let round = 0; round < ROUNDS; round++) {
    const book = new Book();
    const handles = new Int32Array(flow.total);
    play(book, flow, handles, 0, flow.fill);
    slices.run((from, to) => play(book, flow, handles, from, to));
    hash = `${book.fills}-${book.lots}`;
  }
  const note = `${hash} trades and lots; integer handles, no lookups, no checks, no messages`;
  return [{ name: "book without ids: FIFO", unit: "ops/s", value: slices.perSecond, bar: 5e6, hash, note }];
}

function play(book: Book, flow: Flow, handles: Int32Array, from: number, to: number): void {
  const { terms, prices, quantities, targets } = flow;
  for (let i = from; i < to; i++) {
    const target = targets[i];
    if (target >= 0) book.cancel(handles[target]);
    else handles[i] = book.add((terms[i] >> 8 & 0xff) as Side, prices[i], quantities[i]);
  }
}
