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
  /** OrderMassCancelRequest(q). */
  MassCancel: 6,
  /** OrderMassStatusRequest(AF). */
  MassStatus: 7,
  /** MassQuote(i): bids and offers of one session, replaced entry by entry. */
  MassQuote: 8,
  /** QuoteCancel(Z). */
  CancelQuotes: 9,
  /** An instrument, or all of a shard, enters a trading phase. */
  SetPhase: 10,
  /** An instrument is matched by another algorithm from here on. */
  SetAlgorithm: 11,
  /** Good-till-date orders whose time has come end. */
  ExpireOrders: 12,
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
  /** A stop was triggered, or an at-the-close order entered the closing auction. */
  OrderTriggered: 10,
  /** The venue changed an order's price or quantity: the event's reason says why. */
  OrderRestated: 11,
  MassCancelReported: 12,
  QuoteAcknowledged: 13,
  QuotesCanceled: 14,
  LevelChanged: 16,
  PhaseChanged: 17,
  /** What an auction would trade now. */
  AuctionIndicated: 18,
  AlgorithmChanged: 19,
} as const;
export type EventKind = typeof EventKind[keyof typeof EventKind];

/** Side(54). */
export const Side = { Buy: 1, Sell: 2 } as const;
export type Side = typeof Side[keyof typeof Side];

/** OrdType(40). */
export const OrdType = {
  Market: 1,
  Limit: 2,
  Stop: 3,
  StopLimit: 4,
  /** FIX's `K`: market with leftover as limit. */
  MarketToLimit: 20,
} as const;
export type OrdType = typeof OrdType[keyof typeof OrdType];

/** TimeInForce(59). */
export const TimeInForce = {
  Day: 0,
  GoodTillCancel: 1,
  AtTheOpening: 2,
  ImmediateOrCancel: 3,
  FillOrKill: 4,
  GoodTillDate: 6,
  AtTheClose: 7,
} as const;
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
export const CommandFlag = { PossDup: 1, PossResend: 2, Traced: 4, Extended: 8 } as const;

/** ExecInst(18) values that an order may have, a bit set. */
export const ExecInst = {
  /** FIX's `6`, participate don't initiate: the order must not trade when it arrives. */
  PostOnly: 1,
} as const;

/**
 * What happens when an order would trade with one of its own firm and self-match prevention group. The aggressor's
 * action counts.
 */
export const SmpAction = {
  None: 0,
  CancelResting: 1,
  CancelAggressor: 2,
  CancelBoth: 3,
  /** Both lose the smaller of the two quantities. */
  Decrement: 4,
} as const;
export type SmpAction = typeof SmpAction[keyof typeof SmpAction];

/** Whose orders a mass action is about. */
export const MassScope = { Session: 0, Firm: 1, All: 2 } as const;
export type MassScope = typeof MassScope[keyof typeof MassScope];

/** The trading phase of an instrument. */
export const Phase = {
  Closed: 1,
  PreOpen: 2,
  NoCancel: 3,
  OpeningAuction: 4,
  Continuous: 5,
  Halt: 6,
  VolatilityAuction: 7,
  ClosingAuction: 8,
} as const;
export type Phase = typeof Phase[keyof typeof Phase];

/** Why a phase changed. */
export const PhaseCause = { Command: 1, Volatility: 2 } as const;
export type PhaseCause = typeof PhaseCause[keyof typeof PhaseCause];

/** MatchAlgorithm(1142) codes: CME Globex's family, as docs/matching.md defines their steps. */
export const MatchAlgorithm = {
  Fifo: "F",
  ProRata: "C",
  Allocation: "A",
  ThresholdProRata: "O",
  ThresholdProRataLmm: "Q",
  FifoTopLmm: "S",
  FifoLmm: "T",
  Configurable: "K",
} as const;
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
