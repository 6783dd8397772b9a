/**
 * Rules that the events of any flow obey, whichever engine made them: quantities conserve, nobody executes more than
 * is open, a book is not crossed while it trades, FIFO is by time. Test support only. Pure.
 */
import {
  EventKind,
  type Instrument,
  Liquidity,
  MatchAlgorithm,
  OrdStatus,
  OrdType,
  Phase,
  rulesOf,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import { codeOfChar } from "../../../shared/protocol/mod.ts";
import type { Event } from "../../../shared/codec/wire/mod.ts";

interface Seen {
  event: Event;
  /** Place in time among orders at its price; undefined where events alone do not tell it. */
  rank: number | undefined;
  /** A quote has no OrderAccepted, and changes without a word. */
  readonly isQuote: boolean;
}

interface SeenMarket {
  phase: number;
  algorithm: number;
  readonly levels: Readonly<Record<number, Map<number, number>>>;
}

/** Follows a flow's events from the first command on; throws an Error that says which rule was broken. */
export class FlowChecks {
  readonly #orders = new Map<number, Seen>();
  readonly #markets = new Map<number, SeenMarket>();
  #rank = 0;

  constructor(instruments: readonly Instrument[]) {
    for (const instrument of instruments) {
      this.#markets.set(instrument.id, {
        phase: rulesOf(instrument).initialPhase,
        algorithm: codeOfChar(instrument.algorithm.charCodeAt(0)),
        levels: { [Side.Buy]: new Map(), [Side.Sell]: new Map() },
      });
    }
  }

  /** The events of one command. */
  command(events: readonly Event[]): void {
    for (const [i, event] of events.entries()) {
      if (event.kind >= EventKind.LevelChanged) this.#market(event);
      else if (event.orderId !== 0) this.#order(event);
      if (event.kind === EventKind.OrderExecuted) this.#pair(events, i);
    }
    for (const [id, market] of this.#markets) this.#notCrossed(id, market);
  }

  #market(event: Event): void {
    const market = this.#markets.get(event.instrumentId)!;
    if (event.kind === EventKind.PhaseChanged) {
      must(event.previousPhase === market.phase, "the phase before is the last one told", event);
      market.phase = event.phase;
    } else if (event.kind === EventKind.AlgorithmChanged) {
      market.algorithm = event.algorithm;
    } else if (event.kind === EventKind.LevelChanged) {
      must(event.levelQtyLots >= event.levelOrders, "each order at a level shows something", event);
      must(
        event.levelOrders > 0 || event.levelQtyLots === 0,
        "a level that shows something has orders",
        event,
      );
      const levels = market.levels[event.side];
      if (event.levelOrders === 0) levels.delete(event.priceTicks);
      else levels.set(event.priceTicks, event.levelQtyLots);
    }
  }

  #notCrossed(id: number, { phase, levels }: SeenMarket): void {
    if (phase !== Phase.Continuous) return;
    const bid = Math.max(0, ...levels[Side.Buy].keys());
    const offer = Math.min(Infinity, ...levels[Side.Sell].keys());
    if (bid >= offer) throw new Error(`instrument ${id} is crossed: ${bid} is bid and ${offer} offered`);
  }

  #order(event: Event): void {
    const open = event.ordStatus === OrdStatus.New || event.ordStatus === OrdStatus.PartiallyFilled;
    must(event.leavesQtyLots >= 0 && event.cumQtyLots >= 0, "no quantity is negative", event);
    if (open) must(event.cumQtyLots + event.leavesQtyLots === event.orderQtyLots, "quantities add up", event);
    else must(event.leavesQtyLots === 0, "nothing is left of what is done", event);
    must(!open || event.leavesQtyLots > 0, "what is open has something left", event);
    if (event.ordStatus === OrdStatus.Filled) {
      must(event.cumQtyLots === event.orderQtyLots, "filled is all of it", event);
    }
    must(event.orderQtyLots > 0, "every order has a quantity", event);
    const seen = this.#orders.get(event.orderId);
    if (event.kind === EventKind.OrderExecuted) this.#executed(event, seen);
    else if (seen !== undefined && event.kind !== EventKind.OrderAccepted) {
      must(event.cumQtyLots === seen.event.cumQtyLots, "only executions change CumQty", event);
      const isKept = open || seen.isQuote || event.kind === EventKind.OrderReplaced ||
        event.orderQtyLots === seen.event.orderQtyLots;
      must(isKept, "who ends keeps OrderQty", event);
    }
    const isQuote = seen?.isQuote ?? event.kind !== EventKind.OrderAccepted;
    this.#orders.set(event.orderId, { event, rank: this.#rankOf(event, seen), isQuote });
    if (!open) this.#orders.delete(event.orderId);
  }

  #executed(event: Event, seen: Seen | undefined): void {
    const { lastQtyLots, lastPxTicks, side, ordType, priceTicks } = event;
    must(lastQtyLots > 0, "an execution is of something", event);
    if (ordType === OrdType.Limit) {
      must(side === Side.Buy ? lastPxTicks <= priceTicks : lastPxTicks >= priceTicks, "a limit holds", event);
    }
    if (seen === undefined) return;
    must(event.cumQtyLots === seen.event.cumQtyLots + lastQtyLots, "CumQty grows by LastQty", event);
    must(
      notionalOf(event) === notionalOf(seen.event) + BigInt(lastPxTicks) * BigInt(lastQtyLots),
      "notional",
      event,
    );
    must(seen.isQuote || lastQtyLots <= seen.event.leavesQtyLots, "no more executes than is open", event);
    const fifo = this.#markets.get(event.instrumentId)!.algorithm === FIFO_CODE;
    if (!fifo || event.liquidity !== Liquidity.Added || seen.rank === undefined) return;
    for (const other of this.#orders.values()) {
      const isSameLevel = other.event.instrumentId === event.instrumentId && other.event.side === side &&
        other.event.priceTicks === priceTicks && other.rank !== undefined;
      must(!isSameLevel || other.rank! >= seen.rank, "the oldest at a price trades first", event);
    }
  }

  /** Orders whose place in time shows in events: never replaced, nothing hidden, not parked. */
  #rankOf(event: Event, seen: Seen | undefined): number | undefined {
    const isPlain = event.ordType === OrdType.Limit && event.maxFloorLots === 0;
    switch (event.kind) {
      case EventKind.OrderAccepted:
        return isPlain && event.timeInForce !== TimeInForce.AtTheClose ? ++this.#rank : undefined;
      case EventKind.OrderTriggered:
        return isPlain ? ++this.#rank : undefined;
      case EventKind.OrderReplaced:
        return undefined;
      default:
        return seen?.rank;
    }
  }

  /** Trades are two events with the same price, quantity and number. */
  #pair(events: readonly Event[], i: number): void {
    const event = events[i];
    const isFirst = events[i + 1]?.tradeIndex === event.tradeIndex;
    const other = isFirst ? events[i + 1] : events[i - 1];
    const same = other?.kind === EventKind.OrderExecuted && other.tradeIndex === event.tradeIndex &&
      other.lastPxTicks === event.lastPxTicks && other.lastQtyLots === event.lastQtyLots &&
      other.instrumentId === event.instrumentId && other.side !== event.side;
    must(same, "a trade has two sides", event);
  }
}

const FIFO_CODE = codeOfChar(MatchAlgorithm.Fifo.charCodeAt(0));

function notionalOf({ notionalHigh, notionalLow }: Event): bigint {
  return BigInt(notionalHigh) * 2n ** 32n + BigInt(notionalLow);
}

function must(holds: boolean, rule: string, { kind, orderId, instrumentId }: Event): void {
  if (!holds) {
    throw new Error(`broken: ${rule} (event kind ${kind}, order ${orderId}, instrument ${instrumentId})`);
  }
}
