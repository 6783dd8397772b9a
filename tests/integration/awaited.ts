/** Waiting for a condition, as all tests do it. Test code only. */
export * from "../../shared/testing/awaited.ts";
