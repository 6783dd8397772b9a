/** Aims at the matching engine: the fast one against the reference, over random commands. Pure. */
import { compareEngines, compareSteps, stepsOf } from "../../services/matcher/flow/compare.ts";
import { setupOf, type Step } from "../../services/matcher/flow/compare_setup.ts";
import { formatCommand } from "../../services/matcher/engine/test_command_lines.ts";
import { fewest } from "./minimise.ts";
import type { Finding, Target } from "./target.ts";

const COMMANDS = 2000;
/** Long cases compare the whole state now and then; the events of every command. */
const STATE_EVERY = 50;

/** The engine as a target, with so many commands a case. */
export function engineTarget(commands: number = COMMANDS): Target {
  return {
    name: "engine",
    about:
      `the fast engine against the reference, ${commands} random commands a case, every event and the state compared`,
    smokeCases: 2,
    attempt: (seed) => attempt(seed, commands),
    sized: engineTarget,
  };
}

function attempt(seed: number, commands: number): Finding | null {
  const difference = compareEngines(seed, commands, { stateEvery: commands > COMMANDS ? STATE_EVERY : 5 });
  if (difference === null) return null;
  const setup = setupOf(seed);
  const steps = stepsOf(setup, commands, difference.command);
  const least = fewest(steps, (rest) => compareSteps(setup.options, rest) !== null);
  const { problem, line, fast, reference } = compareSteps(setup.options, least) ?? difference;
  return {
    seed,
    problem:
      `${difference.problem} at command ${difference.command} of ${commands}; with fewer: ${problem}, at ${line}`,
    input: [
      ...setup.options.instruments.map((each) => JSON.stringify(each)),
      ...least.map(commandLine),
      ...fast.map((text) => `fast      ${text}`),
      ...reference.map((text) => `reference ${text}`),
    ],
  };
}

/** `> ` and the command as in a ledger, with its place and time. */
function commandLine({ sequence, index, timestampUs, command }: Step): string {
  return `> ${formatCommand(command)}    (${sequence}.${index} at ${timestampUs})`;
}
