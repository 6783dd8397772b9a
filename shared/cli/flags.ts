/**
 * The command line of a program: flags with and without a value, other words, and what a wrong one is told. Refuses
 * whatever it does not know. No I/O.
 */
import { parseArgs } from "@std/cli/parse-args";

/** Exit code of a program whose command line is wrong. */
export const EXIT_USAGE = 2;

/** A command line that cannot be carried out; the message is one sentence. Exit code {@link EXIT_USAGE}. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The flags of a program, without their dashes. `--help` and `-h` are always there. */
export interface FlagNames<V extends string, S extends string, L extends string> {
  /** Flags with a value. */
  readonly values?: readonly V[];
  /** Flags without one. */
  readonly switches?: readonly S[];
  /** Flags with a value that may be given more than once. */
  readonly lists?: readonly L[];
  /** Whether other arguments are taken; false when absent. */
  readonly words?: boolean;
}

/** What was given. */
export interface Flags<V extends string, S extends string, L extends string> {
  /** The value of each flag that was given, never empty. */
  readonly values: Readonly<Partial<Record<V, string>>>;
  readonly switches: Readonly<Record<S, boolean>>;
  /** In the order given, none of them empty. */
  readonly lists: Readonly<Record<L, readonly string[]>>;
  /** Arguments that are no flags, as typed. */
  readonly words: readonly string[];
}

/**
 * Reads the arguments of a program; null when help was asked for, whatever else is there. Throws a {@link UsageError} for
 * a flag that is none of `names`, one without its value, one with a second, a switch with one, and for words where none are
 * taken.
 */
export function readFlags<
  const V extends string = never,
  const S extends string = never,
  const L extends string = never,
>(args: readonly string[], names: FlagNames<V, S, L>): Flags<V, S, L> | null {
  const { values = [], switches = [], lists = [], words = false } = names;
  const unknown: string[] = [];
  const flags: Record<string, unknown> & { _: (string | number)[] } = parseArgs(
    tieNegatives(args, [...values, ...lists]),
    {
      // "_": a word such as 0017 is no number.
      string: [...values, ...lists, "_"] as readonly string[],
      collect: [...values, ...lists] as readonly string[],
      boolean: [...switches, "help"] as readonly string[],
      alias: { help: "h" },
      unknown: (arg, key) => {
        if (key !== undefined) unknown.push(arg);
        return key === undefined;
      },
    },
  );
  if (flags.help === true) return null;
  if (unknown.length > 0) {
    throw new UsageError(`Cannot read "${unknown[0]}": there is no such flag (see --help)`);
  }
  refuseSwitchValues(args, switches);
  const given = (name: string) => flags[name] as readonly string[];
  for (const name of [...values, ...lists]) {
    if (given(name).includes("")) {
      throw new UsageError(`Cannot use --${name}: expected a value, got nothing (see --help)`);
    }
  }
  for (const name of values) {
    if (given(name).length < 2) continue;
    const all = given(name).map((value) => `"${value}"`).join(" and ");
    throw new UsageError(`Cannot use --${name}: expected one value, got ${all} (see --help)`);
  }
  const others = flags._.map(String);
  if (others.length > 0 && !words) {
    throw new UsageError(`Cannot read "${others[0]}": expected flags only (see --help)`);
  }
  const pick = (of: readonly string[]) => Object.fromEntries(of.map((name) => [name, flags[name]]));
  return {
    values: Object.fromEntries(
      values.flatMap((name) => given(name).map((value) => [name, value])),
    ) as Partial<
      Record<V, string>
    >,
    switches: pick(switches) as Record<S, boolean>,
    lists: pick(lists) as Record<L, string[]>,
    words: others,
  };
}

/** The value of a flag that cannot be left out. Throws {@link UsageError}. */
export function neededFlag(flag: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(`Cannot do without ${flag}: expected a value, got nothing (see --help)`);
}

/** A flag's text as a whole number from `least` to `most` (below 10^15). Throws {@link UsageError}. */
export function wholeFlag(flag: string, text: string, least: number, most: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`Cannot use ${flag}: expected a whole number from ${least} to ${most}, got "${text}"`);
}

/** A flag's text as one of `names`. Throws {@link UsageError}. */
export function oneOfFlag<const T extends string>(flag: string, text: string, names: readonly T[]): T {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new UsageError(`Cannot use ${flag}: expected one of ${names.join(", ")}, got "${text}"`);
}

/** The one word that a program takes besides flags, to `action` with; `name` is what its help calls it. Throws {@link UsageError}. */
export function oneWord(action: string, name: string, words: readonly string[]): string {
  if (words.length === 1) return words[0];
  const got = words.length === 0 ? "nothing" : `"${words.join(" ")}"`;
  throw new UsageError(`Cannot ${action}: expected one ${name}, got ${got} (see --help)`);
}

/**
 * The arguments with every negative number behind one of the flags `names` tied to it (`--qty -5` as `--qty=-5`): by
 * itself it would be read as a flag that nobody knows, and the complaint would not be about the value.
 */
function tieNegatives(args: readonly string[], names: readonly string[]): string[] {
  const tied: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const isValue = /^-\.?\d/.test(args[i + 1] ?? "") && names.some((name) => args[i] === `--${name}`);
    tied.push(isValue ? `${args[i]}=${args[++i]}` : args[i]);
  }
  return tied;
}

function refuseSwitchValues(args: readonly string[], switches: readonly string[]): void {
  const end = args.indexOf("--");
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const name = switches.find((each) => arg.startsWith(`--${each}=`));
    if (name === undefined) continue;
    throw new UsageError(`Cannot use --${name}: expected no value, got "${arg.slice(name.length + 3)}"`);
  }
}
