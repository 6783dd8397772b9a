/**
 * An event → the body of the FIX message that tells its session, whatever the message: order entry has one writer per
 * family, this is where they meet, so that live reports and those that are made again cannot differ. Pure.
 */
import type { FixWriter } from "../../../shared/codec/fix/mod.ts";
import type { Event, EventBatchReader } from "../../../shared/codec/wire/mod.ts";
import type { Venue } from "../../../shared/config/mod.ts";
import { EventKind, type EventPosition } from "../../../shared/protocol/mod.ts";
import { putMassCancelReport, putQuoteStatusReport, type QuoteAcks, report } from "../order_entry/mod.ts";

/** Whether an event concerns the market as a whole and no session. */
export function isMarketEvent(event: Event): boolean {
  return event.kind >= EventKind.LevelChanged;
}

/**
 * Whether the event at which `reader` stands leads to a message of its own. Must be asked once for every event of a
 * session in event order, those that were reported before included: what entries of a mass quote met is gathered in
 * `acks`, and told with the last of them.
 */
export function isReported(reader: EventBatchReader, acks: QuoteAcks, venue: Venue): boolean {
  const { event } = reader;
  return event.kind !== EventKind.QuoteAcknowledged || acks.add(event, reader.cmdSeq, venue);
}

/**
 * Writes the body for `event` (begin() already called) and returns its MsgType(35); null, with nothing written, for one
 * that its session does not hear of. `acks` has gathered up to this event.
 */
export function writeReport(
  event: Event,
  position: EventPosition,
  venue: Venue,
  acks: QuoteAcks,
  writer: FixWriter,
): string | null {
  switch (event.kind) {
    case EventKind.MassCancelReported:
      if (event.msgSeqNum === 0) return null;
      putMassCancelReport(event, position, venue, writer);
      return "r";
    case EventKind.QuoteAcknowledged:
      return acks.put(event, writer) ? "b" : null;
    case EventKind.QuotesCanceled:
      putQuoteStatusReport(event, position, venue, writer);
      return "AI";
    default:
      return report(event, position, venue, writer);
  }
}
