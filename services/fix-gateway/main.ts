/**
 * The fix-gateway process: FIX clients on TCP, commands and events on NATS. Wires and decides nothing.
 * Exit codes: 0 drained, 1 fatal, 2 wrong flags, 78 configuration.
 *
 * Permissions: --allow-net (listens for FIX, connects to NATS), --allow-read of the venue file and the dictionaries that it names, --allow-read and
 * --allow-write of the folder of message logs if there is one, --allow-env of
 * PITWIRE_NATS_USER, PITWIRE_NATS_PASSWORD, PITWIRE_LOG_LEVEL, PITWIRE_TRACE_SAMPLE and OTEL_DENO, and
 * --ignore-env: libraries look for variables of their own.
 */
import { wholeFlag } from "../../shared/cli/flags.ts";
import { createLogger, type LogLevel, parseLogLevel } from "../../shared/cli/log.ts";
import { endOnSignals, runService, sayReady } from "../../shared/cli/service_process.ts";
import { loadDictionaries, loadVenue } from "../../shared/config/mod.ts";
import { checkStoredReference, connectNats } from "../../shared/nats/mod.ts";
import { MAX_GATEWAY_ID } from "../../shared/protocol/mod.ts";
import { OrderTracer, sampleEveryFromEnvironment } from "../../shared/otel/mod.ts";
import { Gateway } from "./gateway.ts";

const HELP = `The FIX gateway of a Pitwire venue.

Usage: deno run --allow-net --allow-read --allow-env --ignore-env services/fix-gateway/main.ts [flags]

  --config FILE       venue file (default infra/venue.yaml)
  --nats URL          NATS server (default nats://127.0.0.1:4222)
  --host HOST         address to listen on (default 127.0.0.1)
  --port PORT         port to listen on, 0 for a free one (default 9878)
  --gateway-id N      1 to 63999, different for every gateway of the venue (default 1)
  --fix-log DIR       log every FIX message, one file per session in DIR; passwords are masked
  --log-level LEVEL   debug, info, warn or error (default PITWIRE_LOG_LEVEL or info)
  --help              this text

Prints one line of JSON when clients can trade: {"ready":"fix-gateway","host":…,"port":…,"gatewayId":…}.
PITWIRE_NATS_USER and PITWIRE_NATS_PASSWORD are the credentials for NATS.
`;

interface Flags {
  readonly config: string;
  readonly nats: string;
  readonly host: string;
  readonly port: number;
  readonly gatewayId: number;
  readonly fixLog: string | undefined;
  readonly logLevel: LogLevel;
}

const NAMES = ["config", "nats", "host", "port", "gateway-id", "fix-log", "log-level"] as const;

function flagsOf(given: Partial<Record<typeof NAMES[number], string>>): Flags {
  return {
    config: given.config ?? "infra/venue.yaml",
    nats: given.nats ?? "nats://127.0.0.1:4222",
    host: given.host ?? "127.0.0.1",
    port: wholeFlag("--port", given.port ?? "9878", 0, 65535),
    gatewayId: wholeFlag("--gateway-id", given["gateway-id"] ?? "1", 1, MAX_GATEWAY_ID),
    fixLog: given["fix-log"],
    logLevel: parseLogLevel(given["log-level"] ?? Deno.env.get("PITWIRE_LOG_LEVEL") ?? "info"),
  };
}

async function run(flags: Flags): Promise<void> {
  const log = createLogger("fix-gateway", flags.logLevel);
  const venue = loadVenue(flags.config);
  const dictionaryOf = loadDictionaries(venue.sessions);
  const tracer = new OrderTracer("fix-gateway", sampleEveryFromEnvironment(Deno.env));
  const ended = endOnSignals();
  const nc = await connectNats({
    url: flags.nats,
    name: `pitwire-fix-gateway-${flags.gatewayId}`,
    user: Deno.env.get("PITWIRE_NATS_USER"),
    password: Deno.env.get("PITWIRE_NATS_PASSWORD"),
  });
  nc.closed().then((error) => ended.reject(error ?? new Error("The connection to NATS was closed")));
  await checkStoredReference(nc, venue);
  const gateway = await Gateway.start({
    nc,
    venue,
    gatewayId: flags.gatewayId,
    hostname: flags.host,
    port: flags.port,
    fixLog: flags.fixLog,
    dictionaryOf,
    tracer,
    log,
    onFatal: ended.reject,
  });
  const { host, gatewayId } = flags;
  sayReady("fix-gateway", { host, port: gateway.port, gatewayId });
  await ended.promise;
  log.info("draining");
  await gateway.drain();
  await nc.close();
}

await runService({
  log: createLogger("fix-gateway"),
  help: HELP,
  names: NAMES,
  run: (given) => run(flagsOf(given)),
});
