/** The command line of `deno task kill-test` and of `deno task recovery:gateway`, which is one case of it. Test code. */
import { obtainNatsServer } from "../../infra/nats/obtain.ts";
import { userCacheDir } from "../../infra/supervisor/store.ts";
import { runCommand } from "../../shared/cli/command.ts";
import { oneOfFlag, readFlags, UsageError, wholeFlag } from "../../shared/cli/flags.ts";
import { createLogger } from "../../shared/cli/log.ts";
import { quickfixGo, quickfixJ } from "../interop/engines.ts";
import { type KillOptions, killServices, type Target, TARGETS } from "./service_kill.ts";
import { killUnderEngine, type QuickfixSummary } from "./quickfix_kill.ts";

const USAGE = `Kills services of a venue at random moments under load and proves that nobody loses anything.

usage: deno task kill-test [flags]
       deno task recovery:gateway [flags]    the same with --target gateway --client quickfixj

  --target NAME    what to kill: matcher, gateway, nats, market-data, or all, one after the other and now and then two
                   at once (default: all)
  --rounds N       how often to kill (default: 50); in one round of three, twice
  --seed S         of the moments and of the orders (default: another one each time; printed)
  --snapshots-every N
                   commands of a shard after which a snapshot is due, and older ones are purged (default: 100000)
  --standby        run two matchers for each shard; when such a pair is to be killed, half the time the one that leads dies,
                   a quarter of the time the one that stands by, and a quarter both at once
  --client NAME    pitwire: three sessions of our own client (default)
                   quickfixj, quickfixgo: two firms trade through QuickFIX/J, which needs Java and Maven, or
                   QuickFIX/Go, which needs Go; with --target gateway
  --keep           leave the folder with the venue's state and the engines' stores and logs
  --help           print this

A line for each round on stderr; exit code 1 with the first thing that does not hold, and the store is left then.
`;

const CLIENTS = ["pitwire", "quickfixj", "quickfixgo"] as const;

interface KillArgs {
  readonly target: Target;
  readonly rounds: number;
  readonly seed: number;
  readonly snapshotsEvery?: number;
  readonly standby: boolean;
  readonly client: string;
  readonly keep: boolean;
}

/** Null when help was asked for. */
function parseKillArgs(args: readonly string[]): KillArgs | null {
  const flags = readFlags(args, {
    values: ["target", "rounds", "seed", "snapshots-every"],
    // The one that is typed stands behind the one of deno task recovery:gateway.
    lists: ["client"],
    switches: ["standby", "keep"],
  });
  if (flags === null) return null;
  const { values, lists, switches } = flags;
  const client = oneOfFlag("--client", lists.client.at(-1) ?? "pitwire", CLIENTS);
  const target = oneOfFlag("--target", values.target ?? "all", TARGETS);
  if (client !== "pitwire" && target !== "gateway") {
    throw new UsageError(`Cannot use --client ${client}: it is for --target gateway, got "${target}"`);
  }
  const snapshots = values["snapshots-every"];
  const ownOnly = snapshots !== undefined ? "--snapshots-every" : switches.standby ? "--standby" : null;
  if (client !== "pitwire" && ownOnly !== null) {
    throw new UsageError(`Cannot use ${ownOnly}: it is for --client pitwire, got "${client}"`);
  }
  return {
    target,
    rounds: wholeFlag("--rounds", values.rounds ?? "50", 1, 1_000_000),
    seed: wholeFlag("--seed", values.seed ?? String(Date.now() % 1_000_000), 0, 999_999_999),
    snapshotsEvery: snapshots === undefined
      ? undefined
      : wholeFlag("--snapshots-every", snapshots, 100, 1_000_000),
    standby: switches.standby,
    client,
    keep: switches.keep,
  };
}

async function killUnderGo(options: KillOptions): Promise<QuickfixSummary> {
  const folder = await Deno.makeTempDir({ prefix: "pitwire-quickfixgo-" });
  try {
    return await killUnderEngine(await quickfixGo(folder), options);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function run(wanted: KillArgs): Promise<void> {
  const { target, rounds, seed, snapshotsEvery, standby, client, keep } = wanted;
  const log = createLogger("kill-test");
  log.info(`${rounds} rounds`, { target, client, seed, standby });
  const cacheDir = `${userCacheDir(Deno.env, Deno.build.os) ?? "."}/pitwire`;
  const progress = { note: (text: string) => log.info(text), download() {} };
  const nats = await obtainNatsServer({ cacheDir, path: Deno.env.get("PATH") ?? "", progress });
  const options = {
    rounds,
    seed,
    snapshotsEvery,
    standby,
    keep,
    natsExecutable: nats.path,
    onRound: (line: string) => log.info(line),
  };
  const summary = client === "pitwire"
    ? await killServices(target, options)
    : client === "quickfixj"
    ? await killUnderEngine(await quickfixJ(), options)
    : await killUnderGo(options);
  log.info("nothing lost, no order executed twice", { target, seed, ...summary });
}

await runCommand({ help: USAGE, read: parseKillArgs, run });
