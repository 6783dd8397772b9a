/**
 * What changes of an instrument while it trades: phase, last price, what its auction would trade now. Owns these and the
 * events that tell of them, except the uncrossing itself. Pure. docs/matching.md, "Phases".
 */
import { type InstrumentState, Phase, PhaseCause, Side } from "../../../shared/protocol/mod.ts";
import type { InstrumentTable } from "./instrument_table.ts";
import { bookOf, type LevelStore } from "./level_store.ts";
import type { Reporter } from "./reporter.ts";

const { Closed, ClosingAuction, Halt, NoCancel, OpeningAuction, PreOpen, VolatilityAuction } = Phase;
const { Buy, Sell } = Side;

/** Whether orders of this phase wait for an auction. */
export function isCall(phase: number): boolean {
  return phase === PreOpen || phase === NoCancel || phase === OpeningAuction ||
    phase === VolatilityAuction || phase === ClosingAuction;
}

/** Whether a phase takes new orders. */
export function takesNew(phase: number): boolean {
  return phase !== Closed && phase !== Halt;
}

/** Whether orders can be replaced in a phase. */
export function takesReplace(phase: number): boolean {
  return phase !== Closed && phase !== Halt && phase !== NoCancel;
}

/** Whether orders can be cancelled in a phase. */
export function takesCancel(phase: number): boolean {
  return phase !== NoCancel;
}

/** Whether there is such a phase. */
export function isPhase(code: number): boolean {
  return Number.isInteger(code) && code >= Closed && code <= ClosingAuction;
}

/** Every instrument's state, by id. */
export class InstrumentStates {
  /** A Phase; 0 for an id of no instrument. */
  readonly phase: Uint8Array;
  /** Price of the last trade, ticks; 0 before the first. */
  readonly lastPx: Int32Array;
  /** When the phase last set by the schedule was due, µs; 0 for none. */
  readonly lastScheduledUs: Float64Array;
  /** What AuctionIndicated said last; zeros outside call phases. */
  readonly indicativePx: Int32Array;
  readonly indicativeQty: Float64Array;
  readonly surplus: Float64Array;
  /** When the volatility auction that runs was called, µs; 0 when none does. */
  readonly volatilitySinceUs: Float64Array;
  /** Stops that wait to be triggered. */
  readonly stops: Int32Array;
  /** The engine's time, µs. */
  nowUs = 0;
  /** Instruments in a call phase. */
  callCount = 0;
  /** Instruments with a band. */
  readonly #banded: number;
  readonly #instruments: InstrumentTable;
  readonly #levels: LevelStore;
  readonly #reporter: Reporter;
  /** The price that the band is measured from in command #command, where #startOf says so. */
  readonly #start: Int32Array;
  readonly #startOf: Float64Array;
  #command = 0;
  /** Instruments in a call phase that the command has touched, ascending. */
  readonly #touched: Int32Array;
  #touchedCount = 0;

  constructor(instruments: InstrumentTable, levels: LevelStore, reporter: Reporter) {
    const size = instruments.maxId + 1;
    this.phase = instruments.initialPhase.slice();
    this.lastPx = new Int32Array(size);
    this.lastScheduledUs = new Float64Array(size);
    this.indicativePx = new Int32Array(size);
    this.indicativeQty = new Float64Array(size);
    this.surplus = new Float64Array(size);
    this.volatilitySinceUs = new Float64Array(size);
    this.stops = new Int32Array(size);
    this.#instruments = instruments;
    this.#levels = levels;
    this.#reporter = reporter;
    this.#start = new Int32Array(size);
    this.#startOf = new Float64Array(size);
    this.#touched = new Int32Array(size);
    for (const id of instruments.ids) if (isCall(this.phase[id])) this.callCount++;
    this.#banded = instruments.bandTicks.filter((ticks) => ticks !== 0).length;
  }

