/**
 * OrderID(37), ExecID(17) and trade ID as functions of shard, command sequence and index (design: identity is a
 * function of the command stream). Pure.
 *
 * Text forms: OrderID `0-1234-5` is the command at index 5 of the CMD_0 message with sequence 1234; ExecID
 * `0-1234-7` is event 7 that this message caused. Event and command indices count separately, and OrderID and
 * ExecID are different FIX fields, so the two never meet.
 */
import { MAX_BATCH_COMMANDS, MAX_GATEWAY_ID } from "./limits.ts";

/** Where an event stands, from which its identifiers and its time follow. */
export interface EventPosition {
  readonly shard: number;
  /** Stream sequence of the command message. */
  readonly cmdSeq: number;
  /** Index of the event among all that this message caused. */
  readonly eventIndex: number;
  /** The stream's time for the message, µs since 1970. */
  readonly timestampUs: number;
}

/** An order's number inside its shard: sequence × 4096 + command index. A safe integer; 0 is none. */
export type OrderId = number;

/** The order that the command at `index` (0 … 4095) of command message `sequence` (1 … MAX_SEQUENCE) creates. */
export function orderIdOf(sequence: number, index: number): OrderId {
  return sequence * MAX_BATCH_COMMANDS + index;
}

/** OrderID(37) as FIX text; `NONE` for 0, as FIX 4.4 Vol. 4 asks for an order that does not exist. */
export function formatOrderId(shard: number, orderId: OrderId): string {
  if (orderId === 0) return "NONE";
  return `${shard}-${Math.floor(orderId / MAX_BATCH_COMMANDS)}-${orderId % MAX_BATCH_COMMANDS}`;
}

/** ExecID(17), also SecondaryExecID(527) for the trade: event `index` of command message `sequence`. */
export function formatExecId(shard: number, sequence: number, index: number): string {
  return `${shard}-${sequence}-${index}`;
}

/** The gateway id under which the matcher of a shard (0 … 999) sends its own commands. */
export function timekeeperGatewayId(shard: number): number {
  return MAX_GATEWAY_ID + 1 + shard;
}
