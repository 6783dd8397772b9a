/**
 * Which of a shard's matchers leads: asks them, since only they and the event stream know. Does I/O.
 */
import { connect } from "@nats-io/transport-node";
import { aliveSubject } from "../../shared/protocol/mod.ts";
import type { AliveAnswer } from "../../services/matcher/standby/handover_messages.ts";

/** How to get to the matchers. */
export interface LeaderAccess {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** Who leads a shard, and who stands by; both are names of services. */
export interface ShardRoles {
  readonly shard: number;
  readonly leader: string;
  readonly standby: string;
}

const ANSWER_MS = 500;
/** How long it may take until somebody leads. */
const LEADER_MS = 10_000;
const RETRY_MS = 10;

/** Who of a shard's two matchers leads, once one does. Throws when none has after ten seconds. */
export async function shardRoles(
  access: LeaderAccess,
  shard: number,
  pair: readonly [string, string],
  pidOf: (name: string) => number | null,
): Promise<ShardRoles> {
  const [first, second] = pair;
  return await leaderPid(access, shard) === pidOf(second)
    ? { shard, leader: second, standby: first }
    : { shard, leader: first, standby: second };
}

async function leaderPid({ url, user, password }: LeaderAccess, shard: number): Promise<number> {
  const deadline = performance.now() + LEADER_MS;
  const nc = await connect({ servers: url, user, pass: password, name: "pitwire-supervisor" });
  try {
    for (;;) {
      try {
        return (await nc.request(aliveSubject(shard), "", { timeout: ANSWER_MS })).json<AliveAnswer>().pid;
      } catch (cause) {
        if (performance.now() > deadline) throw new Error(`Cannot find who leads shard ${shard}`, { cause });
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  } finally {
    await nc.close();
  }
}
