/**
 * Taking a session over: the record by compare-and-set, then a claim behind the last record of sent messages, and what
 * both together say about where to go on. Reaches the world through ports.
 * docs/adr/0003-durable-sessions.md, "Decision".
 */
import type { Logger } from "../../../shared/cli/log.ts";
import { type LostMessages, lostMessages } from "./lost_messages.ts";
import type { Progress } from "./out_log.ts";
import { isEqual, MessageBlock, readOutRecord } from "./out_record.ts";
import { type OutdatedRecord, standingOf } from "./outdated_record.ts";
import type { AppliedSession, DurablePorts, StoredRecord } from "./ports.ts";
import { laterPositions } from "./position.ts";
import { formatRecord, type Owner, type SessionRecord, takeOver, type TakeOverCause } from "./record.ts";

/** A session that is this gateway's now. */
export interface Taken {
  readonly kind: "taken";
  readonly record: SessionRecord;
  readonly revision: number;
  /** How far the last owner is known to have come. */
  readonly progress: Progress;
  /** Place of our claim in the stream. */
  readonly streamSeq: number;
  /** No number up to it will be stored any more. */
  readonly through: number;
  /** Whether the last owner ended without giving the session back. */
  readonly unclean: boolean;
  /**
   * By shard, the newest command of which an earlier owner may have sent reports. Not where events stand: a matcher tells
   * of events before they are stored. Empty after an orderly end.
   */
  readonly doubtful: ReadonlyMap<number, number>;
  /** Whether the numbers start again because their day is over. */
  readonly renewed: boolean;
  /** What the stream of sent messages held of the session and holds no more; null when nothing is known to be lost. */
  readonly lost: LostMessages | null;
  /** What shows that the record was not the newest one; null when nothing does. */
  readonly outdated: OutdatedRecord | null;
}

/** A session that is not this gateway's. */
export type NotTaken =
  | { readonly kind: "refused"; readonly reason: string }
  /** Nothing is known of the run of numbers that its client is in: they have to start again. */
  | { readonly kind: "lost"; readonly incarnation: number };

/** What taking needs. */
export interface TakeHost {
  readonly me: Owner;
  readonly ports: DurablePorts;
  readonly limits: { readonly block: number; readonly patienceMs: number };
  readonly log: Logger;
}

const LOOK_MS = 25;
/** How long what has an unknown outcome is tried again: nats-server may have been ended, and be started again. */
const TROUBLE_MS = 5000;
/** How long matchers may take to say what they know of a session with a record, ms. */
const KNOWN_WAIT_MS = 500;
/** And of one without, or whose record may be from before a start, at which they come up as well. */
const UNKNOWN_WAIT_MS = 2000;
/** How long those that still replay their commands are waited for when a session is taken first, ms. */
const REPLAY_WAIT_MS = 5000;

/**
 * Takes session `id` over, waiting a little for an owner that is about to let go. Rejects when record or stream cannot
 * be reached; whatever was written then makes the next attempt an unclean one, no worse. Matchers are asked what they know
 * of it when its record is unclean or gone, or may have been replaced since `isFirst`: this process has not held it.
 */
export async function take(
  id: number,
  cause: TakeOverCause,
  isFirst: boolean,
  host: TakeHost,
): Promise<Taken | NotTaken> {
  const { me, ports, limits } = host;
  const deadline = ports.nowMs() + limits.patienceMs;
  let applied: AppliedSession | null | undefined;
  for (;;) {
    // Read before the record, of which it then shows whether it is the newest.
    const last = await ports.out.last(id);
    const found = await ports.records.read(id);
    const owner = found?.record.owner ?? null;
    const liveBoot = owner === null || owner.gatewayId === me.gatewayId
      ? null
      : await ports.leases.bootOf(owner.gatewayId);
    if (applied === undefined && (isFirst || found?.record.clean !== true)) {
      applied = await askApplied(id, found === null && last === null, isFirst, host);
    }
    const standing = standingOf(found?.record ?? null, last, applied ?? null);
    const { usedIncarnation, outdated } = standing;
    const attempt = takeOver({
      found: standing.record,
      usedIncarnation,
      me,
      liveBoot,
      ...cause,
      now: ports.positions(),
      block: limits.block,
    });
    if (attempt.kind === "taken") {
      const { record, unclean, renewed } = attempt;
      if (standing.isLost && !cause.reset && !renewed) return { kind: "lost", incarnation: usedIncarnation };
      const untilMs = ports.nowMs() + TROUBLE_MS;
      const revision = await write(id, record, found?.revision ?? 0, untilMs, ports);
      if (revision !== null) {
        const claimed = await claim(id, record, standing.record, untilMs, host);
        const doubtful = unclean ? await ports.newestCommands() : new Map();
        return { kind: "taken", record, revision, unclean, doubtful, renewed, outdated, ...claimed };
      }
    } else if (ports.nowMs() >= deadline) {
      return { kind: "refused", reason: `the session is held by gateway ${attempt.owner.gatewayId}` };
    } else await ports.delay(LOOK_MS);
  }
}

