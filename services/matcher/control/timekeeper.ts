/**
 * What the clock has to tell the engine of a shard: scheduled phases, the end of volatility auctions, the end of
 * good-till-date orders. Derives it from the engine's state and the time that it is told, so that a matcher that starts
 * or takes over catches up on what fell due and repeats nothing. Owns no clock and sends nothing. Pure.
 */
import {
  type Instrument,
  type InstrumentState,
  Phase,
  rulesOf,
  type TradingSchedule,
} from "../../../shared/protocol/mod.ts";
import { type DuePhase, type ScheduleGroup, scheduleGroups } from "./phase_schedule.ts";

/** What of the engine counts. */
export interface TimedState {
  instrumentState(instrumentId: number): InstrumentState | null;
  /** When an instrument's volatility auction was called, µs since 1970; 0 when none runs. */
  volatilitySinceUs(instrumentId: number): number;
  /** The earliest time at which an open order expires, µs since 1970; 0 when none does. */
  nextExpiryUs(): number;
}

/** A command that is due. */
export type TimedCommand =
  /** SetPhase: `instrumentId` 0 is all, `scope` the phase that must be now (0: any), `dueUs` 0 when no schedule said so. */
  | {
    readonly kind: "phase";
    readonly instrumentId: number;
    readonly phase: Phase;
    readonly scope: number;
    readonly dueUs: number;
  }
  | { readonly kind: "expire"; readonly cutoffUs: number };

/** What a timekeeper is made from. */
export interface TimekeeperOptions {
  readonly schedule: TradingSchedule | null;
  /** Those of the shard. */
  readonly instruments: readonly Instrument[];
  readonly state: TimedState;
}

/** An order that our clock, and not yet the stream's, calls expired is asked about again after this. */
const EXPIRE_AGAIN_US = 1_000_000;

/** One shard's. Commands that {@link due} returns count as sent: the caller sees to it that each is applied once. */
export class Timekeeper {
  readonly #state: TimedState;
  readonly #instruments: readonly Instrument[];
  readonly #groups: readonly ScheduleGroup<Instrument>[];
  /** Per group, when its next phase is due; 0 until it has been looked at. */
  readonly #nextPhaseUs: number[];
  readonly #volatilitySec: ReadonlyMap<number, number>;
  /** When the volatility auctions that run end, by instrument. */
  readonly #auctionEndUs = new Map<number, number>();
  /** Whether {@link due} has been called. */
  #begun = false;
  /** The expiry last asked for, and when. */
  #expiryUs = 0;
  #expiryAskedUs = 0;

  constructor({ schedule, instruments, state }: TimekeeperOptions) {
    this.#state = state;
    this.#instruments = instruments;
    this.#groups = scheduleGroups(schedule, instruments);
    this.#nextPhaseUs = this.#groups.map(() => 0);
    this.#volatilitySec = new Map(instruments.map((each) => [each.id, rulesOf(each).volatilityAuctionSec]));
  }

