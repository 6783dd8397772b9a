/** What matchers remember of sessions. Decides nothing. Does I/O. */
import type { NatsConnection } from "../../../shared/nats/mod.ts";
import { askMatcher } from "../link/matcher_memory.ts";
import type { AppliedCommands, AppliedSession, NoAnswer } from "./ports.ts";

/** The matchers of some shards. */
export class NatsApplied implements AppliedCommands {
  readonly #nc: NatsConnection;
  readonly #shards: readonly number[];

  constructor(nc: NatsConnection, shards: readonly number[]) {
    this.#nc = nc;
    this.#shards = shards;
  }

  async of(session: number, waitMs: number): Promise<AppliedSession | NoAnswer> {
    const question = `session ${session}`;
    const answers = await Promise.all(
      this.#shards.map((shard) => askMatcher(this.#nc, shard, question, waitMs)),
    );
    let newest: AppliedSession = { incarnation: 0, highest: 0 };
    if (answers.includes("silent")) return "silent";
    for (const answer of answers) {
      if (typeof answer === "string") return answer;
      const { incarnation, highest } = answer.session ?? newest;
      if (incarnation > newest.incarnation) newest = { incarnation, highest };
      else if (incarnation === newest.incarnation && highest > newest.highest) {
        newest = { incarnation, highest };
      }
    }
    return newest;
  }
}
