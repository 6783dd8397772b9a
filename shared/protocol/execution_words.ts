/** The words with which a refusal (execution_text.ts) speaks of a request and of its order. Pure. */
import type { Event } from "../codec/wire/event.ts";
import { StatusDetail } from "./execution.ts";
import { EventKind, OrdStatus } from "./kinds.ts";

/** What the message that the event answers asked the venue to do. */
export function verbOf(event: Event): string {
  switch (event.kind as EventKind) {
    case EventKind.CancelRejected:
    case EventKind.MassCancelReported:
    case EventKind.QuotesCanceled:
      return "cancel";
    case EventKind.ReplaceRejected:
      return "replace";
    case EventKind.QuoteAcknowledged:
      return "quote";
    default:
      return event.detail === StatusDetail.None ? "accept" : "report";
  }
}

/** The field by which a request names its order: a status request by ClOrdID(11), cancel and replace by OrigClOrdID(41). */
export function orderField(event: Event): string {
  return event.kind === EventKind.OrderRejected ? "ClOrdID(11)" : "OrigClOrdID(41)";
}

/** The value of that field. */
export function orderName(event: Event): string {
  return (event.kind === EventKind.OrderRejected ? event.clOrdId : event.origClOrdId).toString();
}

/** What has become of an order that is not open, as the end of a sentence; empty for an open one. */
export function stateOf(event: Event): string {
  switch (event.ordStatus) {
    case OrdStatus.Filled:
      return ", which is filled";
    case OrdStatus.Canceled:
      return ", which is canceled";
    case OrdStatus.Expired:
      return ", which has expired";
    case OrdStatus.Rejected:
      return ", which was rejected";
    default:
      return "";
  }
}
