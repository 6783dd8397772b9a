/**
 * The command line of an operator's tool: the flags by which it gets into a venue, and its own. Every mistake is one
 * sentence. No I/O.
 */
import { parseArgs } from "@std/cli/parse-args";
import { tieNegatives, UsageError } from "../../shared/cli/flags.ts";
import type { AccessFlags } from "./access.ts";

const ACCESS = ["store", "config", "nats"] as const;

/** What was given on the command line. */
export interface OperatorFlags<N extends string, S extends string> {
  readonly access: AccessFlags;
  /** A flag's value, null when it was left out. Throws {@link UsageError} when it has none. */
  readonly text: (flag: N) => string | null;
  readonly has: (flag: S) => boolean;
  /** Arguments that are no flags; none for a tool that takes none. */
  readonly words: readonly string[];
}

/**
 * Reads flags with a value (`names`) and without (`switches`), and with `takesWords` other arguments too; null when help is
 * asked for. Throws {@link UsageError}.
 */
export function operatorFlags<const N extends string, const S extends string>(
  args: readonly string[],
  names: readonly N[],
  switches: readonly S[],
  takesWords: boolean,
): OperatorFlags<N, S> | null {
  const texts = [...ACCESS, ...names];
  const unknown: string[] = [];
  const flags = parseArgs(tieNegatives(args, texts), {
    // "_": a CompID such as 0017 is no number.
    string: [...texts, "_"] as readonly string[],
    boolean: ["help", ...switches] as readonly string[],
    unknown: (arg, key) => {
      if (key === undefined && takesWords) return true;
      unknown.push(arg);
      return false;
    },
  });
  if (flags.help) return null;
  if (unknown.length > 0) {
    throw new UsageError(`Cannot read "${unknown[0]}": there is no such flag (see --help)`);
  }
  const text = (flag: string): string | null => {
    const value = flags[flag] as string | undefined;
    if (value === "") throw new UsageError(`Cannot read --${flag}: expected a value, got nothing`);
    return value ?? null;
  };
  const [store, config, nats] = ACCESS.map(text);
  if (store !== null && nats !== null) {
    throw new UsageError("Cannot use --store with --nats: expected one of them, got both");
  }
  return {
    access: { store, config, nats },
    text,
    has: (flag) => flags[flag] === true,
    words: flags._.map(String),
  };
}
