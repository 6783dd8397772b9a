/**
 * Requests about many orders at once: cancel them, tell of them. Also refusals of such requests. Pure. docs/matching.md,
 * "Mass cancel and mass status".
 */
import { CommandKind, EventKind, MassScope, Phase, Reason, Side } from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { Books } from "./books.ts";
import { clOrdIdFault } from "./field_checks.ts";
import { MASS_DETAIL } from "./order_events.ts";
import { isQuote } from "./order_extra.ts";
import { cancelBecause } from "./placing.ts";

const { CancelQuotes, MassCancel, MassQuote, MassStatus } = CommandKind;
const { MassCancelReported, OrderRejected, QuoteAcknowledged, QuotesCanceled } = EventKind;
const { All, Firm, Session } = MassScope;
const { NoCancel } = Phase;
const {
  ClOrdIdTooLong,
  FieldUnsupported,
  MassCanceled,
  None: NO_REASON,
  NotPermitted,
  PhaseForbids,
  UnknownOrder,
  UnknownSymbol,
} = Reason;

/** MassCancel. */
export function massCancel(books: Books, command: Command): void {
  const { instruments, reporter, states, walk } = books;
  const { instrumentId, side } = command;
  let reason = massFault(books, command);
  if (reason === NO_REASON && instrumentId !== 0 && states.phase[instrumentId] === NoCancel) {
    reason = PhaseForbids;
  }
  if (reason !== NO_REASON) return reporter.answer(MassCancelReported, reason, 0);
  let total = 0;
  for (const id of instruments.ids) {
    if (instrumentId !== 0 && id !== instrumentId || states.phase[id] === NoCancel) continue;
    const count = walk.all(id, side);
    for (let i = 0; i < count; i++) {
      const order = walk.at(i);
      if (!isMeant(books, command, order)) continue;
      cancelBecause(books, order, MassCanceled);
      total++;
    }
  }
  reporter.answer(MassCancelReported, NO_REASON, total);
}

/** MassStatus: quotes are left out. */
export function massStatus(books: Books, command: Command): void {
  const { instruments, reporter, walk } = books;
  const { instrumentId } = command;
  const reason = massFault(books, command);
  if (reason !== NO_REASON) return reporter.refuse(OrderRejected, reason, MASS_DETAIL, 0);
  let total = 0;
  for (const id of instruments.ids) {
    if (instrumentId === 0 || id === instrumentId) total += countMeant(books, command, id);
  }
  if (total === 0) return reporter.refuse(OrderRejected, UnknownOrder, MASS_DETAIL, 0);
  let index = 0;
  for (const id of instruments.ids) {
    if (instrumentId !== 0 && id !== instrumentId) continue;
    const count = walk.all(id, command.side);
    for (let i = 0; i < count; i++) {
      const order = walk.at(i);
      if (isMeant(books, command, order) && !isQuote(books.words, order)) {
        reporter.massStatus(order, ++index, total);
      }
    }
  }
}

/** Answers a refusal by the gateway of a request about many orders or quotes; false for any other. */
export function refuseMass({ reporter }: Books, command: Command): boolean {
  switch (command.refusedKind) {
    case MassCancel:
      reporter.answer(MassCancelReported, command.reason, 0);
      return true;
    case MassStatus:
      reporter.refuse(OrderRejected, command.reason, MASS_DETAIL, 0);
      return true;
    case MassQuote:
      reporter.answer(QuoteAcknowledged, command.reason, 0);
      return true;
    case CancelQuotes:
      reporter.answer(QuotesCanceled, command.reason, 0);
      return true;
    default:
      return false;
  }
}

function massFault({ instruments }: Books, command: Command): Reason {
  const { instrumentId, scope, side } = command;
  if (clOrdIdFault(command.clOrdId) !== NO_REASON) return ClOrdIdTooLong;
  if (scope !== Session && scope !== Firm && scope !== All) return FieldUnsupported;
  if (side !== 0 && side !== Side.Buy && side !== Side.Sell) return FieldUnsupported;
  if (scope === All && command.sessionId !== 0) return NotPermitted;
  return instrumentId === 0 || instruments.has(instrumentId) ? NO_REASON : UnknownSymbol;
}

/** Whether an order is one of those that the request is about. */
function isMeant({ registry }: Books, command: Command, order: number): boolean {
  if (command.scope === Session) return registry.orders.session(order) === command.sessionId;
  return command.scope === All || registry.orders.firm(order) === command.firmId;
}

function countMeant(books: Books, command: Command, id: number): number {
  const count = books.walk.all(id, command.side);
  let meant = 0;
  for (let i = 0; i < count; i++) {
    const order = books.walk.at(i);
    if (isMeant(books, command, order) && !isQuote(books.words, order)) meant++;
  }
  return meant;
}
