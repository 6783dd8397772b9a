/**
 * `deno task bench`: runs the benches, prints one table and writes bench/results/<suite>.json. Every figure comes
 * from one run on one machine, whose description stands beside it.
 */
import { join } from "node:path";
import { obtainNatsServer } from "../infra/nats/obtain.ts";
import { userCacheDir } from "../infra/supervisor/store.ts";
import { terminalProgress } from "../infra/up/progress.ts";
import { runCommand } from "../shared/cli/command.ts";
import { oneOfFlag, readFlags, wholeFlag } from "../shared/cli/flags.ts";
import { createLogger } from "../shared/cli/log.ts";
import { print } from "../shared/cli/output.ts";
import { runDurability } from "./end_to_end/durability.ts";
import { type EndToEndOptions, runEndToEnd, runEventPaths } from "./end_to_end/run.ts";
import { runFailover } from "./failover/run.ts";
import { runBook } from "./micro/book_process.ts";
import { run as codec } from "./micro/codec.ts";
import { run as orderEntry } from "./micro/order_entry.ts";
import { runPeers } from "./peers/run.ts";
import { runResend } from "./resend/run.ts";
import { runSessions } from "./sessions/run.ts";
import { runSnapshot } from "./snapshot/run.ts";
import { type BenchResult, describeHost, formatResults, saveResults } from "./result.ts";

const USAGE = `Usage: deno task bench [SUITE …] [--quick] [--no-save] [--rounds N]

Suites (all by default):
  codec        FIX parse and write, messages/s on one core
  order-entry  FIX message to command, event to report
  book         the order book alone, and the engine with ids and encoded events, on a 70/20/10 flow; sweeps; peers
  end-to-end   FIX order to first report, against the floor of the same hops
  event-paths  the floor over three ways in which events may reach the gateway
  sessions     a gateway's memory with 1,000 idle sessions
  durability   FIX order to first report under both profiles of durability, side by side
  failover     leading matchers killed under FIX sessions that trade: how long nobody is acknowledged
  snapshot     matching while a snapshot is taken; snapshots written and loaded; commands replayed
  resend       a ResendRequest for 1,000,000 messages while another session trades

  --rounds N   failover: how often the leader is killed (default 50)
  --quick      small runs: shows that the benches work, the figures mean nothing
  --no-save    does not write bench/results/
  --help       this text
`;

const SUITES: Record<string, (quick: boolean, rounds: number) => BenchResult[] | Promise<BenchResult[]>> = {
  codec: (quick) => codec(quick ? 0.01 : 1),
  "order-entry": (quick) => quick ? orderEntry(5_000) : orderEntry(),
  book: async (quick) => [
    ...await runBook(quick ? 0.01 : 1),
    ...await runPeers(await peersFolder(), quick ? 0.01 : 1),
  ],
  "end-to-end": (quick) => withServer(quick, runEndToEnd),
  "event-paths": (quick) => withServer(quick, runEventPaths),
  durability: (quick) => withServer(quick, runDurability),
  failover: (quick, rounds) => withServer(quick, (options) => runFailover({ ...options, rounds })),
  snapshot: (quick) => withServer(quick, runSnapshot),
  resend: (quick) => withServer(quick, runResend),
  sessions: (quick) => withServer(quick, runSessions),
};

const log = createLogger("bench");

/** Where peers are built: outside the tree. */
async function peersFolder(): Promise<string> {
  const folder = join(userCacheDir(Deno.env, Deno.build.os) ?? ".", "pitwire", "bench");
  await Deno.mkdir(folder, { recursive: true });
  return folder;
}

async function withServer(
  quick: boolean,
  run: (options: EndToEndOptions) => Promise<BenchResult[]>,
): Promise<BenchResult[]> {
  const progress = terminalProgress(log);
  const cacheDir = join(userCacheDir(Deno.env, Deno.build.os) ?? ".", "pitwire");
  const server = await obtainNatsServer({ cacheDir, path: Deno.env.get("PATH") ?? "", progress });
  progress.done();
  return await run({
    natsExecutable: server.path,
    log,
    quick,
    onStep: (name) => log.info("measuring", { name }),
  });
}

interface BenchArgs {
  readonly suites: readonly string[];
  readonly quick: boolean;
  readonly save: boolean;
  readonly rounds: number;
}

function benchArgs(args: readonly string[]): BenchArgs | null {
  const flags = readFlags(args, { values: ["rounds"], switches: ["quick", "no-save"], words: true });
  if (flags === null) return null;
  const names = Object.keys(SUITES);
  const { quick } = flags.switches;
  return {
    suites: flags.words.length === 0 ? names : flags.words.map((word) => oneOfFlag("SUITE", word, names)),
    quick,
    save: !flags.switches["no-save"] && !quick,
    rounds: wholeFlag("--rounds", flags.values.rounds ?? "50", 1, 100_000),
  };
}

async function bench({ suites, quick, save, rounds }: BenchArgs): Promise<void> {
  const host = describeHost();
  for (const name of suites) {
    log.info("running", { suite: name });
    const results = await SUITES[name](quick, rounds);
    print(formatResults(results) + "\n");
    if (save) log.info("written", { file: await saveResults(name, host, results) });
  }
}

if (import.meta.main) await runCommand({ help: USAGE, read: benchArgs, run: bench });
