/**
 * The order book alone on one core: price levels, queues and FIFO matching over integer order handles, 70 % limit,
 * 20 % cancel, 10 % market orders, every fill and every changed level told to a listener that counts. It has no
 * ClOrdIDs, no checks and no encoding: what other order books' own benchmarks measure. book.ts measures the engine.
 */
import { InstrumentStates } from "../../services/matcher/engine/instrument_state.ts";
import { InstrumentTable } from "../../services/matcher/engine/instrument_table.ts";
import { bookOf, LevelStore } from "../../services/matcher/engine/level_store.ts";
import { Matching } from "../../services/matcher/engine/matching.ts";
import { Memory } from "../../services/matcher/engine/memory.ts";
import { ORDER_LAYOUT, OrderStore, packTerms } from "../../services/matcher/engine/order_store.ts";
import type { OrderRegistry } from "../../services/matcher/engine/registry.ts";
import type { Reporter } from "../../services/matcher/engine/reporter.ts";
import { MatchAlgorithm, OrdStatus, OrdType, Side, TimeInForce } from "../../shared/protocol/mod.ts";
import type { BenchResult } from "../result.ts";

const { ORDER_PRICE, ORDER_QTY, ORDER_CUM, ORDER_NOTIONAL_LOW, ORDER_NOTIONAL_HIGH } = ORDER_LAYOUT;
const { ORDER_EXTRA, ORDER_LEVEL, ORDER_TERMS, ORDER_STATUS } = ORDER_LAYOUT;
const SEED = 20_240_607;
const COMMANDS = 400_000;
const RESTING = 1_000;
const ROUNDS = 12;
const MID = 100_000;
/** Limit prices lie within this of the middle, ticks: on their own side of it while fewer than RESTING orders rest. */
const DEPTH = 50;
const MAX_ORDERS = 1 << 16;
const CANCEL = 2;
const MARKET = 1;

/** The book of one instrument. */
class Book {
  fills = 0;
  levelChanges = 0;
  readonly #words: Int32Array;
  readonly #orders: OrderStore;
  readonly #levels: LevelStore;
  readonly #matching: Matching;

  constructor() {
    const memory = new Memory(OrderStore.words(MAX_ORDERS), ...LevelStore.words(1, MAX_ORDERS));
    this.#words = memory.words;
    this.#orders = new OrderStore(memory, MAX_ORDERS);
    this.#levels = new LevelStore(memory, 1, MAX_ORDERS);
    const instruments = new InstrumentTable(0, [INSTRUMENT]);
    const retire = (order: number) => this.#orders.release(order);
    const trade = () => this.fills++;
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

  /** Orders that rest. */
  get resting(): number {
    return this.#orders.usedCount;
  }

  /** Whether the order with this handle still rests; handles are used again. */
  rests(order: number): boolean {
    return this.#words[order + ORDER_LEVEL] !== 0;
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

const INSTRUMENT = {
  id: 1,
  symbol: "BOOK",
  shard: 0,
  priceScale: 2,
  tickUnits: 1,
  qtyScale: 0,
  lotUnits: 1,
  algorithm: MatchAlgorithm.Fifo,
  proRataMin: 1,
  maxOrderQtyLots: 1_000_000,
  tick: "0.01",
  lot: "1",
};

/** Commands as numbers: what it is, and for orders side, price and quantity. */
interface Flow {
  readonly kind: Uint8Array;
  readonly side: Uint8Array;
  readonly price: Int32Array;
  readonly qty: Int32Array;
  /** A cancel's order: the index of the command that entered it. */
  readonly target: Int32Array;
}

/** Operations per second, best of a few rounds; `scale` shrinks the run for tests. */
export function run(scale = 1): BenchResult[] {
  const flow = record(Math.max(RESTING * 2, Math.round(COMMANDS * scale)));
  let best = 0;
  let hash = "";
  for (let round = 0; round < ROUNDS; round++) {
    const book = new Book();
    const handles = new Int32Array(flow.kind.length);
    play(book, flow, handles, 0, RESTING);
    const start = performance.now();
    play(book, flow, handles, RESTING, flow.kind.length);
    best = Math.max(best, (flow.kind.length - RESTING) / (performance.now() - start) * 1000);
    hash = `${book.fills}-${book.levelChanges}`;
  }
  return [{ name: "book without ids: FIFO, 1,000 resting", unit: "ops/s", value: best, bar: 5e6, hash }];
}

function play(book: Book, flow: Flow, handles: Int32Array, from: number, to: number): void {
  const { kind, side, price, qty, target } = flow;
  for (let i = from; i < to; i++) {
    if (kind[i] === CANCEL) book.cancel(handles[target[i]]);
    else handles[i] = book.add(side[i] as Side, price[i], qty[i]);
  }
}

/** Draws the flow; cancels always name an order that rests at that moment. */
function record(count: number): Flow {
  const flow: Flow = {
    kind: new Uint8Array(count),
    side: new Uint8Array(count),
    price: new Int32Array(count),
    qty: new Int32Array(count),
    target: new Int32Array(count),
  };
  let state = SEED;
  const below = (limit: number) => {
    state = Math.imul(state, 1_103_515_245) + 12_345 & 0x7fffffff;
    return (state >>> 8) % limit;
  };
  const book = new Book();
  const handles = new Int32Array(count);
  const entered: number[] = [];
  for (let i = 0; i < count; i++) {
    const drawn = i < RESTING ? 99 : below(100);
    const target = drawn < 20 ? takeResting(book, handles, entered, below) : -1;
    if (target >= 0) {
      flow.kind[i] = CANCEL;
      flow.target[i] = target;
      book.cancel(handles[target]);
      handles[target] = 0;
      continue;
    }
    const isBuy = below(2) === 0;
    const away = book.resting < RESTING ? below(DEPTH) : below(2 * DEPTH) - DEPTH;
    flow.kind[i] = drawn < 30 ? MARKET : 0;
    flow.side[i] = isBuy ? Side.Buy : Side.Sell;
    flow.price[i] = drawn < 30 ? 0 : isBuy ? MID - away : MID + away;
    flow.qty[i] = 1 + below(100);
    const handle = book.add(flow.side[i] as Side, flow.price[i], flow.qty[i]);
    handles[i] = handle;
    if (handle !== 0) entered.push(i);
  }
  return flow;
}

/** The index of a random command whose order still rests, or -1; forgets those it finds gone. */
function takeResting(
  book: Book,
  handles: Int32Array,
  entered: number[],
  below: (limit: number) => number,
): number {
  while (entered.length > 0) {
    const at = below(entered.length);
    const index = entered[at];
    entered[at] = entered[entered.length - 1];
    entered.pop();
    if (handles[index] !== 0 && book.rests(handles[index])) return index;
  }
  return -1;
}
