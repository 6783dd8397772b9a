/**
 * Kills the gateway at random moments while two firms trade with each other through FIX engines that we did not write, and
 * proves that they lose nothing. The engines come back by themselves, with the numbers of their own stores, and send
 * while there is no connection. `deno task recovery:gateway`. Test code.
 */
import { fileURLToPath } from "node:url";
import { type RunningVenue, startVenue } from "../../infra/venue_process.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { connectNats } from "../../shared/nats/mod.ts";
import { until } from "../../shared/testing/awaited.ts";
import type { Account, Engine } from "../interop/driver.ts";
import { type EngineLog, readEngineLog } from "./engine_log.ts";
import { ForeignTrader } from "./foreign_trader.ts";
import { type KillOptions, POLICY } from "./service_kill.ts";
import { assertOneOutcomeEach, cancelOf, OrderLedger } from "./order_checks.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { type OrderMessage, randomMessage } from "./random_orders.ts";
import { assertAllWhole } from "./session_checks.ts";

/** What was run, both sessions together. */
export interface QuickfixSummary extends EngineLog {
  readonly rounds: number;
  readonly kills: number;
  /** NewOrderSingles, cancels and replacements. */
  readonly messages: number;
  readonly orders: number;
  /** Execution reports and cancel rejects, each counted once. */
  readonly reports: number;
  /** Longest time from a kill to an engine's next Logon, and to its next report, ms. */
  readonly longestLogonMs: number;
  readonly longestOutageMs: number;
}

const CONFIG = fileURLToPath(new URL("../integration/venue.yaml", import.meta.url));
/** One session of each firm. */
const NAMES = ["A1", "B1"];
/** Batches of 1 to 8 messages: about 225 messages a second from each firm. */
const BATCH_EVERY_MS = 20;
const BATCH_LIMIT = 8;
/** An engine that does not come back within this has lost its session. */
const RETURN_MS = 60_000;

/** The load: two firms and the randomness of what they say. When to kill is drawn apart, so that a seed settles it. */
interface Market {
  readonly running: RunningVenue;
  readonly traders: readonly ForeignTrader[];
  readonly flow: SeededRandom;
  readonly moments: SeededRandom;
}

/** Both firms send, connected or not, until `done`. */
async function trade({ traders, flow }: Market, what: string, done: () => boolean): Promise<void> {
  const deadline = performance.now() + RETURN_MS;
  while (!done()) {
    if (performance.now() > deadline) throw new Error(`Waited ${RETURN_MS} ms in vain for ${what}`);
    for (const trader of traders) {
      const first = trader.sent.size;
      const batch: OrderMessage[] = Array.from(
        { length: 1 + flow.below(BATCH_LIMIT) },
        (_, index) => randomMessage(trader.senderCompId, flow, first + index),
      );
      await trader.send(batch);
    }
    await new Promise((resolve) => setTimeout(resolve, BATCH_EVERY_MS));
  }
}

function after(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
}

/** Waits until everything sent has its answer. */
async function quiet(traders: readonly ForeignTrader[]): Promise<void> {
  for (const trader of traders) {
    await until(`${trader.senderCompId}'s answers`, () => trader.unanswered.length === 0, () => {
      const { unanswered, ends, loggedOn } = trader;
      return `${unanswered.length} messages have none, the first ${unanswered[0]}, the last ${
        unanswered.at(-1)
      }; logged on: ${loggedOn}; ${ends.slice(-3).join("; ")}`;
    }, RETURN_MS);
  }
}

/**
 * One round: the gateway dies under load; in one round of three its successor dies as well, while it resends. Load goes
 * on throughout and for a while after. Returns the number of kills.
 */
async function round(market: Market): Promise<number> {
  const { running, traders, moments } = market;
  const kills = moments.below(3) === 0 ? 2 : 1;
  for (let kill = 0; kill < kills; kill++) {
    if (kill === 0) await trade(market, "a moment to kill", after(50 + moments.below(1500)));
    else {
      await trade(market, "the first engine to come back", () => traders.some(({ back }) => back));
      await trade(market, "a moment to kill again", after(moments.below(150)));
    }
    await running.whenReady("gateway");
    for (const trader of traders) trader.killed();
    await running.kill("gateway", "SIGKILL");
  }
  await trade(market, "both engines to trade again", () => traders.every(({ trading }) => trading));
  await trade(market, "the end of the round", after(100 + moments.below(400)));
  await quiet(traders);
  return kills;
}

