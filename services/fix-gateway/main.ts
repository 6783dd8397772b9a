/**
 * The fix-gateway process: FIX clients on TCP, commands and events on NATS. Wires and decides nothing.
 * Exit codes: 0 drained, 1 fatal, 78 configuration.
 *
 * Permissions: --allow-net (listens for FIX, connects to NATS), --allow-read of the venue file, --allow-env of
 * PITWIRE_NATS_USER, PITWIRE_NATS_PASSWORD, PITWIRE_LOG_LEVEL, PITWIRE_TRACE_SAMPLE and OTEL_DENO, and
 * --ignore-env: libraries look for variables of their own.
 */
import { parseArgs } from "@std/cli/parse-args";
import { createLogger, errorText, type LogLevel, parseLogLevel } from "../../shared/cli/log.ts";
import { ConfigError, loadVenue } from "../../shared/config/mod.ts";
import { connectNats } from "../../shared/nats/mod.ts";
import { OrderTracer, sampleEveryFromEnvironment } from "../../shared/otel/mod.ts";
import { Gateway } from "./gateway.ts";

const HELP = `The FIX gateway of a Pitwire venue.

Usage: deno run --allow-net --allow-read --allow-env --ignore-env services/fix-gateway/main.ts [flags]

  --config FILE       venue file (default infra/venue.yaml)
  --nats URL          NATS server (default nats://127.0.0.1:4222)
  --host HOST         address to listen on (default 127.0.0.1)
  --port PORT         port to listen on, 0 for a free one (default 9878)
  --gateway-id N      1 to 65535, different for every gateway of the venue (default 1)
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
  readonly logLevel: LogLevel;
}

/** The flags, or null when help was asked for. Throws a ConfigError that names flag and value. */
function flagsOf(args: string[]): Flags | null {
  const unknown: string[] = [];
  const flags = parseArgs(args, {
    boolean: ["help"],
    string: ["config", "nats", "host", "port", "gateway-id", "log-level"],
    unknown: (arg) => {
      unknown.push(arg);
      return false;
    },
  });
  if (flags.help) return null;
  if (unknown.length > 0) throw new ConfigError(`Cannot start: unknown argument "${unknown[0]}"; see --help`);
  try {
    return {
      config: flags.config ?? "infra/venue.yaml",
      nats: flags.nats ?? "nats://127.0.0.1:4222",
      host: flags.host ?? "127.0.0.1",
      port: integer("--port", flags.port ?? "9878", 0, 65535),
      gatewayId: integer("--gateway-id", flags["gateway-id"] ?? "1", 1, 65535),
      logLevel: parseLogLevel(flags["log-level"] ?? Deno.env.get("PITWIRE_LOG_LEVEL") ?? "info"),
    };
  } catch (cause) {
    throw new ConfigError(errorText(cause));
  }
}

function integer(flag: string, text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new RangeError(`Cannot use ${flag}: expected a whole number from ${least} to ${most}, got "${text}"`);
}

async function run(flags: Flags): Promise<void> {
  const log = createLogger("fix-gateway", flags.logLevel);
  const venue = loadVenue(flags.config);
  const tracer = new OrderTracer("fix-gateway", sampleEveryFromEnvironment(Deno.env));
  const ended = Promise.withResolvers<void>();
  ended.promise.catch(() => {});
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, () => ended.resolve());
  const nc = await connectNats({
    url: flags.nats,
    name: `pitwire-fix-gateway-${flags.gatewayId}`,
    user: Deno.env.get("PITWIRE_NATS_USER"),
    password: Deno.env.get("PITWIRE_NATS_PASSWORD"),
  });
  nc.closed().then((error) => ended.reject(error ?? new Error("The connection to NATS was closed")));
  const gateway = await Gateway.start({
    nc,
    venue,
    gatewayId: flags.gatewayId,
    hostname: flags.host,
    port: flags.port,
    tracer,
    log,
    onFatal: ended.reject,
  });
  const { host, gatewayId } = flags;
  const line = JSON.stringify({ ready: "fix-gateway", host, port: gateway.port, gatewayId });
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  await ended.promise;
  log.info("draining");
  await gateway.drain();
  await nc.close();
}

try {
  const flags = flagsOf(Deno.args);
  if (flags === null) Deno.stdout.writeSync(new TextEncoder().encode(HELP));
  else await run(flags);
  Deno.exit(0);
} catch (error) {
  createLogger("fix-gateway").error(errorText(error));
  Deno.exit(error instanceof ConfigError ? 78 : 1);
}
