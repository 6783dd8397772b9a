/**
 * A request of `deno task order` → the body of a FIX message. Owns which fields the client sends. Pure.
 * Source: FIX 4.4 Vol. 4, messages D, F, G and H.
 */
import type { FixWriter } from "../codec/fix/mod.ts";
import type { OrderRequest } from "./order_args.ts";
import type { OrderTerms } from "./order_terms.ts";

/** MsgType(35) of a request. */
export type OrderMsgType = "D" | "F" | "G" | "H";

/** MsgType(35) that carries a request. */
export function msgTypeOf(request: OrderRequest): OrderMsgType {
  switch (request.kind) {
    case "new":
      return "D";
    case "cancel":
      return "F";
    case "replace":
      return "G";
    case "status":
      return "H";
  }
}

/** Writes the body (begin() already called). `nowMs` becomes TransactTime(60), milliseconds since 1970. */
export function writeRequest(request: OrderRequest, clOrdId: string, nowMs: number, writer: FixWriter): void {
  const terms = request.kind === "new" || request.kind === "replace" ? request.terms : null;
  if (request.kind !== "new" && request.orderId !== undefined) writer.text(37, request.orderId);
  if (request.kind === "cancel" || request.kind === "replace") writer.text(41, request.origClOrdId);
  writer.text(11, clOrdId);
  if (terms !== null) {
    writer.text(1, terms.account ?? "");
    writer.text(18, terms.postOnly === true ? "6" : "");
    writer.text(110, terms.minQty ?? "");
    writer.text(111, terms.maxFloor ?? "");
  }
  writer.text(55, request.symbol);
  writer.text(54, request.side);
  if (request.kind === "status") return;
  writer.utcTimestamp(60, nowMs);
  if (terms !== null) writeTerms(terms, writer);
}

function writeTerms(terms: OrderTerms, writer: FixWriter): void {
  writer.text(38, terms.qty);
  writer.text(40, terms.ordType);
  writer.text(44, terms.price ?? "");
  writer.text(99, terms.stopPx ?? "");
  writer.text(59, terms.timeInForce ?? "");
  writer.text(432, terms.expireDate ?? "");
  writer.text(126, terms.expireTime ?? "");
  writer.text(7928, terms.smpId ?? "");
  writer.text(8000, terms.smpInstruction ?? "");
}