  /** Whether commands need a beginning and an end: some instrument is in a call phase or has a band. */
  get watches(): boolean {
    return (this.callCount | this.#banded) !== 0;
  }

  /** Starts a command; only needed while {@link watches}. */
  begin(): void {
    this.#command++;
  }

  /** An instrument enters a phase other than its own; `priceTicks` is what a volatility interruption kept from trading. */
  change(id: number, phase: number, cause: PhaseCause, priceTicks: number): void {
    const previous = this.phase[id];
    this.callCount += Number(isCall(phase)) - Number(isCall(previous));
    this.phase[id] = phase;
    this.volatilitySinceUs[id] = phase === VolatilityAuction ? this.nowUs : 0;
    this.#reporter.phaseChanged(id, phase, previous, cause, priceTicks);
    this.#levels.setTop(bookOf(id, Buy), 0);
    this.#levels.setTop(bookOf(id, Sell), 0);
    this.indicativePx[id] = this.indicativeQty[id] = this.surplus[id] = 0;
    if (isCall(phase)) this.touch(id);
  }

  /**
   * Whether a trade at a price lies so far from the last one before this command that an auction has to be called; then
   * it has been.
   */
  interrupts(id: number, priceTicks: number): boolean {
    if (this.#startOf[id] !== this.#command) this.#keepStart(id);
    const start = this.#start[id];
    if (start === 0 || Math.abs(priceTicks - start) <= this.#instruments.bandTicks[id]) return false;
    this.change(id, VolatilityAuction, PhaseCause.Volatility, priceTicks);
    return true;
  }

  /** How far from the best the band lets a side trade now, ticks; no limit is beyond every price. */
  bandLimit(id: number, side: number): number {
    const band = this.#instruments.bandTicks[id];
    if (band === 0) return side === Buy ? Infinity : -Infinity;
    if (this.#startOf[id] !== this.#command) this.#keepStart(id);
    const start = this.#start[id];
    if (start === 0) return side === Buy ? Infinity : -Infinity;
    return side === Buy ? start + band : start - band;
  }

  /** Books the price of a trade in continuous trading: the band stays where the command found it. */
  traded(id: number, priceTicks: number): void {
    if (this.#startOf[id] !== this.#command) this.#keepStart(id);
    this.lastPx[id] = priceTicks;
  }

  /** Books the price of an auction, from which the band is measured at once. */
  auctioned(id: number, priceTicks: number): void {
    this.lastPx[id] = priceTicks;
    this.#keepStart(id);
  }

  /** The price that stands for the instrument: the last trade's, else the configured one; 0 for none. */
  reference(id: number): number {
    const last = this.lastPx[id];
    return last !== 0 ? last : this.#instruments.referencePx[id];
  }

  /** Notes that an instrument in a call phase has to be looked at when the command ends. */
  touch(id: number): void {
    const touched = this.#touched;
    let place = this.#touchedCount;
    while (place > 0 && touched[place - 1] > id) place--;
    if (place > 0 && touched[place - 1] === id) return;
    touched.copyWithin(place + 1, place, this.#touchedCount++);
    touched[place] = id;
  }

  /** The next instrument noted, in ascending order, 0 after the last; `index` counts from 0. */
  touchedAt(index: number): number {
    return index < this.#touchedCount ? this.#touched[index] : 0;
  }

  /** Forgets what was noted. */
  clearTouched(): void {
    this.#touchedCount = 0;
  }

  /** Says what an instrument's auction would trade when that is not what was said last. */
  indicate(id: number, priceTicks: number, qtyLots: number, surplusLots: number): void {
    const same = this.indicativePx[id] === priceTicks && this.indicativeQty[id] === qtyLots &&
      this.surplus[id] === surplusLots;
    if (same) return;
    this.indicativePx[id] = priceTicks;
    this.indicativeQty[id] = qtyLots;
    this.surplus[id] = surplusLots;
    this.#reporter.auctionIndicated(id, priceTicks, qtyLots, surplusLots);
  }

  /** A copy of one instrument's state. */
  of(id: number): InstrumentState {
    return {
      phase: this.phase[id],
      algorithm: this.#instruments.algorithm[id],
      lastPxTicks: this.lastPx[id],
      lastScheduledUs: this.lastScheduledUs[id],
      indicativePriceTicks: this.indicativePx[id],
      indicativeQtyLots: this.indicativeQty[id],
      surplusLots: this.surplus[id],
    };
  }

  /** Sets one instrument's state, without a word to anyone. */
  restore(id: number, state: InstrumentState, volatilitySinceUs: number): void {
    this.callCount += Number(isCall(state.phase)) - Number(isCall(this.phase[id]));
    this.phase[id] = state.phase;
    this.#instruments.setAlgorithm(id, state.algorithm);
    this.lastPx[id] = state.lastPxTicks;
    this.lastScheduledUs[id] = state.lastScheduledUs;
    this.indicativePx[id] = state.indicativePriceTicks;
    this.indicativeQty[id] = state.indicativeQtyLots;
    this.surplus[id] = state.surplusLots;
    this.volatilitySinceUs[id] = volatilitySinceUs;
  }

  #keepStart(id: number): void {
    this.#startOf[id] = this.#command;
    this.#start[id] = this.reference(id);
  }
}
