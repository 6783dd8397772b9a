/** The FIX 4.4 codec: framing, field access, decimals, writing. Pure. */
export * from "./decimal.ts";
export * from "./framer.ts";
export * from "./message.ts";
export { parseUtcDate, parseUtcTimeOnly, parseUtcTimestamp } from "./timestamp.ts";
export * from "./writer.ts";
