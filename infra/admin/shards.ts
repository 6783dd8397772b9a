/**
 * What `deno task admin` does with the matchers of shards: says who leads and who stands by, and has a leader hand over.
 * Does I/O.
 */
import { errors } from "@nats-io/nats-core";
import type {
  AliveAnswer,
  HandoverAnswer,
  StandbyState,
} from "../../services/matcher/standby/handover_messages.ts";
import type { Venue } from "../../shared/config/mod.ts";
import type { NatsConnection } from "../../shared/nats/mod.ts";
import {
  aliveSubject,
  handoverSubject,
  matcherStatusSubject,
  standbySubject,
} from "../../shared/protocol/mod.ts";

/** A shard as an operator sees it; null for who is not there. */
export interface ShardStatus {
  readonly shard: number;
  readonly leader: {
    readonly pid: number;
    readonly epoch: number;
    /** The last command message applied. */
    readonly cmdSeq: number;
  } | null;
  readonly standby: {
    readonly pid: number;
    /** Whether it could lead at once. */
    readonly ready: boolean;
    readonly cmdSeq: number;
    /** Command messages that it has yet to apply, as far as can be seen. */
    readonly behind: number;
  } | null;
}

const ANSWER_MS = 2000;
/** Longer than a leader takes to answer that its standby did not take over. */
const HANDOVER_MS = 10_000;

/** The shards that a command concerns: `shard`, or all. Throws when the venue has none of that number. */
export function shardsOf(venue: Venue, shard: number | null): readonly number[] {
  if (shard === null) return venue.shards;
  if (venue.shards.includes(shard)) return [shard];
  throw new Error(`Cannot find shard ${shard}: the venue has no shards but ${venue.shards.join(", ")}`);
}

/** Who leads a shard, and who stands by. */
export async function shardStatus(nc: NatsConnection, shard: number): Promise<ShardStatus> {
  const [alive, status, standby] = await Promise.all([
    ask<AliveAnswer>(nc, aliveSubject(shard)),
    ask<{ cmdSeq: number }>(nc, matcherStatusSubject(shard)),
    ask<StandbyState>(nc, standbySubject(shard)),
  ]);
  const cmdSeq = status?.cmdSeq ?? 0;
  return {
    shard,
    leader: alive === null ? null : { pid: alive.pid, epoch: alive.epoch, cmdSeq },
    standby: standby === null ? null : {
      pid: standby.pid,
      ready: standby.ready,
      cmdSeq: standby.cmdSeq,
      behind: Math.max(0, cmdSeq - standby.cmdSeq),
    },
  };
}

/** Has a shard's leader hand over to its standby; resolves when that leads, or with why it does not. */
export async function handOver(nc: NatsConnection, shard: number): Promise<HandoverAnswer> {
  try {
    return (await nc.request(handoverSubject(shard), "", { timeout: HANDOVER_MS })).json<HandoverAnswer>();
  } catch (cause) {
    const nobody = cause instanceof errors.RequestError && cause.isNoResponders();
    const why = nobody ? "no matcher leads" : "no answer in time; who leads now, shard status says";
    return { kind: "refused", shard, why };
  }
}

/** One line per shard. */
export function shardLines(statuses: readonly ShardStatus[]): string {
  return statuses.map(({ shard, leader, standby }) => {
    const leads = leader === null
      ? "nobody leads"
      : `process ${leader.pid} leads (epoch ${leader.epoch}, command message ${leader.cmdSeq})`;
    const follows = standby === null
      ? "no standby"
      : `process ${standby.pid} stands by, ${
        standby.ready ? `${standby.behind} behind` : `still replaying at ${standby.cmdSeq}`
      }`;
    return `shard ${shard}: ${leads}; ${follows}\n`;
  }).join("");
}

/** One line per shard. */
export function handoverLines(answers: readonly HandoverAnswer[]): string {
  return answers.map((answer) =>
    answer.kind === "refused"
      ? `Not handed over: shard ${answer.shard}: ${answer.why}\n`
      : `Handed over: shard ${answer.shard}: epoch ${answer.from} → ${answer.to}, paused for ${answer.pausedMs} ms\n`
  ).join("");
}

async function ask<T>(nc: NatsConnection, subject: string): Promise<T | null> {
  try {
    return (await nc.request(subject, "", { timeout: ANSWER_MS })).json<T>();
  } catch (cause) {
    if (cause instanceof errors.RequestError || cause instanceof errors.TimeoutError) return null;
    throw cause;
  }
}
