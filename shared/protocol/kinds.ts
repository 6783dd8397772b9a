/**
 * The enumerations that commands and events carry. FIX enumerations keep FIX's own codes, so that a wire byte
 * is the FIX character's digit. Pure.
 */

/** What a command asks for (docs/wire.md, "Command"). */
export const CommandKind = {
  NewOrder: 1,
  CancelOrder: 2,
  ReplaceOrder: 3,
  RequestStatus: 4,
  /** An order message that the gateway found invalid: the stream still gives it its identifiers and its place. */
  RefuseOrder: 5,
} as const;
export type CommandKind = typeof CommandKind[keyof typeof CommandKind];

/** What happened (docs/wire.md, "Event"). */
export const EventKind = {
  OrderAccepted: 1,
  OrderRejected: 2,
  OrderExecuted: 3,
  OrderCanceled: 4,
  OrderReplaced: 5,
  OrderExpired: 6,
  CancelRejected: 7,
  ReplaceRejected: 8,
  OrderStatusReported: 9,
  LevelChanged: 16,
} as const;
export type EventKind = typeof EventKind[keyof typeof EventKind];

/** Side(54). */
export const Side = { Buy: 1, Sell: 2 } as const;
export type Side = typeof Side[keyof typeof Side];

/** OrdType(40). */
export const OrdType = { Market: 1, Limit: 2 } as const;
export type OrdType = typeof OrdType[keyof typeof OrdType];

/** TimeInForce(59). */
export const TimeInForce = { Day: 0, ImmediateOrCancel: 3, FillOrKill: 4 } as const;
export type TimeInForce = typeof TimeInForce[keyof typeof TimeInForce];

/** OrdStatus(39); Expired is FIX's `C`. */
export const OrdStatus = {
  New: 0,
  PartiallyFilled: 1,
  Filled: 2,
  Canceled: 4,
  Rejected: 8,
  Expired: 12,
} as const;
export type OrdStatus = typeof OrdStatus[keyof typeof OrdStatus];

/** LastLiquidityInd(851): whether an execution's side rested or took. 0 outside executions. */
export const Liquidity = { None: 0, Added: 1, Removed: 2 } as const;
export type Liquidity = typeof Liquidity[keyof typeof Liquidity];

/** Command flags, a bit set. */
export const CommandFlag = { PossDup: 1, PossResend: 2, Traced: 4 } as const;

/** MatchAlgorithm(1142) codes that an instrument may name. */
export const MatchAlgorithm = { Fifo: "F", ProRata: "C" } as const;
export type MatchAlgorithm = typeof MatchAlgorithm[keyof typeof MatchAlgorithm];

/** The number of a FIX enumeration character: 0-9 → 0 … 9, A-Z → 10 … 35, a-z → 36 … 61, anything else → 255. */
export function codeOfChar(charCode: number): number {
  if (charCode >= 48 && charCode <= 57) return charCode - 48;
  if (charCode >= 65 && charCode <= 90) return charCode - 55;
  if (charCode >= 97 && charCode <= 122) return charCode - 61;
  return 255;
}

/** The inverse of {@link codeOfChar} for 0 … 61. */
export function charOfCode(code: number): number {
  return code < 10 ? code + 48 : code < 36 ? code + 55 : code + 61;
}
