/**
 * `deno task up`: obtains nats-server, starts the venue, says where it is, keeps it running until SIGINT, SIGTERM or SIGHUP
 * or until whoever started it is gone, and drains it. Wires and decides nothing. Exit codes: 0 stopped as asked, 1 failed, 2 wrong flags, 78 wrong
 * configuration.
 */
import { join, resolve } from "node:path";
import { runCommand } from "../shared/cli/command.ts";
import { UsageError } from "../shared/cli/flags.ts";
import { createLogger, type Logger } from "../shared/cli/log.ts";
import { print, write } from "../shared/cli/output.ts";
import { loadVenue, type Venue } from "../shared/config/mod.ts";
import { obtainNatsServer } from "./nats/obtain.ts";
import { PROJECT_DIR } from "./supervisor/programs.ts";
import { userCacheDir, userDataDir } from "./supervisor/store.ts";
import { parseUpArgs, type UpArgs, USAGE } from "./up/args.ts";
import { collectorFault } from "./up/collector.ts";
import { ancestorGone, realAncestry } from "./up/parent.ts";
import { terminalProgress } from "./up/progress.ts";
import { readyReport, readyTable } from "./up/ready.ts";
import { onUncaught } from "./up/uncaught.ts";
import { type RunningVenue, startVenue } from "./venue_process.ts";

const SHIPPED_CONFIG = join(PROJECT_DIR, "infra", "venue.yaml");

function storePath(args: UpArgs, venue: Venue): string | null {
  if (args.ephemeral) return null;
  if (args.store !== null) return resolve(args.store);
  const data = userDataDir(Deno.env, Deno.build.os);
  if (data === null) {
    throw new UsageError("Cannot choose a store: no home folder is known; use --store or --ephemeral");
  }
  return join(data, "pitwire", venue.name);
}

async function natsExecutable(log: Logger): Promise<string> {
  const cache = userCacheDir(Deno.env, Deno.build.os);
  if (cache === null) throw new UsageError("Cannot keep nats-server: no home folder is known; set HOME");
  const progress = terminalProgress(log);
  try {
    const path = Deno.env.get("PATH") ?? "";
    const found = await obtainNatsServer({ cacheDir: join(cache, "pitwire"), path, progress });
    log.info(`using nats-server ${found.version}`, { path: found.path, source: found.source });
    return found.path;
  } finally {
    progress.done();
  }
}

async function warnOfNoCollector(otlp: string, log: Logger): Promise<void> {
  const why = await collectorFault(otlp);
  if (why !== null) log.warn("nobody takes traces at --otlp; they are dropped without a word", { otlp, why });
}

async function start(args: UpArgs, log: Logger): Promise<RunningVenue> {
  const config = args.config ?? SHIPPED_CONFIG;
  const venue = loadVenue(config);
  if (args.otlp !== null) warnOfNoCollector(args.otlp, log);
  const running = await startVenue({
    ...args,
    config,
    venue,
    store: storePath(args, venue),
    natsExecutable: await natsExecutable(log),
    log,
  });
  const shipped = Deno.realPathSync(config) === Deno.realPathSync(SHIPPED_CONFIG);
  const report = readyReport(venue, running.address, await running.roles(), shipped);
  print(args.json ? `${JSON.stringify(report)}\n` : readyTable(report));
  return running;
}

async function run(args: UpArgs): Promise<number> {
  const log = createLogger("up", args.logLevel);
  /** Null when the end is asked for, else why there must be one. */
  const asked = Promise.withResolvers<string | null>();
  onUncaught((why) => {
    log.error(why);
    asked.resolve(why);
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    Deno.addSignalListener(signal, () => asked.resolve(null));
  }
  ancestorGone(realAncestry()).then(() => {
    log.warn("the program that started this one is gone");
    asked.resolve(null);
  });
  const starting = start(args, log);
  if (await Promise.race([starting.then(() => false), asked.promise.then(() => true)])) {
    log.info("stopping as soon as the start is over");
  }
  const running = await starting;
  const failure = await Promise.race([running.failed, asked.promise]);
  log.info("draining");
  await running.stop();
  if (failure === null) return 0;
  write(Deno.stderr, `${failure}\n`);
  return 1;
}

await runCommand({ help: USAGE, read: parseUpArgs, run });
