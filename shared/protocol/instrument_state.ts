/** What changes of an instrument while it trades, as the leading matcher tells it. Pure: types only. */

/** What an instrument trades under, and what its auction would trade. Ticks and lots; indicative zeros: no trade. */
export interface InstrumentState {
  /** A Phase. */
  readonly phase: number;
  /** The code of MatchAlgorithm's character. */
  readonly algorithm: number;
  /** The last trade's price, 0 before the first. */
  readonly lastPxTicks: number;
  /** When the phase last set by the schedule was due, µs since 1970; 0 for none. */
  readonly lastScheduledUs: number;
  readonly indicativePriceTicks: number;
  readonly indicativeQtyLots: number;
  /** Executable buys less executable sells at the indicative price. */
  readonly surplusLots: number;
}

/** One instrument in the answer to an instruments request. */
export interface ListedState extends Omit<InstrumentState, "algorithm"> {
  readonly id: number;
  readonly symbol: string;
  /** MatchAlgorithm(1142). */
  readonly algorithm: string;
}

/** The answer to `matcher.<s>.instruments` (docs/wire.md, "Instruments"). */
export interface InstrumentStates {
  readonly shard: number;
  readonly epoch: number;
  /** Whether the matcher has replayed the stream and follows it. */
  readonly ready: boolean;
  /** The last command message that the states include. */
  readonly cmdSeq: number;
  readonly evSeq: number;
  /** Every instrument of the shard, by ascending id. */
  readonly instruments: readonly ListedState[];
}
