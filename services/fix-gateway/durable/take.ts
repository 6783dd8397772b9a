/**
 * Taking a session over: the record by compare-and-set, then a claim behind the last record of sent messages, and what
 * both together say about where to go on. Reaches the world through ports.
 * docs/adr/0003-durable-sessions.md, "Decision".
 */
import type { Logger } from "../../../shared/cli/log.ts";
import { type LostMessages, lostMessages } from "./lost_messages.ts";
import type { Progress } from "./out_log.ts";
import { isEqual, MessageBlock, readOutRecord } from "./out_record.ts";
import type { DurablePorts, StoredRecord } from "./ports.ts";
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
}

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

/**
 * Takes session `id` over, waiting a little for an owner that is about to let go. Rejects when record or stream cannot
 * be reached; whatever was written then makes the next attempt an unclean one, no worse.
 */
export async function take(
  id: number,
  cause: TakeOverCause,
  host: TakeHost,
): Promise<Taken | { readonly kind: "refused"; readonly reason: string }> {
  const { me, ports, limits } = host;
  const beganMs = ports.nowMs();
  const deadline = beganMs + limits.patienceMs;
  for (;;) {
    const found = await ports.records.read(id);
    const owner = found?.record.owner ?? null;
    const liveBoot = owner === null || owner.gatewayId === me.gatewayId
      ? null
      : await ports.leases.bootOf(owner.gatewayId);
    const usedIncarnation = found === null ? await findUsedIncarnation(id, host) : 0;
    const attempt = takeOver({
      found: found?.record ?? null,
      usedIncarnation,
      me,
      liveBoot,
      ...cause,
      now: ports.positions(),
      block: limits.block,
    });
    if (attempt.kind === "taken") {
      const { record, unclean, renewed } = attempt;
      const revision = await write(id, record, found?.revision ?? 0, beganMs + TROUBLE_MS, ports);
      if (revision !== null) {
        const claimed = await claim(id, record, found?.record ?? null, beganMs + TROUBLE_MS, host);
        const doubtful = unclean ? await ports.newestCommands() : new Map();
        return { kind: "taken", record, revision, unclean, doubtful, renewed, ...claimed };
      }
    } else if (ports.nowMs() >= deadline) {
      return { kind: "refused", reason: `the session is held by gateway ${attempt.owner.gatewayId}` };
    } else await ports.delay(LOOK_MS);
  }
}

/**
 * The newest incarnation of a session without a record. It is 0 for one that was never used; what was used shows in the
 * matchers, which take nothing of an earlier incarnation, and in sent messages: then the record is lost.
 */
async function findUsedIncarnation(id: number, { ports, log }: TakeHost): Promise<number> {
  const last = await ports.out.last(id);
  const sent = last === null ? 0 : readOutRecord(last.bytes).incarnation;
  const used = Math.max(sent, await ports.applied.incarnationOf(id));
  if (used > 0) log.error("a session's record is lost: its numbers start again at 1", { session: id, used });
  return used;
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
