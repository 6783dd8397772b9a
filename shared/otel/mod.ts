/** Tracing of sampled orders across the services. */
export * from "./order_trace.ts";
