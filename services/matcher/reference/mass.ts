/** The naive mass actions: cancels and statuses of many orders at once. Pure. */
import { EventKind, MassScope, Phase, Reason } from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { RefEvents } from "./events.ts";
import { clOrdIdFault, first } from "./faults.ts";
import type { RefMarket } from "./market.ts";
import type { RefOrder } from "./order.ts";
import type { RefState } from "./state.ts";

/** Cancels what the command is about and says how much it was. */
export function massCancel(state: RefState, events: RefEvents, command: Command): void {
  const named = state.markets.get(command.instrumentId);
  const reason = massFault(state, command) || first([named?.phase === Phase.NoCancel, Reason.PhaseForbids]);
  if (reason !== Reason.None) return events.answer(EventKind.MassCancelReported, reason, 0);
  const orders = ordersOf(state, command, (market) => market.phase !== Phase.NoCancel);
  for (const order of orders) state.end(order, EventKind.OrderCanceled, Reason.MassCanceled);
  events.answer(EventKind.MassCancelReported, Reason.None, orders.length);
}

/** Reports every order that the command is about, quotes apart. */
export function massStatus(state: RefState, events: RefEvents, command: Command): void {
  const orders = ordersOf(state, command, () => true).filter(({ isQuote }) => !isQuote);
  const reason = massFault(state, command) || first([orders.length === 0, Reason.UnknownOrder]);
  if (reason !== Reason.None) return events.refuse(EventKind.OrderRejected, reason, 2, undefined);
  for (const [i, order] of orders.entries()) events.massStatus(order, i + 1, orders.length);
}

function massFault(state: RefState, command: Command): Reason {
  const { scope, side, sessionId, instrumentId } = command;
  const isKnown = instrumentId === 0 || state.markets.has(instrumentId);
  return first(
    [clOrdIdFault(command.clOrdId.toString()) !== Reason.None, Reason.ClOrdIdTooLong],
    [!(scope <= MassScope.All) || !(side <= 2), Reason.FieldUnsupported],
    [scope === MassScope.All && sessionId !== 0, Reason.NotPermitted],
    [!isKnown, Reason.UnknownSymbol],
  );
}

function ordersOf(state: RefState, command: Command, takes: (market: RefMarket) => boolean): RefOrder[] {
  const { scope, side, sessionId, firmId, instrumentId } = command;
  return [...state.markets.values()]
    .filter((market) => instrumentId === 0 || instrumentId === market.instrument.id)
    .filter(takes)
    .flatMap((market) => market.walk())
    .filter((order) => side === 0 || side === order.side)
    .filter((order) =>
      scope === MassScope.All ||
      (scope === MassScope.Firm ? order.firm === firmId : order.session === sessionId)
    );
}
