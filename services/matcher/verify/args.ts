/** The command line of `deno task verify`. Every mistake is one sentence. No I/O. */
import { parseArgs } from "@std/cli/parse-args";
import { UsageError, wholeFlag } from "../../../shared/cli/flags.ts";

/** The command line, read. Null for what it leaves out. */
export interface VerifyArgs {
  /** State folder of a venue, running or not. */
  readonly store: string | null;
  readonly config: string | null;
  readonly nats: string | null;
  /** Null: all of the venue's. */
  readonly shard: number | null;
  readonly json: boolean;
}

/** What --help prints. */
export const USAGE =
  `Verifies a venue: rebuilds every book from the stored commands with a second, naive engine, and compares every event
that this gives with the stored one, byte for byte.

usage: deno task verify [flags]

  --store DIR     state folder of the venue; when no venue runs on it, a copy of it is read, never itself
                  (default: the running venue's, as deno task up chooses it)
  --nats URL      reach a venue without its folder: credentials are PITWIRE_NATS_USER and PITWIRE_NATS_PASSWORD
  --config FILE   venue file (default: the running venue's, else the shipped one)
  --shard N       only this shard
  --json          one line of JSON per shard
  --help          print this

Changes nothing. Exit codes: 0 everything is as it must be, 1 something is not (the first difference is shown), 2 it
cannot be told.
`;

const TEXT_FLAGS = ["store", "config", "nats", "shard"] as const;
const MAX_SHARD = 999;

/** Reads the arguments behind `deno task verify`; null when help is asked for. Throws {@link UsageError}. */
export function parseVerifyArgs(args: readonly string[]): VerifyArgs | null {
  const unknown: string[] = [];
  const flags = parseArgs([...args], {
    string: TEXT_FLAGS,
    boolean: ["json", "help"],
    unknown: (arg) => {
      unknown.push(arg);
      return false;
    },
  });
  if (flags.help) return null;
  if (unknown.length > 0) {
    throw new UsageError(`Cannot read "${unknown[0]}": there is no such flag (see --help)`);
  }
  const given = (flag: typeof TEXT_FLAGS[number]): string | null => {
    if (flags[flag] === "") throw new UsageError(`Cannot read --${flag}: expected a value, got nothing`);
    return flags[flag] ?? null;
  };
  const [store, config, nats, shard] = TEXT_FLAGS.map(given);
  if (store !== null && nats !== null) {
    throw new UsageError("Cannot use --store with --nats: expected one of them, got both");
  }
  return {
    store,
    config,
    nats,
    shard: shard === null ? null : wholeFlag("--shard", shard, 0, MAX_SHARD),
    json: flags.json,
  };
}
