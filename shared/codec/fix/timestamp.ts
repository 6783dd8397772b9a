/**
 * Owns UTCTimestamp text: reading to epoch milliseconds and writing with the last second kept. Pure.
 * Source: FIX 4.4 Vol. 1, "UTCTimestamp": YYYYMMDD-HH:MM:SS or YYYYMMDD-HH:MM:SS.sss, seconds up to 60.
 */

/** Bytes of "YYYYMMDD-HH:MM:SS.sss". */
export const UTC_TIMESTAMP_BYTES = 21;

const DAY_SECONDS = 86_400;
const DAY_MS = 1000 * DAY_SECONDS;
const SECONDS_BYTES = 17;
/** Bytes of "YYYYMMDD-HH:MM:SS.". */
const SHOWN_BYTES = 18;
const MAX_FRACTION_DIGITS = 12;

/**
 * Epoch milliseconds of `bytes[start, end)`, NaN when malformed. Fractions of 3, 6, 9 or 12 digits are taken (later
 * FIX versions send them) and cut to milliseconds; second 60 (a leap second) is the next minute's second 0.
 */
export function parseUtcTimestamp(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < SECONDS_BYTES || bytes[start + 8] !== 0x2d) return NaN;
  const dayMs = parseUtcDate(bytes, start, start + 8);
  return dayMs + parseUtcTimeOnly(bytes, start + 9, end);
}

/** Epoch milliseconds of a day YYYYMMDD, NaN when malformed or no calendar day. */
export function parseUtcDate(bytes: Uint8Array, start: number, end: number): number {
  if (end - start !== 8) return NaN;
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2);
  const month = twoDigits(bytes, start + 4);
  const day = twoDigits(bytes, start + 6);
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return NaN;
  return daysFromEpoch(year, month, day) * DAY_MS;
}

/** Milliseconds since midnight of HH:MM:SS with an optional fraction, NaN when malformed. */
export function parseUtcTimeOnly(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 8 || bytes[start + 2] !== 0x3a || bytes[start + 5] !== 0x3a) return NaN;
  const hour = twoDigits(bytes, start);
  const minute = twoDigits(bytes, start + 3);
  const second = twoDigits(bytes, start + 6);
  if (!(hour <= 23 && minute <= 59 && second <= 60)) return NaN;
  const wholeMs = ((hour * 60 + minute) * 60 + second) * 1000;
  return length === 8 ? wholeMs : wholeMs + fractionMs(bytes, start + 8, end);
}

function fractionMs(bytes: Uint8Array, start: number, end: number): number {
  const digits = end - start - 1;
  if (bytes[start] !== 0x2e || digits < 3 || digits > MAX_FRACTION_DIGITS || digits % 3 !== 0) return NaN;
  let ms = 0;
  for (let i = start + 1; i < end; i++) {
    const digit = bytes[i] - 0x30;
    if (digit < 0 || digit > 9) return NaN;
    if (i <= start + 3) ms = ms * 10 + digit;
  }
  return ms;
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at] - 0x30;
  const ones = bytes[at + 1] - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days from 1970-01-01 in the proleptic Gregorian calendar, counting years from March. */
function daysFromEpoch(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const monthFromMarch = (month + 9) % 12;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}

/** Writes timestamps; keeps the text of the last second, since most follow each other closely. */
export class TimestampWriter {
  readonly #text: Uint8Array = new Uint8Array(SHOWN_BYTES);
  /** Epoch second that `#text` shows; NaN at first. */
  #second = NaN;
  /** Day since the epoch that `#text` shows; NaN at first. */
  #day = NaN;

  /** Puts {@link UTC_TIMESTAMP_BYTES} at `into[at]`. `epochMs`: whole milliseconds from year 0 to 9999. */
  write(into: Uint8Array, at: number, epochMs: number): void {
    const second = Math.floor(epochMs / 1000);
    const text = this.#text;
    if (second !== this.#second) this.#showSecond(second);
    const ms = epochMs - second * 1000 | 0;
    for (let i = 0; i < SHOWN_BYTES; i++) into[at + i] = text[i];
    const hundreds = ms / 100 | 0;
    const tens = ms / 10 | 0;
    into[at + SHOWN_BYTES] = 0x30 + hundreds;
    into[at + SHOWN_BYTES + 1] = 0x30 + tens - 10 * hundreds;
    into[at + SHOWN_BYTES + 2] = 0x30 + ms - 10 * tens;
  }

  #showSecond(second: number): void {
    const day = Math.floor(second / DAY_SECONDS);
    const text = this.#text;
    if (day !== this.#day) {
      const iso = new Date(second * 1000).toISOString();
      if (iso.length !== 24) {
        throw new RangeError(`Cannot write a UTCTimestamp: second ${second} is out of range`);
      }
      const shown = `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 10)}-${iso.slice(11, 19)}.`;
      for (let i = 0; i < shown.length; i++) text[i] = shown.charCodeAt(i);
      this.#day = day;
    }
    const ofDay = second - day * DAY_SECONDS | 0;
    const minutes = ofDay / 60 | 0;
    const hours = minutes / 60 | 0;
    putTwoDigits(text, 9, hours);
    putTwoDigits(text, 12, minutes - 60 * hours);
    putTwoDigits(text, 15, ofDay - 60 * minutes);
    this.#second = second;
  }
}

function putTwoDigits(into: Uint8Array, at: number, value: number): void {
  const tens = value / 10 | 0;
  into[at] = 0x30 + tens;
  into[at + 1] = 0x30 + value - 10 * tens;
}
