/** What matchers remember of sessions. Decides nothing. Does I/O. */
import type { NatsConnection } from "../../../shared/nats/mod.ts";
import { askMatcher } from "../link/matcher_memory.ts";
import type { AppliedCommands } from "./ports.ts";

/** A Logon waits this long for matchers, ms; only that of a session without a record does. */
const WAIT_MS = 2000;

/** The matchers of some shards. */
export class NatsApplied implements AppliedCommands {
  readonly #nc: NatsConnection;
  readonly #shards: readonly number[];

  constructor(nc: NatsConnection, shards: readonly number[]) {
    this.#nc = nc;
    this.#shards = shards;
  }

  async incarnationOf(session: number): Promise<number> {
    const answers = await Promise.all(this.#shards.map((shard) => this.#ofShard(shard, session)));
    return Math.max(0, ...answers);
  }

  async #ofShard(shard: number, session: number): Promise<number> {
    const answer = await askMatcher(this.#nc, shard, `session ${session}`, WAIT_MS);
    if (answer === null) {
      throw new Error(
        `Cannot learn which numbers session ${session} used: the matcher of shard ${shard} is silent`,
      );
    }
    return answer.session?.incarnation ?? 0;
  }
}
