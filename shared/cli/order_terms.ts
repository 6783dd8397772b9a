/**
 * The terms of an order as `deno task order` takes them: from flags to FIX values. Owns the words for OrdType,
 * TimeInForce, expiry and self-match prevention, and which of them cannot do without another. Refuses to judge prices,
 * quantities and combinations: the venue does, and the client shows its answer. No I/O.
 */
import { oneOfFlag, UsageError } from "./flags.ts";

/** What an order asks for; values travel as typed. Absent where the flag is. */
export interface OrderTerms {
  readonly qty: string;
  readonly ordType: "1" | "2" | "3" | "4" | "K";
  readonly price?: string;
  readonly stopPx?: string;
  readonly maxFloor?: string;
  readonly minQty?: string;
  readonly timeInForce?: "0" | "1" | "2" | "3" | "4" | "6" | "7";
  readonly expireDate?: string;
  readonly expireTime?: string;
  readonly postOnly?: true;
  readonly account?: string;
  readonly smpId?: string;
  readonly smpInstruction?: "O" | "N" | "B" | "D" | "X";
}

/** Flags with a value that terms are read from, beside `qty`; `min-qty` only for new orders. */
export const TERM_FLAGS: readonly string[] = [
  ...["price", "type", "stop", "tif", "expire", "max-floor", "account", "smp-id", "smp"],
];
/** Flags without a value. */
export const TERM_SWITCHES: readonly string[] = ["post-only"];

const ORD_TYPES: ReadonlyMap<string, OrderTerms["ordType"]> = new Map([
  ["limit", "2"],
  ["market", "1"],
  ["stop", "3"],
  ["stop-limit", "4"],
  ["market-to-limit", "K"],
]);
const TIMES_IN_FORCE: ReadonlyMap<string, OrderTerms["timeInForce"]> = new Map([
  ["day", "0"],
  ["gtc", "1"],
  ["gtd", "6"],
  ["ioc", "3"],
  ["fok", "4"],
  ["opening", "2"],
  ["closing", "7"],
]);
const SMP_INSTRUCTIONS: ReadonlyMap<string, OrderTerms["smpInstruction"]> = new Map([
  ["cancel-resting", "O"],
  ["cancel-aggressor", "N"],
  ["cancel-both", "B"],
  ["decrement", "D"],
  ["none", "X"],
]);

const DAY = /^\d{8}$/;
const TIME = /^\d{8}-\d\d:\d\d:\d\d(\.\d+)?$/;

/** Texts of the flags for --help. */
export const TERM_HELP: Readonly<Record<string, string>> = {
  "price": "P   Price(44), for limit and stop-limit",
  "type": `${[...ORD_TYPES.keys()].join("|")}   OrdType(40), default limit`,
  "stop": "P   StopPx(99), for stop and stop-limit",
  "tif": `${[...TIMES_IN_FORCE.keys()].join("|")}   TimeInForce(59), default day`,
  "expire": "YYYYMMDD|YYYYMMDD-HH:MM:SS   ExpireDate(432) or ExpireTime(126), UTC, for --tif gtd",
  "max-floor": "N   MaxFloor(111): so much is shown at a time",
  "min-qty": "N   MinQty(110): at least so much at once, or nothing",
  "post-only": "  ExecInst(18) 6: never trades on arrival",
  "account": "TEXT   Account(1)",
  "smp-id": "N   SelfMatchPreventionID(7928): the firm's group of orders that do not trade with each other",
  "smp": `${
    [...SMP_INSTRUCTIONS.keys()].join("|")
  }   SelfMatchPreventionInstruction(8000), default the firm's`,
};

/** Terms from the values of flags. Throws a {@link UsageError} when they cannot be meant. */
export function termsOf(
  flags: Readonly<Partial<Record<string, string>>>,
  postOnly: boolean,
  defaultTimeInForce: OrderTerms["timeInForce"],
): OrderTerms {
  const { type = "limit", price, stop: stopPx, tif, smp } = flags;
  const ordType = meant("type", type, ORD_TYPES);
  const limit = `a limit order${flags.type === undefined ? " (or say --type market)" : ""}`;
  if (ordType === "2") demand("price", price, limit);
  if (ordType === "4") demand("price", price, "--type stop-limit");
  if (ordType === "3" || ordType === "4") demand("stop", stopPx, `--type ${type}`);
  const terms = {
    qty: flags.qty ?? "",
    ordType,
    price,
    stopPx,
    maxFloor: flags["max-floor"],
    minQty: flags["min-qty"],
    timeInForce: tif === undefined ? defaultTimeInForce : meant("tif", tif, TIMES_IN_FORCE),
    ...expiryOf(flags.expire, tif),
    postOnly: postOnly ? true as const : undefined,
    account: flags.account,
    smpId: flags["smp-id"],
    smpInstruction: smp === undefined ? undefined : meant("smp", smp, SMP_INSTRUCTIONS),
  };
  return Object.fromEntries(
    Object.entries(terms).filter(([, value]) => value !== undefined),
  ) as unknown as OrderTerms;
}

/** Whether an order with these terms stays when nothing trades with it: New is then all that comes at once. */
export function mayRest({ ordType, timeInForce }: OrderTerms): boolean {
  return ordType !== "K" && timeInForce !== "3" && timeInForce !== "4";
}

function expiryOf(
  expire: string | undefined,
  tif: string | undefined,
): Pick<OrderTerms, "expireDate" | "expireTime"> {
  if (tif === "gtd") demand("expire", expire, "--tif gtd");
  if (expire === undefined) return {};
  if (tif !== "gtd") throw new UsageError("Cannot use --expire without --tif gtd");
  if (DAY.test(expire)) return { expireDate: expire };
  if (TIME.test(expire)) return { expireTime: expire };
  throw new UsageError(`Cannot use --expire: expected YYYYMMDD or YYYYMMDD-HH:MM:SS, got "${expire}"`);
}

function demand(name: string, value: string | undefined, what: string): void {
  if (value !== undefined) return;
  throw new UsageError(`Cannot do without --${name}: expected a value for ${what}, got nothing`);
}

function meant<T>(name: string, word: string, meanings: ReadonlyMap<string, T>): T {
  return meanings.get(oneOfFlag(`--${name}`, word, [...meanings.keys()]))!;
}