/** Cancels what is open, until nothing is: a report of a trade may cross a cancel. */
async function closeAll(traders: readonly ForeignTrader[]): Promise<void> {
  await until(
    "the end of all orders",
    async () => {
      const open = traders.map(({ received }) => new OrderLedger(received).open);
      if (open.every((each) => each.length === 0)) return true;
      for (const [index, trader] of traders.entries()) await trader.send(open[index].map(cancelOf));
      await quiet(traders);
      return false;
    },
    () => "",
    RETURN_MS,
  );
}

/** Compares both firms' reports with the event streams, and each order's with one another. */
async function assertNothingLost({ running, traders }: Market): Promise<void> {
  const { natsUrl: url, natsUser: user, natsPassword: password } = running.address;
  const nc = await connectNats({ url, name: "recovery", user, password });
  try {
    await assertAllWhole(nc, running.venue, traders);
  } finally {
    await nc.close();
  }
  for (const { senderCompId, sent, received } of traders) {
    assertOneOutcomeEach(senderCompId, sent.keys(), new OrderLedger(received));
  }
}

/** Runs the rounds on a venue of its own; throws with the first thing that does not hold. */
export async function killUnderEngine(engine: Engine, options: KillOptions): Promise<QuickfixSummary> {
  const { rounds, seed, natsExecutable, log } = options;
  const folder = await Deno.makeTempDir({ prefix: "pitwire-recovery-" });
  const venue = loadVenue(CONFIG);
  const running = await startVenue({
    config: CONFIG,
    venue,
    store: `${folder}/venue`,
    natsExecutable,
    log: log ?? nullLogger,
    logLevel: log === undefined ? "error" : "debug",
    policy: POLICY,
  });
  try {
    await using stack = new AsyncDisposableStack();
    const traders = [];
    for (const name of NAMES) {
      await Deno.mkdir(`${folder}/${name}`);
      traders.push(stack.use(new ForeignTrader(engine, accountOf(running, name, `${folder}/${name}`))));
    }
    const market = { running, traders, flow: new SeededRandom(seed), moments: new SeededRandom(seed + 1) };
    for (const trader of traders) await until(`${trader.senderCompId}'s Logon`, () => trader.loggedOn);
    let kills = 0;
    for (let count = 1; count <= rounds; count++) {
      kills += await round(market);
      options.onRound?.(`round ${count} of ${rounds}: ${describe(traders)}`);
    }
    await closeAll(traders);
    await assertNothingLost(market);
    for (const trader of traders) await trader.logout();
    for (const trader of traders) await until(`${trader.senderCompId}'s Logout`, () => !trader.loggedOn);
    return { rounds, kills, ...await summaryOf(traders, folder, venue.targetCompId) };
  } finally {
    await running.stop();
    if (options.keep === true) options.onRound?.(`kept ${folder}`);
    else await Deno.remove(folder, { recursive: true });
  }
}

function accountOf({ address, venue }: RunningVenue, senderCompId: string, folder: string): Account {
  const { username, password } = venue.sessionByCompId.get(senderCompId)!;
  const { fixHost: host, fixPort: port } = address;
  return { host, port, targetCompId: venue.targetCompId, senderCompId, username, password, folder };
}

function describe(traders: readonly ForeignTrader[]): string {
  return traders.map(({ senderCompId, sent, received, outages }) => {
    const outage = Math.round(outages.at(-1)?.reportMs ?? 0);
    return `${senderCompId} sent ${sent.size}, got ${received.length}, was out for ${outage} ms`;
  }).join("; ");
}

async function summaryOf(traders: readonly ForeignTrader[], folder: string, targetCompId: string) {
  const outages = traders.flatMap((trader) => trader.outages);
  const logs = await Promise.all(
    traders.map(({ senderCompId }) => readEngineLog(`${folder}/${senderCompId}`, senderCompId, targetCompId)),
  );
  const sum = (figure: (index: number) => number) =>
    traders.reduce((total, _, index) => total + figure(index), 0);
  return {
    messages: sum((i) => traders[i].sent.size),
    orders: sum((i) => [...traders[i].sent.values()].filter((msgType) => msgType === "D").length),
    reports: sum((i) => new Set(traders[i].received.map(({ line }) => line)).size),
    longestLogonMs: Math.round(Math.max(...outages.map(({ logonMs }) => logonMs))),
    longestOutageMs: Math.round(Math.max(...outages.map(({ reportMs }) => reportMs))),
    possDups: sum((i) => logs[i].possDups),
    possResends: sum((i) => logs[i].possResends),
    resentOrders: sum((i) => logs[i].resentOrders),
    resendRequests: sum((i) => logs[i].resendRequests),
    resendRequestsAnswered: sum((i) => logs[i].resendRequestsAnswered),
    logons: sum((i) => logs[i].logons),
  };
}
