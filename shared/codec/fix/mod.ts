/** The FIX 4.4 codec: framing, field access, decimals, writing, dictionary. Pure. */
export * from "./decimal.ts";
export * from "./dictionary.ts";
export { type DictionaryTable, FIELD_TYPES, type FieldType } from "./dictionary_table.ts";
export { FIX44 } from "./fix44.ts";
export * from "./framer.ts";
export * from "./message.ts";
export { parseUtcDate, parseUtcTimeOnly, parseUtcTimestamp } from "./timestamp.ts";
export * from "./writer.ts";
