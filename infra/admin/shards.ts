/** What `deno task admin` says of the matchers of shards: who leads and who stands by. Does I/O. */
import { errors } from "@nats-io/nats-core";
import type { AliveAnswer, StandbyState } from "../../services/matcher/standby/handover_messages.ts";
import type { Venue } from "../../shared/config/mod.ts";
import type { NatsConnection } from "../../shared/nats/mod.ts";
import { aliveSubject, matcherStatusSubject, standbySubject } from "../../shared/protocol/mod.ts";

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

/** One line per shard. */
export function shardLines(statuses: readonly ShardStatus[]): string {
  return statuses.map(({ shard, leader, standby }) => {
    const leads = leader === null
      ? "nobody leads"
      : `process ${leader.pid} leads (epoch ${leader.epoch}, command message ${leader.cmdSeq})`;
    const follows = standby === null
      ? "no standby"
      : standby.ready
      ? `process ${standby.pid} stands by, ${standby.behind} behind`
      : `process ${standby.pid} is not ready to take over yet, at command message ${standby.cmdSeq}`;
    return `shard ${shard}: ${leads}; ${follows}\n`;
  }).join("");
}

/** The answer; null when nobody gives one, or not in time, or the connection is lost before. */
async function ask<T>(nc: NatsConnection, subject: string): Promise<T | null> {
  try {
    return (await nc.request(subject, "", { timeout: ANSWER_MS })).json<T>();
  } catch (cause) {
    if (cause instanceof errors.RequestError || cause instanceof errors.TimeoutError) return null;
    throw cause;
  }
}
