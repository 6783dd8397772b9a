/**
 * The command line of `deno task order`: text in, a checked request or a message for the user out. Owns flags,
 * defaults and usage texts. Refuses to judge prices, quantities and symbols: the venue does, and the client shows its
 * answer. No I/O.
 */
import { parseArgs } from "@std/cli/parse-args";
import { tieNegatives } from "./flags.ts";
import { type OrderTerms, TERM_FLAGS, TERM_HELP, TERM_SWITCHES, termsOf } from "./order_terms.ts";

/** What is asked of the venue. Values travel as typed. */
export type OrderRequest =
  | {
    readonly kind: "new";
    readonly symbol: string;
    readonly side: "1" | "2";
    readonly terms: OrderTerms;
  }
  | {
    readonly kind: "replace";
    readonly symbol: string;
    readonly side: "1" | "2";
    readonly terms: OrderTerms;
    readonly origClOrdId: string;
    readonly orderId: string | undefined;
  }
  | {
    readonly kind: "cancel";
    readonly symbol: string;
    readonly side: "1" | "2";
    readonly origClOrdId: string;
    readonly orderId: string | undefined;
  }
  | {
    readonly kind: "status";
    readonly symbol: string;
    readonly side: "1" | "2";
    readonly orderId: string | undefined;
  };

/** How to reach the venue and how to print. */
export interface OrderOptions {
  readonly host: string;
  readonly port: number;
  readonly config: string;
  readonly sender: string;
  /** From the venue file when absent. */
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly target: string | undefined;
  /** ClOrdID(11); made up when absent. */
  readonly id: string | undefined;
  /** ResetSeqNumFlag(141) at Logon; false goes on with the numbers kept in {@link OrderOptions.numbers}. */
  readonly reset: boolean;
  /** File that keeps the session's sequence numbers from run to run. */
  readonly numbers: string | undefined;
  readonly raw: boolean;
  readonly json: boolean;
  readonly watch: boolean;
  /** Longest wait for the answer, seconds. */
  readonly timeoutSec: number;
}

/** What the command line comes to. */
export type ParsedOrder =
  | { readonly kind: "run"; readonly request: OrderRequest; readonly options: OrderOptions }
  | { readonly kind: "help"; readonly text: string }
  | { readonly kind: "usage"; readonly text: string };

const VERBS = ["new", "cancel", "replace", "status"] as const;
type Verb = typeof VERBS[number];

/** Flags of each subcommand: required, then optional, then those without a value. */
const FLAGS: Record<Verb, Record<"required" | "optional" | "switches", readonly string[]>> = {
  new: {
    required: ["symbol", "side", "qty"],
    optional: [...TERM_FLAGS, "min-qty", "id"],
    switches: TERM_SWITCHES,
  },
  cancel: { required: ["symbol", "side", "orig"], optional: ["order-id", "id"], switches: [] },
  replace: {
    required: ["symbol", "side", "qty", "orig"],
    optional: [...TERM_FLAGS, "order-id", "id"],
    switches: TERM_SWITCHES,
  },
  status: { required: ["symbol", "side", "id"], optional: ["order-id"], switches: [] },
};

const CONNECTION_FLAGS = [
  "host",
  "port",
  "config",
  "sender",
  "username",
  "password",
  "target",
  "timeout",
  "numbers",
];
const SWITCHES = ["raw", "json", "watch", "help"];

const SIDES: ReadonlyMap<string, "1" | "2"> = new Map([["buy", "1"], ["sell", "2"]]);
const FLAG_HELP: Record<string, string> = {
  "symbol": "SYMBOL   Symbol(55), as the venue lists it",
  "side": "buy|sell   Side(54); for cancel, replace and status the order's side",
  "qty": "N   OrderQty(38); for replace the new total",
  ...TERM_HELP,
  "id": "ID   ClOrdID(11): made up when absent; for status the order's",
  "orig": "ID   OrigClOrdID(41): the ClOrdID that the order goes by now",
  "order-id": "ID   OrderID(37): finds an order that another session of the firm entered",
  "host": "HOST   default 127.0.0.1",
  "port": "PORT   default 9878",
  "config": "FILE   venue file with credentials, default infra/venue.yaml of the project",
  "sender": "ID   SenderCompID(49), default TRADER1",
  "username": "NAME   Username(553), default the venue file's",
  "password": "WORD   Password(554), default the venue file's",
  "target": "ID   TargetCompID(56), default the venue file's",
  "timeout": "SEC   longest wait for the answer, default 10",
  "numbers": "FILE   keep the session's sequence numbers in FILE after the run",
  "no-reset":
    "  go on with the numbers in --numbers FILE, and so receive what was missed (default: restart at 1)",
  "raw": "  print the FIX messages too, > sent and < received, | for SOH; with --json in each reply",
  "json": "  print each reply as one JSON line",
  "watch": "  keep printing after the answer, until Ctrl-C",
  "help": "  this text",
};

