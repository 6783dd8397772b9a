/**
 * The schemas of the JSON messages in market_data.ts, for those who receive them and for the published
 * docs/market-data.schema.json. Unknown fields are allowed: later versions may add some.
 */
import { z } from "zod";
import type { BookLevel, BookMessage, CancelRejectCopy, DropCopyMessage } from "./market_data.ts";
import {
  BOOK_LEVELS,
  type ExecutionReportCopy,
  type PhaseMessage,
  type TradeMessage,
} from "./market_data.ts";
import { PHASE_NAMES } from "./phase_names.ts";

const decimal = z.string().regex(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
const sequence = z.int().min(0);
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const phase = z.enum(PHASE_NAMES);
const code = z.string().length(1);

const level: z.ZodType<BookLevel> = z.object({ price: decimal, qty: decimal, orders: z.int().min(1) });

/** `md.<shard>.<symbol>.book`. */
export const bookSchema: z.ZodType<BookMessage> = z.object({
  type: z.literal("book"),
  symbol: z.string(),
  phase,
  seq: sequence,
  cmdSeq: sequence,
  time: time.nullable(),
  bids: z.array(level).max(BOOK_LEVELS),
  asks: z.array(level).max(BOOK_LEVELS),
});

/** `md.<shard>.<symbol>.trade`. */
export const tradeSchema: z.ZodType<TradeMessage> = z.object({
  type: z.literal("trade"),
  symbol: z.string(),
  tradeId: z.string(),
  price: decimal,
  qty: decimal,
  aggressor: z.enum(["buy", "sell"]).nullable(),
  cmdSeq: sequence,
  time,
});

/** `md.<shard>.<symbol>.phase`. */
export const phaseSchema: z.ZodType<PhaseMessage> = z.object({
  type: z.literal("phase"),
  symbol: z.string(),
  seq: sequence,
  cmdSeq: sequence,
  time: time.nullable(),
  phase,
  previous: phase.nullable(),
  cause: z.enum(["command", "volatility"]).nullable(),
  indicativePrice: decimal.optional(),
  indicativeQty: decimal.optional(),
  surplusSide: z.enum(["buy", "sell"]).optional(),
});

const common = {
  copyId: z.string(),
  session: z.string(),
  firm: z.string(),
  orderId: z.string(),
  clOrdId: z.string().optional(),
  origClOrdId: z.string().optional(),
  ordStatus: code,
  text: z.string().optional(),
  transactTime: time,
  cmdSeq: sequence,
};

const executionReport: z.ZodType<ExecutionReportCopy> = z.object({
  kind: z.literal("execution-report"),
  ...common,
  execId: z.string(),
  secondaryExecId: z.string().optional(),
  execType: code,
  ordStatusReqId: z.string().optional(),
  massStatusReqId: z.string().optional(),
  totNumReports: z.int().min(0).optional(),
  lastRptRequested: code.optional(),
  ordRejReason: z.int().optional(),
  execRestatementReason: z.int().optional(),
  symbol: z.string(),
  side: code,
  orderQty: decimal.optional(),
  ordType: code.optional(),
  price: decimal.optional(),
  stopPx: decimal.optional(),
  maxFloor: decimal.optional(),
  timeInForce: code.optional(),
  expireTime: time.optional(),
  execInst: code.optional(),
  lastQty: decimal.optional(),
  lastPx: decimal.optional(),
  lastLiquidityInd: code.optional(),
  cumQty: decimal,
  leavesQty: decimal,
  avgPx: decimal,
});

const cancelReject: z.ZodType<CancelRejectCopy> = z.object({
  kind: z.literal("cancel-reject"),
  ...common,
  cxlRejResponseTo: z.enum(["1", "2"]),
  cxlRejReason: z.int(),
});

/** `drop.<firm>`. */
export const dropCopySchema: z.ZodType<DropCopyMessage> = z.union([executionReport, cancelReject]);

/** The JSON Schema of the four kinds of messages, as docs/market-data.schema.json publishes it. */
export function marketDataJsonSchema(): Record<string, unknown> {
  const definition = (schema: z.ZodType) => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
    return rest;
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Pitwire market data and drop copy",
    $defs: {
      book: definition(bookSchema),
      trade: definition(tradeSchema),
      phase: definition(phaseSchema),
      dropCopy: definition(dropCopySchema),
    },
  };
}
