/**
 * A MassCancelReported event → the body of the OrderMassCancelReport(r) that tells its session. Owns which fields it
 * has, in the order of FIX 4.4's own definition. Pure. Source: FIX 4.4 Vol. 4, OrderMassCancelReport; docs/fix.md.
 */
import type { FixWriter } from "../../../shared/codec/fix/mod.ts";
import type { Event } from "../../../shared/codec/wire/mod.ts";
import type { Venue } from "../../../shared/config/venue.ts";
import { charOfCode, type EventPosition, formatExecId, Reason } from "../../../shared/protocol/mod.ts";

const ONE_SYMBOL = 49;
const ALL = 55;
const REJECTED = 48;

/**
 * Writes the body (begin() already called). OrderID(37) is the request's own: it derives from the event's place. An
 * event without a symbol answers a request for all, unless the gateway refused another type and said so in its ordType.
 */
export function putMassCancelReport(
  event: Event,
  position: EventPosition,
  venue: Venue,
  writer: FixWriter,
): void {
  const { shard, cmdSeq, eventIndex, timestampUs } = position;
  const instrument = venue.instrumentById.get(event.instrumentId);
  const isRejected = event.reason !== Reason.None;
  const named = instrument !== undefined || event.symbol.length > 0 ? ONE_SYMBOL : ALL;
  const type = event.ordType > 0 ? charOfCode(event.ordType) : named;
  writer.slice(11, event.clOrdId);
  writer.text(37, formatExecId(shard, cmdSeq, eventIndex));
  writer.charCode(530, type);
  writer.charCode(531, isRejected ? REJECTED : type);
  if (isRejected) writer.int(532, event.reason === Reason.UnknownSymbol ? 1 : 0);
  else writer.int(533, event.total);
  if (instrument !== undefined) writer.text(55, instrument.symbol);
  else if (event.symbol.length > 0) writer.slice(55, event.symbol);
  if (event.side > 0 && event.side < 62) writer.charCode(54, charOfCode(event.side));
  writer.utcTimestamp(60, Math.floor(timestampUs / 1000));
  if (isRejected) writer.text(58, textOf(event, instrument?.symbol ?? event.symbol.toString()));
}

function textOf(event: Event, symbol: string): string {
  if (event.text.length > 0) return event.text.toString();
  switch (event.reason as Reason) {
    case Reason.UnknownSymbol:
      return `Cannot cancel Symbol(55): expected a listed symbol, got "${symbol}"`;
    case Reason.PhaseForbids:
      return `Cannot cancel Symbol(55): expected a phase that takes cancels, got "${symbol}"`;
    default:
      return `Cannot cancel the orders: reason ${event.reason}`;
  }
}