/** Usage of one subcommand, or of all. */
export function helpText(verb?: Verb): string {
  const head = verb === undefined
    ? "deno task order new|cancel|replace|status [flags]\n\nSends one order message over FIX and prints the " +
      "replies.\nExit code: 0 accepted, 1 rejected or no answer, 2 wrong usage.\n\n" +
      "deno task order new --symbol ACME --side buy --qty 100 --price 10.05\n" +
      "deno task order new --symbol ACME --side sell --qty 100 --type stop --stop 9.50 --tif gtc\n"
    : `deno task order ${verb} [flags]\n`;
  const lines = [head];
  for (const each of verb === undefined ? VERBS : [verb]) {
    const { required, optional, switches } = FLAGS[each];
    lines.push(
      `${each}: required`,
      ...required.map(flagLine),
      `${each}: optional`,
      ...[...optional, ...switches].map(flagLine),
      "",
    );
  }
  lines.push("always", ...[...CONNECTION_FLAGS, "no-reset", ...SWITCHES].map(flagLine));
  return lines.join("\n");
}

/** Reads the arguments behind `deno task order`. `defaultConfig` is the venue file's path when --config is absent. */
export function parseOrderArgs(args: readonly string[], defaultConfig: string): ParsedOrder {
  const verb = VERBS.find((each) => each === args[0]);
  if (verb === undefined) {
    if (args.length === 0 || args[0] === "--help" || args[0] === "-h") {
      return { kind: "help", text: helpText() };
    }
    return usage(`unknown subcommand "${args[0]}": expected new, cancel, replace or status`);
  }
  const { required, optional, switches } = FLAGS[verb];
  const strings = [...required, ...optional, ...CONNECTION_FLAGS];
  const unknown: string[] = [];
  const flags: Record<string, unknown> = parseArgs(tieNegatives(args.slice(1), strings), {
    string: strings,
    boolean: [...SWITCHES, ...switches, "reset"],
    negatable: ["reset"],
    alias: { help: "h" },
    default: { reset: true },
    unknown: (arg) => {
      unknown.push(arg);
      return false;
    },
  });
  if (flags.help === true) return { kind: "help", text: helpText(verb) };
  if (unknown.length > 0) return usage(`unknown flag or argument "${unknown[0]}"`, verb);
  const missing = required.filter((name) => textOf(flags, name) === undefined);
  if (missing.length > 0) return usage(`--${missing[0]} is missing`, verb);
  const empty = strings.find((name) => flags[name] === "");
  if (empty !== undefined) return usage(`--${empty} needs a value`, verb);
  const options = optionsOf(flags, defaultConfig);
  if (typeof options === "string") return usage(options, verb);
  const request = requestOf(verb, flags);
  return typeof request === "string" ? usage(request, verb) : { kind: "run", request, options };
}

function optionsOf(flags: Record<string, unknown>, defaultConfig: string): OrderOptions | string {
  const port = textOf(flags, "port") ?? "9878";
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65535) {
    return `--port: expected 1 to 65535, got "${port}"`;
  }
  const timeout = textOf(flags, "timeout") ?? "10";
  if (!/^\d{1,4}(\.\d+)?$/.test(timeout) || Number(timeout) === 0) {
    return `--timeout: expected seconds above 0, got "${timeout}"`;
  }
  const numbers = textOf(flags, "numbers");
  if (flags.reset === false && numbers === undefined) return "--no-reset needs --numbers FILE";
  return {
    host: textOf(flags, "host") ?? "127.0.0.1",
    port: Number(port),
    config: textOf(flags, "config") ?? defaultConfig,
    sender: textOf(flags, "sender") ?? "TRADER1",
    username: textOf(flags, "username"),
    password: textOf(flags, "password"),
    target: textOf(flags, "target"),
    id: textOf(flags, "id"),
    reset: flags.reset === true,
    numbers,
    raw: flags.raw === true,
    json: flags.json === true,
    watch: flags.watch === true,
    timeoutSec: Number(timeout),
  };
}

function requestOf(verb: Verb, flags: Record<string, unknown>): OrderRequest | string {
  const side = SIDES.get(textOf(flags, "side") ?? "");
  if (side === undefined) return `--side: expected buy or sell, got "${textOf(flags, "side")}"`;
  const symbol = textOf(flags, "symbol") ?? "";
  const orderId = textOf(flags, "order-id");
  const origClOrdId = textOf(flags, "orig") ?? "";
  switch (verb) {
    case "cancel":
      return { kind: verb, symbol, side, origClOrdId, orderId };
    case "status":
      return { kind: verb, symbol, side, orderId };
    case "replace": {
      const terms = termsOf((name) => textOf(flags, name), flags["post-only"] === true, undefined);
      return typeof terms === "string" ? terms : { kind: verb, symbol, side, terms, origClOrdId, orderId };
    }
    case "new": {
      const terms = termsOf((name) => textOf(flags, name), flags["post-only"] === true, "0");
      return typeof terms === "string" ? terms : { kind: verb, symbol, side, terms };
    }
  }
}

function textOf(flags: Record<string, unknown>, name: string): string | undefined {
  const value = flags[name];
  return value === undefined ? undefined : String(value);
}

function usage(problem: string, verb?: Verb): ParsedOrder {
  const hint = verb === undefined ? "deno task order --help" : `deno task order ${verb} --help`;
  return { kind: "usage", text: `Cannot read the command line: ${problem}. See ${hint}` };
}

function flagLine(name: string): string {
  return `  --${name} ${FLAG_HELP[name]}`;
}
