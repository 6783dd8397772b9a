/** The command line of a service: flags that take a value, and `--help`. Refuses everything else. */
import { parseArgs } from "@std/cli/parse-args";
import { tieNegatives, UsageError } from "./flags.ts";

/** The values of those flags of `names` that were given; null when help was asked for. Throws a {@link UsageError}. */
export function serviceFlags<const N extends string>(
  args: readonly string[],
  names: readonly N[],
): Partial<Record<N, string>> | null {
  const unknown: string[] = [];
  const flags = parseArgs(tieNegatives(args, names), {
    boolean: ["help"],
    string: names as readonly string[],
    unknown: (arg) => {
      unknown.push(arg);
      return false;
    },
  });
  if (flags.help) return null;
  if (unknown.length > 0) throw new UsageError(`Cannot start: unknown argument "${unknown[0]}"; see --help`);
  const values: Partial<Record<N, string>> = {};
  for (const name of names) {
    const value = flags[name] as string | undefined;
    if (value === "") throw new UsageError(`Cannot start: expected a value for --${name}, got nothing`);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
