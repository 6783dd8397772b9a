/** Sessions that survive their gateway and may move to another (docs/adr/0003-durable-sessions.md). */
export * from "./keeper.ts";
export type { ReportPort } from "./lanes.ts";
export * from "./lost_commands.ts";
export * from "./nats_ports.ts";
