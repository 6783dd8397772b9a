/**
 * What an engine makes of an instrument's definition, as a digest: a snapshot of other rules is not this venue's. Leaves
 * out what may change in a store (docs/operations.md, "Reference data"). Pure.
 */
import { codeOfChar, type Instrument, rulesOf } from "../../../shared/protocol/mod.ts";
import { Digest } from "../engine/digest.ts";
import type { EngineOptions } from "../engine/mod.ts";

/** 16 hexadecimal digits over all that an engine is made for: its shard, its limits, its instruments' rules. */
export function engineRulesDigest(
  { shard, instruments, maxOpenOrders, clOrdIdHistory }: EngineOptions,
): string {
  const digest = new Digest();
  for (const value of [shard, maxOpenOrders, clOrdIdHistory]) digest.integer(value);
  const own = instruments.filter((each) => each.shard === shard).sort((a, b) => a.id - b.id);
  for (const instrument of own) for (const half of halves(rulesDigest(instrument))) digest.integer(half);
  return digest.hex();
}

/** The digest's 32-bit halves. */
function halves(hex: string): number[] {
  return [hex.slice(0, 8), hex.slice(8)].map((half) => parseInt(half, 16));
}

/** 16 hexadecimal digits over id, scales, limit, algorithm and rules. */
export function rulesDigest(instrument: Instrument): string {
  const rules = rulesOf(instrument);
  const digest = new Digest();
  for (
    const value of [
      instrument.id,
      instrument.priceScale,
      instrument.tickUnits,
      instrument.qtyScale,
      instrument.lotUnits,
      codeOfChar(instrument.algorithm.charCodeAt(0)),
      instrument.proRataMin,
      instrument.maxOrderQtyLots,
      rules.topMinLots,
      rules.topMaxLots,
      rules.fifoPercent,
      rules.protectionTicks,
      rules.bandTicks,
      rules.referencePriceTicks,
      rules.postOnly === "reprice" ? 1 : 0,
      rules.initialPhase,
      rules.leadMarketMakers.length,
      ...rules.leadMarketMakers.flatMap(({ firmId, percent }) => [firmId, percent]),
    ]
  ) digest.integer(value);
  return digest.hex();
}
