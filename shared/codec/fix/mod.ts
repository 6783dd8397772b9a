/** The FIX 4.4 codec: framing, field access, groups, decimals, writing, dictionary, validation. Pure. */
export * from "./decimal.ts";
export * from "./describe.ts";
export * from "./dictionary.ts";
export {
  DictionaryError,
  type DictionaryTable,
  FIELD_TYPES,
  type FieldType,
  tableOf,
} from "./dictionary_table.ts";
export { FIX44, VENUE_TABLE } from "./fix44.ts";
export * from "./framer.ts";
export * from "./group.ts";
export * from "./header.ts";
export * from "./message.ts";
export * from "./reject_reason.ts";
export {
  parseUtcDate,
  parseUtcTimeOnly,
  parseUtcTimestamp,
  TimestampWriter,
  UTC_TIMESTAMP_BYTES,
} from "./timestamp.ts";
export * from "./validate.ts";
export * from "./writer.ts";
