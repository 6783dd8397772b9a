/**
 * What the engine does with one command message, kept for an explanation: every event, and every level and auction with
 * what stood there before anything traded. Reads the engine's books, changes nothing. Pure.
 */
import { ByteSlice, type Event } from "../../shared/codec/wire/mod.ts";
import {
  charOfCode,
  EventKind,
  type MatchAlgorithm,
  MAX_CL_ORD_ID_BYTES,
} from "../../shared/protocol/mod.ts";
import { makerOf } from "../../services/matcher/engine/allocation.ts";
import type { ToldStep } from "../../services/matcher/engine/allocation_told.ts";
import type { AuctionCurve } from "../../services/matcher/engine/auction_price.ts";
import { LEVEL_LAYOUT } from "../../services/matcher/engine/level_layout.ts";
import type { MatchListener } from "../../services/matcher/engine/match_listener.ts";
import type { Engine, EventSink } from "../../services/matcher/engine/mod.ts";
import { shownOf } from "../../services/matcher/engine/order_extra.ts";
import { leavesOf, ORDER_LAYOUT, sideOf } from "../../services/matcher/engine/order_store.ts";

const { ORDER_NEXT, ORDER_ENTRY, ORDER_TERMS } = ORDER_LAYOUT;
const { LEVEL_PRICE, LEVEL_HEAD, LEVEL_BOOK } = LEVEL_LAYOUT;

/** An event of an order, as far as explanations need it; all others keep their place with kind and nothing else. */
export interface RecordedEvent {
  readonly kind: EventKind;
  readonly commandIndex: number;
  readonly orderId: number;
  readonly clOrdId: string;
  readonly sessionId: number;
  readonly firmId: number;
  readonly instrumentId: number;
  readonly side: number;
  readonly ordType: number;
  readonly priceTicks: number;
  readonly orderQtyLots: number;
  readonly cumQtyLots: number;
  readonly leavesQtyLots: number;
  readonly lastPxTicks: number;
  readonly lastQtyLots: number;
  readonly tradeIndex: number;
  readonly reason: number;
}

/** What events that are no order's leave in a reused Event is of the one before. */
const NO_ORDER: Omit<RecordedEvent, "kind"> = {
  commandIndex: 0,
  orderId: 0,
  clOrdId: "",
  sessionId: 0,
  firmId: 0,
  instrumentId: 0,
  side: 0,
  ordType: 0,
  priceTicks: 0,
  orderQtyLots: 0,
  cumQtyLots: 0,
  leavesQtyLots: 0,
  lastPxTicks: 0,
  lastQtyLots: 0,
  tradeIndex: 0,
  reason: 0,
};

/** An order at a level before anything happened there. */
export interface RestingOrder {
  readonly orderId: number;
  /** Empty for a side of a quote. */
  readonly clOrdId: string;
  readonly sessionId: number;
  readonly firmId: number;
  readonly shownLots: number;
  readonly hiddenLots: number;
  readonly isTop: boolean;
  /** Its share as a lead market maker, percent; null for everybody else. */
  readonly makerPercent: number | null;
}

/** An aggressor at a price level. */
export interface LevelStage {
  readonly kind: "level";
  /** Events from this index on, up to the next stage's, belong to it. */
  readonly firstEvent: number;
  readonly instrumentId: number;
  readonly algorithm: MatchAlgorithm;
  /** Of the resting orders. */
  readonly side: number;
  readonly priceTicks: number;
  readonly aggressorId: number;
  readonly aggressorSide: number;
  /** What of the aggressor was left when it came to the level. */
  readonly leftLots: number;
  /** In time priority. */
  readonly orders: readonly RestingOrder[];
  /**
   * `order` of a share is an index into `orders`. None when the oldest were taken first, be it the algorithm or since the
   * whole level went.
   */
  readonly steps: ToldStep[];
}

/** An auction that found a price. */
export interface AuctionStage {
  readonly kind: "auction";
  readonly firstEvent: number;
  readonly instrumentId: number;
  readonly priceTicks: number;
  readonly qtyLots: number;
  readonly surplusLots: number;
  readonly referenceTicks: number;
  readonly marketBuyLots: number;
  readonly marketSellLots: number;
  /** What would be bought and sold at each candidate, by rising price. */
  readonly rows: readonly {
    readonly priceTicks: number;
    readonly buyLots: number;
    readonly sellLots: number;
  }[];
}

