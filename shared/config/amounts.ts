/** Decimal text of the venue file as units, lots and ticks; what does not come out even is reported. Pure. */
import { MAX_PRICE_TICKS, MAX_QTY_LOTS } from "../protocol/limits.ts";
import type { Path, Report } from "./problems.ts";

/** Decimal text as an integer in units of 10^-scale; null when it has more decimals than that. Digit by digit. */
export function decimalUnits(text: string, scale: number): number | null {
  const [whole, fraction = ""] = text.split(".");
  const significant = fraction.replace(/0+$/, "");
  if (significant.length > scale) return null;
  let units = 0;
  for (const digit of whole + significant.padEnd(scale, "0")) units = units * 10 + (digit.charCodeAt(0) - 48);
  return units;
}

/** A quantity in lots; reports one that is no multiple of the lot, or too many of them. */
export function lotsOf(
  text: string,
  { lot, qtyScale }: { lot: string; qtyScale: number },
  lotUnits: number,
  path: Path,
  report: Report,
): number {
  const lots = (decimalUnits(text, qtyScale) ?? NaN) / lotUnits;
  if (!Number.isInteger(lots)) report(path, `a multiple of lot ${lot}`, text);
  else if (lots > MAX_QTY_LOTS) report(path, `at most ${MAX_QTY_LOTS} lots of ${lot}`, text);
  return lots;
}

/** A price in ticks; reports one that is no multiple of the tick, or too many of them. */
export function ticksOf(
  text: string,
  { tick, priceScale }: { tick: string; priceScale: number },
  tickUnits: number,
  path: Path,
  report: Report,
): number {
  const ticks = (decimalUnits(text, priceScale) ?? NaN) / tickUnits;
  if (!Number.isInteger(ticks)) report(path, `a multiple of tick ${tick}`, text);
  else if (ticks > MAX_PRICE_TICKS) report(path, `at most ${MAX_PRICE_TICKS} ticks of ${tick}`, text);
  return ticks;
}
