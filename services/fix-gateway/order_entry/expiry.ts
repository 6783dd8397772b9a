/**
 * ExpireDate(432) and ExpireTime(126) → microseconds since 1970. Owns the meaning of a day: an order is good through the
 * last microsecond of it in UTC. Pure. Allocates nothing. Source: FIX 4.4 Vol. 4, NewOrderSingle; Vol. 1, UTCTimestamp.
 */
import { parseUtcDate, parseUtcTimestamp } from "../../../shared/codec/fix/mod.ts";

const DAY_US = 86_400_000_000;
/** Bytes of "YYYYMMDD-HH:MM:SS.sss". */
const MILLIS_BYTES = 21;

/** The last microsecond of the day `buffer[start, end)`; NaN when malformed, negative before 1970. */
export function expireUsOfDate(buffer: Uint8Array, start: number, end: number): number {
  return parseUtcDate(buffer, start, end) * 1000 + DAY_US - 1;
}

/** The instant `buffer[start, end)`, what is finer than a microsecond cut off; NaN when malformed, negative before 1970. */
export function expireUsOfTime(buffer: Uint8Array, start: number, end: number): number {
  const us = parseUtcTimestamp(buffer, start, end) * 1000;
  if (end - start <= MILLIS_BYTES) return us;
  const at = start + MILLIS_BYTES;
  const micros = (buffer[at] - 48) * 100 + (buffer[at + 1] - 48) * 10 + (buffer[at + 2] - 48);
  return us + micros;
}

/** Whether an expiry can be carried: a safe integer above 0, which ends in the year 2255. */
export function isExpiry(us: number): boolean {
  return us > 0 && us <= Number.MAX_SAFE_INTEGER;
}
