/**
 * What quote events tell their session: MassQuoteAcknowledgement(b) from the QuoteAcknowledged events of one command,
 * QuoteStatusReport(AI) from QuotesCanceled. Owns the gathering of the former (a command acknowledges entry by entry,
 * executions between) and which fields both have, in the order of FIX 4.4's own definition. Pure.
 * Source: FIX 4.4 Vol. 3, messages b, Z ("all Cancel messages be acknowledged using the Quote Status Report") and AI;
 * QuoteRejectReason(300), QuoteEntryRejectReason(368); docs/fix.md.
 */
import type { FixWriter } from "../../../shared/codec/fix/mod.ts";
import type { Event } from "../../../shared/codec/wire/mod.ts";
import type { Venue } from "../../../shared/config/venue.ts";
import {
  type EventPosition,
  type Instrument,
  Phase,
  phaseName,
  Reason,
} from "../../../shared/protocol/mod.ts";
import { qtyText } from "../../../shared/protocol/execution.ts";
import { maxPriceText } from "./expectation.ts";

/** Stands for Symbol(55) where FIX wants one and there is none (FIX 4.4 Vol. 1). */
export const NO_SYMBOL_TEXT = "[N/A]";

const ACCEPTED = 0;
const CANCELED_FOR_SYMBOL = 1;
const CANCELED_ALL = 4;
const REJECTED = 5;
const NOT_FOUND = 9;
const OTHER = 99;

/** QuoteResponseLevel(301). */
const LEVEL_NONE = 0;
const LEVEL_ONLY_REJECTIONS = 1;

/** What became of one entry. */
interface Ack {
  readonly setId: string;
  readonly entryId: string;
  readonly instrument: Instrument | null;
  readonly reason: Reason;
}

/**
 * The acknowledgements of one MassQuote command, gathered event by event. Its command is the last of its message, so
 * that those of one message belong together.
 */
export class QuoteAcks {
  #cmdSeq = 0;
  readonly #acks: Ack[] = [];

  /** Takes a QuoteAcknowledged event of command message `cmdSeq`. True when it is the last one of its command. */
  add(event: Event, cmdSeq: number, venue: Venue): boolean {
    if (cmdSeq !== this.#cmdSeq) this.#acks.length = 0;
    this.#cmdSeq = cmdSeq;
    if (event.total === 0) return true;
    this.#acks.push({
      setId: event.text.toString(),
      entryId: event.origClOrdId.toString(),
      instrument: venue.instrumentById.get(event.instrumentId) ?? null,
      reason: event.reason as Reason,
    });
    return event.index === event.total;
  }

  /**
   * Writes the body of the MassQuoteAcknowledgement(b) whose last event is `event` (begin() already called). False, with
   * nothing written, when the message asked for no answer: its level is about entries, a message that was refused as a
   * whole is always answered.
   */
  put(event: Event, writer: FixWriter): boolean {
    if (event.total === 0) {
      writer.slice(117, event.clOrdId);
      writer.int(297, REJECTED);
      writer.int(300, quoteRejectReason(event.reason as Reason));
      writer.int(301, event.detail);
      writer.text(58, event.text.toString() || reasonTextOf(event.reason as Reason, null));
      return true;
    }
    if (event.detail === LEVEL_NONE) return false;
    const rejected = this.#acks.filter((ack) => ack.reason !== Reason.None);
    const listed = event.detail === LEVEL_ONLY_REJECTIONS ? rejected : this.#acks;
    if (listed.length === 0) return false;
    const isRejected = rejected.length === this.#acks.length;
    writer.slice(117, event.clOrdId);
    writer.int(297, isRejected ? REJECTED : ACCEPTED);
    if (isRejected) writer.int(300, quoteRejectReason(rejected[0].reason));
    writer.int(301, event.detail);
    if (rejected.length > 0) {
      const [{ entryId, reason, instrument }] = rejected;
      writer.text(58, `Cannot quote QuoteEntryID(299) "${entryId}": ${reasonTextOf(reason, instrument)}`);
    }
    putSets(listed, writer);
    return true;
  }
}

/** Runs of entries with one QuoteSetID, in the order in which they came. */
function putSets(acks: readonly Ack[], writer: FixWriter): void {
  const sets: Ack[][] = [];
  for (const ack of acks) {
    if (sets.at(-1)?.[0].setId === ack.setId) sets.at(-1)!.push(ack);
    else sets.push([ack]);
  }
  writer.int(296, sets.length);
  for (const set of sets) {
    writer.text(302, set[0].setId);
    writer.int(304, set.length);
    writer.int(295, set.length);
    for (const { entryId, instrument, reason } of set) {
      writer.text(299, entryId);
      if (instrument !== null) writer.text(55, instrument.symbol);
      if (reason !== Reason.None) writer.int(368, quoteEntryRejectReason(reason));
    }
  }
}

