/**
 * Kills services of a running venue at random moments under crossing load and proves that nobody loses anything: the stored
 * events are what the commands must have caused, each client was told exactly that, numbers never went backwards, drop
 * copies, trades and books are true. `deno task kill-test`. Test code.
 */
import { fileURLToPath } from "node:url";
import { DEFAULT_POLICY, type RestartPolicy } from "../../infra/supervisor/service.ts";
import { type RunningVenue, startVenue } from "../../infra/venue_process.ts";
import { type Logger, nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { connectNats } from "../../shared/nats/mod.ts";
import { until, within } from "../../shared/testing/awaited.ts";
import { LastingTrader } from "./lasting_trader.ts";
import { MarketWitness } from "./market_witness.ts";
import { assertOneOutcomeEach, OrderLedger } from "./order_checks.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { clOrdIdOf, quoteIdOf, randomQuote, randomRichMessage } from "./random_orders.ts";
import { assertAllWhole } from "./session_checks.ts";
import { purgedOf, rebuiltTruth, type Truth, TruthKeeper } from "./truth.ts";
import { type Target, Victims } from "./victims.ts";

export { type Target, TARGETS } from "./victims.ts";

/** What to run. */
export interface KillOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly natsExecutable: string;
  /** Commands of a shard after which a snapshot is due; the venue file's when absent. */
  readonly snapshotsEvery?: number;
  /** Trades before the last round until commands were purged: those that die then start from snapshots. */
  readonly untilPurged?: boolean;
  /** Runs two matchers for each shard. */
  readonly standby?: boolean;
  /** Leaves the folder of the run, and says where it is; a run that fails leaves it anyway. */
  readonly keep?: boolean;
  /** Hears one line per round. */
  readonly onRound?: (line: string) => void;
  /** Gets the services' logs. */
  readonly log?: Logger;
}

/** What was run. */
export interface KillSummary {
  readonly kills: number;
  /** Orders and requests sent. */
  readonly messages: number;
  readonly reports: number;
  readonly possDups: number;
  readonly possResends: number;
  readonly trades: number;
  /** Orders open in the end. */
  readonly open: number;
  /** Command messages that snapshots have made superfluous and that were purged. */
  readonly purged: number;
  /** Drop copies and trades that came again. */
  readonly copiesAgain: number;
  /** Longest time from a kill to the next ready service, ms. */
  readonly longestOutageMs: number;
}

const CONFIG = fileURLToPath(new URL("../integration/venue.yaml", import.meta.url));
const NAMES = ["A1", "A2", "B1"];
/** Messages of a session at a time, and the longest pause after them, ms. */
const BURST = 6;
const PAUSE_MS = 5;
/** Killing is the test: the supervisor must not tire of it. */
export const POLICY: RestartPolicy = {
  ...DEFAULT_POLICY,
  firstPauseMs: 5,
  longestPauseMs: 5,
  maxDeaths: 1_000_000,
};

/** Runs the rounds on a venue of its own; throws with the first thing that does not hold. */
export async function killServices(target: Target, options: KillOptions): Promise<KillSummary> {
  const store = await Deno.makeTempDir({ prefix: "pitwire-kill-" });
  const config = await venueFile(store, options.snapshotsEvery);
  let failed = true;
  try {
    const summary = await killOn(store, config, target, options);
    failed = false;
    return summary;
  } catch (cause) {
    const hint =
      `seed ${options.seed}, store kept in ${store}: deno task verify --store ${store} --config ${config}`;
    throw new Error(`${cause instanceof Error ? cause.message : cause}\n${hint}`, { cause });
  } finally {
    if (failed || options.keep === true) options.onRound?.(`kept ${store}`);
    else await Deno.remove(store, { recursive: true });
  }
}

