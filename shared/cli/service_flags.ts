/** The command line of a service: flags that take a value, switches, and `--help`. Refuses everything else. */
import { parseArgs } from "@std/cli/parse-args";
import { tieNegatives, UsageError } from "./flags.ts";

/** What was given: the values of flags, and true for switches. */
export type ServiceFlags<N extends string, S extends string> = Partial<Record<N, string> & Record<S, true>>;

/**
 * Those flags of `names` and `switches` that were given; null when help was asked for. Throws a {@link UsageError}.
 */
export function serviceFlags<const N extends string, const S extends string = never>(
  args: readonly string[],
  names: readonly N[],
  switches: readonly S[] = [],
): ServiceFlags<N, S> | null {
  const unknown: string[] = [];
  const flags = parseArgs(tieNegatives(args, names), {
    boolean: ["help", ...switches],
    string: names as readonly string[],
    unknown: (arg) => {
      unknown.push(arg);
      return false;
    },
  });
  if (flags.help) return null;
  if (unknown.length > 0) throw new UsageError(`Cannot start: unknown argument "${unknown[0]}"; see --help`);
  const values: Partial<Record<string, string | true>> = {};
  for (const name of names) {
    const value = flags[name] as string | undefined;
    if (value === "") throw new UsageError(`Cannot start: expected a value for --${name}, got nothing`);
    if (value !== undefined) values[name] = value;
  }
  for (const name of switches) if (flags[name] === true) values[name] = true;
  return values as ServiceFlags<N, S>;
}
