/**
 * Owns the encoding of tags, numbers and header text into bytes at a place the caller has made room for. "put" writes
 * forwards and returns the position behind, "prepend" writes backwards and returns where it starts. Pure.
 */

const SOH = 1;
const EQUALS = 0x3d;
const QUESTION_MARK = 0x3f;

/** "tag="; two and three digits, nearly all tags, without a loop (bench/micro/codec.ts). */
export function putTag(buffer: Uint8Array, at: number, tag: number): number {
  if (tag >= 1000 || tag < 10) {
    const end = putDigits(buffer, at, tag);
    buffer[end] = EQUALS;
    return end + 1;
  }
  let next = at;
  let rest = tag | 0;
  if (rest >= 100) {
    const hundreds = rest / 100 | 0;
    buffer[next++] = 0x30 + hundreds;
    rest -= 100 * hundreds;
  }
  const tens = rest / 10 | 0;
  buffer[next] = 0x30 + tens;
  buffer[next + 1] = 0x30 + rest - 10 * tens;
  buffer[next + 2] = EQUALS;
  return next + 3;
}

/** Digits of a safe integer ≥ 0; returns the position behind. */
export function putDigits(buffer: Uint8Array, at: number, value: number): number {
  const end = at + digitCount(value);
  fillDigits(buffer, end, value);
  return end;
}

/** `units` × 10^-`scale` without trailing zeros; `units` a safe integer ≥ 0. */
export function putDecimal(buffer: Uint8Array, at: number, units: number, scale: number): number {
  while (scale > 0 && units % 10 === 0) {
    units /= 10;
    scale--;
  }
  if (scale === 0) return putDigits(buffer, at, units);
  const count = digitCount(units);
  if (count > scale) {
    fillDigits(buffer, at + count, units);
    const end = at + count + 1;
    for (let i = end - 1; i > end - 1 - scale; i--) buffer[i] = buffer[i - 1];
    buffer[end - 1 - scale] = 0x2e;
    return end;
  }
  buffer[at] = 0x30;
  buffer[at + 1] = 0x2e;
  const end = at + 2 + scale;
  for (let i = at + 2; i < end - count; i++) buffer[i] = 0x30;
  fillDigits(buffer, end, units);
  return end;
}

/** Writes the digits of `value` so that they end before `end`; returns where they start. */
function fillDigits(buffer: Uint8Array, end: number, value: number): number {
  let at = end;
  let rest = value;
  while (rest > 0x7fffffff) {
    const tenth = Math.floor(rest / 10);
    buffer[--at] = 0x30 + (rest - tenth * 10);
    rest = tenth;
  }
  let small = rest | 0;
  do {
    const tenth = small / 10 | 0;
    buffer[--at] = 0x30 + (small - tenth * 10);
    small = tenth;
  } while (small > 0);
  return at;
}

function digitCount(value: number): number {
  if (value < 1000) return value < 10 ? 1 : value < 100 ? 2 : 3;
  let count = 4;
  for (let bound = 10_000; count < 16 && value >= bound; bound *= 10) count++;
  return count;
}

/** "tag=value" and SOH, ending before `end`; `value` a safe integer ≥ 0. */
export function prependNumber(buffer: Uint8Array, end: number, tag: number, value: number): number {
  buffer[end - 1] = SOH;
  return prependTag(buffer, fillDigits(buffer, end - 1, value), tag);
}

/** "tag=value" and SOH, ending before `end`; characters as FixWriter.text has them. */
export function prependText(buffer: Uint8Array, end: number, tag: number, value: string): number {
  const length = value.length;
  buffer[end - 1] = SOH;
  const at = end - 1 - length;
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i);
    buffer[at + i] = code === SOH || code > 0xff ? QUESTION_MARK : code;
  }
  return prependTag(buffer, at, tag);
}

/** "tag=", ending before `end`. */
export function prependTag(buffer: Uint8Array, end: number, tag: number): number {
  buffer[end - 1] = EQUALS;
  return fillDigits(buffer, end - 1, tag);
}
