/** The flags of `deno task simulate`. Pure. */
import { type Plant, PLANTS } from "./planted.ts";

/** What is to be run. */
export interface Flags {
  readonly seeds: number;
  /** The first one. */
  readonly seed: number;
  readonly steps: boolean;
  readonly plant: Plant | undefined;
}

/** What --help prints. */
export const USAGE = `Usage: deno task simulate [--seeds N] [--seed S] [--steps] [--plant FAULT]

  --seeds N      how many seeds (default 1000)
  --seed S       the first one (default 1)
  --steps        print everything that happens
  --plant FAULT  put a fault in, to see it found: ${PLANTS.join(", ")}

Exits with 1 when an invariant did not hold for some seed.`;

/** Reads them; null for --help. Throws an Error with one sentence. */
export function parseFlags(args: readonly string[]): Flags | null {
  let seeds = 1000;
  let seed = 1;
  let steps = false;
  let plant: Plant | undefined;
  for (let i = 0; i < args.length; i++) {
    switch (args[i]) {
      case "--help":
        return null;
      case "--steps":
        steps = true;
        break;
      case "--seeds":
        seeds = whole("--seeds", args[++i], 1);
        break;
      case "--seed":
        seed = whole("--seed", args[++i], 0);
        break;
      case "--plant":
        plant = PLANTS.find((each) => each === args[i + 1]);
        if (plant === undefined) {
          throw new Error(`Cannot use --plant: expected one of ${PLANTS.join(", ")}, got "${args[i + 1]}"`);
        }
        i++;
        break;
      default:
        throw new Error(`Cannot use "${args[i]}": expected a flag that --help names`);
    }
  }
  return { seeds, seed, steps, plant };
}

function whole(name: string, text: string | undefined, least: number): number {
  const value = Number(text);
  if (text === undefined || !/^\d{1,9}$/.test(text) || value < least) {
    throw new Error(`Cannot use ${name}: expected a whole number of ${least} or more, got "${text ?? ""}"`);
  }
  return value;
}
