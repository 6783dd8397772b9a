/**
 * A few simulated traders over real FIX sessions, so that the books of a fresh venue live (`deno task up --demo`). Wires
 * and decides nothing. Exit codes: 0 drained, 1 fatal, 2 wrong flags, 78 configuration.
 */
import { wholeFlag } from "../../shared/cli/flags.ts";
import { createLogger } from "../../shared/cli/log.ts";
import { endOnSignals, runService, sayReady } from "../../shared/cli/service_process.ts";
import { ConfigError, loadVenue } from "../../shared/config/mod.ts";
import { SeededRandom } from "../../shared/testing/seeded_random.ts";
import { Desk } from "./desk.ts";
import { Maker } from "./maker.ts";
import { RandomWalk } from "./random_walk.ts";
import { Taker } from "./taker.ts";

/** Sessions of the venue file whose CompID begins so are the simulation's: first the maker's, then the takers'. */
const COMP_ID_PREFIX = "DEMO";
/** 20 messages/s of the maker and 4 of each taker. */
const MAKER_INTERVAL_MS = 50;
const TAKER_INTERVAL_MS = 250;

const log = createLogger("demo");

const HELP = `Simulated traders on the sessions of a running venue whose CompID begins with ${COMP_ID_PREFIX}.

  --config FILE       venue file (default infra/venue.yaml)
  --host HOST         where the FIX gateway listens (default 127.0.0.1)
  --port PORT         its port (default 9878)
  --seed N            repeats the same orders (default: from the time)
  --help              this text
`;

const NAMES = ["config", "host", "port", "seed"] as const;

async function run(flags: Partial<Record<typeof NAMES[number], string>>): Promise<void> {
  const config = flags.config ?? "infra/venue.yaml";
  const venue = loadVenue(config);
  const sessions = venue.sessions.filter(({ role, senderCompId }) =>
    role === "trading" && senderCompId.startsWith(COMP_ID_PREFIX)
  );
  if (sessions.length < 2) {
    throw new ConfigError(
      `Cannot simulate traders: expected two trading sessions named ${COMP_ID_PREFIX}… in ${config}, got ${sessions.length}`,
    );
  }
  const port = wholeFlag("--port", flags.port ?? "9878", 1, 65535);
  const seed = flags.seed === undefined ? Date.now() % 1e9 : wholeFlag("--seed", flags.seed, 0, 999_999_999);
  const random = new SeededRandom(seed);
  const walks = venue.instruments.map((instrument) => new RandomWalk(instrument, random));
  // ClOrdIDs are unique per session for ever: begin them with the time.
  const tag = Date.now().toString(36);
  const desks = sessions.map((session, i) =>
    new Desk({
      host: flags.host ?? "127.0.0.1",
      port,
      targetCompId: venue.targetCompId,
      session,
      trader: i === 0 ? new Maker(walks, random, `m${tag}`) : new Taker(walks, random, `t${tag}`),
      intervalMs: i === 0 ? MAKER_INTERVAL_MS : TAKER_INTERVAL_MS,
      log,
    })
  );
  log.info("simulating", { seed, sessions: sessions.map(({ senderCompId }) => senderCompId) });
  const ended = endOnSignals();
  await Promise.race([Promise.all(desks.map(({ ready }) => ready)), ended.promise]);
  sayReady("demo", { seed, sessions: sessions.map(({ senderCompId }) => senderCompId) });
  await ended.promise;
  await Promise.all(desks.map((desk) => desk.leave()));
}

await runService({ log, help: HELP, names: NAMES, run });
