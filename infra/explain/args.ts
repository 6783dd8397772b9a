/** The command line of `deno task explain`. Every mistake is one sentence. No I/O. */
import { oneWord, UsageError } from "../../shared/cli/flags.ts";
import type { AccessFlags } from "../admin/access.ts";
import { operatorFlags } from "../admin/operator_flags.ts";
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

/** Reads the arguments behind `deno task explain`; null when help is asked for. Throws {@link UsageError}. */
export function parseExplainArgs(args: readonly string[]): ExplainArgs | null {
  const given = operatorFlags(args, [], ["json"], true);
  if (given === null) return null;
  const { access, has, words } = given;
  const text = oneWord("explain", "ExecID(17)", words);
  const execId = parseExecId(text);
  if (execId === null) {
    throw new UsageError(
      `Cannot explain ExecID(17): expected shard, sequence and index as in 0-1234-7, got "${text}"`,
    );
  }
  return { text, execId, ...access, json: has("json") };
}
