/** The command line of `deno task verify`. Every mistake is one sentence. No I/O. */
import { operatorFlags } from "../../../infra/admin/operator_flags.ts";
import { wholeFlag } from "../../../shared/cli/flags.ts";

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
  --config FILE   venue file (default: the one that the store's latest run went by)
  --shard N       only this shard
  --json          one line of JSON per shard
  --help          print this

Changes nothing. Exit codes: 0 everything is as it must be, 1 something is not (the first difference is shown), 2 it
cannot be told, or there are commands and no events to compare.
`;

const MAX_SHARD = 999;

/** Reads the arguments behind `deno task verify`; null when help is asked for. Throws {@link UsageError}. */
export function parseVerifyArgs(args: readonly string[]): VerifyArgs | null {
  const given = operatorFlags(args, ["shard"], ["json"], false);
  if (given === null) return null;
  const shard = given.text("shard");
  return {
    ...given.access,
    shard: shard === null ? null : wholeFlag("--shard", shard, 0, MAX_SHARD),
    json: given.has("json"),
  };
}
