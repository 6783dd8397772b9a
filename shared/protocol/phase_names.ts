/** Trading phases as the venue file, operators and market data write them. Pure. */
import { Phase } from "./kinds.ts";

const NAMES: Readonly<Record<Phase, string>> = {
  [Phase.Closed]: "closed",
  [Phase.PreOpen]: "pre-open",
  [Phase.NoCancel]: "no-cancel",
  [Phase.OpeningAuction]: "opening-auction",
  [Phase.Continuous]: "continuous",
  [Phase.Halt]: "halt",
  [Phase.VolatilityAuction]: "volatility-auction",
  [Phase.ClosingAuction]: "closing-auction",
};

/** All names, by ascending code. */
export const PHASE_NAMES: readonly string[] = Object.values(Phase).map((phase) => NAMES[phase]);

const PHASES: ReadonlyMap<string, Phase> = new Map(
  Object.values(Phase).map((phase) => [NAMES[phase], phase]),
);

/** The name of a phase; `unknown` for a code that is none. */
export function phaseName(phase: number): string {
  return NAMES[phase as Phase] ?? "unknown";
}

/** The phase of a name; null for a name that is none. */
export function phaseOfName(name: string): Phase | null {
  return PHASES.get(name) ?? null;
}

const CALL_PHASES: ReadonlySet<number> = new Set([
  Phase.PreOpen,
  Phase.NoCancel,
  Phase.OpeningAuction,
  Phase.VolatilityAuction,
  Phase.ClosingAuction,
]);

/** Whether orders rest in the phase and may cross, to trade at one price when it ends. */
export function isCallPhase(phase: number): boolean {
  return CALL_PHASES.has(phase);
}
