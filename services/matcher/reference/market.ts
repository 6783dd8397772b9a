/** The naive state of one instrument: book, stops, parked orders, quotes, phase, algorithm. Pure. */
import {
  type Instrument,
  type MatchAlgorithm,
  Phase,
  rulesOf,
  Side,
  type TradingRules,
} from "../../../shared/protocol/mod.ts";
import { RefBook } from "./book.ts";
import { isBetter, type RefOrder } from "./order.ts";

/** What an auction would do: price, lots that would trade, executable buys less executable sells at the price. */
export interface Indication {
  readonly price: number;
  readonly executable: number;
  readonly surplus: number;
}

/** The indication of an auction in which nothing would trade. */
export const NOTHING: Indication = { price: 0, executable: 0, surplus: 0 };

/** The live orders of one session's quote, by side. */
export type RefQuote = Record<number, RefOrder | undefined>;

/** Whether orders rest without matching in a phase. */
export function isCallPhase(phase: number): boolean {
  const phases: number[] = [
    Phase.PreOpen,
    Phase.NoCancel,
    Phase.OpeningAuction,
    Phase.VolatilityAuction,
    Phase.ClosingAuction,
  ];
  return phases.includes(phase);
}

/** One instrument. */
export class RefMarket {
  readonly instrument: Instrument;
  readonly rules: TradingRules;
  readonly book = new RefBook();
  /** Untriggered stops by side, next to be triggered first. */
  readonly stops: Readonly<Record<number, RefOrder[]>> = { [Side.Buy]: [], [Side.Sell]: [] };
  /** At-the-close orders that wait for the closing auction, oldest first. */
  readonly parked: RefOrder[] = [];
  /** By session; either side may be missing. */
  readonly quotes = new Map<number, RefQuote>();
  /** The top order of each side. */
  readonly top: Record<number, RefOrder | undefined> = {};
  algorithm: MatchAlgorithm;
  phase: number;
  lastPx = 0;
  /** What trades of this command are measured against by the band; 0: nothing. */
  bandReference = 0;
  lastScheduledUs = 0;
  indicated = NOTHING;

  constructor(instrument: Instrument) {
    this.instrument = instrument;
    this.rules = rulesOf(instrument);
    this.algorithm = instrument.algorithm;
    this.phase = this.rules.initialPhase;
  }

  /** The last trade's price, or what stands for it; 0 for none. */
  get referencePrice(): number {
    return this.lastPx || this.rules.referencePriceTicks;
  }

  /** Every waiting order, in walk order. */
  walk(): RefOrder[] {
    return [
      ...this.book.side(Side.Buy),
      ...this.book.side(Side.Sell),
      ...this.stops[Side.Buy],
      ...this.stops[Side.Sell],
      ...this.parked,
    ];
  }

  /** Lets a stop wait: buys by the lowest StopPx, sells by the highest, then by time. */
  addStop(order: RefOrder): void {
    const stops = this.stops[order.side];
    const isLater = (other: RefOrder) => isBetter(order.side, other.stopPx, order.stopPx);
    const at = stops.findIndex(isLater);
    stops.splice(at < 0 ? stops.length : at, 0, order);
    order.place = "stops";
  }

  /** Lets an at-the-close order wait. */
  park(order: RefOrder): void {
    this.parked.push(order);
    order.place = "parked";
  }

  /** Whether the last trade's price has reached a stop. */
  triggers({ side, stopPx }: RefOrder): boolean {
    if (this.lastPx === 0) return false;
    return side === Side.Buy ? this.lastPx >= stopPx : this.lastPx <= stopPx;
  }

  /** The next stop that the last trade's price has reached, or undefined. */
  nextTriggered(): RefOrder | undefined {
    return [this.stops[Side.Buy][0], this.stops[Side.Sell][0]].find((stop) =>
      stop !== undefined && this.triggers(stop)
    );
  }

  /** Takes an order out of wherever it waits. */
  takeOut(order: RefOrder): void {
    if (order.place === "book") return this.book.remove(order);
    const list = order.place === "stops" ? this.stops[order.side] : this.parked;
    if (order.place !== "nowhere") list.splice(list.indexOf(order), 1);
    order.place = "nowhere";
  }
}
