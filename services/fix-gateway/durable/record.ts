/**
 * What a venue remembers of a FIX session beside its messages: who owns it, which numbers may have been used, how far
 * the inbound side is dealt with. Owns the record's text form and the rule by which a gateway may take a session over.
 * Pure. docs/wire.md, "Session record"; docs/adr/0003-durable-sessions.md.
 */
import type { Position } from "./position.ts";

/** One run of one gateway. */
export interface Owner {
  readonly gatewayId: number;
  readonly bootId: number;
}

/** Where the numbers of a session stand. */
export interface Numbers {
  /** The next number that we send: the highest that it can be, when the last owner died. */
  readonly out: number;
  /** The next number that we expect. */
  readonly in: number;
  /** Which run of the numbers it is. */
  readonly incarnation: number;
  /** When the run began, ms since 1970. */
  readonly sinceMs: number;
}

/** What the stream of sent messages held of a session. */
export interface StoredMark {
  /** Place of the session's newest record in the stream. */
  readonly seq: number;
  /** Messages up to this number that were to be stored were. */
  readonly through: number;
}

/** The value of a session's key. */
export interface SessionRecord {
  /** Which run of the session's numbers this is; ≥ 1, every reset starts the next. */
  readonly incarnation: number;
  /** When this run began, ms since 1970. */
  readonly sinceMs: number;
  /** Who may write; null: nobody, it is free. */
  readonly owner: Owner | null;
  /**
   * Whether `nextOut` is exact and no report behind `positions` was sent; false from taking over to an orderly end, and
   * after that while reports that an owner who died may have sent are still to be made again.
   */
  readonly clean: boolean;
  /** The next outgoing number: exact when `clean`, else the first that this owner could use. */
  readonly nextOut: number;
  /** Outgoing numbers below it may have been used. */
  readonly reservedOut: number;
  /** Every inbound message up to it needs nothing more: its command is in the stream, or it caused none. */
  readonly inDurable: number;
  /**
   * Numbers that inbound messages up to this one were answered with lie below `reservedOut`, though more of them may have
   * been applied than `inDurable` says; 0 when nothing of the kind was found out.
   */
  readonly appliedIn: number;
  /** Where the session's reports stand, per shard. */
  readonly positions: readonly Position[];
  /** What was stored of this run of the numbers when the record was written, or more; null when that is not known. */
  readonly stored: StoredMark | null;
  /** Grows with every write: tells a write whose answer was lost from another's. */
  readonly writes: number;
}

/** What came of an attempt to take a session over. */
export type TakeOver =
  | {
    readonly kind: "taken";
    readonly record: SessionRecord;
    readonly unclean: boolean;
    /** The numbers start again because their day is over. */
    readonly renewed: boolean;
  }
  | { readonly kind: "refused"; readonly owner: Owner };

/** The Logon that a session is taken over for. */
export interface TakeOverCause {
  /** Whether the client has the numbers start again at 1: what it missed is given up. */
  readonly reset: boolean;
  /** Numbers that began before this instant, ms since 1970, start again at 1; reports that it missed are still made. */
  readonly renewBeforeMs: number;
  /** Now, ms since 1970. */
  readonly wallMs: number;
}

/** What {@link takeOver} decides by. */
export interface TakeOverRequest extends TakeOverCause {
  readonly found: SessionRecord | null;
  /** Of use when none is found: the newest incarnation that was used, 0 for none. */
  readonly usedIncarnation: number;
  readonly me: Owner;
  /** Boot number under which the owner's gateway id is alive; null when its lease has run out. Of no use when it is mine. */
  readonly liveBoot: number | null;
  /** Where the events stand now: where a session without history starts. */
  readonly now: readonly Position[];
  /** Outgoing numbers to reserve. */
  readonly block: number;
}

