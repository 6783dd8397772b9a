/**
 * A session's record that is not the newest one that was written, or is gone: its store was damaged, or comes from a copy.
 * Owns how that shows, since sent messages and matchers know more than they could, and what is gone on with: numbers
 * above all that is known. Pure. docs/operations.md, "Damaged stores"; docs/adr/0003-durable-sessions.md, "Numbers".
 */
import type { Logger } from "../../../shared/cli/log.ts";
import { FIX_OUT_STREAM, type FixSession } from "../../../shared/protocol/mod.ts";
import { type OutHeader, readOutRecord } from "./out_record.ts";
import type { AppliedSession, LastRecord } from "./ports.ts";
import { laterPositions } from "./position.ts";
import type { SessionRecord } from "./record.ts";

/**
 * How far above the last known number a session goes on whose reservation is not known: more than it sends between two
 * stored messages, heartbeats included, and no more to its client than one gap fill.
 */
export const UNKNOWN_NUMBERS = 131_072;
/** Messages by which a record lags behind the matchers at most when its owner dies, as a rule: more is an alarm. */
const LAG_MESSAGES = 1024;
const MATCHERS = "matchers";
const ALARMS = {
  [FIX_OUT_STREAM]:
    "a session's record is older than what the session was sent, or lost: its numbers go on above both",
  [MATCHERS]:
    "a session's record lies far behind its commands, as an older copy would: its numbers go on far above",
};

/** What shows that a record is not the newest. */
export interface OutdatedRecord {
  /** Who knows more. */
  readonly knownTo: typeof FIX_OUT_STREAM | typeof MATCHERS;
  /** Of the record: its run of the numbers, 0 without a record, and the first outgoing number that it says is unused. */
  readonly recordIncarnation: number;
  readonly recordOut: number;
  /** What was found: the run, and the last number that the session was sent, or that matchers have applied of it. */
  readonly incarnation: number;
  readonly last: number;
}

/** What to go on with. */
export interface Standing {
  /** The record, or one that says what is known instead; null when nothing is. */
  readonly record: SessionRecord | null;
  /** The newest incarnation that was used; 0 for none. */
  readonly usedIncarnation: number;
  readonly outdated: OutdatedRecord | null;
  /** Matchers know of a newer run of the numbers, of which nothing else is known: it cannot be gone on with. */
  readonly isLost: boolean;
}

/**
 * Compares a session's record with its newest record of sent messages, which was read before it, and with what matchers
 * have applied; null when they did not say. Throws when sent messages cannot be read.
 */
export function standingOf(
  found: SessionRecord | null,
  last: LastRecord | null,
  applied: AppliedSession | null,
): Standing {
  const sent = last === null ? null : readOutRecord(last.bytes);
  let record = found;
  let outdated: OutdatedRecord | null = null;
  const told = {
    recordIncarnation: found?.incarnation ?? 0,
    recordOut: found === null ? 0 : unusedOut(found),
  };
  if (sent !== null && last !== null && (found === null || isBeyond(found, sent, last.seq))) {
    record = above(found, sent, last);
    outdated = { knownTo: FIX_OUT_STREAM, ...told, incarnation: sent.incarnation, last: sent.through };
  }
  const incarnation = record?.incarnation ?? 0;
  if (applied !== null && applied.incarnation > incarnation) {
    const usedIncarnation = applied.incarnation;
    return {
      record: record && { ...record, incarnation: usedIncarnation },
      usedIncarnation,
      outdated,
      isLost: true,
    };
  }
  if (record !== null && applied?.incarnation === incarnation) {
    const inDurable = sent?.incarnation === incarnation ? sent.inDurable : 0;
    const lag = applied.highest - Math.max(record.inDurable, record.appliedIn, inDurable);
    if (lag > LAG_MESSAGES) outdated ??= { knownTo: MATCHERS, ...told, incarnation, last: applied.highest };
    if (lag > 0) record = farAbove(record, applied.highest, lag > LAG_MESSAGES);
  }
  return { record, usedIncarnation: incarnation, outdated, isLost: false };
}

/** The alarm. */
export function tellOutdatedRecord(
  { senderCompId }: FixSession,
  outdated: OutdatedRecord,
  log: Logger,
): void {
  const fields = { stream: "KV_session", session: senderCompId, ...outdated };
  log.error(ALARMS[outdated.knownTo], fields);
}

function unusedOut({ clean, nextOut, reservedOut }: SessionRecord): number {
  return clean ? nextOut : reservedOut;
}

/** Whether a record of sent messages, at `seq` of the stream, came behind what the session's record says. */
function isBeyond(found: SessionRecord, sent: OutHeader, seq: number): boolean {
  if (sent.incarnation !== found.incarnation) return sent.incarnation > found.incarnation;
  const { owner, clean, stored, nextOut, reservedOut } = found;
  if (clean && stored !== null && seq > stored.seq) return true;
  // Whoever owned the session before used no number that this owner could use; whoever came after, none that was reserved.
  const isOwn = owner?.gatewayId === sent.gatewayId && owner.bootId === sent.bootId;
  return sent.through >= (isOwn ? reservedOut : nextOut);
}

/** A record that goes on behind sent messages. */
function above(found: SessionRecord | null, sent: OutHeader, last: LastRecord): SessionRecord {
  const same = found?.incarnation === sent.incarnation ? found : null;
  const { incarnation, through } = sent;
  const nextOut = Math.max(same?.reservedOut ?? 0, through + 1 + UNKNOWN_NUMBERS);
  return {
    incarnation,
    // Of a run that is not the record's nothing older is known than its last message.
    sinceMs: same?.sinceMs ?? last.storedMs,
    owner: found?.owner ?? null,
    clean: false,
    nextOut,
    reservedOut: nextOut,
    inDurable: Math.max(same?.inDurable ?? 0, sent.inDurable),
    appliedIn: same?.appliedIn ?? 0,
    positions: laterPositions(found?.positions ?? [], sent.positions),
    stored: { seq: last.seq, through },
    writes: found?.writes ?? 0,
  };
}

/**
 * A record that may be an older one, since commands behind it are applied: what they were answered under numbers that it
 * does not know. One that lags as the record of an owner that died does is such a record, most likely. Its numbers are
 * raised once for commands up to `highest`, however long its client takes to send them again.
 */
function farAbove(record: SessionRecord, highest: number, isOlder: boolean): SessionRecord {
  const nextOut = unusedOut(record) + UNKNOWN_NUMBERS;
  const clean = record.clean && !isOlder;
  return { ...record, clean, nextOut, reservedOut: nextOut, appliedIn: highest };
}
