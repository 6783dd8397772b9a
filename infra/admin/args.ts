/** The command line of `deno task admin`. Every mistake is one sentence. No I/O. */
import type { NumberChange } from "../../services/fix-gateway/admin/change.ts";
import { type MassCancelRequest, MatchAlgorithm, PHASE_NAMES } from "../../shared/protocol/mod.ts";
import { oneOfFlag, UsageError, wholeFlag } from "../../shared/cli/flags.ts";
import type { AccessFlags } from "./access.ts";
import { type OperatorFlags, operatorFlags } from "./operator_flags.ts";

/** What the operator asks for. */
export type AdminCommand =
  | { readonly kind: "list" }
  | { readonly kind: "show"; readonly session: string }
  | { readonly kind: "change"; readonly session: string; readonly change: NumberChange }
  | { readonly kind: "audit"; readonly last: number }
  | { readonly kind: "phases" }
  /** `symbol` null: all. */
  | { readonly kind: "phase"; readonly symbol: string | null; readonly phase: string }
  | { readonly kind: "algorithm"; readonly symbol: string; readonly algorithm: string }
  | { readonly kind: "mass-cancel"; readonly of: OrdersOf }
  /** `shard` null: all. */
  | { readonly kind: "shard"; readonly verb: "status" | "handover"; readonly shard: number | null };

/** Whose orders; what is not there is not asked for. */
export type OrdersOf = Omit<MassCancelRequest, "do" | "by">;

/** The command line, read. */
export interface AdminArgs extends AccessFlags {
  readonly command: AdminCommand;
  /** How the operator calls himself; null: by the name of his account, as the environment has it. */
  readonly by: string | null;
  readonly json: boolean;
}

/** What --help prints. */
export const USAGE =
  `Shows and changes a running venue: FIX sessions' numbers, trading phases, orders, who leads a shard.

usage: deno task admin session list [flags]
       deno task admin session show COMPID [flags]
       deno task admin session set-next COMPID [--out N] [--in N] [--force] [flags]
       deno task admin session reset COMPID --force [flags]
       deno task admin phases [flags]
       deno task admin phase SYMBOL PHASE [flags]
       deno task admin phase --all PHASE [flags]
       deno task admin algorithm SYMBOL F|C|A|O|Q|S|T|K [flags]
       deno task admin mass-cancel [--firm NAME] [--session COMPID] [--symbol SYMBOL] [--side buy|sell] [flags]
       deno task admin audit [--last N] [flags]
       deno task admin shard status [--shard N] [flags]
       deno task admin shard handover [--shard N] [flags]

PHASE is closed, pre-open, no-cancel, opening-auction, continuous (or open), halt, volatility-auction or closing-auction.
mass-cancel cancels the orders that fit everything that is said; all of the venue when nothing is.
shard handover lets the standby lead, without a lost order; of every shard when none is said.

  --out N         next MsgSeqNum(34) that the venue sends
  --in N          next MsgSeqNum(34) that the venue expects
  --force         let numbers go back; messages sent so far can then not be resent any more
  --last N        how many entries of the audit to show (default 20)
  --store DIR     state folder of the venue (default: as deno task up chooses it)
  --config FILE   venue file (default: the running venue's)
  --nats URL      reach a venue without its folder: credentials are PITWIRE_NATS_USER and PITWIRE_NATS_PASSWORD
  --by NAME       your name for the audit (default: what USER, else LOGNAME or USERNAME says)
  --json          one line of JSON for each session, instrument, change or entry
  --help          print this

A session that is connected is logged out before its numbers are changed. Every change of numbers, phases, algorithms
and orders is in the audit before it is made. Exit codes: 0 done, 1 refused or failed, 2 wrong command line.
`;

const TEXT_FLAGS = [
  ...["out", "in", "last", "firm", "session", "symbol", "side", "shard"] as const,
  "by",
] as const;
type TextFlag = typeof TEXT_FLAGS[number];
/** Flags that not every command has, and the commands that have them. */
const ONLY: readonly [flag: TextFlag | "all", command: string][] = [
  ["out", "session set-next"],
  ["in", "session set-next"],
  ["last", "audit"],
  ["all", "phase"],
  ["firm", "mass-cancel"],
  ["session", "mass-cancel"],
  ["symbol", "mass-cancel"],
  ["side", "mass-cancel"],
  ["shard", "shard"],
];
const AREAS = ["session", "phases", "phase", "algorithm", "mass-cancel", "audit", "shard"];
const MAX_NUMBER = 999_999_999;

type Given = OperatorFlags<TextFlag, "all" | "force" | "json">;

/** Reads the arguments after `deno task admin`; null when help is asked for. Throws {@link UsageError}. */
export function parseAdminArgs(args: readonly string[]): AdminArgs | null {
  const given = operatorFlags(args, TEXT_FLAGS, ["all", "force", "json"], true);
  if (given === null) return null;
  const { access, text, has, words } = given;
  const command = commandOf(given);
  for (const [flag, only] of ONLY) {
    const isGiven = flag === "all" ? has("all") : text(flag) !== null;
    if (isGiven && !`${words.join(" ")} `.startsWith(`${only} `)) {
      throw new UsageError(`Cannot use --${flag} here (see --help)`);
    }
  }
  return { command, ...access, by: text("by"), json: has("json") };
}

