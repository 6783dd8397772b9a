/**
 * Matchers that stand by for each other on a shard of a real nats-server, each with a connection of its own as its own process
 * would have it. Test code only.
 */
import assert from "node:assert/strict";
import { nullLogger } from "../../../shared/cli/log.ts";
import type { NatsConnection } from "../../../shared/nats/mod.ts";
import { until, within } from "../../../shared/testing/awaited.ts";
import { Matcher, type MatcherOptions } from "../matcher.ts";
import { TestEngine } from "../test_engine.ts";
import { assertOneLine, contentOf, Shard, testInstrument } from "../test_kit.ts";
import type { HandoverAnswer, StandbyState } from "./handover_messages.ts";

/** One matcher. */
export interface Candidate {
  readonly matcher: Matcher;
  readonly nc: NatsConnection;
  /** Resolves when it leads. */
  readonly leads: Promise<void>;
  readonly ended: Promise<Error | "handed over">;
}

/** A shard and its matchers. */
export class Candidates {
  readonly all: Candidate[] = [];

  private constructor(readonly shard: Shard) {}

  static async start(): Promise<Candidates> {
    return new Candidates(await Shard.start());
  }

  async dispose(): Promise<void> {
    for (const { matcher, nc } of this.all) {
      await matcher.drain(2000);
      await nc.close();
    }
    await this.shard.dispose();
  }

  /** Starts one more; resolves when it leads or stands by. */
  async add(options: Partial<MatcherOptions> = {}): Promise<Candidate> {
    const nc = await this.shard.server.connect("matcher");
    const ended = Promise.withResolvers<Error | "handed over">();
    const standing = Promise.withResolvers<void>();
    const matcher = new Matcher({
      nc,
      shard: 0,
      engine: new TestEngine(),
      instruments: [testInstrument(1, "AAA")],
      log: nullLogger,
      onFatal: ended.resolve,
      onHandedOver: () => ended.resolve("handed over"),
      standby: true,
      onStandingBy: standing.resolve,
      ...options,
    });
    const leads = matcher.start();
    leads.catch(ended.resolve);
    const made = { matcher, nc, leads, ended: ended.promise };
    this.all.push(made);
    await within("a role", Promise.race([standing.promise, leads]));
    // Whoever stands by now has asked for its subjects.
    await nc.flush().catch(() => {});
    return made;
  }

  /** What the standby says of itself. */
  async state(): Promise<StandbyState> {
    return (await this.shard.nc.request("matcher.0.standby")).json<StandbyState>();
  }

  /** Resolves once the standby has been compared with its leader. */
  isReady(): Promise<void> {
    return until("a standby that is ready", async () => (await this.state()).ready);
  }

  async handOver(): Promise<HandoverAnswer> {
    return (await this.shard.nc.request("matcher.0.handover", "", { timeout: 5000 })).json<HandoverAnswer>();
  }

  /** What everybody must agree on: one line, the same content live and stored. */
  async assertWhole(lastSeq: number, claims: number[]): Promise<void> {
    const { shard } = this;
    await shard.storedUpTo(lastSeq);
    const stored = await shard.stored();
    assertOneLine(stored.groups, lastSeq);
    assert.deepEqual(stored.claims, claims);
    await until("the live events", () => shard.live.at(-1)?.cmdSeq === lastSeq);
    const live = new Map(shard.live.map((group) => [`${group.cmdSeq} ${group.firstEventIndex}`, group]));
    assert.deepEqual([...live.values()].map(contentOf), stored.groups.map(contentOf));
  }
}
