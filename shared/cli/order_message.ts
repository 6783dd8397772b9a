/**
 * A request of `deno task order` → the body of a FIX message. Owns which fields the client sends. Pure.
 * Source: FIX 4.4 Vol. 4, messages D, F, G and H.
 */
import type { FixWriter } from "../codec/fix/mod.ts";
import type { OrderRequest } from "./order_args.ts";

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
  if (request.kind !== "new" && request.orderId !== undefined) writer.text(37, request.orderId);
  if (request.kind === "cancel" || request.kind === "replace") writer.text(41, request.origClOrdId);
  writer.text(11, clOrdId);
  writer.text(55, request.symbol);
  writer.text(54, request.side);
  if (request.kind === "status") return;
  writer.utcTimestamp(60, nowMs);
  if (request.kind === "cancel") return;
  writer.text(38, request.qty);
  writer.text(40, request.kind === "new" ? request.ordType : "2");
  writer.text(44, request.price ?? "");
  if (request.kind === "new") writer.text(59, request.timeInForce);
}
