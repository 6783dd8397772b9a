/**
 * `deno task fix:echo`: the gateway's FIX sessions with an echo behind them, so that other engines' session
 * suites can be run against ours. Wires and decides nothing. Exit codes: 0 stopped, 1 fatal, 2 the command
 * line is wrong.
 *
 * Permissions: --allow-net to listen, and --ignore-env: libraries look for variables of their own.
 */
import { createLogger, errorText } from "../../../shared/cli/log.ts";
import { startEcho } from "./echo_acceptor.ts";
import { type EchoFlags, flagsOf, HELP } from "./flags.ts";

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

/** The flags; ends the process when there is nothing to start. */
function readFlags(): EchoFlags {
  try {
    const flags = flagsOf(Deno.args);
    if (flags !== null) return flags;
    print(HELP);
  } catch (error) {
    createLogger("fix-echo").error(errorText(error));
    Deno.exit(2);
  }
  Deno.exit(0);
}

async function run(flags: EchoFlags): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(signal, () => stopped.resolve());
  }
  const acceptor = await startEcho({ ...flags, log: createLogger("fix-echo", flags.logLevel) });
  print(JSON.stringify({ ready: "fix-echo", host: flags.host, port: acceptor.port }) + "\n");
  await stopped.promise;
  await acceptor.drain("The echo is stopping");
}

const flags = readFlags();
try {
  await run(flags);
  Deno.exit(0);
} catch (error) {
  createLogger("fix-echo").error(errorText(error));
  Deno.exit(1);
}
