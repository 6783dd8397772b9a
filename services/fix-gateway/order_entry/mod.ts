/** Order entry: FIX order messages to commands, events to FIX reports. Pure. */
export * from "./business_reject.ts";
export * from "./report.ts";
export * from "./translate.ts";
