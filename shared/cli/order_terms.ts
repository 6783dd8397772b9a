/**
 * The terms of an order as `deno task order` takes them: from flags to FIX values. Owns the words for OrdType,
 * TimeInForce, expiry and self-match prevention, and which of them cannot do without another. Refuses to judge prices,
 * quantities and combinations: the venue does, and the client shows its answer. Pure.
 */

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

/** Terms from flags, of which `flag` knows the text; a sentence when they cannot be meant. */
export function termsOf(
  flag: (name: string) => string | undefined,
  postOnly: boolean,
  defaultTimeInForce: OrderTerms["timeInForce"],
): OrderTerms | string {
  const type = flag("type") ?? "limit";
  const ordType = ORD_TYPES.get(type);
  if (ordType === undefined) return expected("type", ORD_TYPES, type);
  const price = flag("price");
  const stopPx = flag("stop");
  if (ordType === "2" && price === undefined) return "--price is missing (or say --type market)";
  if (ordType === "4" && price === undefined) return "--price is missing with --type stop-limit";
  if ((ordType === "3" || ordType === "4") && stopPx === undefined) {
    return `--stop is missing with --type ${type}`;
  }
  const tif = flag("tif");
  const timeInForce = tif === undefined ? defaultTimeInForce : TIMES_IN_FORCE.get(tif);
  if (tif !== undefined && timeInForce === undefined) return expected("tif", TIMES_IN_FORCE, tif);
  const expiry = expiryOf(flag("expire"), tif);
  if (typeof expiry === "string") return expiry;
  const smp = flag("smp");
  const smpInstruction = smp === undefined ? undefined : SMP_INSTRUCTIONS.get(smp);
  if (smp !== undefined && smpInstruction === undefined) return expected("smp", SMP_INSTRUCTIONS, smp);
  const terms = {
    qty: flag("qty") ?? "",
    ordType,
    price,
    stopPx,
    maxFloor: flag("max-floor"),
    minQty: flag("min-qty"),
    timeInForce,
    ...expiry,
    postOnly: postOnly ? true as const : undefined,
    account: flag("account"),
    smpId: flag("smp-id"),
    smpInstruction,
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
): Pick<OrderTerms, "expireDate" | "expireTime"> | string {
  if (expire === undefined) return tif === "gtd" ? "--expire is missing with --tif gtd" : {};
  if (tif !== "gtd") return "--expire needs --tif gtd";
  if (DAY.test(expire)) return { expireDate: expire };
  if (TIME.test(expire)) return { expireTime: expire };
  return `--expire: expected YYYYMMDD or YYYYMMDD-HH:MM:SS, got "${expire}"`;
}

function expected(name: string, words: ReadonlyMap<string, unknown>, got: string): string {
  const known = [...words.keys()];
  return `--${name}: expected ${known.slice(0, -1).join(", ")} or ${known.at(-1)}, got "${got}"`;
}
