/**
 * Changing the numbers of a session that nobody holds: read, decide, write into the audit, write by compare-and-set.
 * Owns the order of these steps: nothing is changed before the audit says so. Reaches the world through ports.
 */
import { errorText } from "../../../shared/cli/log.ts";
import { readOutRecord } from "../durable/out_record.ts";
import { standingOf } from "../durable/outdated_record.ts";
import type { AppliedCommands, Leases, OutStream, SessionRecords } from "../durable/ports.ts";
import type { Position } from "../durable/position.ts";
import type { Numbers, Owner } from "../durable/record.ts";
import type { Audit, AuditEntry } from "./audit.ts";
import { type Changed, changeNumbers, type FreeSession, lostSession, type NumberChange } from "./change.ts";

/** What a change needs. */
export interface ChangePorts {
  readonly records: SessionRecords;
  readonly out: Pick<OutStream, "last">;
  readonly leases: Leases;
  readonly applied: AppliedCommands;
  /** Where events stand now. */
  readonly positions: () => readonly Position[] | Promise<readonly Position[]>;
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

/** A session as it lies in the streams. */
export interface FoundSession {
  /** Null when it was never used, as far as is known. */
  readonly session: FreeSession | null;
  /** Of its record; 0 for none. */
  readonly revision: number;
  /** The gateway that holds it and is alive; null when there is none. */
  readonly holder: Owner | null;
  /** Whether matchers did not say what they know of it: its next connection may begin with other numbers. */
  readonly isUnsure: boolean;
}

/** How long matchers may take to say what they know of a session, ms. */
const APPLIED_MS = 2000;

/** Reads a session as a Logon would; matchers are asked only while nobody holds it. */
export async function readSession(id: number, ports: Omit<ChangePorts, "audit">): Promise<FoundSession> {
  const { records, out, applied, positions } = ports;
  const last = await out.last(id);
  const found = await records.read(id);
  const record = found?.record ?? null;
  const revision = found?.revision ?? 0;
  const holder = await holderOf(record?.owner ?? null, ports);
  const answer = holder === null ? await applied.of(id, APPLIED_MS) : null;
  const known = typeof answer === "string" ? null : answer;
  const standing = standingOf(record, last, known);
  const head = { revision, holder, isUnsure: holder === null && known === null };
  if (standing.isLost) {
    return { ...head, session: lostSession(standing.usedIncarnation, standing.record, await positions()) };
  }
  if (standing.record === null) return { ...head, session: null };
  const stored = last === null ? null : readOutRecord(last.bytes);
  return { ...head, session: { record: standing.record, stored, isLost: false } };
}

async function holderOf(owner: Owner | null, { leases }: Pick<ChangePorts, "leases">): Promise<Owner | null> {
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
  const { session: found, revision, holder, isUnsure } = await readSession(session.id, ports);
  if (holder !== null) return await refuse(`The session is held by gateway ${holder.gatewayId}: try again`);
  if (isUnsure) return await refuse("Not every matcher says which numbers the session used: try again");
  if (found === null) {
    return await refuse(`${session.senderCompId} has never logged on: both its numbers are 1 already`);
  }
  const changed = changeNumbers(found, change, ports.wallMs());
  if (changed.kind === "refused") return await refuse(changed.reason, changed.before);
  const { before, after } = changed;
  await write({ outcome: "started", before, after });
  const reason = await replace(session.id, changed, revision, ports);
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
