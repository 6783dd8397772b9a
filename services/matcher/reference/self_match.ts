/** The naive self-match prevention: what becomes of two orders of one owner that would trade. Pure. */
import { EventKind, Reason, SmpAction } from "../../../shared/protocol/mod.ts";
import type { RefEvents } from "./events.ts";
import { leavesOf, type RefOrder } from "./order.ts";
import type { RefState } from "./state.ts";

/** Whether an aggressor must not trade with a resting order. */
export function conflicts(order: RefOrder, resting: RefOrder): boolean {
  const sameOwner = order.firm === resting.firm && order.smpId === resting.smpId;
  return sameOwner && order.smpAction !== SmpAction.None;
}

/** Does what the aggressor asks for with one order in its way. */
export function preventSelfMatch(
  state: RefState,
  events: RefEvents,
  order: RefOrder,
  resting: RefOrder,
): void {
  const cancel = (one: RefOrder) => state.end(one, EventKind.OrderCanceled, Reason.SelfMatchPrevented);
  switch (order.smpAction) {
    case SmpAction.CancelResting:
      return cancel(resting);
    case SmpAction.CancelAggressor:
      return cancel(order);
    case SmpAction.CancelBoth:
      cancel(order);
      return cancel(resting);
    case SmpAction.Decrement:
      return decrement(state, events, order, resting);
  }
}

/** The same with every order of a level that is in the way, before the level is shared out. */
export function preventAll(
  state: RefState,
  events: RefEvents,
  order: RefOrder,
  conflicting: readonly RefOrder[],
): void {
  for (const [i, resting] of conflicting.entries()) {
    if (state.open.has(order)) preventSelfMatch(state, events, order, resting);
    else if (order.smpAction === SmpAction.CancelBoth && i > 0) {
      state.end(resting, EventKind.OrderCanceled, Reason.SelfMatchPrevented);
    }
  }
}

function decrement(state: RefState, events: RefEvents, order: RefOrder, resting: RefOrder): void {
  const lots = Math.min(leavesOf(order), leavesOf(resting));
  state.touch(resting);
  for (const one of [order, resting]) {
    if (leavesOf(one) === lots) {
      state.end(one, EventKind.OrderCanceled, Reason.SelfMatchPrevented);
      continue;
    }
    one.qty -= lots;
    one.shown = Math.min(one.shown, leavesOf(one));
    events.ofOrder(EventKind.OrderRestated, one, Reason.SelfMatchPrevented);
  }
}
