/**
 * Owns the command line of `deno task fix:echo`: its flags, its help, and what a wrong flag is told. No I/O.
 */
import { neededFlag, readFlags, UsageError, wholeFlag } from "../../../shared/cli/flags.ts";
import { type LogLevel, parseLogLevel } from "../../../shared/cli/log.ts";

/** What `--help` prints. */
export const HELP = `A FIX 4.4 acceptor that returns orders to their sender, for session acceptance suites.

Usage: deno task fix:echo --port N --sender COMPID --target COMPID [flags]

  --port PORT               port to listen on, 0 for a free one
  --host HOST               address to listen on (default 127.0.0.1)
  --sender COMPID           our CompID
  --target COMPID           the client's CompID
  --session SENDER:TARGET   a further session; may be repeated, SENDER is that of --sender
  --reset-on-logon          both MsgSeqNums start at 1 with every Logon
  --heartbeat-min SECONDS   least HeartBtInt(108) accepted (default 0)
  --heartbeat-max SECONDS   greatest HeartBtInt(108) accepted (default 86400)
  --log-level LEVEL         debug, info, warn or error (default info)
  --help                    this text

NewOrderSingle, SecurityDefinition and Email come back with their body fields as they were; an order with
PossResend(97)=Y whose ClOrdID(11) was seen in the session does not. Every other application message is answered by
BusinessMessageReject with BusinessRejectReason(380)=3. No credentials are needed.
Prints one line of JSON when clients can log on: {"ready":"fix-echo","host":…,"port":…}. Ctrl-C logs everybody out.
`;

/** The command line, read. */
export interface EchoFlags {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Our CompID. */
  readonly sender: string;
  /** The clients' CompIDs, all different, at least one. */
  readonly targets: readonly string[];
  readonly resetOnLogon: boolean;
  readonly heartBtIntMinSec: number;
  readonly heartBtIntMaxSec: number;
  readonly logLevel: LogLevel;
}

const VALUES = ["host", "port", "sender", "target", "heartbeat-min", "heartbeat-max", "log-level"] as const;
const MAX_HEARTBEAT_SEC = 86_400;

/**
 * The flags, or null when help was asked for. Throws a UsageError whose one sentence names flag and value.
 */
export function flagsOf(args: readonly string[]): EchoFlags | null {
  const flags = readFlags(args, { values: VALUES, switches: ["reset-on-logon"], lists: ["session"] });
  if (flags === null) return null;
  const { values, switches, lists } = flags;
  const sender = compId("--sender", neededFlag("--sender", values.sender));
  const heartBtIntMinSec = wholeFlag("--heartbeat-min", values["heartbeat-min"] ?? "0", 0, MAX_HEARTBEAT_SEC);
  const longest = values["heartbeat-max"] ?? String(MAX_HEARTBEAT_SEC);
  return {
    host: values.host ?? "127.0.0.1",
    port: wholeFlag("--port", neededFlag("--port", values.port), 0, 65535),
    sender,
    targets: allTargets(sender, compId("--target", neededFlag("--target", values.target)), lists.session),
    resetOnLogon: switches["reset-on-logon"],
    heartBtIntMinSec,
    heartBtIntMaxSec: wholeFlag("--heartbeat-max", longest, heartBtIntMinSec, MAX_HEARTBEAT_SEC),
    logLevel: parseLogLevel(values["log-level"] ?? "info"),
  };
}

function allTargets(sender: string, first: string, sessions: readonly string[]): string[] {
  const targets = [first];
  for (const session of sessions) {
    const [ours, theirs, ...rest] = session.split(":");
    if (ours !== sender || theirs === undefined || rest.length > 0) {
      throw new UsageError(`Cannot use --session: expected ${sender}:TARGET, got "${session}"`);
    }
    const target = compId("--session", theirs);
    if (targets.includes(target)) {
      throw new UsageError(`Cannot use --session: ${target} is a session already, got "${session}"`);
    }
    targets.push(target);
  }
  return targets;
}

function compId(flag: string, value: string): string {
  if (/^[\x21-\x7e]{1,64}$/.test(value)) return value;
  throw new UsageError(`Cannot use ${flag}: expected a CompID of 1 to 64 characters, got "${value}"`);
}
