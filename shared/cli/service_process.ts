/**
 * What all service processes do alike: how they are told to end, how they say that they are ready, and with which
 * code they end. Does I/O.
 */
import { ConfigError } from "../config/mod.ts";
import { EXIT_USAGE, UsageError } from "./flags.ts";
import { errorText, type Logger } from "./log.ts";
import { serviceFlags } from "./service_flags.ts";

/** Exit code of a program whose configuration is wrong (EX_CONFIG of sysexits.h): it is not started again. */
export const EXIT_CONFIG = 78;

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
  const line = JSON.stringify({ ready: service, ...fields });
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** The exit code for an error that ends a program: wrong flags 2, wrong configuration 78, anything else 1. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT_USAGE;
  return error instanceof ConfigError ? EXIT_CONFIG : 1;
}

/** Runs a program to its end and ends the process: 0, or {@link exitCodeOf} the error, which is logged as one line. */
export async function runToEnd(log: Logger, run: () => Promise<void>): Promise<never> {
  try {
    await run();
  } catch (error) {
    log.error(errorText(error));
    Deno.exit(exitCodeOf(error));
  }
  Deno.exit(0);
}

/** Like {@link runToEnd}, for a service: prints its help, or gives `run` those of the flags `names` that are there. */
export function runService<const N extends string>(
  { log, help, names, run }: {
    readonly log: Logger;
    readonly help: string;
    readonly names: readonly N[];
    readonly run: (flags: Partial<Record<N, string>>) => Promise<void>;
  },
): Promise<never> {
  return runToEnd(log, async () => {
    const flags = serviceFlags(Deno.args, names);
    if (flags === null) Deno.stdout.writeSync(new TextEncoder().encode(help));
    else await run(flags);
  });
}
