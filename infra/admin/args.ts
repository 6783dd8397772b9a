/** The command line of `deno task admin`. Every mistake is one sentence. No I/O. */
import { parseArgs } from "@std/cli/parse-args";
import type { NumberChange } from "../../services/fix-gateway/admin/change.ts";
import { tieNegatives, UsageError, wholeFlag } from "../../shared/cli/flags.ts";

/** What the operator asks for. */
export type AdminCommand =
  | { readonly kind: "list" }
  | { readonly kind: "show"; readonly session: string }
  | { readonly kind: "change"; readonly session: string; readonly change: NumberChange }
  | { readonly kind: "audit"; readonly last: number };

/** The command line, read. */
export interface AdminArgs {
  readonly command: AdminCommand;
  /** State folder; null: the default one of the venue file's venue. */
  readonly store: string | null;
  readonly config: string | null;
  /** In place of a state folder: NATS, with PITWIRE_NATS_USER and PITWIRE_NATS_PASSWORD. */
  readonly nats: string | null;
  /** How the operator calls himself; null: by the name of his account. */
  readonly by: string | null;
  readonly json: boolean;
}

/** What --help prints. */
export const USAGE = `Shows and changes the sequence numbers of FIX sessions of a running venue.

usage: deno task admin session list [flags]
       deno task admin session show COMPID [flags]
       deno task admin session set-next COMPID [--out N] [--in N] [--force] [flags]
       deno task admin session reset COMPID --force [flags]
       deno task admin audit [--last N] [flags]

  --out N         next MsgSeqNum(34) that the venue sends
  --in N          next MsgSeqNum(34) that the venue expects
  --force         let numbers go back; messages sent so far can then not be resent any more
  --last N        how many entries of the audit to show (default 20)
  --store DIR     state folder of the venue (default: as deno task up chooses it)
  --config FILE   venue file (default: the running venue's)
  --nats URL      reach a venue without its folder: credentials are PITWIRE_NATS_USER and PITWIRE_NATS_PASSWORD
  --by NAME       your name for the audit (default: that of your account)
  --json          one line of JSON for each session, change or entry
  --help          print this

A session that is connected is logged out before its numbers are changed. Every change is in the audit before it is
made. Exit codes: 0 done, 1 refused or failed, 2 wrong command line.
`;

const TEXT_FLAGS = ["out", "in", "last", "store", "config", "nats", "by"] as const;
const MAX_NUMBER = 999_999_999;

/** Reads the arguments after `deno task admin`; null when help is asked for. Throws {@link UsageError}. */
export function parseAdminArgs(args: readonly string[]): AdminArgs | null {
  const unknown: string[] = [];
  const flags = parseArgs(tieNegatives(args, TEXT_FLAGS), {
    // "_": a CompID such as 0017 is no number.
    string: [...TEXT_FLAGS, "_"] as unknown as typeof TEXT_FLAGS,
    boolean: ["force", "json", "help"],
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
  const command = commandOf(words, given, flags.force);
  const only = { "set-next": ["out", "in"], audit: ["last"] } as Record<
    string,
    readonly string[] | undefined
  >;
  for (const flag of ["out", "in", "last"] as const) {
    if (given(flag) === null || only[words[0] === "audit" ? "audit" : words[1]]?.includes(flag)) continue;
    throw new UsageError(`Cannot use --${flag} here (see --help)`);
  }
  const [store, nats] = [given("store"), given("nats")];
  if (store !== null && nats !== null) {
    throw new UsageError("Cannot use --store with --nats: expected one of them, got both");
  }
  return { command, store, config: given("config"), nats, by: given("by"), json: flags.json };
}

function commandOf(
  words: readonly string[],
  given: (flag: "out" | "in" | "last") => string | null,
  force: boolean,
): AdminCommand {
  const [area, verb, session, ...rest] = words;
  if (area === "audit" && verb === undefined) {
    return { kind: "audit", last: wholeFlag("--last", given("last") ?? "20", 1, 10_000) };
  }
  if (area !== "session" || rest.length > 0) throw wrongWords(words);
  if (verb === "list" && session === undefined) return { kind: "list" };
  if (!["show", "set-next", "reset"].includes(verb)) throw wrongWords(words);
  if (session === undefined) {
    throw new UsageError(`Cannot ${verb} a session: expected its CompID, got nothing (see --help)`);
  }
  if (verb === "show") return { kind: "show", session };
  if (verb === "reset") return { kind: "change", session, change: { kind: "reset", force } };
  const number = (flag: "out" | "in") => {
    const text = given(flag);
    return text === null ? null : wholeFlag(`--${flag}`, text, 1, MAX_NUMBER);
  };
  const change = { kind: "set", out: number("out"), in: number("in"), force } as const;
  if (change.out === null && change.in === null) {
    throw new UsageError("Cannot set the next numbers: expected --out, --in or both, got neither");
  }
  return { kind: "change", session, change };
}

function wrongWords(words: readonly string[]): UsageError {
  const expected = "session list, show, set-next or reset, or audit";
  return new UsageError(
    `Cannot read the command: expected ${expected}, got "${words.join(" ")}" (see --help)`,
  );
}
