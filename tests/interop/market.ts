/** Decimal texts of an instrument's tick and lot multiples, in exact integer arithmetic. */
import type { Instrument } from "../../shared/protocol/mod.ts";
import type { Market } from "./scenario.ts";

/** Fractions of a tick that average prices may need: ticks × 100 are whole. */
const PARTS = 100n;

/** The texts for one instrument. */
export function marketOf(instrument: Instrument): Market {
  const { symbol, tickUnits, priceScale, lotUnits, qtyScale } = instrument;
  const price = (ticks: number) =>
    decimal(BigInt(Math.round(ticks * Number(PARTS))) * BigInt(tickUnits), priceScale + 2);
  return {
    symbol,
    price,
    qty: (lots) => decimal(BigInt(lots) * BigInt(lotUnits), qtyScale),
    offTickPrice: decimal(BigInt(999 * tickUnits) * 10n + 1n, priceScale + 1),
  };
}

function decimal(units: bigint, scale: number): string {
  const digits = String(units).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