function commandOf(given: Given): AdminCommand {
  const { words } = given;
  const [area, ...rest] = words;
  switch (area) {
    case "audit":
      if (rest.length > 0) throw wrongWords(words);
      return { kind: "audit", last: wholeFlag("--last", given.text("last") ?? "20", 1, 10_000) };
    case "session":
      return sessionCommand(given);
    case "phases":
      if (rest.length > 0) throw wrongWords(words);
      return { kind: "phases" };
    case "phase":
      return phaseCommand(given);
    case "algorithm": {
      if (rest.length > 2) throw wrongWords(words);
      const [symbol, algorithm] = rest;
      const codes: readonly string[] = Object.values(MatchAlgorithm);
      if (symbol === undefined) {
        throw new UsageError("Cannot set an algorithm: expected a symbol, got nothing");
      }
      if (!codes.includes(algorithm)) throw notOneOf("set an algorithm", codes, algorithm);
      return { kind: "algorithm", symbol, algorithm };
    }
    case "mass-cancel":
      if (rest.length > 0) throw wrongWords(words);
      return { kind: "mass-cancel", of: ordersOf(given) };
    case "shard":
      return shardCommand(given);
    default:
      throw wrongWords(words);
  }
}

function shardCommand({ words, text }: Given): AdminCommand {
  const [, verb, ...rest] = words;
  if (rest.length > 0 || verb !== "status" && verb !== "handover") throw wrongWords(words);
  const shard = text("shard");
  return { kind: "shard", verb, shard: shard === null ? null : wholeFlag("--shard", shard, 0, 999) };
}

function sessionCommand({ words, text, has }: Given): AdminCommand {
  const [, verb, session, ...rest] = words;
  if (rest.length > 0) throw wrongWords(words);
  if (verb === "list" && session === undefined) return { kind: "list" };
  if (!["show", "set-next", "reset"].includes(verb)) throw wrongWords(words);
  if (session === undefined) {
    throw new UsageError(`Cannot ${verb} a session: expected its CompID, got nothing (see --help)`);
  }
  if (verb === "show") return { kind: "show", session };
  if (verb === "reset") return { kind: "change", session, change: { kind: "reset", force: has("force") } };
  const number = (flag: "out" | "in") => {
    const given = text(flag);
    return given === null ? null : wholeFlag(`--${flag}`, given, 1, MAX_NUMBER);
  };
  const change = { kind: "set", out: number("out"), in: number("in"), force: has("force") } as const;
  if (change.out === null && change.in === null) {
    throw new UsageError("Cannot set the next numbers: expected --out, --in or both, got neither");
  }
  return { kind: "change", session, change };
}

function phaseCommand({ words, has }: Given): AdminCommand {
  const [, ...rest] = words;
  const all = has("all");
  if (all && rest.length === 2) {
    throw new UsageError(`Cannot set a phase: expected a symbol or --all, got both ("${rest[0]}")`);
  }
  const [symbol, name] = all ? [null, ...rest] : rest;
  if (rest.length > (all ? 1 : 2)) throw wrongWords(words);
  if (symbol === undefined) {
    throw new UsageError("Cannot set a phase: expected a symbol or --all, got neither");
  }
  const phase = name === "open" ? "continuous" : name;
  if (phase === undefined || phase === null || !PHASE_NAMES.includes(phase)) {
    throw notOneOf("set a phase", [...PHASE_NAMES, "open"], phase ?? undefined);
  }
  return { kind: "phase", symbol, phase };
}

function ordersOf({ text }: Given): OrdersOf {
  const [firm, session, symbol, side] = [text("firm"), text("session"), text("symbol"), text("side")];
  return {
    ...(firm === null ? {} : { firm }),
    ...(session === null ? {} : { session }),
    ...(symbol === null ? {} : { symbol }),
    ...(side === null ? {} : { side: oneOfFlag("--side", side, ["buy", "sell"]) }),
  };
}

function notOneOf(action: string, words: readonly string[], got: string | undefined): UsageError {
  const shown = got === undefined ? "nothing" : `"${got}"`;
  return new UsageError(
    `Cannot ${action}: expected ${words.slice(0, -1).join(", ")} or ${words.at(-1)}, got ${shown}`,
  );
}

function wrongWords(words: readonly string[]): UsageError {
  const [area] = words;
  if (AREAS.includes(area)) {
    return new UsageError(`Cannot read "${words.join(" ")}": there is no such command (see --help)`);
  }
  const expected = `${AREAS.slice(0, -1).join(", ")} or ${AREAS.at(-1)}`;
  const got = area === undefined ? "nothing" : `"${area}"`;
  return new UsageError(`Cannot read the command: expected ${expected}, got ${got} (see --help)`);
}
