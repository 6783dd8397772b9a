/** The command line of `deno task recovery:gateway`. Test code. */
import { parseArgs } from "@std/cli/parse-args";
import { obtainNatsServer } from "../../infra/nats/obtain.ts";
import { userCacheDir } from "../../infra/supervisor/store.ts";
import { EXIT_USAGE, UsageError, wholeFlag } from "../../shared/cli/flags.ts";
import { createLogger, errorText } from "../../shared/cli/log.ts";
import { quickfixGo, quickfixJ } from "../interop/engines.ts";
import { killGateway, type KillOptions } from "./gateway_kill.ts";
import { killUnderEngine, type QuickfixSummary } from "./quickfix_kill.ts";

const USAGE = `Kills the FIX gateway at random moments under load and proves that its clients lose nothing.

usage: deno task recovery:gateway [flags]

  --rounds N       how often to kill (default: 50); but for pitwire, one round of three kills twice
  --seed S         of the moments and of the orders (default: another one each time; printed)
  --client NAME    quickfixj: two firms trade through QuickFIX/J, which needs Java and Maven (default)
                   quickfixgo: the same with QuickFIX/Go, which needs Go
                   pitwire: three sessions of our own client, some of which are cut off as well
  --keep           leave the folder with the venue's state and the engines' stores and logs
  --help           print this

A line for each round on stderr; exit code 1 with the first thing that does not hold.
`;

interface KillArgs {
  readonly rounds: number;
  readonly seed: number;
  readonly client: string;
  readonly keep: boolean;
}

/** Null when help was asked for. */
function parseKillArgs(args: string[]): KillArgs | null {
  const unknown: string[] = [];
  const flags = parseArgs(args, {
    string: ["rounds", "seed", "client"],
    boolean: ["keep", "help"],
    unknown: (arg) => {
      unknown.push(arg);
      return false;
    },
  });
  if (flags.help) return null;
  if (unknown.length > 0) {
    throw new UsageError(`Cannot read "${unknown[0]}": there is no such flag (see --help)`);
  }
  const client = flags.client ?? "quickfixj";
  const clients = ["quickfixj", "quickfixgo", "pitwire"];
  if (!clients.includes(client)) {
    throw new UsageError(`Cannot use --client: expected one of ${clients.join(", ")}, got "${client}"`);
  }
  return {
    rounds: wholeFlag("--rounds", flags.rounds ?? "50", 1, 1_000_000),
    seed: wholeFlag("--seed", flags.seed ?? String(Date.now() % 1_000_000), 0, 999_999_999),
    client,
    keep: flags.keep,
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

async function main(args: string[]): Promise<void> {
  const wanted = parseKillArgs(args);
  if (wanted === null) {
    Deno.stdout.writeSync(new TextEncoder().encode(USAGE));
    return;
  }
  const { rounds, seed, client, keep } = wanted;
  const log = createLogger("recovery");
  log.info(`${rounds} rounds`, { client, seed });
  const cacheDir = `${userCacheDir(Deno.env, Deno.build.os) ?? "."}/pitwire`;
  const progress = { note: (text: string) => log.info(text), download() {} };
  const nats = await obtainNatsServer({ cacheDir, path: Deno.env.get("PATH") ?? "", progress });
  const options = {
    rounds,
    seed,
    keep,
    natsExecutable: nats.path,
    onRound: (line: string) => log.info(line),
  };
  const summary = client === "pitwire"
    ? await killGateway(options)
    : client === "quickfixj"
    ? await killUnderEngine(await quickfixJ(), options)
    : await killUnderGo(options);
  log.info("no report lost, no order executed twice", { seed, ...summary });
}

try {
  await main(Deno.args);
} catch (error) {
  createLogger("recovery").error(errorText(error));
  Deno.exit(error instanceof UsageError ? EXIT_USAGE : 1);
}
