/**
 * A few simulated traders over real FIX sessions, so that the books of a fresh venue live (`deno task up --demo`). Wires
 * and decides nothing. Exit codes: 0 drained, 1 fatal, 78 configuration.
 */
import { parseArgs } from "@std/cli/parse-args";
import { createLogger, errorText, parseLogLevel } from "../../shared/cli/log.ts";
import { ConfigError, loadVenue } from "../../shared/config/mod.ts";
import { Desk } from "./desk.ts";
import { Maker } from "./maker.ts";
import { Random, RandomWalk } from "./random_walk.ts";
import { Taker } from "./taker.ts";

/** Sessions of the venue file whose CompID begins so are the simulation's: first the maker's, then the takers'. */
const COMP_ID_PREFIX = "DEMO";
/** 20 messages/s of the maker and 4 of each taker. */
const MAKER_INTERVAL_MS = 50;
const TAKER_INTERVAL_MS = 250;

const log = createLogger("demo", parseLogLevel(Deno.env.get("PITWIRE_LOG_LEVEL") ?? "info"));

async function run(): Promise<void> {
  const args = parseArgs(Deno.args, {
    string: ["config", "host", "port", "seed"],
    alias: { host: "fix-host", port: "fix-port" },
  });
  const config = args.config ?? "infra/venue.yaml";
  const venue = loadVenue(config);
  const sessions = venue.sessions.filter(({ role, senderCompId }) =>
    role === "trading" && senderCompId.startsWith(COMP_ID_PREFIX)
  );
  if (sessions.length < 2) {
    throw new ConfigError(
      `Cannot simulate traders: expected two trading sessions named ${COMP_ID_PREFIX}… in ${config}, got ${sessions.length}`,
    );
  }
  const seed = Number(args.seed ?? Date.now() % 2 ** 31);
  const random = new Random(seed);
  const walks = venue.instruments.map((instrument) => new RandomWalk(instrument, random));
  // ClOrdIDs are unique per session for ever: begin them with the time.
  const tag = Date.now().toString(36);
  const desks = sessions.map((session, i) =>
    new Desk({
      host: args.host ?? "127.0.0.1",
      port: Number(args.port ?? 9878),
      targetCompId: venue.targetCompId,
      session,
      trader: i === 0 ? new Maker(walks, random, `m${tag}`) : new Taker(walks, random, `t${tag}`),
      intervalMs: i === 0 ? MAKER_INTERVAL_MS : TAKER_INTERVAL_MS,
      log,
    })
  );
  log.info("simulating", { seed, sessions: sessions.map(({ senderCompId }) => senderCompId) });
  const ended = Promise.withResolvers<void>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, () => ended.resolve());
  await Promise.race([Promise.all(desks.map(({ ready }) => ready)), ended.promise]);
  const line = JSON.stringify({
    ready: "demo",
    seed,
    sessions: sessions.map(({ senderCompId }) => senderCompId),
  });
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  await ended.promise;
  await Promise.all(desks.map((desk) => desk.leave()));
}

try {
  await run();
  Deno.exit(0);
} catch (error) {
  log.error(errorText(error));
  Deno.exit(error instanceof ConfigError ? 78 : 1);
}
