/**
 * `deno task verify`: whether what a venue has stored is what its commands must have caused. Wires and decides nothing.
 * Exit codes: 0 it is, 1 it is not, 2 it cannot be told, since there is nothing to compare for one.
 *
 * Permissions: --allow-read of venue file, state folder and nats-server, --allow-write and --allow-run for a nats-server on
 * a copy, --allow-net to reach NATS, --allow-env of the variables that name folders and NATS credentials.
 */
import { runCommand } from "../../../shared/cli/command.ts";
import { print, write } from "../../../shared/cli/output.ts";
import { parseVerifyArgs, USAGE, type VerifyArgs } from "./args.ts";
import { verdictJson, verdictText } from "./print.ts";
import { VerifyProgress } from "./progress.ts";
import { EXIT_CANNOT, exitCodeOf, type Outcome, outcomeOf } from "./verdict.ts";
import { verifyVenue } from "./verify_venue.ts";

const TERMINAL = {
  write: (text: string) => write(Deno.stderr, text),
  isTerminal: Deno.stderr.isTerminal(),
  nowMs: () => performance.now(),
};

async function run(args: VerifyArgs): Promise<number> {
  const outcomes = new Set<Outcome>();
  let progress: VerifyProgress;
  await verifyVenue(args, {
    begin: (shard) => void (progress = new VerifyProgress({ shard, ...TERMINAL })),
    progress: (applied, of, startedAfter) => progress.at(applied, of, startedAfter),
    end: (verdict) => {
      progress.done(verdict.rebuild.cmdSeq - verdict.startedAfter, verdict.rebuild.commands);
      print(args.json ? verdictJson(verdict) : verdictText(verdict));
      outcomes.add(outcomeOf(verdict));
    },
  });
  return exitCodeOf(outcomes);
}

await runCommand({
  help: USAGE,
  read: parseVerifyArgs,
  run,
  codeOf: () => EXIT_CANNOT,
});
