/**
 * What an operator may change of a session that nobody holds: its numbers. Owns the rule that they go forward unless
 * that is forced, and what the session's record becomes. Pure. docs/operations.md, "Sequence numbers";
 * docs/adr/0003-durable-sessions.md.
 */
import { laterPositions, type Position } from "../durable/position.ts";
import { type Numbers, restart, type SessionRecord } from "../durable/record.ts";
import { MAX_SEQ_NUM } from "../session/tags.ts";

/** What is asked for. */
export type NumberChange =
  /** Both start again at 1. `force`: whether numbers may go back. */
  | { readonly kind: "reset"; readonly force: boolean }
  | {
    readonly kind: "set";
    /** The next number that we send; null leaves it. */
    readonly out: number | null;
    /** The next number that we expect; null leaves it. */
    readonly in: number | null;
    /** Whether numbers may go back. */
    readonly force: boolean;
  };

/** What is known of a session that nobody holds. */
export interface FreeSession {
  readonly record: SessionRecord;
  /** What its newest record of sent messages says; null when there is none. */
  readonly stored: {
    readonly incarnation: number;
    readonly inDurable: number;
    readonly positions: readonly Position[];
  } | null;
  /** Nothing is known of the run of its numbers but that there is one: both its numbers have to be set. */
  readonly isLost: boolean;
}

/** What became of a change. */
export type Changed =
  | {
    readonly kind: "changed";
    readonly record: SessionRecord;
    readonly before: Numbers;
    readonly after: Numbers;
  }
  | { readonly kind: "refused"; readonly reason: string; readonly before: Numbers };

/** A session of which nothing is known but that `incarnation` was used; its reports are owed from `positions` on. */
export function lostSession(
  incarnation: number,
  found: SessionRecord | null,
  positions: readonly Position[],
): FreeSession {
  const { owner = null, clean = true, writes = 0 } = found ?? {};
  const record = { ...restart(incarnation, found?.positions ?? positions, 0, 0), owner, clean, writes };
  return { record, stored: null, isLost: true };
}

/** The numbers with which the session's next connection would begin. */
export function numbersOf({ record, stored }: FreeSession): Numbers {
  const { incarnation, sinceMs, clean, nextOut, reservedOut } = record;
  const inDurable = stored?.incarnation === incarnation
    ? Math.max(record.inDurable, stored.inDurable)
    : record.inDurable;
  return { out: clean ? nextOut : reservedOut, in: inDurable + 1, incarnation, sinceMs };
}

/** Decides whether the change is made, and what the record becomes, which then has no owner. */
export function changeNumbers(session: FreeSession, change: NumberChange, wallMs: number): Changed {
  const before = numbersOf(session);
  const isHalf = change.kind === "set" && (change.out === null || change.in === null);
  if (session.isLost && isHalf) {
    const reason = "Cannot set one number of two that are lost: expected both, or a reset";
    return { kind: "refused", reason, before };
  }
  const wanted = change.kind === "reset"
    ? { out: 1, in: 1 }
    : { out: change.out ?? before.out, in: change.in ?? before.in };
  const fault = faultOf(before, wanted, change.force);
  if (fault !== null) return { kind: "refused", reason: fault, before };
  // Numbers that come a second time are another run: matchers drop what a run repeats, and its messages are not resent.
  const again = session.isLost || change.kind === "reset" || wanted.out < before.out || wanted.in < before.in;
  const run = again
    ? { incarnation: before.incarnation + 1, sinceMs: wallMs }
    : { incarnation: before.incarnation, sinceMs: before.sinceMs };
  const { record, stored } = session;
  const after = {
    ...record,
    ...run,
    owner: null,
    nextOut: wanted.out,
    reservedOut: wanted.out,
    inDurable: wanted.in - 1,
    appliedIn: again ? 0 : record.appliedIn,
    stored: again ? null : record.stored,
    positions: stored === null ? record.positions : laterPositions(record.positions, stored.positions),
    writes: record.writes + 1,
  };
  return { kind: "changed", record: after, before, after: { ...run, ...wanted } };
}

function faultOf(
  before: { readonly out: number; readonly in: number },
  wanted: { readonly out: number; readonly in: number },
  force: boolean,
): string | null {
  for (const side of ["out", "in"] as const) {
    const number = wanted[side];
    if (!Number.isSafeInteger(number) || number < 1 || number > MAX_SEQ_NUM) {
      return `Cannot set the next ${NAMES[side]} number: expected 1 to ${MAX_SEQ_NUM}, got ${number}`;
    }
    if (number < before[side] && !force) {
      const least = `expected at least ${before[side]}, got ${number}`;
      return `Cannot set the next ${NAMES[side]} number: ${least}; numbers go back only when that is forced`;
    }
  }
  return null;
}

const NAMES = { out: "outgoing", in: "incoming" } as const;
