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
  /** The command message of which we know phase and algorithm. */
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
      { instrument, phase: 0, algorithm: "", phaseCmdSeq: -1, algorithmCmdSeq: -1 },
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
      this.#setPhase(id, phase, cmdSeq);
      this.#setAlgorithm(id, algorithm, cmdSeq);
    }
  }

  /** An event of command message `cmdSeq` of the instrument's shard; each once and in order. */
  event(event: Event, cmdSeq: number): void {
    if (event.kind === EventKind.PhaseChanged) this.#setPhase(event.instrumentId, event.phase, cmdSeq);
    if (event.kind === EventKind.AlgorithmChanged) {
      this.#setAlgorithm(event.instrumentId, String.fromCharCode(charOfCode(event.algorithm)), cmdSeq);
    }
  }

  #setPhase(id: number, phase: number, cmdSeq: number): void {
    const state = this.#states.get(id);
    if (state === undefined || cmdSeq < state.phaseCmdSeq) return;
    state.phaseCmdSeq = cmdSeq;
    if (state.phase === phase) return;
    state.phase = phase;
    this.#onPhase(state.instrument);
  }

  #setAlgorithm(id: number, algorithm: string, cmdSeq: number): void {
    const state = this.#states.get(id);
    if (state === undefined || cmdSeq < state.algorithmCmdSeq) return;
    state.algorithmCmdSeq = cmdSeq;
    state.algorithm = algorithm;
  }
}
