/** What a matcher says of an instrument, for tests. Test code only. Pure. */
import type { Instrument, ListedState } from "../protocol/mod.ts";

/** An instrument in `phase` that has not traded and has no auction. */
export function untraded({ id, symbol, algorithm }: Instrument, phase: number): ListedState {
  return {
    id,
    symbol,
    phase,
    algorithm,
    lastPxTicks: 0,
    lastScheduledUs: 0,
    indicativePriceTicks: 0,
    indicativeQtyLots: 0,
    surplusLots: 0,
  };
}
