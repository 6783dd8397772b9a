/**
 * `deno task fix:echo`: the gateway's FIX sessions with an echo behind them, so that other engines' session
 * suites can be run against ours. Wires and decides nothing. Exit codes: 0 stopped, 1 fatal, 2 the command
 * line is wrong.
 *
 * Permissions: --allow-net to listen, and --ignore-env: libraries look for variables of their own.
 */
import { createLogger } from "../../../shared/cli/log.ts";
import { print } from "../../../shared/cli/output.ts";
import { endOnSignals, runToEnd, sayReady } from "../../../shared/cli/service_process.ts";
import { startEcho } from "./echo_acceptor.ts";
import { type EchoFlags, flagsOf, HELP } from "./flags.ts";

async function run(flags: EchoFlags): Promise<void> {
  const stopped = endOnSignals();
  const acceptor = await startEcho({ ...flags, log: createLogger("fix-echo", flags.logLevel) });
  sayReady("fix-echo", { host: flags.host, port: acceptor.port });
  await stopped.promise;
  await acceptor.drain("The echo is stopping");
}

await runToEnd(createLogger("fix-echo"), async () => {
  const flags = flagsOf(Deno.args);
  if (flags === null) print(HELP);
  else await run(flags);
});
