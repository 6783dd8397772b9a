/** ExecID(17) of executions as text (shared/protocol/ids.ts writes it). Pure. */
import { MAX_SEQUENCE } from "../../shared/protocol/mod.ts";

/** Where an event stands. */
export interface ExecId {
  readonly shard: number;
  /** Stream sequence of the command message that caused it. */
  readonly cmdSeq: number;
  /** Index of the event among all of that message. */
  readonly index: number;
}

/** Reads an ExecID; null for anything that `formatExecId` would not have written. */
export function parseExecId(text: string): ExecId | null {
  const match = /^(0|[1-9]\d{0,4})-([1-9]\d{0,12})-(0|[1-9]\d{0,9})$/.exec(text);
  if (match === null || Number(match[2]) > MAX_SEQUENCE) return null;
  return { shard: Number(match[1]), cmdSeq: Number(match[2]), index: Number(match[3]) };
}
