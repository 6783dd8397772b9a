/** Drop copies as the lines that the FIX reports give, so that the two can be compared whole. Test code only. */
import type { DropCopyMessage } from "../../shared/protocol/market_data.ts";

/** The line of the FIX message that this is a copy of. */
export function lineOfCopy(copy: DropCopyMessage): string {
  const fields: string[] = [];
  const put = (tag: number, value: string | number | undefined) => {
    if (value !== undefined) fields.push(`${tag}=${value}`);
  };
  put(37, copy.orderId);
  if (copy.kind === "cancel-reject") {
    put(11, copy.clOrdId);
    put(41, copy.origClOrdId);
    put(39, copy.ordStatus);
    put(434, copy.cxlRejResponseTo);
    put(102, copy.cxlRejReason);
    put(58, copy.text);
    return `9 ${fields.join("|")}`;
  }
  put(527, copy.secondaryExecId);
  put(11, copy.clOrdId);
  put(41, copy.origClOrdId);
  put(790, copy.ordStatusReqId);
  put(17, copy.execId);
  put(150, copy.execType);
  put(39, copy.ordStatus);
  put(103, copy.ordRejReason);
  put(55, copy.symbol);
  put(54, copy.side);
  put(38, copy.orderQty);
  put(40, copy.ordType);
  put(44, copy.price);
  put(59, copy.timeInForce);
  put(32, copy.lastQty);
  put(31, copy.lastPx);
  put(151, copy.leavesQty);
  put(14, copy.cumQty);
  put(6, copy.avgPx);
  put(58, copy.text);
  put(851, copy.lastLiquidityInd);
  return `8 ${fields.join("|")}`;
}
