/**
 * Kills the gateway at random moments under load and proves that its sessions survive: no report lost, no order executed
 * twice, numbers never backwards. `deno task recovery:gateway --client pitwire`. Test code.
 */
import { fileURLToPath } from "node:url";
import { startVenue } from "../../infra/venue_process.ts";
import { DEFAULT_POLICY, type RestartPolicy } from "../../infra/supervisor/service.ts";
import { type Logger, nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { connectNats } from "../../shared/nats/mod.ts";
import { until, within } from "../../shared/testing/awaited.ts";
import { LastingTrader } from "./lasting_trader.ts";
import { clOrdIdOf, Random, randomMessage } from "./random_orders.ts";
import { assertAllWhole } from "./session_checks.ts";

/** What to run. */
export interface KillOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly natsExecutable: string;
  /** Leaves the folder of the run, and says where it is. */
  readonly keep?: boolean;
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
export const POLICY: RestartPolicy = {
  ...DEFAULT_POLICY,
  firstPauseMs: 5,
  longestPauseMs: 5,
  maxDeaths: 1_000_000,
};

/** Sends one random message. */
function sendOne(trader: LastingTrader, random: Random, count: number): void {
  const { msgType, fields } = randomMessage(trader.senderCompId, random, count);
  trader.send(msgType, clOrdIdOf(trader.senderCompId, count), fields);
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
      await assertAllWhole(nc, venue, traders);
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
    if (options.keep === true) options.onRound?.(`kept ${store}`);
    else await Deno.remove(store, { recursive: true });
  }
}

function describe({ unanswered, ends, numbers }: LastingTrader): string {
  return `${unanswered.length} messages have none, ${unanswered[0]} the first and ${
    unanswered.at(-1)
  } the last; ` +
    `numbers ${JSON.stringify(numbers)}; connections ended: ${ends.slice(-3).join("; ")}`;
}
