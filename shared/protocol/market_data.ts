/**
 * The JSON messages that subscribers read on NATS: book, trade and drop copy. Numbers that a price or quantity could
 * overflow or round are decimal text. Their published schema is docs/market-data.schema.json. Pure.
 */

/** One price level. */
export interface BookLevel {
  /** Decimal text, trailing zeros trimmed. */
  readonly price: string;
  /** Sum of LeavesQty at the price, decimal text. */
  readonly qty: string;
  /** Orders at the price, ≥ 1. */
  readonly orders: number;
}

/** `md.<shard>.<symbol>.book`: the best ten levels of each side, conflated. */
export interface BookMessage {
  readonly type: "book";
  readonly symbol: string;
  /**
   * The instrument's trading phase, such as `continuous`. In any other the best bid and offer cannot trade, and in one
   * that prepares an auction they may cross.
   */
  readonly phase: string;
  /** Increases by one with each book message of the symbol; starts again at 1 when NATS lost its last value. */
  readonly seq: number;
  /** Sequence in CMD_s of the last command that this state includes; 0 for a book that no command touched. */
  readonly cmdSeq: number;
  /** Stream time of that command, ISO 8601 with microseconds; null while no command is known. */
  readonly time: string | null;
  /** Highest price first. */
  readonly bids: readonly BookLevel[];
  /** Lowest price first. */
  readonly asks: readonly BookLevel[];
}

/** `md.<shard>.<symbol>.trade`: one trade. */
export interface TradeMessage {
  readonly type: "trade";
  readonly symbol: string;
  /** SecondaryExecID(527) of both sides' reports: drop a tradeId that was seen already. */
  readonly tradeId: string;
  readonly price: string;
  readonly qty: string;
  /** The side that took; null for a trade of an auction, in which nobody did. */
  readonly aggressor: "buy" | "sell" | null;
  readonly cmdSeq: number;
  readonly time: string;
}

/** `md.<shard>.<symbol>.phase`: the trading phase, and what its auction would trade now, conflated. */
export interface PhaseMessage {
  readonly type: "phase";
  readonly symbol: string;
  /** Increases by one with each phase message of the symbol; starts again at 1 when NATS lost its last value. */
  readonly seq: number;
  /** Sequence in CMD_s of the last command that this state includes. */
  readonly cmdSeq: number;
  /** Stream time of that command, ISO 8601 with microseconds; null while no command is known. */
  readonly time: string | null;
  /** `closed`, `pre-open`, `no-cancel`, `opening-auction`, `continuous`, `halt`, `volatility-auction`, `closing-auction`. */
  readonly phase: string;
  /** The phase before; null when the service has not seen it. */
  readonly previous: string | null;
  /** Why it changed; null when the service has not seen it. */
  readonly cause: "command" | "volatility" | null;
  /** The price at which most would trade, while an auction forms and something would. */
  readonly indicativePrice?: string;
  readonly indicativeQty?: string;
  /** The side of which something would be left at that price: not how much, which would tell of hidden quantity. */
  readonly surplusSide?: "buy" | "sell";
}

interface DropCopyBase {
  /** Unique per copied message, also where FIX gives none: drop a copyId that was seen already. */
  readonly copyId: string;
  /** The owner's SenderCompID. */
  readonly session: string;
  readonly firm: string;
  readonly orderId: string;
  /** Absent only in the answer to a mass status request that found nothing or was refused. */
  readonly clOrdId?: string;
  readonly origClOrdId?: string;
  readonly ordStatus: string;
  readonly text?: string;
  /** ISO 8601 with microseconds; the FIX report has the same instant in milliseconds. */
  readonly transactTime: string;
  readonly cmdSeq: number;
}

/** A copy of an ExecutionReport(8); optional fields are absent where the report has none. */
export interface ExecutionReportCopy extends DropCopyBase {
  readonly kind: "execution-report";
  readonly execId: string;
  readonly secondaryExecId?: string;
  readonly execType: string;
  /** The status request's ClOrdID, ExecType `I` only. */
  readonly ordStatusReqId?: string;
  /** Of a mass status request, with how many answers it has and whether this is the last (`Y`, `N`). */
  readonly massStatusReqId?: string;
  readonly totNumReports?: number;
  readonly lastRptRequested?: string;
  readonly ordRejReason?: number;
  /** Why the venue changed or cancelled the order unasked. */
  readonly execRestatementReason?: number;
  readonly symbol: string;
  readonly side: string;
  readonly orderQty?: string;
  readonly ordType?: string;
  readonly price?: string;
  readonly stopPx?: string;
  readonly maxFloor?: string;
  readonly timeInForce?: string;
  /** ISO 8601 with microseconds; the FIX report has the same instant in milliseconds. */
  readonly expireTime?: string;
  /** `6` for a post-only order. */
  readonly execInst?: string;
  readonly lastQty?: string;
  readonly lastPx?: string;
  readonly lastLiquidityInd?: string;
  readonly cumQty: string;
  readonly leavesQty: string;
  readonly avgPx: string;
}

/** A copy of an OrderCancelReject(9). */
export interface CancelRejectCopy extends DropCopyBase {
  readonly kind: "cancel-reject";
  /** `1` for a cancel, `2` for a replace. */
  readonly cxlRejResponseTo: "1" | "2";
  readonly cxlRejReason: number;
}

/** `drop.<firm>`: a copy of what a session of the firm was sent. */
export type DropCopyMessage = ExecutionReportCopy | CancelRejectCopy;

/** Levels per side in a {@link BookMessage}. */
export const BOOK_LEVELS = 10;

/** ISO 8601 text in UTC with six decimals of `timestampUs` (µs since 1970, safe integer ≥ 0). */
export function isoTimeText(timestampUs: number): string {
  const micros = timestampUs % 1000;
  const millis = new Date((timestampUs - micros) / 1000).toISOString();
  return `${millis.slice(0, -1)}${String(micros).padStart(3, "0")}Z`;
}
