/** The flags of `deno task simulate`: how many seeds, from which on, which planted fault. Reads nothing but its arguments. */
import { oneOfFlag, readFlags, wholeFlag } from "../../shared/cli/flags.ts";
import { type Plant, PLANTS, WITHIN_SEEDS } from "./planted.ts";

/** What is to be run. */
export interface Flags {
  readonly seeds: number;
  /** The first one. */
  readonly seed: number;
  readonly steps: boolean;
  readonly plant: Plant | undefined;
}

const MOST = 999_999_999;

/** What --help prints. */
export const USAGE =
  `Runs a whole venue in one process with virtual time, in which a seed decides what goes wrong, and checks that nothing
is lost, doubled or told wrongly.

usage: deno task simulate [--seeds N] [--seed S] [--steps] [--plant FAULT]

  --seeds N      how many seeds (default 1000, about five minutes)
  --seed S       the first one (default 1)
  --steps        print everything that happens
  --plant FAULT  put a fault in, to see it found, most often within ten seeds and at the latest within ${WITHIN_SEEDS}:
                 ${PLANTS.join(", ")}
  --help         print this

Exit codes: 0 every invariant held for every seed; 1 one did not for some seed, as it must be with --plant, or a planted
fault was not found; 2 wrong command line.
`;

/** Reads them; null for --help. Throws a UsageError. */
export function parseFlags(args: readonly string[]): Flags | null {
  const flags = readFlags(args, { values: ["seeds", "seed", "plant"], switches: ["steps"] });
  if (flags === null) return null;
  const { seeds = "1000", seed = "1", plant } = flags.values;
  return {
    seeds: wholeFlag("--seeds", seeds, 1, MOST),
    seed: wholeFlag("--seed", seed, 0, MOST),
    steps: flags.switches.steps,
    plant: plant === undefined ? undefined : oneOfFlag("--plant", plant, PLANTS),
  };
}