/** Takes down one command message; give it to the engine as sink and as its matching's listener. */
export class Recording implements EventSink, MatchListener {
  readonly events: RecordedEvent[] = [];
  readonly stages: (LevelStage | AuctionStage)[] = [];
  readonly #engine: Engine;
  /** The present level's handles, and the indices of their orders. */
  readonly #places = new Map<number, number>();
  readonly #name = new ByteSlice();
  readonly #scratch = new Uint8Array(MAX_CL_ORD_ID_BYTES);

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  commandStarts(): void {}

  event(event: Event): void {
    const kind = event.kind as EventKind;
    if (kind >= EventKind.LevelChanged) {
      this.events.push({ ...NO_ORDER, kind });
      return;
    }
    const { commandIndex, orderId, sessionId, firmId, instrumentId, side, ordType, priceTicks } = event;
    const { orderQtyLots, cumQtyLots, leavesQtyLots, lastPxTicks, lastQtyLots, tradeIndex, reason } = event;
    this.events.push({
      kind,
      commandIndex,
      orderId,
      clOrdId: event.clOrdId.toString(),
      sessionId,
      firmId,
      instrumentId,
      side,
      ordType,
      priceTicks,
      orderQtyLots,
      cumQtyLots,
      leavesQtyLots,
      lastPxTicks,
      lastQtyLots,
      tradeIndex,
      reason,
    });
  }

  levelReached(aggressor: number, level: number): void {
    const { words, instruments, registry: { orders } } = this.#engine.books;
    const book = words[level + LEVEL_BOOK];
    const instrumentId = book >> 1;
    this.#places.clear();
    const resting: RestingOrder[] = [];
    for (let order = words[level + LEVEL_HEAD]; order !== 0; order = words[order + ORDER_NEXT]) {
      this.#places.set(order, resting.length);
      resting.push(this.#resting(order, book));
    }
    this.stages.push({
      kind: "level",
      firstEvent: this.events.length,
      instrumentId,
      algorithm: String.fromCharCode(charOfCode(instruments.algorithm[instrumentId])) as MatchAlgorithm,
      side: (book & 1) + 1,
      priceTicks: words[level + LEVEL_PRICE],
      aggressorId: orders.orderId(aggressor),
      aggressorSide: sideOf(words[aggressor + ORDER_TERMS]),
      leftLots: leavesOf(words, aggressor),
      orders: resting,
      steps: [],
    });
  }

  step(told: ToldStep): void {
    const stage = this.stages.at(-1);
    if (stage?.kind !== "level") throw new Error("Cannot record a step: no level was reached");
    const shares = told.shares.map((share) => ({ ...share, order: this.#places.get(share.order)! }));
    stage.steps.push({ ...told, shares });
  }

  auctionPriced(instrumentId: number, curve: AuctionCurve): void {
    const { priceTicks, qtyLots, surplusLots, referenceTicks, marketBuyLots, marketSellLots } = curve;
    const rows = Array.from({ length: curve.count }, (_, i) => ({
      priceTicks: curve.price[i],
      buyLots: curve.buy[i],
      sellLots: curve.sell[i],
    }));
    const figures = { priceTicks, qtyLots, surplusLots, referenceTicks, marketBuyLots, marketSellLots };
    this.stages.push({ kind: "auction", firstEvent: this.events.length, instrumentId, ...figures, rows });
  }

  #resting(order: number, book: number): RestingOrder {
    const { words, instruments, names, levels, registry: { orders } } = this.#engine.books;
    const rules = instruments.rules[book >> 1];
    const firmId = orders.firm(order);
    const maker = makerOf(rules, firmId);
    const entry = words[order + ORDER_ENTRY];
    if (entry !== 0) names.read(entry, this.#name, this.#scratch);
    const shownLots = shownOf(words, order);
    return {
      orderId: orders.orderId(order),
      clOrdId: entry === 0 ? "" : this.#name.toString(),
      sessionId: orders.session(order),
      firmId,
      shownLots,
      hiddenLots: leavesOf(words, order) - shownLots,
      isTop: levels.top(book) === order,
      makerPercent: maker < 0 ? null : rules.makerPercents[maker],
    };
  }
}
