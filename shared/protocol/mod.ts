/** The contract between the services: words, identifiers, subjects, reasons, limits. Pure. */
export type * from "./control.ts";
export * from "./ids.ts";
export type * from "./instrument_state.ts";
export * from "./instruments.ts";
export * from "./kinds.ts";
export * from "./limits.ts";
export * from "./phase_names.ts";
export * from "./reasons.ts";
export * from "./subjects.ts";
export type * from "./trading_schedule.ts";
