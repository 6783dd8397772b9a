/**
 * Whether the stream of sent messages holds less of a session than its record says it held: the store was damaged. Limits
 * that let old messages go are no loss. Numbers go on all the same, and what is gone is gap-filled; so somebody has to be
 * told. docs/operations.md, "Damaged stores".
 */
import type { Logger } from "../../../shared/cli/log.ts";
import { FIX_OUT_STREAM, type FixSession } from "../../../shared/protocol/mod.ts";
import { readOutRecord } from "./out_record.ts";
import type { OutStream, StoredRecord } from "./ports.ts";
import type { SessionRecord } from "./record.ts";

/** What is gone. */
export interface LostMessages {
  /** Place in the stream of the session's newest record: what it was, and what it is; 0 for none. */
  readonly heldSeq: number;
  readonly seq: number;
  /** Messages of numbers between these are gone, those at both ends included. */
  readonly from: number;
  readonly to: number;
}

/** Compares a session's record with its newest record of sent messages. Rejects when the stream cannot be reached. */
export async function lostMessages(
  { stored, incarnation }: SessionRecord,
  last: StoredRecord | null,
  out: Pick<OutStream, "firstSeq">,
): Promise<LostMessages | null> {
  const seq = last?.seq ?? 0;
  if (stored === null || seq >= stored.seq || stored.seq < await out.firstSeq()) return null;
  const read = last === null ? null : readOutRecord(last.bytes);
  const through = read?.incarnation === incarnation ? read.through : 0;
  if (through >= stored.through) return null;
  return { heldSeq: stored.seq, seq, from: through + 1, to: stored.through };
}

/** The alarm. */
export function tellLostMessages({ senderCompId }: FixSession, lost: LostMessages, log: Logger): void {
  const fields = { stream: FIX_OUT_STREAM, session: senderCompId, ...lost };
  log.error("sent messages are lost: they cannot be resent, numbers go on", fields);
}
