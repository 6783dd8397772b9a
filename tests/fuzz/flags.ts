/** Owns the command line of `deno task fuzz`: its flags, its help, and what a wrong flag is told. No I/O. */
import { parseArgs } from "@std/cli/parse-args";
import type { Target } from "./target.ts";

/** What `--help` prints. */
export function helpText(targets: readonly Target[]): string {
  const lines = targets.map(({ name, about }) => `  ${name.padEnd(9)} ${about}`);
  return `Damaged and random input, from a seed, against rules that must hold.

Usage: deno task fuzz [--target NAME] [--seconds N] [--seed S] [--cases N]

  --target NAME   one of the targets below; may be repeated (default: all, one after the other)
  --seconds N     how long, all targets together (default 60)
  --seed S        where to start (default: drawn, and printed); case number i has the seed S + i
  --cases N       so many cases of each target at most
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
}

/** The flags, or null when help was asked for. Throws a RangeError whose one sentence names flag and value. */
export function flagsOf(args: string[], targets: readonly Target[]): FuzzFlags | null {
  const unknown: string[] = [];
  const flags = parseArgs(args, {
    boolean: ["help"],
    string: ["seconds", "seed", "cases"],
    collect: ["target"],
    unknown: (arg) => {
      unknown.push(arg);
      return false;
    },
  });
  if (flags.help) return null;
  if (unknown.length > 0) throw new RangeError(`Cannot fuzz: unknown argument "${unknown[0]}"; see --help`);
  const names = flags.target.map(String);
  const chosen = names.map((name) => {
    const target = targets.find((one) => one.name === name);
    if (target !== undefined) return target;
    const known = targets.map((one) => one.name).join(", ");
    throw new RangeError(`Cannot use --target: expected one of ${known}, got "${name}"`);
  });
  return {
    targets: chosen.length === 0 ? targets : chosen,
    seconds: integer("--seconds", flags.seconds ?? "60", 1),
    seed: flags.seed === undefined ? undefined : integer("--seed", flags.seed, 0),
    cases: flags.cases === undefined ? Infinity : integer("--cases", flags.cases, 1),
  };
}

function integer(flag: string, text: string, least: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value < 2 ** 32) return value;
  throw new RangeError(`Cannot use ${flag}: expected a whole number from ${least} on, got "${text}"`);
}
