/**
 * `deno task allocate --case FILE|-`: shares one aggressor out over one price level by the engine's own steps and says
 * why. Exit codes: 0 done, 1 a case that cannot be read or does not give what it expects, 2 wrong command line.
 *
 * Permissions: --allow-read of the case.
 */
import { runCommand } from "../../shared/cli/command.ts";
import { neededFlag, readFlags } from "../../shared/cli/flags.ts";
import { print, write } from "../../shared/cli/output.ts";
import { parseCase } from "./case.ts";
import { caseJson, caseText, differenceText } from "./case_text.ts";
import { runCase } from "./run_case.ts";

const HELP = `Shares one aggressor out over the resting orders of one price level, step by step, and says why.

Usage: deno task allocate --case FILE|- [--json]

  --case FILE   the case, JSON; - reads it from standard input
  --json        one line: {"fills":[…],"left":…,"steps":[{"step":…,"gave":[…],…},…]}
  --help        this text

A case: {"algorithm":"Q","proRataMin":1,"topMin":25,"topMax":250,"aggressor":400,
         "resting":[{"qty":300,"top":true},15,{"qty":160,"lmmPercent":40}]}

  algorithm     F, C, A, O, Q, S, T or K (docs/allocation.md)
  aggressor     quantity of the incoming order
  resting       orders in time priority, each a quantity or {"qty":…} with "top": true for the top order,
                "hidden" quantity behind what shows, "lmmPercent" of a lead market maker, and "maker", the same
                for orders of one market maker
  proRataMin, topMin, topMax, fifoPercent   as in the venue file; 1, 0, 0 and 0 when left out
  name, expect  a title, and what each order should receive: the command says whether it holds

Exit codes: 0 done, 1 the case cannot be read or expects something else, 2 wrong command line.
`;

interface Request {
  readonly path: string;
  readonly json: boolean;
}

function requestOf(args: readonly string[]): Request | null {
  const flags = readFlags(args, { values: ["case"], switches: ["json"] });
  if (flags === null) return null;
  return { path: neededFlag("--case", flags.values.case), json: flags.switches.json };
}

async function textOf(path: string): Promise<string> {
  if (path === "-") return await new Response(Deno.stdin.readable).text();
  try {
    return await Deno.readTextFile(path);
  } catch (cause) {
    throw new Error(`Cannot read the case ${path}`, { cause });
  }
}

/** The exit code: 1 when the case says what it expects and did not get that. */
async function allocate({ path, json }: Request): Promise<number> {
  const given = parseCase(await textOf(path));
  const run = runCase(given);
  print(json ? `${caseJson(given, run)}\n` : caseText(given, run));
  const difference = differenceText(given, run);
  if (difference !== null && json) write(Deno.stderr, `${difference}\n`);
  return difference === null ? 0 : 1;
}

await runCommand({ help: HELP, read: requestOf, run: allocate });
