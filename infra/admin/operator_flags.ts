/**
 * The command line of an operator's tool: the flags by which it gets into a venue, and its own. Every mistake is one
 * sentence. No I/O.
 */
import { readFlags, UsageError } from "../../shared/cli/flags.ts";
import type { AccessFlags } from "./access.ts";

const ACCESS = ["store", "config", "nats"] as const;

/** What was given on the command line. */
export interface OperatorFlags<N extends string, S extends string> {
  readonly access: AccessFlags;
  /** A flag's value, null when it was left out. */
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
  const flags = readFlags(args, { values: [...ACCESS, ...names] as string[], switches, words: takesWords });
  if (flags === null) return null;
  const text = (flag: string): string | null => flags.values[flag] ?? null;
  const [store, config, nats] = ACCESS.map(text);
  if (store !== null && nats !== null) {
    throw new UsageError("Cannot use --store with --nats: expected one of them, got both");
  }
  return {
    access: { store, config, nats },
    text,
    has: (flag) => flags.switches[flag],
    words: flags.words,
  };
}
