/**
 * What SecurityList(y) and SecurityDefinition(d) say of an instrument. Owns the choice of fields: FIX 4.4's own, and,
 * for sessions that have them, the FIX 5.0 ones that say exactly what FIX 4.4 can only say in words. Pure.
 * Source: FIX 4.4 Vol. 3, messages y and d; FIX 5.0 SP2, BaseTradingRules.
 */
import type { FixWriter } from "../../../shared/codec/fix/mod.ts";
import { qtyText } from "../../../shared/protocol/execution.ts";
import type { Instrument } from "../../../shared/protocol/mod.ts";

/** MinPriceIncrement, MaxTradeVol and MatchAlgorithm of FIX 5.0. */
const EXTENSION_TAGS = { minPriceIncrement: 969, maxTradeVol: 1140, matchAlgorithm: 1142 } as const;

/** RoundLot(561) and MinTradeVol(562): the lot, and the smallest order, which is one lot. */
export function putLot(instrument: Instrument, writer: FixWriter): void {
  writer.text(561, instrument.lot);
  writer.text(562, instrument.lot);
}

/** Text(58): all of it in words. */
export function describe(instrument: Instrument, algorithm: string): string {
  const { tick, lot, maxOrderQtyLots } = instrument;
  return `tick ${tick}, lot ${lot}, at most ${qtyText(maxOrderQtyLots, instrument)}, algorithm ${algorithm}`;
}

/** The FIX 5.0 fields, in ascending order. */
export function putExtensions(instrument: Instrument, algorithm: string, writer: FixWriter): void {
  writer.text(EXTENSION_TAGS.minPriceIncrement, instrument.tick);
  writer.text(EXTENSION_TAGS.maxTradeVol, qtyText(instrument.maxOrderQtyLots, instrument));
  writer.text(EXTENSION_TAGS.matchAlgorithm, algorithm);
}
