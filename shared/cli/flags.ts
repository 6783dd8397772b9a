/** What is wrong with a command line, and numbers in one. Pure. */

/** Exit code of a program whose command line is wrong. */
export const EXIT_USAGE = 2;

/** A command line that cannot be carried out; the message is one sentence. Exit code {@link EXIT_USAGE}. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * The arguments with every negative number behind one of the flags `names` tied to it (`--qty -5` as `--qty=-5`): by
 * itself it would be read as a flag that nobody knows, and the complaint would not be about the value.
 */
export function tieNegatives(args: readonly string[], names: readonly string[]): string[] {
  const tied: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const isValue = /^-\.?\d/.test(args[i + 1] ?? "") && names.some((name) => args[i] === `--${name}`);
    tied.push(isValue ? `${args[i]}=${args[++i]}` : args[i]);
  }
  return tied;
}

/** A flag's text as a whole number from `least` to `most` (below 10^9). Throws {@link UsageError}. */
export function wholeFlag(flag: string, text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`Cannot use ${flag}: expected a whole number from ${least} to ${most}, got "${text}"`);
}
