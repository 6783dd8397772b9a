/**
 * What all commands that people type do alike: their help, one line on stderr for what is wrong, and the code with which
 * they end. Does I/O.
 */
import { errorText } from "./log.ts";
import { print, write } from "./output.ts";
import { exitCodeOf } from "./service_process.ts";

/**
 * Runs a command to its end and ends the process: with the code that `run` returns, 0 for none. `read` gives what the
 * arguments ask for, null for help, or throws. What is thrown is printed as one line; its code is that of `codeOf`, by
 * default 2 for a wrong command line, 78 for a wrong configuration and 1 for anything else.
 */
export async function runCommand<F>({ help, read, run, codeOf = exitCodeOf }: {
  readonly help: string;
  readonly read: (args: readonly string[]) => F | null;
  readonly run: (asked: F) => Promise<number | void> | number | void;
  readonly codeOf?: (error: unknown) => number;
}): Promise<never> {
  let code: number;
  try {
    const asked = read(Deno.args);
    if (asked === null) print(help);
    code = asked === null ? 0 : await run(asked) ?? 0;
  } catch (error) {
    write(Deno.stderr, `${errorText(error)}\n`);
    code = codeOf(error);
  }
  Deno.exit(code);
}
