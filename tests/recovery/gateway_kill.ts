/**
 * Kills the gateway at random moments under load and proves that its sessions survive: no report lost, no order executed
 * twice, numbers never backwards. `deno task recovery:gateway --rounds N --seed S`. Test code.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "@std/cli/parse-args";
import { startVenue } from "../../infra/venue_process.ts";
import { obtainNatsServer } from "../../infra/nats/obtain.ts";
import { DEFAULT_POLICY } from "../../infra/supervisor/service.ts";
import { userCacheDir } from "../../infra/supervisor/store.ts";
import { createLogger, errorText, type Logger, nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { connectNats } from "../../shared/nats/mod.ts";
import { until, within } from "../integration/awaited.ts";
import { expectedReports } from "./expected_reports.ts";
import { LastingTrader } from "./lasting_trader.ts";
import { assertWhole } from "./session_checks.ts";

/** What to run. */
export interface KillOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly natsExecutable: string;
  /** Hears one line per round. */
  readonly onRound?: (line: string) => void;
  /** Gets the services' logs. */
  readonly log?: Logger;
}

/** What was run. */
export interface KillSummary {
  readonly orders: number;
  readonly reports: number;
  readonly possDups: number;
  readonly possResends: number;
}

const CONFIG = fileURLToPath(new URL("../integration/venue.yaml", import.meta.url));
const NAMES = ["A1", "A2", "B1"];
/** Killing is the test: the supervisor must not tire of it. */
const POLICY = { ...DEFAULT_POLICY, firstPauseMs: 5, longestPauseMs: 5, maxDeaths: 1_000_000 };

/** A seeded generator of whole numbers. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = Math.imul(this.#state, 1664525) + 1013904223 >>> 0;
    return Math.floor(this.#state / 2 ** 32 * limit);
  }
}

/** Sends one random message: mostly orders that cross, some cancels and replacements, some that are refused. */
function sendOne(trader: LastingTrader, random: Random, count: number): void {
  const clOrdId = `${trader.senderCompId}-${count}`;
  const gizmo = random.below(3) === 0;
  const side: [number, string] = [54, String(1 + random.below(2))];
  const instrument: [number, string] = [55, gizmo ? "GIZMO" : random.below(2) === 0 ? "ACME" : "TULIP"];
  const quantity: [number, string] = [38, String((1 + random.below(9)) * (gizmo ? 10 : 1))];
  const limit: [number, string][] = [[40, "2"], [44, String(100 + random.below(4))]];
  const earlier: [number, string] = [
    41,
    `${trader.senderCompId}-${Math.max(0, count - 1 - random.below(20))}`,
  ];
  const what = random.below(20);
  if (what < 14) trader.send("D", clOrdId, [instrument, side, quantity, ...limit]);
  else if (what < 16) trader.send("F", clOrdId, [earlier, instrument, side, quantity]);
  else if (what < 18) trader.send("G", clOrdId, [earlier, instrument, side, quantity, ...limit]);
  else if (what < 19) trader.send("D", clOrdId, [instrument, side, [38, "0"], ...limit]);
  else trader.send("D", clOrdId, [[55, "NOPE"], side, quantity, ...limit]);
}

/** Runs the rounds on a venue of its own; throws with the first thing that does not hold. */
export async function killGateway(options: KillOptions): Promise<KillSummary> {
  const { rounds, seed, natsExecutable } = options;
  const random = new Random(seed);
  const store = await Deno.makeTempDir({ prefix: "pitwire-recovery-" });
  const venue = loadVenue(CONFIG);
  const running = await startVenue({
    config: CONFIG,
    venue,
    store,
    natsExecutable,
    log: options.log ?? nullLogger,
    logLevel: options.log === undefined ? "error" : "debug",
    policy: POLICY,
  });
  try {
    const address = { host: running.address.fixHost, port: running.address.fixPort };
    const traders = NAMES.map((name) => new LastingTrader(venue, name));
    for (const trader of traders) await trader.comeBack(address);
    let count = 0;
    for (let round = 1; round <= rounds; round++) {
      const killAtMs = performance.now() + 20 + random.below(400);
      const burst = 1 + random.below(20);
      while (performance.now() < killAtMs) {
        for (const trader of traders) for (let i = 0; i < burst; i++) sendOne(trader, random, count++);
        // So much that the gateway has work on its hands, not so much that it only queues.
        await new Promise((resolve) => setTimeout(resolve, 1 + random.below(5)));
      }
      // A client that is gone when the gateway dies, and one that stays away for a round, are not to lose anything.
      if (random.below(2) === 0) await traders[random.below(traders.length)].cut();
      await running.kill("gateway", "SIGKILL");
      await Promise.all(traders.map((trader) => trader.comeBack(address)));
      options.onRound?.(`round ${round}: ${count} messages so far, seed ${seed}`);
    }
    for (const trader of traders) {
      await until(
        `${trader.senderCompId}'s answers`,
        () => trader.unanswered.length === 0,
        () => describe(trader),
      );
    }
    const { natsUrl: url, natsUser: user, natsPassword: password } = running.address;
    const nc = await connectNats({ url, name: "recovery", user, password });
    try {
      await assertAll(nc, venue, traders);
    } finally {
      await nc.close();
    }
    for (const trader of traders) await within("the Logout", trader.logout());
    const all = traders.flatMap(({ received }) => received);
    return {
      orders: count,
      reports: all.length,
      possDups: all.filter(({ possDup }) => possDup).length,
      possResends: all.filter(({ possResend }) => possResend).length,
    };
  } finally {
    await running.stop();
    await Deno.remove(store, { recursive: true });
  }
}

/** Reports of resting orders may still be on their way: waits for as many as there are, then compares. */
async function assertAll(
  nc: Awaited<ReturnType<typeof connectNats>>,
  venue: ReturnType<typeof loadVenue>,
  traders: readonly LastingTrader[],
): Promise<void> {
  const expected = await expectedReports(nc, venue);
  for (const trader of traders) {
    const wanted = expected.get(trader.senderCompId)!;
    const distinct = () => new Set(trader.received.map(({ line }) => line)).size;
    await until(
      `${trader.senderCompId}'s reports`,
      () => distinct() >= wanted.length,
      () => `${distinct()} of ${wanted.length} came`,
    ).catch(() => {});
    assertWhole(trader, wanted);
  }
}

function describe({ unanswered, ends, numbers }: LastingTrader): string {
  return `${unanswered.length} messages have none, ${unanswered[0]} the first and ${
    unanswered.at(-1)
  } the last; ` +
    `numbers ${JSON.stringify(numbers)}; connections ended: ${ends.slice(-3).join("; ")}`;
}

async function main(args: string[]): Promise<void> {
  const flags = parseArgs(args, { string: ["rounds", "seed"] });
  const seed = Number(flags.seed ?? Date.now() % 1_000_000);
  const log = createLogger("recovery");
  const cacheDir = `${userCacheDir(Deno.env, Deno.build.os) ?? "."}/pitwire`;
  const progress = { note: (text: string) => log.info(text), download() {} };
  const nats = await obtainNatsServer({ cacheDir, path: Deno.env.get("PATH") ?? "", progress });
  const summary = await killGateway({
    rounds: Number(flags.rounds ?? 50),
    seed,
    natsExecutable: nats.path,
    onRound: (line) => log.info(line),
  });
  log.info("no report lost, no order executed twice", { seed, ...summary });
}

if (import.meta.main) {
  try {
    await main(Deno.args);
  } catch (error) {
    createLogger("recovery").error(errorText(error));
    Deno.exit(1);
  }
}
