/**
 * The trading phase and the matching algorithm of every instrument, as far as this gateway knows: from what a matcher
 * said at some command, and from the events of later ones, in whatever order both come. Owns nothing else. Pure.
 */
import type { Event } from "../../../shared/codec/wire/mod.ts";
import {
  charOfCode,
  EventKind,
  type Instrument,
  type InstrumentStates,
} from "../../../shared/protocol/mod.ts";

interface State {
  readonly instrument: Instrument;
  /** A Phase; 0 while it is not known. */
  phase: number;
  /** MatchAlgorithm(1142); empty while it is not known. */
  algorithm: string;
  /** The newest command message of which an answer knew, and those of which events told; -1 before the first. */
  learnedCmdSeq: number;
  phaseCmdSeq: number;
  algorithmCmdSeq: number;
}

/** Where the market stands. */
export class MarketState {
  readonly #states: ReadonlyMap<number, State>;
  readonly #onPhase: (instrument: Instrument) => void;

  /** `onPhase` hears of every phase that is another than was known. */
  constructor(instruments: readonly Instrument[], onPhase: (instrument: Instrument) => void) {
    this.#states = new Map(instruments.map((instrument) => [
      instrument.id,
      { instrument, phase: 0, algorithm: "", learnedCmdSeq: -1, phaseCmdSeq: -1, algorithmCmdSeq: -1 },
    ]));
    this.#onPhase = onPhase;
  }

  /** The Phase of an instrument; 0 while it is not known. */
  phaseOf(instrument: Instrument): number {
    return this.#states.get(instrument.id)?.phase ?? 0;
  }

  /** MatchAlgorithm(1142) of an instrument; empty while it is not known. */
  algorithmOf(instrument: Instrument): string {
    return this.#states.get(instrument.id)?.algorithm ?? "";
  }

  /** A matcher's answer. */
  learned({ cmdSeq, instruments }: Pick<InstrumentStates, "cmdSeq" | "instruments">): void {
    for (const { id, phase, algorithm } of instruments) {
      const state = this.#states.get(id);
      if (state === undefined || cmdSeq < state.learnedCmdSeq) continue;
      state.learnedCmdSeq = cmdSeq;
      if (cmdSeq >= state.algorithmCmdSeq) state.algorithm = algorithm;
      if (cmdSeq >= state.phaseCmdSeq) this.#setPhase(state, phase);
    }
  }

  /** An event of command message `cmdSeq` of the instrument's shard; each once and in order. */
  event(event: Event, cmdSeq: number): void {
    const state = this.#states.get(event.instrumentId);
    // What an answer knew of includes all that its newest command caused.
    if (state === undefined || cmdSeq <= state.learnedCmdSeq) return;
    if (event.kind === EventKind.PhaseChanged) {
      state.phaseCmdSeq = cmdSeq;
      this.#setPhase(state, event.phase);
    } else if (event.kind === EventKind.AlgorithmChanged) {
      state.algorithmCmdSeq = cmdSeq;
      state.algorithm = String.fromCharCode(charOfCode(event.algorithm));
    }
  }

  #setPhase(state: State, phase: number): void {
    if (state.phase === phase) return;
    state.phase = phase;
    this.#onPhase(state.instrument);
  }
}
