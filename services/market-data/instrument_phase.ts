/** The trading phase of one instrument as the matcher reports it, and what its auction would trade. Pure. */
import type { Event } from "../../shared/codec/wire/mod.ts";
import { priceText, qtyText } from "../../shared/protocol/execution.ts";
import { isoTimeText, type PhaseMessage } from "../../shared/protocol/market_data.ts";
import {
  EventKind,
  type Instrument,
  isCallPhase,
  Phase,
  PhaseCause,
  phaseName,
  rulesOf,
} from "../../shared/protocol/mod.ts";

/** What a matcher says of an instrument when it is asked (docs/wire.md, "Instruments"). */
export interface PhaseState {
  readonly id: number;
  readonly phase: number;
  readonly indicativePriceTicks: number;
  readonly indicativeQtyLots: number;
  readonly surplusLots: number;
}

/** One instrument's phase. */
export class InstrumentPhase {
  readonly instrument: Instrument;
  phase: number;
  /** 0 while not seen. */
  #previous = 0;
  #cause = 0;
  #cmdSeq = 0;
  #timestampUs = 0;
  #priceTicks = 0;
  #qtyLots = 0;
  #surplusLots = 0;

  constructor(instrument: Instrument) {
    this.instrument = instrument;
    this.phase = rulesOf(instrument).initialPhase;
  }

  /** Takes what the matcher says that it is after command `cmdSeq`. */
  load(state: PhaseState, cmdSeq: number): void {
    if (state.phase !== this.phase) this.#previous = this.#cause = this.#timestampUs = 0;
    this.phase = state.phase;
    this.#cmdSeq = cmdSeq;
    this.#indicate(state.indicativePriceTicks, state.indicativeQtyLots, state.surplusLots);
  }

  /** Takes a PhaseChanged or AuctionIndicated of the instrument. */
  apply(event: Event, cmdSeq: number, timestampUs: number): void {
    this.#cmdSeq = cmdSeq;
    this.#timestampUs = timestampUs;
    if (event.kind === EventKind.AuctionIndicated) {
      this.#indicate(event.priceTicks, event.levelQtyLots, event.surplusLots);
      return;
    }
    this.phase = event.phase;
    this.#previous = event.previousPhase;
    this.#cause = event.cause;
    this.#indicate(0, 0, 0);
  }

  /** The message, its sequence number left to the caller. */
  message(seq: number): PhaseMessage {
    return {
      type: "phase",
      symbol: this.instrument.symbol,
      seq,
      cmdSeq: this.#cmdSeq,
      time: this.#timestampUs === 0 ? null : isoTimeText(this.#timestampUs),
      phase: phaseName(this.phase),
      previous: this.#previous === 0 ? null : phaseName(this.#previous),
      cause: CAUSES.get(this.#cause) ?? null,
      ...this.#indicative(),
    };
  }

  #indicate(priceTicks: number, qtyLots: number, surplusLots: number): void {
    this.#priceTicks = priceTicks;
    this.#qtyLots = qtyLots;
    this.#surplusLots = surplusLots;
  }

  #indicative(): Partial<PhaseMessage> {
    if (!isCallPhase(this.phase) || this.#qtyLots === 0) return {};
    const surplus = this.#surplusLots;
    return {
      indicativePrice: priceText(this.#priceTicks, this.instrument),
      indicativeQty: qtyText(this.#qtyLots, this.instrument),
      ...(surplus === 0 ? {} : { surplusSide: surplus > 0 ? "buy" : "sell" }),
    };
  }

  /**
   * Whether market orders may rest: then the levels of the highest and lowest price that there can be stand for them and
   * are nobody's price.
   */
  get holdsMarketOrders(): boolean {
    return this.phase !== Phase.Continuous;
  }
}

const CAUSES: ReadonlyMap<number, "command" | "volatility"> = new Map([
  [PhaseCause.Command, "command"],
  [PhaseCause.Volatility, "volatility"],
]);