/** The venue file of the run, in its folder when it is one of its own. */
async function venueFile(store: string, snapshotsEvery: number | undefined): Promise<string> {
  if (snapshotsEvery === undefined) return CONFIG;
  const path = `${store}/venue.yaml`;
  const text = await Deno.readTextFile(CONFIG);
  await Deno.writeTextFile(path, `${text}limits: { snapshotEveryCommands: ${snapshotsEvery} }\n`);
  return path;
}

async function killOn(
  store: string,
  config: string,
  target: Target,
  options: KillOptions,
): Promise<KillSummary> {
  const { seed, natsExecutable, standby, log } = options;
  const venue = loadVenue(config);
  const running = await startVenue({
    config,
    venue,
    store,
    natsExecutable,
    log: log ?? nullLogger,
    logLevel: log === undefined ? "error" : "debug",
    policy: POLICY,
    standby,
  });
  const { fixHost: host, fixPort: port, natsUrl: url, natsUser: user, natsPassword: password } =
    running.address;
  const nc = await connectNats({ url, name: "kill-test", user, password });
  try {
    const witness = await MarketWitness.start(nc, venue);
    await using keeper = new TruthKeeper(nc, venue);
    const traders = NAMES.map((name) => new LastingTrader(venue, name));
    for (const trader of traders) await trader.stay({ host, port });
    const moments = new SeededRandom(seed + 1);
    const victims = new Victims(running, target, standby === true, moments);
    const run = new KillRun(running, traders, victims, new SeededRandom(seed), moments);
    for (let round = 1; round <= options.rounds; round++) {
      if (options.untilPurged === true && round === options.rounds) {
        await run.tradeUntil("commands to be purged", async () => await purgedOf(nc, venue) > 0);
      }
      const what = await run.round();
      keeper.assertSound();
      options.onRound?.(`round ${round} of ${options.rounds}: ${what}`);
    }
    const truth = await assertAllWhole(nc, venue, traders, keeper);
    for (const trader of traders) assertOrders(trader, truth);
    const purged = await purgedOf(nc, venue);
    // Whoever comes later has to begin with a snapshot.
    if (purged > 0) await rebuiltTruth(nc, venue);
    await witness.assertTrue(truth, run.killed.has("nats"));
    witness.stop();
    for (const trader of traders) await within("the Logout", trader.logout());
    const received = traders.flatMap((trader) => trader.received);
    return {
      kills: run.kills,
      messages: run.messages,
      reports: received.length,
      possDups: received.filter(({ possDup }) => possDup).length,
      possResends: received.filter(({ possResend }) => possResend).length,
      trades: truth.trades.size,
      open: truth.openOrders.size,
      purged,
      copiesAgain: witness.repeated,
      longestOutageMs: Math.round(run.longestOutageMs),
    };
  } finally {
    await nc.close();
    await running.stop();
  }
}

/** A client's own record of its orders says what the rebuild does. */
function assertOrders({ senderCompId, sent, received }: LastingTrader, truth: Truth): void {
  const open = [...truth.openOrders].filter(([, { session }]) => session === senderCompId)
    .map(([orderId, { orderQty, cumQty }]) =>
      [orderId, [Number(orderQty), Number(cumQty)] as const] as const
    );
  assertOneOutcomeEach(senderCompId, sent, new OrderLedger(received), new Map(open));
}

/** The rounds of one run. What is said and when to kill are drawn apart. */
class KillRun {
  kills = 0;
  messages = 0;
  longestOutageMs = 0;
  /** Services that were killed at least once. */
  readonly killed: Set<string> = new Set();
  readonly #running: RunningVenue;
  readonly #traders: readonly LastingTrader[];
  readonly #victims: Victims;
  readonly #flow: SeededRandom;
  readonly #moments: SeededRandom;

  constructor(
    running: RunningVenue,
    traders: readonly LastingTrader[],
    victims: Victims,
    flow: SeededRandom,
    moments: SeededRandom,
  ) {
    this.#running = running;
    this.#traders = traders;
    this.#victims = victims;
    this.#flow = flow;
    this.#moments = moments;
  }

