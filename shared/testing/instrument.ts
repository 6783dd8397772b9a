/** Instruments for tests. Test code only. Pure. */
import { type Instrument, MatchAlgorithm } from "../protocol/mod.ts";

/** An instrument of shard 0, FIFO, tick 0.01, lot 1, at most a million lots, but for `overrides`. */
export function testInstrument(id: number, overrides: Partial<Instrument> = {}): Instrument {
  return {
    id,
    symbol: `SYM${id}`,
    shard: 0,
    priceScale: 2,
    tickUnits: 1,
    qtyScale: 0,
    lotUnits: 1,
    algorithm: MatchAlgorithm.Fifo,
    proRataMin: 1,
    maxOrderQtyLots: 1_000_000,
    tick: "0.01",
    lot: "1",
    ...overrides,
  };
}
