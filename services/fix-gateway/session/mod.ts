/** The FIX 4.4 session: a pure state machine for both roles, its store and its driver. Pure. */
export * from "./dictionary_check.ts";
export * from "./driver.ts";
export * from "./inbound_queue.ts";
export { authenticationFault, firstMessageFault, startsAgain } from "./logon.ts";
export * from "./number_reserve.ts";
export * from "./out_buffer.ts";
export * from "./ports.ts";
export * from "./session.ts";
export { type Fault, Phase, type SessionSetup, type Validate, Verdict } from "./state.ts";
export * from "./store.ts";
