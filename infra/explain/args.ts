/** The command line of `deno task explain`. Every mistake is one sentence. No I/O. */
import { parseArgs } from "@std/cli/parse-args";
import { UsageError } from "../../shared/cli/flags.ts";
import type { AccessFlags } from "../admin/access.ts";
import { type ExecId, parseExecId } from "./exec_id.ts";

/** The command line, read. */
export interface ExplainArgs extends AccessFlags {
  /** As it was given. */
  readonly text: string;
  readonly execId: ExecId;
  readonly json: boolean;
}

/** What --help prints. */
export const USAGE =
  `Explains why an execution had its quantity, from the commands that a running venue holds.

usage: deno task explain EXECID [flags]

  EXECID          ExecID(17) of an execution, such as 0-1234-7; SecondaryExecID(527), its trade, will do
  --store DIR     state folder of the venue (default: as deno task up chooses it)
  --config FILE   venue file (default: the running venue's)
  --nats URL      reach a venue without its folder: credentials are PITWIRE_NATS_USER and PITWIRE_NATS_PASSWORD
  --json          one line of JSON
  --help          print this

Replays the shard's commands through the engine up to the one that caused the execution, and prints that command, the
price level or the auction, and every step of its allocation. Changes nothing.
Exit codes: 0 done, 1 cannot be explained, 2 wrong command line, 78 wrong configuration.
`;

const TEXT_FLAGS = ["store", "config", "nats"] as const;

/** Reads the arguments behind `deno task explain`; null when help is asked for. Throws {@link UsageError}. */
export function parseExplainArgs(args: readonly string[]): ExplainArgs | null {
  const unknown: string[] = [];
  const flags = parseArgs(args, {
    string: [...TEXT_FLAGS, "_"] as unknown as typeof TEXT_FLAGS,
    boolean: ["json", "help"],
    unknown: (arg, key) => {
      if (key === undefined) return true;
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
  const words = flags._.map(String);
  if (words.length !== 1) {
    const got = words.length === 0 ? "nothing" : `"${words.join(" ")}"`;
    throw new UsageError(`Cannot explain: expected one ExecID, got ${got} (see --help)`);
  }
  const [text] = words;
  const execId = parseExecId(text);
  if (execId === null) {
    throw new UsageError(
      `Cannot explain ExecID(17): expected shard, sequence and index as in 0-1234-7, got "${text}"`,
    );
  }
  const [store, config, nats] = TEXT_FLAGS.map(given);
  if (store !== null && nats !== null) {
    throw new UsageError("Cannot use --store with --nats: expected one of them, got both");
  }
  return { text, execId, store, config, nats, json: flags.json };
}