  /** Trades, kills, in one round of three kills again while the first is being made good, and trades on. */
  async round(): Promise<string> {
    const moments = this.#moments;
    const kills = moments.below(3) === 0 ? 2 : 1;
    const names: string[] = [];
    let waitMs = 30 + moments.below(400);
    const started = performance.now();
    for (let kill = 0; kill < kills; kill++) {
      await this.#trade(waitMs);
      // A client that is gone when a service dies is not to lose anything either.
      if (moments.below(4) === 0) await this.#traders[moments.below(this.#traders.length)].cut();
      names.push(...await this.#kill(kill === 0));
      waitMs = moments.below(150);
    }
    const outageMs = await this.#recover();
    await this.#trade(30 + moments.below(100));
    await this.#quiet();
    const reports = this.#traders.reduce((sum, { received }) => sum + received.length, 0);
    return `${names.join(", ")} killed, away for ${Math.round(outageMs)} ms; ${this.messages} messages, ` +
      `${reports} reports so far, ${Math.round(performance.now() - started)} ms`;
  }

  /** Trades until that holds. */
  async tradeUntil(what: string, holds: () => Promise<boolean>): Promise<void> {
    await until(what, async () => {
      await this.#trade(PAUSE_MS);
      return await holds();
    });
  }

  async #kill(calm: boolean): Promise<string[]> {
    const victims = await this.#victims.draw(calm);
    for (const name of victims) await within(`${name} to be ready`, this.#running.whenReady(name));
    await Promise.all(victims.map((name) => this.#running.kill(name, "SIGKILL")));
    this.kills += victims.length;
    for (const name of victims) this.killed.add(name);
    return victims;
  }

  /** Waits, trading, until every service is ready and every client logged on; returns how long that took, ms. */
  async #recover(): Promise<number> {
    const start = performance.now();
    let ready = false;
    const all = Promise.all([
      ...this.#victims.everybody.map((name) => within(`${name} to be ready`, this.#running.whenReady(name))),
      ...this.#traders.map((trader) => trader.back()),
    ]).finally(() => ready = true);
    all.catch(() => {});
    while (!ready) await this.#trade(PAUSE_MS);
    await all;
    const outageMs = performance.now() - start;
    this.longestOutageMs = Math.max(this.longestOutageMs, outageMs);
    return outageMs;
  }

  /** Everybody who is logged on sends for a while. */
  async #trade(ms: number): Promise<void> {
    const end = performance.now() + ms;
    do {
      for (const trader of this.#traders) {
        const burst = this.#flow.below(BURST);
        for (let i = 0; i < burst; i++) this.#send(trader);
      }
      await new Promise((resolve) => setTimeout(resolve, 1 + this.#flow.below(PAUSE_MS)));
    } while (performance.now() < end);
  }

  #send(trader: LastingTrader): void {
    const before = trader.sent.length;
    const name = trader.senderCompId;
    if (this.#flow.below(40) === 0) {
      const quoteId = quoteIdOf(name, before);
      trader.sendAs("i", quoteId, [[117, quoteId], ...randomQuote(this.#flow)]);
    } else {
      const { msgType, fields } = randomRichMessage(name, this.#flow, before);
      trader.send(msgType, clOrdIdOf(name, before), fields);
    }
    this.messages += trader.sent.length - before;
  }

  /** Waits until everything sent has its answer. */
  async #quiet(): Promise<void> {
    for (const trader of this.#traders) {
      await until(
        `${trader.senderCompId}'s answers`,
        () => trader.unanswered.length === 0,
        () => describe(trader),
      );
    }
  }
}

function describe({ unanswered, ends, numbers }: LastingTrader): string {
  return `${unanswered.length} messages have none, ${unanswered[0]} the first and ${
    unanswered.at(-1)
  } the last; numbers ${JSON.stringify(numbers)}; connections ended: ${ends.slice(-3).join("; ")}`;
}