  /** An instrument's phase changed at `atUs`, also while commands are replayed. */
  phaseChanged(instrumentId: number, phase: number, atUs: number): void {
    if (phase !== Phase.VolatilityAuction) this.#auctionEndUs.delete(instrumentId);
    else {
      const lastsUs = (this.#volatilitySec.get(instrumentId) ?? 0) * 1_000_000;
      this.#auctionEndUs.set(instrumentId, atUs + lastsUs);
    }
  }

  /** What is due at `nowUs`, in the order in which it is to be applied. Call it when all it returned before is applied. */
  due(nowUs: number): TimedCommand[] {
    if (!this.#begun) this.#begin();
    const timed = [...this.#endedAuctions(nowUs), ...this.#scheduled(nowUs)]
      .sort((a, b) => a.atUs - b.atUs)
      .map(({ command }) => command);
    // First, so that an order whose time is over does not trade in an auction that ends late.
    return [...this.#expired(nowUs), ...timed];
  }

  /** When {@link due} next has something, as far as is known now; Infinity when nothing is known. */
  nextUs(): number {
    const expiryUs = this.#state.nextExpiryUs();
    const askAgainUs = expiryUs === this.#expiryUs ? this.#expiryAskedUs + EXPIRE_AGAIN_US : 0;
    return Math.min(
      ...this.#nextPhaseUs,
      ...this.#auctionEndUs.values(),
      expiryUs === 0 ? Infinity : Math.max(expiryUs, askAgainUs),
    );
  }

  /** Auctions that run though nobody saw them begin, since the replay began later. */
  #begin(): void {
    this.#begun = true;
    for (const { id } of this.#instruments) {
      const sinceUs = this.#state.volatilitySinceUs(id);
      if (sinceUs !== 0) this.phaseChanged(id, Phase.VolatilityAuction, sinceUs);
    }
  }

  #expired(nowUs: number): TimedCommand[] {
    const expiryUs = this.#state.nextExpiryUs();
    if (expiryUs === 0 || expiryUs > nowUs) return [];
    const asked = expiryUs === this.#expiryUs && nowUs >= this.#expiryAskedUs;
    if (asked && nowUs < this.#expiryAskedUs + EXPIRE_AGAIN_US) return [];
    this.#expiryUs = expiryUs;
    this.#expiryAskedUs = nowUs;
    return [{ kind: "expire", cutoffUs: nowUs }];
  }

  #endedAuctions(nowUs: number): Timed[] {
    const ended = [...this.#auctionEndUs].filter(([, endUs]) => endUs <= nowUs);
    return ended.map(([instrumentId, atUs]) => ({
      atUs,
      command: setPhase(instrumentId, Phase.Continuous, Phase.VolatilityAuction, 0),
    }));
  }

  #scheduled(nowUs: number): Timed[] {
    const found = this.#groups.flatMap(({ schedule, members }, index) => {
      if (nowUs < this.#nextPhaseUs[index]) return [];
      this.#nextPhaseUs[index] = schedule.nextUs(nowUs);
      const latest = schedule.latest(nowUs);
      if (latest === null) return [];
      const closed = latest.phase === Phase.Closed ? null : schedule.latestClosed(nowUs);
      return members.map(({ id }) => ({ id, phases: missed(this.#lastScheduledUs(id), latest, closed) }));
    });
    const [first] = found;
    if (first !== undefined && found.length === this.#instruments.length) {
      const key = JSON.stringify(first.phases);
      if (found.every(({ phases }) => JSON.stringify(phases) === key)) {
        return first.phases.map((due) => timed(0, due));
      }
    }
    return found.flatMap(({ id, phases }) => phases.map((due) => timed(id, due)));
  }

  #lastScheduledUs(instrumentId: number): number {
    return this.#state.instrumentState(instrumentId)?.lastScheduledUs ?? Infinity;
  }
}

interface Timed {
  readonly atUs: number;
  readonly command: TimedCommand;
}

/**
 * The phases that an instrument has yet to enter: the latest, and before it the last close when the instrument missed
 * that, since orders for the day end there. One that the schedule has never moved enters the latest alone.
 */
function missed(lastScheduledUs: number, latest: DuePhase, closed: DuePhase | null): DuePhase[] {
  if (lastScheduledUs >= latest.dueUs) return [];
  return closed === null || lastScheduledUs === 0 || lastScheduledUs >= closed.dueUs
    ? [latest]
    : [closed, latest];
}

function timed(instrumentId: number, { dueUs, phase }: DuePhase): Timed {
  return { atUs: dueUs, command: setPhase(instrumentId, phase, 0, dueUs) };
}

function setPhase(instrumentId: number, phase: Phase, scope: number, dueUs: number): TimedCommand {
  return { kind: "phase", instrumentId, phase, scope, dueUs };
}
