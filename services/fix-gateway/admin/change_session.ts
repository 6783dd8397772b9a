/**
 * Changing the numbers of a session that nobody holds: read, decide, write into the audit, write by compare-and-set.
 * Owns the order of these steps: nothing is changed before the audit says so. Reaches the world through ports.
 */
import { errorText } from "../../../shared/cli/log.ts";
import { readOutRecord } from "../durable/out_record.ts";
import { standingOf } from "../durable/outdated_record.ts";
import type { Leases, OutStream, SessionRecords } from "../durable/ports.ts";
import type { Numbers, Owner } from "../durable/record.ts";
import type { Audit, AuditEntry } from "./audit.ts";
import { type Changed, changeNumbers, type FreeSession, type NumberChange } from "./change.ts";

/** What a change needs. */
export interface ChangePorts {
  readonly records: SessionRecords;
  readonly out: Pick<OutStream, "last">;
  readonly leases: Leases;
  readonly audit: Audit;
  /** Now, ms since 1970. */
  readonly wallMs: () => number;
}

/** A change and who is behind it. */
export interface ChangeRequest {
  readonly session: { readonly id: number; readonly senderCompId: string };
  readonly change: NumberChange;
  readonly by: string;
  readonly via: string;
}

/** What the operator is told. */
export type ChangeOutcome =
  | { readonly kind: "changed"; readonly before: Numbers; readonly after: Numbers }
  | { readonly kind: "refused"; readonly reason: string };

/** The session as it lies in the streams, with the revision of its record; null when it was never used. */
export async function readSession(
  id: number,
  { records, out }: Pick<ChangePorts, "records" | "out">,
): Promise<FreeSession & { readonly revision: number } | null> {
  const last = await out.last(id);
  const found = await records.read(id);
  if (found === null) return null;
  const record = standingOf(found.record, last, null).record!;
  return { record, revision: found.revision, stored: last === null ? null : readOutRecord(last.bytes) };
}

/** The gateway that holds a session and is alive; null when there is none. */
export async function holderOf(
  { record: { owner } }: FreeSession,
  { leases }: Pick<ChangePorts, "leases">,
): Promise<Owner | null> {
  if (owner === null) return null;
  const liveBoot = await leases.bootOf(owner.gatewayId);
  return liveBoot !== null && liveBoot <= owner.bootId ? owner : null;
}

/**
 * Changes the numbers of a session, unless a gateway that is alive holds it. Rejects when the session cannot be read or
 * the audit cannot be written.
 */
export async function changeSession(request: ChangeRequest, ports: ChangePorts): Promise<ChangeOutcome> {
  const { session, change, by, via } = request;
  const write = (entry: Pick<AuditEntry, "outcome" | "before" | "after" | "reason">) =>
    ports.audit.write({
      time: new Date(ports.wallMs()).toISOString(),
      by,
      via,
      session: session.senderCompId,
      sessionId: session.id,
      asked: change,
      ...entry,
    });
  const refuse = async (reason: string, before?: Numbers): Promise<ChangeOutcome> => {
    await write({ outcome: "refused", before, reason });
    return { kind: "refused", reason };
  };
  const found = await readSession(session.id, ports);
  if (found === null) {
    return await refuse(`${session.senderCompId} has never logged on: both its numbers are 1 already`);
  }
  const holder = await holderOf(found, ports);
  if (holder !== null) return await refuse(`The session is held by gateway ${holder.gatewayId}: try again`);
  const changed = changeNumbers(found, change, ports.wallMs());
  if (changed.kind === "refused") return await refuse(changed.reason, changed.before);
  const { before, after } = changed;
  await write({ outcome: "started", before, after });
  const reason = await replace(session.id, changed, found.revision, ports);
  await write({ outcome: reason === null ? "done" : "failed", before, after, reason: reason ?? undefined });
  return reason === null ? { kind: "changed", before, after } : { kind: "refused", reason };
}

/** Null when the record was written, else why not. */
async function replace(
  id: number,
  { record }: Changed & { readonly kind: "changed" },
  revision: number,
  { records }: ChangePorts,
): Promise<string | null> {
  try {
    if (await records.write(id, record, revision) !== null) return null;
    return "The session was taken by a gateway meanwhile: try again";
  } catch (error) {
    return `It is not known whether the numbers were changed: ${errorText(error)}`;
  }
}
