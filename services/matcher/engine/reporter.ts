/**
 * Turns what happens into events: the one place that makes them. Adds to the events of orders (order_events.ts) refusals,
 * answers about many orders, phases and auctions, which are rare and go through an Event. Pure.
 */
import { EventKind, type PhaseCause, Reason } from "../../../shared/protocol/mod.ts";
import type { ByteSlice, QuoteEntry } from "../../../shared/codec/wire/mod.ts";
import { MASS_DETAIL, OrderEvents } from "./order_events.ts";
import {
  fillAlgorithm,
  fillAnswer,
  fillIndication,
  fillOrigin,
  fillPhase,
  fillUnknown,
  refusedTerm,
} from "./rare_events.ts";

const { QuoteAcknowledged, ReplaceRejected } = EventKind;
const { ExpirePast } = Reason;

/** Makes events and hands them on. */
export class Reporter extends OrderEvents {
  /**
   * A refusal of the command, for its sender; `order` is the order that it named, 0 when none is known; `total` how many
   * orders may be open, where that is the reason. Beside the order stands what the command asked for and did not get.
   */
  refuse(kind: EventKind, reason: number, detail: number, order: number, total: number = 0): void {
    const { event } = this;
    const { command } = this;
    if (order !== 0) {
      this.describe(kind, order);
    } else {
      fillUnknown(event, command);
      event.kind = kind;
    }
    fillOrigin(event, command, this.commandIndex);
    event.reason = reason;
    event.detail = detail;
    event.total = total !== 0 ? total : refusedTerm(kind, reason, command);
    if (kind === ReplaceRejected && reason === ExpirePast) event.expireUs = command.expireUs;
    if (detail === MASS_DETAIL) {
      borrow(event.origClOrdId, event.clOrdId);
      event.clOrdId.clear();
    }
    this.hand();
  }

  /** The answer to a request about many orders: `total` of them. */
  answer(kind: EventKind, reason: number, total: number): void {
    fillAnswer(this.event, kind, this.command, this.commandIndex, reason, total);
    if (kind === QuoteAcknowledged) this.event.detail = this.command.scope;
    this.hand();
  }

  /** What became of entry `index` (from 1) of `total` of a MassQuote. */
  quoteAcknowledged(entry: QuoteEntry, index: number, total: number, reason: number): void {
    const { event } = this;
    fillAnswer(event, QuoteAcknowledged, this.command, this.commandIndex, reason, total);
    event.instrumentId = entry.instrumentId;
    event.index = index;
    event.detail = this.command.scope;
    borrow(event.origClOrdId, entry.quoteEntryId);
    borrow(event.text, entry.quoteSetId);
    this.hand();
  }

  /** An instrument has entered a phase. */
  phaseChanged(id: number, phase: number, previous: number, cause: PhaseCause, priceTicks: number): void {
    fillPhase(this.event, id, phase, previous, cause, priceTicks);
    this.hand();
  }

  /** What an instrument's auction would trade now. */
  auctionIndicated(id: number, priceTicks: number, qtyLots: number, surplusLots: number): void {
    fillIndication(this.event, id, priceTicks, qtyLots, surplusLots);
    this.hand();
  }

  /** An instrument is matched by another algorithm from here on. */
  algorithmChanged(id: number, algorithm: number): void {
    fillAlgorithm(this.event, id, algorithm);
    this.hand();
  }
}

function borrow(into: ByteSlice, from: ByteSlice): void {
  into.set(from.buffer, from.start, from.length);
}
