/**
 * Owns the reading of FIX float text (Price, Qty, Amt, Percentage, PriceOffset) as whole units of 10^-scale, digit by
 * digit and never through a floating-point number. Pure.
 *
 * Source: FIX 4.4 Vol. 1, "float": digits with optional "-" in front and optional decimal point; leading zeros and
 * trailing zeros behind the point are allowed, "23." is 23. By the same grammar ".23" is 0.23. No "+", no exponent,
 * no blanks, and at least one digit.
 */

/** More decimals than the scale holds; trailing zeros do not count. */
export const DECIMAL_INEXACT: number = -Infinity;
/** Beyond ±(2^53 − 1) units. */
export const DECIMAL_TOO_LARGE: number = Infinity;

const MINUS = 0x2d;
const POINT = 0x2e;

/**
 * Units of 10^-`scale` (0 to 15) in `bytes[start, end)`: a safe integer, or NaN (malformed), {@link DECIMAL_INEXACT}
 * or {@link DECIMAL_TOO_LARGE}, malformed first and too large last when several apply.
 */
export function parseDecimal(bytes: Uint8Array, start: number, end: number, scale: number): number {
  let at = start;
  const negative = at < end && bytes[at] === MINUS;
  if (negative) at++;
  const firstDigit = at;
  let units = 0;
  let digit = 0;
  while (at < end && (digit = bytes[at] - 0x30) >= 0 && digit <= 9) {
    units = units * 10 + digit;
    at++;
  }
  let digits = at - firstDigit;
  let missing = scale;
  let inexact = false;
  if (at < end) {
    if (bytes[at] !== POINT) return NaN;
    at++;
    digits += end - at;
    for (; at < end; at++) {
      digit = bytes[at] - 0x30;
      if (digit < 0 || digit > 9) return NaN;
      if (missing > 0) {
        units = units * 10 + digit;
        missing--;
      } else if (digit !== 0) inexact = true;
    }
  }
  if (digits === 0) return NaN;
  if (inexact) return DECIMAL_INEXACT;
  for (; missing > 0; missing--) units *= 10;
  // Every intermediate value below 2^53 is exact and the value only grows, so an inexact one ends above.
  if (units > Number.MAX_SAFE_INTEGER) return DECIMAL_TOO_LARGE;
  return negative ? 0 - units : units;
}
