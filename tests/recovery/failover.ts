/**
 * Takes leading matchers away from under FIX sessions that trade, measures how long nobody is acknowledged, and proves that
 * nothing was lost, invented or doubled. For tests and `deno task bench failover`. Test code.
 */
import { fileURLToPath } from "node:url";
import type { HandoverAnswer } from "../../services/matcher/standby/handover_messages.ts";
import { DEFAULT_POLICY, type RestartPolicy } from "../../infra/supervisor/service.ts";
import { type RunningVenue, startVenue } from "../../infra/venue_process.ts";
import { type Logger, nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { connectNats, type NatsConnection } from "../../shared/nats/mod.ts";
import { handoverSubject } from "../../shared/protocol/mod.ts";
import { until, within } from "../../shared/testing/awaited.ts";
import { LastingTrader } from "./lasting_trader.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { clOrdIdOf, randomMessage } from "./random_orders.ts";
import { assertAllWhole } from "./session_checks.ts";

/** How a leader goes: killed, stopped and later woken, or asked to hand over. */
export type Departure = "kill" | "pause" | "handover";

/** What to run. */
export interface FailoverOptions {
  /** One round each, in this order. */
  readonly departures: readonly Departure[];
  readonly seed: number;
  readonly natsExecutable: string;
  readonly log?: Logger;
  /** Hears of each round when it is over. */
  readonly onRound?: (round: FailoverRound) => void;
}

/** One departure. */
export interface FailoverRound {
  readonly number: number;
  readonly departure: Departure;
  /** Names of services. */
  readonly from: string;
  readonly to: string;
  /** From the departure to the first acknowledgement of an order that was sent after it, ms. */
  readonly outageMs: number;
  /** Hand-overs: what the leader itself measured, ms. */
  readonly pausedMs: number | null;
  /** Orders and requests sent so far. */
  readonly messages: number;
}

const CONFIG = fileURLToPath(new URL("../integration/venue.yaml", import.meta.url));
const NAMES = ["A1", "A2", "B1"];
/** The shard whose leaders depart is 0. */
const OF_SHARD_0: readonly string[] = ["ACME", "TULIP"];
const PAUSE_MS = 4;
/** Killing is the test: the supervisor must not tire of it. */
const POLICY: RestartPolicy = { ...DEFAULT_POLICY, firstPauseMs: 5, longestPauseMs: 5, maxDeaths: 1_000_000 };

/** Runs the rounds on a venue of its own; throws with the first thing that does not hold. */
export async function failover(options: FailoverOptions): Promise<FailoverRound[]> {
  const venue = loadVenue(CONFIG);
  const running = await startVenue({
    config: CONFIG,
    venue,
    store: null,
    natsExecutable: options.natsExecutable,
    log: options.log ?? nullLogger,
    logLevel: options.log === undefined ? "error" : "debug",
    policy: POLICY,
    standby: true,
  });
  const { fixHost: host, fixPort: port, natsUrl: url, natsUser: user, natsPassword: password } =
    running.address;
  const nc = await connectNats({ url, name: "failover", user, password });
  try {
    const traders = NAMES.map((name) => new LastingTrader(venue, name));
    for (const trader of traders) await trader.stay({ host, port });
    const run = new FailoverRun(running, nc, traders, options.seed);
    const rounds: FailoverRound[] = [];
    for (const departure of options.departures) {
      const round = await run.round(rounds.length + 1, departure);
      rounds.push(round);
      options.onRound?.(round);
    }
    for (const trader of traders) {
      await until(`${trader.senderCompId}'s answers`, () => trader.unanswered.length === 0);
    }
    await assertAllWhole(nc, venue, traders);
    for (const trader of traders) {
      await within("the Logout", trader.logout());
      if (trader.ends.length > 1) throw new Error(`${trader.senderCompId} was cut: ${trader.ends[0]}`);
    }
    return rounds;
  } finally {
    await nc.close();
    await running.stop();
  }
}

/** The rounds of one run. */
class FailoverRun {
  readonly #running: RunningVenue;
  readonly #nc: NatsConnection;
  readonly #traders: readonly LastingTrader[];
  readonly #random: SeededRandom;
  #messages = 0;
  /** Orders of shard 0 sent since the last departure. */
  #probes: { readonly trader: LastingTrader; readonly clOrdId: string }[] = [];

  constructor(running: RunningVenue, nc: NatsConnection, traders: readonly LastingTrader[], seed: number) {
    this.#running = running;
    this.#nc = nc;
    this.#traders = traders;
    this.#random = new SeededRandom(seed);
  }

  async round(number: number, departure: Departure): Promise<FailoverRound> {
    const [{ leader, standby }] = await this.#running.roles();
    await this.#tradeUntil("the round's time", this.#after(200 + this.#random.below(300)));
    const pid = this.#running.pid(leader);
    this.#probes = [];
    const began = performance.now();
    const departed = this.#depart(departure, leader);
    await this.#tradeUntil("an acknowledgement", () => this.#isAcknowledged());
    const outageMs = performance.now() - began;
    const pausedMs = await departed;
    await this.#tradeUntil("a standby again", this.#isPaired(leader, pid));
    const [roles] = await this.#running.roles();
    if (roles.leader !== standby) throw new Error(`${roles.leader} leads, expected ${standby}`);
    return {
      number,
      departure,
      from: leader,
      to: standby,
      outageMs,
      pausedMs,
      messages: this.#messages,
    };
  }

  async #depart(departure: Departure, leader: string): Promise<number | null> {
    const running = this.#running;
    if (departure === "kill") {
      await running.kill(leader, "SIGKILL");
      return null;
    }
    if (departure === "handover") {
      const answer = (await this.#nc.request(handoverSubject(0), "", { timeout: 5000 })).json<
        HandoverAnswer
      >();
      if (answer.kind === "refused") throw new Error(`Not handed over: ${answer.why}`);
      return answer.pausedMs;
    }
    await running.kill(leader, "SIGSTOP");
    return null;
  }

  /** Whether an order of this shard that was sent since the departure has been acknowledged. */
  #isAcknowledged(): boolean {
    return this.#probes.some(({ trader, clOrdId }) => trader.answered.has(clOrdId));
  }

  #after(ms: number): () => boolean {
    const end = performance.now() + ms;
    return () => performance.now() >= end;
  }

  /** Whether the one that led has come back, after it was woken if it was paused. */
  #isPaired(service: string, pid: number | null): () => boolean {
    const running = this.#running;
    let paired = false;
    const comesBack = async () => {
      await running.kill(service, "SIGCONT").catch(() => {});
      await until(`${service} to be started again`, () => ![pid, null].includes(running.pid(service)));
      await running.whenReady(service);
      paired = true;
    };
    comesBack().catch(() => {});
    return () => paired;
  }

  async #tradeUntil(what: string, holds: () => boolean): Promise<void> {
    const random = this.#random;
    const deadline = performance.now() + 30_000;
    while (!holds()) {
      if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}`);
      for (const trader of this.#traders) {
        const count = trader.sent.length;
        const { msgType, fields } = randomMessage(trader.senderCompId, random, count);
        const clOrdId = clOrdIdOf(trader.senderCompId, count);
        trader.send(msgType, clOrdId, fields);
        this.#messages += trader.sent.length - count;
        const symbol = fields.find(([tag]) => tag === 55)?.[1] ?? "";
        if (msgType === "D" && OF_SHARD_0.includes(symbol)) this.#probes.push({ trader, clOrdId });
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
