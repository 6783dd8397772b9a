/**
 * Owns the check of one value against its field's data type and enumeration. Pure.
 * Source: FIX 4.4 Vol. 1, "Data Types".
 */
import { parseDecimal } from "./decimal.ts";
import type { FieldDef } from "./dictionary.ts";
import type { FieldType } from "./dictionary_table.ts";
import { latin1, parseInteger } from "./message.ts";
import { parseUtcDate, parseUtcTimeOnly, parseUtcTimestamp } from "./timestamp.ts";

const SPACE = 0x20;

/** Whether the non-empty value `bytes[start, end)` has the format of `type`. Data lengths are checked elsewhere. */
export function hasFormat(type: FieldType, bytes: Uint8Array, start: number, end: number): boolean {
  switch (type) {
    case "STRING":
    case "EXCHANGE":
    case "DATA":
      return true;
    case "CHAR":
      return end - start === 1;
    case "INT":
      return !Number.isNaN(parseInteger(bytes, start, end));
    case "LENGTH":
    case "NUMINGROUP":
    case "SEQNUM":
      return parseInteger(bytes, start, end) >= 0;
    case "AMT":
    case "FLOAT":
    case "PERCENTAGE":
    case "PRICE":
    case "PRICEOFFSET":
    case "QTY":
      return !Number.isNaN(parseDecimal(bytes, start, end, 0));
    case "BOOLEAN":
      return end - start === 1 && (bytes[start] === 0x59 || bytes[start] === 0x4e);
    case "UTCTIMESTAMP":
      return !Number.isNaN(parseUtcTimestamp(bytes, start, end));
    case "UTCTIMEONLY":
      return !Number.isNaN(parseUtcTimeOnly(bytes, start, end));
    case "UTCDATEONLY":
    case "LOCALMKTDATE":
      return !Number.isNaN(parseUtcDate(bytes, start, end));
    case "MONTHYEAR":
      return isMonthYear(bytes, start, end);
    case "CURRENCY":
      return end - start === 3 && isUpperCase(bytes, start, end);
    case "COUNTRY":
      return end - start === 2 && isUpperCase(bytes, start, end);
    case "MULTIPLEVALUESTRING":
      return bytes[start] !== SPACE && bytes[end - 1] !== SPACE;
  }
}

/** What {@link hasFormat} wants, for the text of a reject. */
export function formatName(type: FieldType): string {
  switch (type) {
    case "CHAR":
      return "one character";
    case "INT":
      return "an integer";
    case "LENGTH":
    case "NUMINGROUP":
    case "SEQNUM":
      return "a whole number";
    case "BOOLEAN":
      return "Y or N";
    case "UTCTIMESTAMP":
      return "YYYYMMDD-HH:MM:SS or YYYYMMDD-HH:MM:SS.sss";
    case "UTCTIMEONLY":
      return "HH:MM:SS or HH:MM:SS.sss";
    case "UTCDATEONLY":
    case "LOCALMKTDATE":
      return "YYYYMMDD";
    case "MONTHYEAR":
      return "YYYYMM, YYYYMMDD or YYYYMMwN";
    case "CURRENCY":
      return "a three-letter currency code";
    case "COUNTRY":
      return "a two-letter country code";
    case "MULTIPLEVALUESTRING":
      return "values with single blanks between";
    case "STRING":
    case "EXCHANGE":
    case "DATA":
      return "text";
    default:
      return "a decimal";
  }
}

/** Whether `bytes[start, end)` is among the enumerated values of `field`; true when it has none. */
export function isEnumerated(field: FieldDef, bytes: Uint8Array, start: number, end: number): boolean {
  const { values, charMask } = field;
  if (values === null || charMask === null) return true;
  if (field.type === "MULTIPLEVALUESTRING") {
    for (let from = start, at = start; at <= end; at++) {
      if (at < end && bytes[at] !== SPACE) continue;
      if (!values.has(latin1(bytes, from, at))) return false;
      from = at + 1;
    }
    return true;
  }
  if (end - start === 1) return (charMask[bytes[start] >> 5] >>> (bytes[start] & 31) & 1) === 1;
  return values.has(latin1(bytes, start, end));
}

/** YYYYMM, YYYYMMDD, or YYYYMM and w1 to w5. */
function isMonthYear(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length === 8 && bytes[start + 6] !== 0x77) return !Number.isNaN(parseUtcDate(bytes, start, end));
  if (length !== 6 && length !== 8) return false;
  const yearAndMonth = parseInteger(bytes, start, start + 6);
  const month = yearAndMonth % 100;
  if (!(yearAndMonth >= 0 && month >= 1 && month <= 12)) return false;
  return length === 6 || bytes[start + 7] >= 0x31 && bytes[start + 7] <= 0x35;
}

function isUpperCase(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] < 0x41 || bytes[i] > 0x5a) return false;
  return true;
}