/**
 * What matchers know of a session. A session that `isUnknown` elsewhere cannot do without; else null when they do not say,
 * which is logged.
 */
async function askApplied(
  id: number,
  isUnknown: boolean,
  isFirst: boolean,
  { ports: { applied, nowMs }, log }: TakeHost,
): Promise<AppliedSession | null> {
  const untilMs = nowMs() + (isFirst ? REPLAY_WAIT_MS : 0);
  const waitMs = isUnknown || isFirst ? UNKNOWN_WAIT_MS : KNOWN_WAIT_MS;
  for (let looks = 0;; looks++) {
    const answer = await applied.of(id, waitMs);
    if (typeof answer !== "string") return answer;
    if (answer === "behind" && nowMs() < untilMs) {
      if (looks === 0) log.info("a Logon waits for matchers that replay their commands", { session: id });
      continue;
    }
    if (isUnknown) {
      throw new Error(`Cannot learn which numbers session ${id} used: not every matcher answers`);
    }
    log.warn("a session is taken over without what matchers know of it: its record is taken for the newest", {
      session: id,
      matchers: answer,
    });
    return null;
  }
}

/**
 * Writes the record against `expected`, and finds out what came of a write whose answer was lost: the revision, or null when
 * another has written. Rejects when that is not known by `untilMs`.
 */
async function write(
  id: number,
  record: SessionRecord,
  expected: number,
  untilMs: number,
  { records, nowMs, delay }: DurablePorts,
): Promise<number | null> {
  for (;;) {
    try {
      return await records.write(id, record, expected);
    } catch (cause) {
      if (nowMs() >= untilMs) throw cause;
    }
    await delay(LOOK_MS);
    const found = await records.read(id);
    if (found !== null && formatRecord(found.record) === formatRecord(record)) return found.revision;
    if ((found?.revision ?? 0) !== expected) return null;
  }
}

/** Puts a claim behind everything that an earlier owner has stored, and says what that was. */
async function claim(
  id: number,
  record: SessionRecord,
  found: SessionRecord | null,
  untilMs: number,
  { me, ports }: TakeHost,
): Promise<Pick<Taken, "progress" | "streamSeq" | "through" | "lost">> {
  const through = record.nextOut - 1;
  for (let sent: Sent | null = null;;) {
    const last = await ports.out.last(id);
    if (sent !== null && last !== null && isEqual(last.bytes, sent.bytes)) {
      if (record.nextOut === 1) ports.out.forget(id, last.seq);
      return { ...sent.found, streamSeq: last.seq, through };
    }
    const lost = found === null ? null : await lostMessages(found, last, ports.out);
    const progress = progressOf(record, last);
    const bytes = new MessageBlock().record({
      session: id,
      ...me,
      incarnation: record.incarnation,
      through,
      inDurable: progress.inDurable,
      positions: progress.positions,
      number: 0,
    });
    const outcome = await ports.out.publish(id, bytes, last?.seq ?? 0);
    if (outcome.kind === "stored") {
      if (record.nextOut === 1 && last !== null) ports.out.forget(id, outcome.seq);
      return { progress, streamSeq: outcome.seq, through, lost };
    }
    if (outcome.kind === "refused") throw new Error(`Cannot claim session ${id}: ${outcome.reason}`);
    if (outcome.kind === "conflict") continue;
    if (ports.nowMs() >= untilMs) throw new Error(`Cannot claim session ${id}: the stream did not answer`);
    sent = { bytes, found: { progress, lost } };
    await ports.delay(LOOK_MS);
  }
}

/** A claim whose answer was lost, and what was found before it. */
interface Sent {
  readonly bytes: Uint8Array;
  readonly found: Pick<Taken, "progress" | "lost">;
}

/** The newer of what record and last stored messages say. */
function progressOf(record: SessionRecord, last: StoredRecord | null): Progress {
  const { inDurable, positions } = record;
  if (last === null) return { inDurable, positions };
  const stored = readOutRecord(last.bytes);
  return {
    inDurable: stored.incarnation === record.incarnation ? Math.max(inDurable, stored.inDurable) : inDurable,
    positions: laterPositions(positions, stored.positions),
  };
}
