/** Owns the command line of `deno task fuzz`: its flags, its help, and what a wrong flag is told. No I/O. */
import { oneOfFlag, readFlags, UsageError, wholeFlag } from "../../shared/cli/flags.ts";
import type { Target } from "./target.ts";

/** What `--help` prints. */
export function helpText(targets: readonly Target[]): string {
  const lines = targets.map(({ name, about }) => `  ${name.padEnd(9)} ${about}`);
  return `Damaged and random input, from a seed, against rules that must hold.

Usage: deno task fuzz [--target NAME] [--seconds N] [--seed S] [--cases N] [--commands N]

  --target NAME   one of the targets below; may be repeated (default: all, one after the other)
  --seconds N     how long, all targets together (default 60)
  --seed S        where to start (default: drawn, and printed); case number i has the seed S + i
  --cases N       so many cases of each target at most
  --commands N    so many commands a case (--target engine only)
  --help          this text

Targets:
${lines.join("\n")}

The first fault of a target ends it. It is printed with its seed and an input that was made as small as it could be;
exit code 1. \`--target T --seed S --cases 1\` shows it again.
`;
}

/** The command line, read. */
export interface FuzzFlags {
  readonly targets: readonly Target[];
  readonly seconds: number;
  /** Undefined: to be drawn. */
  readonly seed: number | undefined;
  readonly cases: number;
  /** What else it takes to show a case again, such as ` --commands 5000`. */
  readonly again: string;
}

const MAX_WHOLE = 2 ** 32 - 1;

/** The flags, or null when help was asked for. Throws a {@link UsageError}. */
export function flagsOf(args: readonly string[], targets: readonly Target[]): FuzzFlags | null {
  const flags = readFlags(args, { values: ["seconds", "seed", "cases", "commands"], lists: ["target"] });
  if (flags === null) return null;
  const { seconds, seed, cases, commands } = flags.values;
  const known = targets.map(({ name }) => name);
  const chosen = flags.lists.target.map((name) => targets[known.indexOf(oneOfFlag("--target", name, known))]);
  return {
    targets: sized(chosen.length === 0 ? targets : chosen, commands),
    seconds: wholeFlag("--seconds", seconds ?? "60", 1, MAX_WHOLE),
    seed: seed === undefined ? undefined : wholeFlag("--seed", seed, 0, MAX_WHOLE),
    again: commands === undefined ? "" : ` --commands ${commands}`,
    cases: cases === undefined ? Infinity : wholeFlag("--cases", cases, 1, MAX_WHOLE),
  };
}

/** The targets with so many commands a case, or as they are when nothing is said. */
function sized(targets: readonly Target[], commands: string | undefined): readonly Target[] {
  if (commands === undefined) return targets;
  const count = wholeFlag("--commands", commands, 1, MAX_WHOLE);
  return targets.map((target) => {
    if (target.sized !== undefined) return target.sized(count);
    throw new UsageError(`Cannot use --commands: cases of ${target.name} have none; use --target engine`);
  });
}
