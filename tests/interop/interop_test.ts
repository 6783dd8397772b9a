/**
 * Engines that we did not write trade with each other through the running venue, each with its own dictionary checking
 * every message of ours. An engine whose toolchain is missing is skipped, with the reason in the test's name.
 */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { type RunningVenue, startVenue } from "../../infra/venue_process.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { type Account, type Engine, ForeignClient } from "./driver.ts";
import { quickfixGo, quickfixJ } from "./engines.ts";
import { marketOf } from "./market.ts";
import { tradeWithEachOther } from "./scenario.ts";

const CONFIG = fileURLToPath(new URL("../../infra/venue.yaml", import.meta.url));
const folder = await Deno.makeTempDir({ prefix: "pitwire-interop-" });
const java = await quickfixJ();
const go = await quickfixGo(folder);

/** Each pair on an instrument of its own, so that the book is empty. */
const pairs: readonly [buyer: Engine, seller: Engine, symbol: string][] = [
  [java, java, "ACME"],
  [go, go, "WIDGET"],
  [java, go, "GIZMO"],
  [go, java, "AMBER-MAR"],
];

describe("engines written by others", () => {
  let running: RunningVenue;

  beforeAll(async () => {
    running = await startVenue({
      config: CONFIG,
      venue: loadVenue(CONFIG),
      store: null,
      natsExecutable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
      log: nullLogger,
      logLevel: "warn",
    });
  });

  afterAll(async () => {
    await running?.stop();
    await Deno.remove(folder, { recursive: true });
  });

  const account = (senderCompId: string): Account => {
    const { venue, address } = running;
    const { username, password } = venue.sessions.find((session) => session.senderCompId === senderCompId)!;
    const { fixHost: host, fixPort: port } = address;
    return { host, port, targetCompId: venue.targetCompId, senderCompId, username, password };
  };

  for (const [buyer, seller, symbol] of pairs) {
    const name = `${buyer.name} buys ${symbol} from ${seller.name}`;
    const missing = [buyer, seller].flatMap((engine) => "missing" in engine ? [engine.missing] : [])[0];
    if (missing !== undefined) {
      it.skip(`${name} (skipped: ${missing})`, () => {});
      continue;
    }
    it(name, async () => {
      await using buying = new ForeignClient(buyer, account("TRADER1"));
      await using selling = new ForeignClient(seller, account("TRADER2"));
      await tradeWithEachOther(
        buying,
        selling,
        marketOf(running.venue.instrumentBySymbol.get(symbol)!),
        symbol,
      );
    });
  }
});
