/** The naive phases: what a change of phase or algorithm does, and what expires. Pure. */
import {
  charOfCode,
  EventKind,
  MatchAlgorithm,
  OrdType,
  Phase,
  PhaseCause,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import { uncross } from "./auction.ts";
import type { RefEvents } from "./events.ts";
import type { RefMarket } from "./market.ts";
import type { RefMatching } from "./matching.ts";
import type { RefOrder } from "./order.ts";
import type { RefState } from "./state.ts";

const { AtTheOpening, AtTheClose, Day, GoodTillDate } = TimeInForce;

/** What operators and the clock ask for. */
export class RefPhases {
  readonly #state: RefState;
  readonly #events: RefEvents;
  readonly #matching: RefMatching;

  constructor(state: RefState, events: RefEvents, matching: RefMatching) {
    this.#state = state;
    this.#events = events;
    this.#matching = matching;
  }

  setPhase({ instrumentId, target, scope, expireUs: scheduledUs }: Command): void {
    const phases: number[] = Object.values(Phase);
    if (!phases.includes(target)) return;
    for (const market of this.#state.markets.values()) {
      if (instrumentId !== 0 && instrumentId !== market.instrument.id) continue;
      if (scope !== 0 && scope !== market.phase) continue;
      if (scheduledUs > 0 && scheduledUs <= market.lastScheduledUs) continue;
      if (scheduledUs > 0) market.lastScheduledUs = scheduledUs;
      if (market.phase !== target) this.#change(market, target);
    }
  }

  setAlgorithm({ instrumentId, target }: Command): void {
    const market = this.#state.markets.get(instrumentId);
    const algorithm = Object.values(MatchAlgorithm).find((one) =>
      target < 62 && one === String.fromCharCode(charOfCode(target))
    );
    if (market === undefined || algorithm === undefined || algorithm === market.algorithm) return;
    market.algorithm = algorithm;
    this.#events.algorithm(instrumentId, target);
  }

  expireOrders({ expireUs: cutoffUs }: Command): void {
    const untilUs = Math.min(cutoffUs, this.#state.timestampUs);
    const due = [...this.#state.open].filter(({ timeInForce, expireUs }) =>
      timeInForce === GoodTillDate && expireUs <= untilUs
    );
    due.sort((a, b) => a.expireUs - b.expireUs || a.orderId - b.orderId);
    for (const order of due) this.#expire(order);
  }

  #change(market: RefMarket, target: number): void {
    const from = market.phase;
    this.#matching.enterPhase(market, target, PhaseCause.Command, 0);
    const closes = target === Phase.Closed && from === Phase.ClosingAuction;
    if (target === Phase.Continuous || closes) {
      uncross(this.#state, this.#events, market);
      for (const order of market.walk()) {
        if (order.place === "book" && endsWithAuction(order, from)) this.#expire(order);
      }
    }
    if (target === Phase.ClosingAuction) this.#enterParked(market);
    if (target === Phase.Closed) {
      for (const order of market.walk()) if (endsWithDay(order)) this.#expire(order);
    }
    this.#matching.cascade(market);
  }

  #enterParked(market: RefMarket): void {
    for (const order of [...market.parked]) {
      market.takeOut(order);
      this.#events.ofOrder(EventKind.OrderTriggered, order);
      this.#state.rest(order);
    }
  }

  #expire(order: RefOrder): void {
    this.#state.end(order, EventKind.OrderExpired);
  }
}

function endsWithAuction({ ordType, timeInForce }: RefOrder, from: number): boolean {
  return ordType === OrdType.Market || timeInForce === AtTheOpening ||
    timeInForce === AtTheClose && from === Phase.ClosingAuction;
}

function endsWithDay({ isQuote, timeInForce }: RefOrder): boolean {
  const times: number[] = [Day, AtTheOpening, AtTheClose];
  return isQuote || times.includes(timeInForce);
}
