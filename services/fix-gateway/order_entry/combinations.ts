/**
 * Which terms of an order go together: for each OrdType(40) the TimeInForce(59) values, and with which of them it may
 * have Price, StopPx, MaxFloor, MinQty and ExecInst 6. Owns the table; docs/fix.md prints it, and a test compares the
 * two. Pure. Source: docs/matching.md, "New order".
 */
import { CommandKind, OrdType, TimeInForce } from "../../../shared/protocol/mod.ts";

/** What an order of one type may ask for. Sets of TimeInForce are bits: 1 << TimeInForce. */
export interface Combination {
  readonly timesInForce: number;
  /** Required when true, forbidden when false. */
  readonly price: boolean;
  readonly stopPx: boolean;
  /** Times in force with which the field may be given. */
  readonly maxFloor: number;
  readonly minQty: number;
  readonly postOnly: number;
}

const { Day, GoodTillCancel, AtTheOpening, ImmediateOrCancel, FillOrKill, GoodTillDate, AtTheClose } =
  TimeInForce;
const NONE = 0;
const STAYING = bits(Day, GoodTillCancel, GoodTillDate);
const AT_ONCE = bits(ImmediateOrCancel, FillOrKill);
const AUCTION = bits(AtTheOpening, AtTheClose);

const BY_ORD_TYPE: (Combination | undefined)[] = [];
BY_ORD_TYPE[OrdType.Market] = {
  timesInForce: bits(Day) | AT_ONCE | AUCTION,
  price: false,
  stopPx: false,
  maxFloor: NONE,
  minQty: bits(Day, ImmediateOrCancel),
  postOnly: NONE,
};
BY_ORD_TYPE[OrdType.Limit] = {
  timesInForce: STAYING | AT_ONCE | AUCTION,
  price: true,
  stopPx: false,
  maxFloor: STAYING | AUCTION,
  minQty: STAYING | bits(ImmediateOrCancel),
  postOnly: STAYING,
};
BY_ORD_TYPE[OrdType.Stop] = {
  timesInForce: STAYING,
  price: false,
  stopPx: true,
  maxFloor: NONE,
  minQty: NONE,
  postOnly: NONE,
};
BY_ORD_TYPE[OrdType.StopLimit] = {
  timesInForce: STAYING,
  price: true,
  stopPx: true,
  maxFloor: STAYING,
  minQty: NONE,
  postOnly: NONE,
};
BY_ORD_TYPE[OrdType.MarketToLimit] = {
  timesInForce: STAYING,
  price: false,
  stopPx: false,
  maxFloor: NONE,
  minQty: STAYING,
  postOnly: NONE,
};

/** OrdType codes that have a combination, in the order of their FIX characters. */
export const ORD_TYPES: readonly number[] = Object.values(OrdType);

/** The combination of an OrdType code; undefined when the venue has no such type. */
export function combinationOf(ordType: number): Combination | undefined {
  return BY_ORD_TYPE[ordType];
}

/** Times in force that a message of `kind` may ask for with `combination`: what never rests cannot be replaced into. */
export function timesInForceOf(combination: Combination, kind: number): number {
  return kind === CommandKind.ReplaceOrder ? combination.timesInForce & ~AT_ONCE : combination.timesInForce;
}

/** Whether a set of times in force holds the one of this code (0 … 255). */
export function holds(timesInForce: number, code: number): boolean {
  return code < 32 && (timesInForce >>> code & 1) === 1;
}

function bits(...codes: readonly number[]): number {
  return codes.reduce((set, code) => set | 1 << code, 0);
}
