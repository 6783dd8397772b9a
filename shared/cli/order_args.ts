/**
 * The command line of `deno task order`: text in, a checked request or help out. Owns flags,
 * defaults and usage texts. Refuses to judge prices, quantities and symbols: the venue does, and the client shows its
 * answer. No I/O.
 */
import { neededFlag, oneOfFlag, readFlags, UsageError, wholeFlag } from "./flags.ts";
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
  | { readonly kind: "help"; readonly text: string };

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
const SWITCHES = ["raw", "json", "watch"];

const SIDES = { buy: "1", sell: "2" } as const;
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
  lines.push("always", ...[...CONNECTION_FLAGS, "no-reset", ...SWITCHES, "help"].map(flagLine));
  return lines.join("\n");
}

type Values = Readonly<Partial<Record<string, string>>>;
type Switches = Readonly<Record<string, boolean>>;

/**
 * Reads the arguments behind `deno task order`. `defaultConfig` is the venue file's path when --config is absent. Throws a
 * {@link UsageError}.
 */
export function parseOrderArgs(args: readonly string[], defaultConfig: string): ParsedOrder {
  const verb = VERBS.find((each) => each === args[0]);
  if (verb === undefined) {
    if (args[0] === "--help" || args[0] === "-h") return { kind: "help", text: helpText() };
    const got = args.length === 0 ? "nothing" : `"${args[0]}"`;
    throw new UsageError(
      `Cannot read the command: expected new, cancel, replace or status, got ${got} (see --help)`,
    );
  }
  const { required, optional, switches } = FLAGS[verb];
  const flags = readFlags(args.slice(1), {
    values: [...required, ...optional, ...CONNECTION_FLAGS],
    switches: [...SWITCHES, ...switches, "no-reset"],
  });
  if (flags === null) return { kind: "help", text: helpText(verb) };
  for (const name of required) neededFlag(`--${name}`, flags.values[name]);
  return {
    kind: "run",
    request: requestOf(verb, flags.values, flags.switches),
    options: optionsOf(flags.values, flags.switches, defaultConfig),
  };
}

function optionsOf(values: Values, switches: Switches, defaultConfig: string): OrderOptions {
  const { host = "127.0.0.1", port = "9878", sender = "TRADER1", timeout = "10", numbers } = values;
  if (!/^\d{1,4}(\.\d+)?$/.test(timeout) || Number(timeout) === 0) {
    throw new UsageError(`Cannot use --timeout: expected seconds above 0, below 10000, got "${timeout}"`);
  }
  const reset = !switches["no-reset"];
  if (!reset && numbers === undefined) throw new UsageError("Cannot use --no-reset without --numbers FILE");
  return {
    host,
    port: wholeFlag("--port", port, 1, 65535),
    config: values.config ?? defaultConfig,
    sender,
    username: values.username,
    password: values.password,
    target: values.target,
    id: values.id,
    reset,
    numbers,
    raw: switches.raw,
    json: switches.json,
    watch: switches.watch,
    timeoutSec: Number(timeout),
  };
}

function requestOf(verb: Verb, values: Values, switches: Switches): OrderRequest {
  const side = SIDES[oneOfFlag("--side", values.side ?? "", ["buy", "sell"])];
  const symbol = values.symbol ?? "";
  const orderId = values["order-id"];
  const origClOrdId = values.orig ?? "";
  switch (verb) {
    case "cancel":
      return { kind: verb, symbol, side, origClOrdId, orderId };
    case "status":
      return { kind: verb, symbol, side, orderId };
    case "replace": {
      const terms = termsOf(values, switches["post-only"], undefined);
      return { kind: verb, symbol, side, terms, origClOrdId, orderId };
    }
    case "new":
      return { kind: verb, symbol, side, terms: termsOf(values, switches["post-only"], "0") };
  }
}

function flagLine(name: string): string {
  return `  --${name} ${FLAG_HELP[name]}`;
}
