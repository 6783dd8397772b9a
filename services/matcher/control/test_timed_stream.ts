/**
 * A shard's stream as far as time concerns it, for tests of the timekeeper: applies what is due as docs/matching.md says,
 * and survives its matchers. Test code only. Pure.
 */
import { type Instrument, Phase, phaseName, type TradingSchedule } from "../../../shared/protocol/mod.ts";
import { type TimedCommand, Timekeeper } from "./timekeeper.ts";

const { Closed, ClosingAuction, Continuous, PreOpen, VolatilityAuction } = Phase;
const HOUR = 3600;
/** Pre-open at 08:00, open at 09:00, closing auction at 17:00 and closed at 17:05 on working days in Berlin. */
export const SCHEDULE: TradingSchedule = {
  timeZone: "Europe/Berlin",
  days: [1, 2, 3, 4, 5],
  holidays: [],
  phases: [
    { atSec: 8 * HOUR, phase: PreOpen, symbols: null },
    { atSec: 9 * HOUR, phase: Continuous, symbols: null },
    { atSec: 17 * HOUR, phase: ClosingAuction, symbols: null },
    { atSec: 17 * HOUR + 300, phase: Closed, symbols: null },
  ],
};
/** Pre-open at 08:00; BBB alone opens, a minute later. */
export const FOR_ONE: TradingSchedule = {
  ...SCHEDULE,
  phases: [...SCHEDULE.phases.slice(0, 1), { atSec: 8 * HOUR + 60, phase: Continuous, symbols: ["BBB"] }],
};

/** µs since 1970. */
export const us = (iso: string) => Date.parse(iso) * 1000;

/** Of the instruments 1 and 2. */
export class TimedStream {
  readonly phases = new Map<number, Phase>();
  readonly scheduledUs = new Map<number, number>();
  /** When the volatility auctions that run were called. */
  readonly #auctionsUs = new Map<number, number>();
  expiries: number[] = [];
  /** What has been applied and had an effect: `1 continuous`. */
  readonly done: string[] = [];
  #keeper!: Timekeeper;

  constructor(
    readonly instruments: readonly Instrument[],
    readonly schedule: TradingSchedule | null = SCHEDULE,
  ) {
    this.restart();
    for (const { id } of this.instruments) this.phases.set(id, schedule === null ? Continuous : Closed);
  }

  /** Another matcher leads, which has replayed everything. */
  restart(): void {
    this.#keeper = new Timekeeper({
      schedule: this.schedule,
      instruments: this.instruments,
      state: {
        instrumentState: (id) => ({
          phase: this.phases.get(id)!,
          algorithm: 15,
          lastPxTicks: 0,
          lastScheduledUs: this.scheduledUs.get(id) ?? 0,
          indicativePriceTicks: 0,
          indicativeQtyLots: 0,
          surplusLots: 0,
        }),
        volatilitySinceUs: (id) => this.#auctionsUs.get(id) ?? 0,
        nextExpiryUs: () =>
          Math.min(...this.expiries, Infinity) === Infinity ? 0 : Math.min(...this.expiries),
      },
    });
  }

  get keeper(): Timekeeper {
    return this.#keeper;
  }

  /** The market calls an auction. */
  interrupt(id: number, at: string): void {
    this.phases.set(id, VolatilityAuction);
    this.#auctionsUs.set(id, us(at));
    this.keeper.phaseChanged(id, VolatilityAuction, us(at));
  }

  /** An operator sets a phase. */
  set(id: number, phase: Phase, at: string): void {
    this.apply({ kind: "phase", instrumentId: id, phase, scope: 0, dueUs: 0 }, us(at));
  }

  /** What is due, applied at once; the commands in short. */
  at(iso: string, apply = true): string[] {
    const commands = this.keeper.due(us(iso));
    if (apply) { for (const command of commands) this.apply(command, us(iso)); }
    return commands.map(short);
  }

  apply(command: TimedCommand, nowUs: number): void {
    if (command.kind === "expire") {
      this.expiries = this.expiries.filter((each) => each > Math.min(command.cutoffUs, nowUs));
      return;
    }
    for (const { id } of this.instruments) {
      if (command.instrumentId !== 0 && command.instrumentId !== id) continue;
      if (command.scope !== 0 && this.phases.get(id) !== command.scope) continue;
      if (command.dueUs > 0 && command.dueUs <= (this.scheduledUs.get(id) ?? 0)) continue;
      if (command.dueUs > 0) this.scheduledUs.set(id, command.dueUs);
      if (this.phases.get(id) === command.phase) continue;
      this.phases.set(id, command.phase);
      this.#auctionsUs.set(id, command.phase === VolatilityAuction ? nowUs : 0);
      this.done.push(`${id} ${phaseName(command.phase)}`);
      this.keeper.phaseChanged(id, command.phase, nowUs);
    }
  }
}

function short(command: TimedCommand): string {
  if (command.kind === "expire") return `expire up to ${clock(command.cutoffUs)}`;
  const { instrumentId, phase, scope, dueUs } = command;
  return [
    instrumentId === 0 ? "all" : String(instrumentId),
    phaseName(phase),
    ...(scope === 0 ? [] : [`after ${phaseName(scope)}`]),
    ...(dueUs === 0 ? [] : [clock(dueUs)]),
  ].join(" ");
}

function clock(timeUs: number): string {
  return new Date(timeUs / 1000).toISOString().slice(5, 16).replace("T", " ");
}