/** Writes the body of the QuoteStatusReport(AI) for a QuotesCanceled event (begin() already called). */
export function putQuoteStatusReport(
  event: Event,
  position: EventPosition,
  venue: Venue,
  writer: FixWriter,
): void {
  const instrument = venue.instrumentById.get(event.instrumentId) ?? null;
  const reason = event.reason as Reason;
  writer.slice(117, event.clOrdId);
  if (instrument !== null) writer.text(55, instrument.symbol);
  else if (event.symbol.length > 0) writer.slice(55, event.symbol);
  else writer.text(55, NO_SYMBOL_TEXT);
  writer.utcTimestamp(60, Math.floor(position.timestampUs / 1000));
  if (reason !== Reason.None) {
    writer.int(297, REJECTED);
    writer.text(58, event.text.toString() || cancelRefusalText(reason, instrument));
    return;
  }
  const one = event.total === 0 ? NOT_FOUND : CANCELED_FOR_SYMBOL;
  writer.int(297, instrument === null ? CANCELED_ALL : one);
  writer.text(58, `Orders of quotes canceled: ${event.total}`);
}

function cancelRefusalText(reason: Reason, instrument: Instrument | null): string {
  if (reason !== Reason.PhaseForbids) return `Cannot cancel the quotes: ${reasonTextOf(reason, instrument)}`;
  return "Cannot cancel Symbol(55): expected an instrument in a trading phase that lets quotes be canceled, got " +
    `"${instrument?.symbol}", which is in ${phaseName(Phase.NoCancel)}`;
}

/** QuoteRejectReason(300). */
export function quoteRejectReason(reason: Reason): number {
  return reasonCode(reason) ?? OTHER;
}

/** QuoteEntryRejectReason(368), which in FIX 4.4 has no value for anything else. */
export function quoteEntryRejectReason(reason: Reason): number {
  return reasonCode(reason) ?? 8;
}

function reasonCode(reason: Reason): number | null {
  switch (reason) {
    case Reason.UnknownSymbol:
      return 1;
    case Reason.PhaseForbids:
      return 2;
    case Reason.QtyOverLimit:
    case Reason.PriceOverLimit:
    case Reason.BookFull:
      return 3;
    case Reason.QuoteCrossed:
      return 7;
    case Reason.PriceOffTick:
    case Reason.PriceNotPositive:
    case Reason.QuoteInvalid:
      return 8;
    case Reason.NotPermitted:
      return 9;
    default:
      return null;
  }
}

function reasonTextOf(reason: Reason, instrument: Instrument | null): string {
  switch (reason) {
    case Reason.UnknownSymbol:
      return "expected a listed Symbol(55)";
    case Reason.PhaseForbids:
      return `expected a Symbol(55) in a trading phase that takes quotes, got "${instrument?.symbol}", whose phase ` +
        "now does not: TradingSessionStatusRequest(g), or deno task admin phases, tells which it is";
    case Reason.QuoteCrossed:
      return "expected BidPx(132) below OfferPx(133)";
    case Reason.QuoteInvalid:
      return "expected BidPx(132) with BidSize(134), OfferPx(133) with OfferSize(135), or neither of a pair";
    case Reason.PriceOffTick:
      return `expected BidPx(132) and OfferPx(133) as multiples of ${instrument?.tick ?? "the tick"}`;
    case Reason.PriceNotPositive:
      return "expected BidPx(132) and OfferPx(133) above 0";
    case Reason.PriceOverLimit:
      return `expected BidPx(132) and OfferPx(133) of ${
        instrument === null ? "less" : `at most ${maxPriceText(instrument)}`
      }`;
    case Reason.QtyOffLot:
      return `expected BidSize(134) and OfferSize(135) as multiples of ${instrument?.lot ?? "the lot"}`;
    case Reason.QtyNotPositive:
      return "expected BidSize(134) and OfferSize(135) above 0";
    case Reason.QtyOverLimit:
      return `expected BidSize(134) and OfferSize(135) of ${
        instrument === null ? "less" : `at most ${qtyText(instrument.maxOrderQtyLots, instrument)}`
      }`;
    case Reason.BookFull:
      return "expected room on its shard, where as many orders are open as may be";
    default:
      return `reason ${reason}`;
  }
}
