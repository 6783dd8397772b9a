/**
 * What all service processes do alike: how they are told to end, how they say that they are ready, and with which
 * code they end. Does I/O.
 */
import { ConfigError } from "../config/mod.ts";
import { EXIT_USAGE, type Flags, readFlags, UsageError } from "./flags.ts";
import { errorText, type Logger } from "./log.ts";
import { print } from "./output.ts";

/** Exit code of a program whose configuration is wrong (EX_CONFIG of sysexits.h): it is not started again. */
export const EXIT_CONFIG = 78;
/** Exit code of a service that asks to be started again (EX_TEMPFAIL): nothing is wrong, it has done its part. */
export const EXIT_AGAIN = 75;

/** What was given to a service: the values of flags, and its switches. */
export type ServiceFlags<N extends string, S extends string> =
  & Flags<N, S, never>["values"]
  & Flags<N, S, never>["switches"];

/** A promise that SIGTERM and SIGINT resolve; the service rejects it when it cannot go on. */
export function endOnSignals(): PromiseWithResolvers<void> {
  const ended = Promise.withResolvers<void>();
  // What fails before the service waits for its end is reported by whoever waits, not as an unhandled rejection.
  ended.promise.catch(() => {});
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, () => ended.resolve());
  return ended;
}

/** Says on standard output, in one line of JSON, that the service is ready. */
export function sayReady(service: string, fields: Readonly<Record<string, unknown>>): void {
  print(`${JSON.stringify({ ready: service, ...fields })}\n`);
}

/** The exit code for an error that ends a program: wrong flags 2, wrong configuration 78, anything else 1. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT_USAGE;
  return error instanceof ConfigError ? EXIT_CONFIG : 1;
}

/**
 * Runs a program to its end and ends the process: with the code that `run` returns, 0 for none, or {@link exitCodeOf} the
 * error, which is logged as one line.
 */
export async function runToEnd(log: Logger, run: () => Promise<number | void>): Promise<never> {
  let code: number;
  try {
    code = await run() ?? 0;
  } catch (error) {
    log.error(errorText(error));
    code = exitCodeOf(error);
  }
  Deno.exit(code);
}

/** Like {@link runToEnd}, for a service: prints its help, or gives `run` the flags and switches that are there. */
export function runService<const N extends string, const S extends string = never>(
  { log, help, names, switches = [], run }: {
    readonly log: Logger;
    readonly help: string;
    readonly names: readonly N[];
    readonly switches?: readonly S[];
    readonly run: (flags: ServiceFlags<N, S>) => Promise<number | void>;
  },
): Promise<never> {
  return runToEnd(log, async () => {
    const flags = readFlags(Deno.args, { values: names, switches });
    if (flags !== null) return await run({ ...flags.values, ...flags.switches });
    print(help);
  });
}