/** Decides whether the session is free for this gateway, and what its record becomes. */
export function takeOver(request: TakeOverRequest): TakeOver {
  const { found, usedIncarnation, me, liveBoot, reset, now, block, wallMs } = request;
  const owner = found?.owner ?? null;
  if (owner !== null && isHeld(owner, me, liveBoot)) return { kind: "refused", owner };
  const writes = (found?.writes ?? 0) + 1;
  if (found === null || reset) {
    const incarnation = (found?.incarnation ?? usedIncarnation) + 1;
    const record = startOf(incarnation, me, now, block, writes, wallMs);
    return { kind: "taken", record, unclean: false, renewed: false };
  }
  if (found.sinceMs < request.renewBeforeMs) {
    const record = startOf(found.incarnation + 1, me, found.positions, block, writes, wallMs);
    return { kind: "taken", record, unclean: !found.clean, renewed: true };
  }
  const nextOut = found.clean ? found.nextOut : found.reservedOut;
  return {
    kind: "taken",
    unclean: !found.clean,
    renewed: false,
    record: { ...found, owner: me, clean: false, nextOut, reservedOut: nextOut + block, writes },
  };
}

/** The record of a session whose numbers start at 1. */
export function startOf(
  incarnation: number,
  owner: Owner,
  positions: readonly Position[],
  block: number,
  writes: number,
  sinceMs: number,
): SessionRecord {
  return { ...restart(incarnation, positions, block, sinceMs), owner, clean: false, writes };
}

/** What of a record says that the numbers start at 1. */
export function restart(
  incarnation: number,
  positions: readonly Position[],
  block: number,
  sinceMs: number,
): Omit<SessionRecord, "owner" | "clean" | "writes"> {
  return {
    incarnation,
    sinceMs,
    nextOut: 1,
    reservedOut: 1 + block,
    inDurable: 0,
    appliedIn: 0,
    positions,
    stored: null,
  };
}

/** Whether an owner stands: another gateway whose very run is alive, or a later run of this one. */
function isHeld(owner: Owner, me: Owner, liveBoot: number | null): boolean {
  if (owner.gatewayId === me.gatewayId) return owner.bootId > me.bootId;
  return liveBoot !== null && liveBoot <= owner.bootId;
}

const VERSION = 1;

/** The record as JSON text: the same for records that say the same, by which a write whose answer was lost is known. */
export function formatRecord(record: SessionRecord): string {
  const { incarnation, sinceMs, owner, clean, nextOut, reservedOut, inDurable, appliedIn } = record;
  const { positions, stored, writes } = record;
  return JSON.stringify({
    version: VERSION,
    incarnation,
    sinceMs,
    owner,
    clean,
    nextOut,
    reservedOut,
    inDurable,
    appliedIn,
    positions,
    stored,
    writes,
  });
}

/** Reads the text form. Throws an Error that says what is wrong: a record that cannot be read must not be replaced. */
export function parseRecord(text: string): SessionRecord {
  const value = JSON.parse(text) as Record<string, unknown>;
  const fault = faultOf(value);
  if (fault !== null) throw new Error(`Cannot read a session record: ${fault}, got ${text.slice(0, 200)}`);
  const { version: _, stored = null, appliedIn = 0, ...record } = value;
  return { ...record, appliedIn, stored } as unknown as SessionRecord;
}

function faultOf(value: Record<string, unknown>): string | null {
  if (value.version !== VERSION) return `expected version ${VERSION}`;
  for (const key of ["incarnation", "sinceMs", "nextOut", "reservedOut", "inDurable", "writes"]) {
    if (!isCount(value[key])) return `expected a whole number in ${key}`;
  }
  if (value.appliedIn !== undefined && !isCount(value.appliedIn)) {
    return "expected a whole number in appliedIn";
  }
  if (typeof value.clean !== "boolean") return "expected true or false in clean";
  const owner = value.owner as Record<string, unknown> | null | undefined;
  if (owner === undefined || owner !== null && !(isCount(owner.gatewayId) && isCount(owner.bootId))) {
    return "expected null or gatewayId and bootId in owner";
  }
  const positions = value.positions as Record<string, unknown>[];
  const keys = ["shard", "cmdSeq", "eventIndex", "evSeq"];
  if (!Array.isArray(positions) || !positions.every((each) => keys.every((key) => isCount(each?.[key])))) {
    return "expected shard, cmdSeq, eventIndex and evSeq in every one of positions";
  }
  const stored = value.stored as Record<string, unknown> | null | undefined;
  if (stored && !(isCount(stored.seq) && isCount(stored.through))) {
    return "expected null or seq and through in stored";
  }
  return null;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && value as number >= 0;
}
