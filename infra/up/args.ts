/** The command line of `deno task up`. Every mistake is one sentence. */
import { readFlags, UsageError, wholeFlag } from "../../shared/cli/flags.ts";
import { type LogLevel, parseLogLevel } from "../../shared/cli/log.ts";

/** What the user asked for. */
export interface UpArgs {
  readonly config: string | null;
  readonly store: string | null;
  readonly ephemeral: boolean;
  readonly standby: boolean;
  readonly demo: boolean;
  readonly json: boolean;
  readonly host: string;
  readonly fixPort: number;
  readonly natsPort: number;
  readonly wsPort: number;
  readonly fixLog: string | null;
  readonly otlp: string | null;
  readonly traceSample: number;
  readonly logLevel: LogLevel;
}

/** TCP ports that are used when the command line names none. */
const DEFAULT_FIX_PORT = 9878;
const DEFAULT_NATS_PORT = 4222;
const DEFAULT_WS_PORT = 9222;

/** What --help prints. */
export const USAGE = `Starts a FIX exchange on this machine and keeps it running until Ctrl-C.

usage: deno task up [flags]

  --ephemeral         keep state in a temporary folder that is removed at the end
  --store DIR         keep state in DIR (default: pitwire/<venue name> in the user's data folder)
  --config FILE       venue file (default: infra/venue.yaml)
  --standby           run two matchers for each shard: one follows, and takes over when the other is gone
  --demo              let simulated traders keep the books alive
  --host ADDRESS      address the FIX gateway listens on (default: 127.0.0.1)
  --fix-port PORT     FIX (default: ${DEFAULT_FIX_PORT}; 0 picks a free port, here and below)
  --nats-port PORT    NATS, on the loopback interface (default: ${DEFAULT_NATS_PORT})
  --ws-port PORT      NATS over WebSocket, on the loopback interface (default: ${DEFAULT_WS_PORT})
  --fix-log DIR       log every FIX message, one file per session in DIR (deno task fix:log prints them)
  --json              print what is running as one line of JSON instead of a table
  --otlp URL          send traces of sampled orders to this OTLP endpoint, such as http://127.0.0.1:4318
  --trace-sample N    trace one order in N (default: 100; 1 is every order)
  --log-level LEVEL   debug, info, warn or error (default: info)
  --help              print this
`;

const TEXT_FLAGS = [
  "config",
  "store",
  "host",
  "fix-port",
  "nats-port",
  "ws-port",
  "fix-log",
  "otlp",
  "trace-sample",
  "log-level",
] as const;
const SWITCHES = ["ephemeral", "standby", "demo", "json"] as const;

function httpUrl(flag: string, text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  throw new UsageError(`Cannot use --${flag}: expected an http or https URL, got "${text}"`);
}

function refuseSharedPort(ports: Readonly<Record<string, number>>): void {
  const seen = new Map<number, string>();
  for (const [flag, port] of Object.entries(ports)) {
    const other = seen.get(port);
    if (port !== 0 && other !== undefined) {
      throw new UsageError(
        `Cannot use port ${port} twice: expected different ports for --${other} and --${flag}`,
      );
    }
    seen.set(port, flag);
  }
}

/** Reads the arguments after `deno task up`; null when help is asked for. Throws {@link UsageError}. */
export function parseUpArgs(args: readonly string[]): UpArgs | null {
  const flags = readFlags(args, { values: TEXT_FLAGS, switches: SWITCHES });
  if (flags === null) return null;
  const { switches } = flags;
  const text = (flag: typeof TEXT_FLAGS[number]): string | null => flags.values[flag] ?? null;
  const port = (flag: typeof TEXT_FLAGS[number], usual: number) =>
    wholeFlag(`--${flag}`, text(flag) ?? String(usual), 0, 65535);
  const store = text("store");
  if (switches.ephemeral && store !== null) {
    throw new UsageError(`Cannot use --ephemeral with --store: expected one of them, got both`);
  }
  if (store?.includes(",")) {
    throw new UsageError(`Cannot use --store "${store}": expected a folder without a comma in its path`);
  }
  const otlp = text("otlp");
  const ports = {
    "fix-port": port("fix-port", DEFAULT_FIX_PORT),
    "nats-port": port("nats-port", DEFAULT_NATS_PORT),
    "ws-port": port("ws-port", DEFAULT_WS_PORT),
  };
  refuseSharedPort(ports);
  return {
    config: text("config"),
    store,
    ...switches,
    host: text("host") ?? "127.0.0.1",
    fixPort: ports["fix-port"],
    natsPort: ports["nats-port"],
    wsPort: ports["ws-port"],
    fixLog: text("fix-log"),
    otlp: otlp === null ? null : httpUrl("otlp", otlp),
    traceSample: wholeFlag("--trace-sample", text("trace-sample") ?? "100", 1, 999_999_999),
    logLevel: parseLogLevel(text("log-level") ?? "info"),
  };
}
