/** Order entry: FIX order messages to commands, events to FIX reports. Pure. */
export * from "./business_reject.ts";
export * from "./mass_report.ts";
export * from "./mass_translate.ts";
export * from "./quote_entries.ts";
export * from "./quote_report.ts";
export * from "./quote_translate.ts";
export * from "./report.ts";
export * from "./translate.ts";
