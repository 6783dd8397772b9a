/** Aims at the matching engine: the fast one against the reference, over random commands. Pure. */
import { compareEngines } from "../../services/matcher/engine/compare.ts";
import { type Finding, type Target, thrown } from "./target.ts";

const COMMANDS = 2000;

/** The engine as a target. */
export const engineTarget: Target = {
  name: "engine",
  about:
    `the fast engine against the reference, ${COMMANDS} random commands a case, every event and the state compared`,
  smokeCases: 1,
  attempt,
};

function attempt(seed: number): Finding | null {
  try {
    const difference = compareEngines(seed, COMMANDS);
    if (difference === null) return null;
    const { command, fast, reference } = difference;
    const least = compareEngines(seed, command) === null ? COMMANDS : command;
    return {
      seed,
      problem: `the engines part at command ${command} of ${least}`,
      input: [...fast.map((line) => `fast      ${line}`), ...reference.map((line) => `reference ${line}`)],
    };
  } catch (error) {
    return { seed, problem: thrown(error), input: [`${COMMANDS} commands from seed ${seed}`] };
  }
}
