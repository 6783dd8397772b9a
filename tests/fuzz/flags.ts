/** Owns the command line of `deno task fuzz`: its flags, its help, and what a wrong flag is told. No I/O. */
import { parseArgs } from "@std/cli/parse-args";
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

/** The flags, or null when help was asked for. Throws a RangeError whose one sentence names flag and value. */
export function flagsOf(args: string[], targets: readonly Target[]): FuzzFlags | null {
  const unknown: string[] = [];
  const flags = parseArgs(args, {
    boolean: ["help"],
    string: ["seconds", "seed", "cases", "commands"],
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
    targets: sized(chosen.length === 0 ? targets : chosen, flags.commands),
    seconds: integer("--seconds", flags.seconds ?? "60", 1),
    seed: flags.seed === undefined ? undefined : integer("--seed", flags.seed, 0),
    again: flags.commands === undefined ? "" : ` --commands ${flags.commands}`,
    cases: flags.cases === undefined ? Infinity : integer("--cases", flags.cases, 1),
  };
}

/** The targets with so many commands a case, or as they are when nothing is said. */
function sized(targets: readonly Target[], commands: string | undefined): readonly Target[] {
  if (commands === undefined) return targets;
  const count = integer("--commands", commands, 1);
  return targets.map((target) => {
    if (target.sized !== undefined) return target.sized(count);
    throw new RangeError(`Cannot use --commands: cases of ${target.name} have none; use --target engine`);
  });
}

function integer(flag: string, text: string, least: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value < 2 ** 32) return value;
  throw new RangeError(`Cannot use ${flag}: expected a whole number from ${least} on, got "${text}"`);
}
