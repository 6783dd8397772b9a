/**
 * What must hold of events whatever the commands were: a trade has two sides that agree, quantities add up, what was
 * executed stays executed. That no ExecID comes twice follows from the line of groups (stored_events.ts). Pure.
 */
import type { Event } from "../../../shared/codec/wire/mod.ts";
import { EventKind, formatOrderId, OrdStatus } from "../../../shared/protocol/mod.ts";

const ORDER_KINDS: ReadonlySet<number> = new Set([
  EventKind.OrderAccepted,
  EventKind.OrderExecuted,
  EventKind.OrderCanceled,
  EventKind.OrderReplaced,
  EventKind.OrderExpired,
  EventKind.OrderStatusReported,
  EventKind.OrderTriggered,
  EventKind.OrderRestated,
]);
const OPEN: ReadonlySet<number> = new Set([OrdStatus.New, OrdStatus.PartiallyFilled]);

/** Orders that have ended and may only be asked about. */
const REMEMBERED = 1_000_000;

interface FirstSide {
  readonly orderId: number;
  readonly instrumentId: number;
  readonly side: number;
  readonly lastPxTicks: number;
  readonly lastQtyLots: number;
  readonly tradeIndex: number;
}

/** Looks at every event of one shard in order. */
export class EventChecks {
  trades = 0;
  readonly #shard: number;
  /** CumQty by OrderID of the orders that were open when last heard of. */
  readonly #cumQty = new Map<number, number>();
  /** Those that have ended, the latest {@link REMEMBERED}. */
  readonly #done = new Set<number>();
  /** The first side of a trade whose second has not come. */
  #half: FirstSide | null = null;

  constructor(shard: number) {
    this.#shard = shard;
  }

  /** Orders that were open when last heard of. */
  get openOrders(): number {
    return this.#cumQty.size;
  }

  /** What is wrong with the next event, or null. `event` is borrowed. */
  take(event: Event, eventIndex: number): string | null {
    const executed = event.kind === EventKind.OrderExecuted;
    const fault = executed ? this.#takeSide(event, eventIndex) : this.#takeNoSide();
    if (fault !== null || !ORDER_KINDS.has(event.kind) || event.orderId === 0) return fault;
    return this.#takeQuantities(event);
  }

  /** What is wrong with the end of a group, or null. */
  endGroup(): string | null {
    return this.#takeNoSide();
  }

  #takeNoSide(): string | null {
    return this.#half === null ? null : `trade ${this.#half.tradeIndex} has only one side`;
  }

  #takeSide(event: Event, eventIndex: number): string | null {
    const { orderId, instrumentId, side, lastPxTicks, lastQtyLots, tradeIndex } = event;
    const first = this.#half;
    if (lastQtyLots <= 0 || lastPxTicks <= 0) {
      return `a trade of ${lastQtyLots} lots at ${lastPxTicks} ticks`;
    }
    if (first === null) {
      if (tradeIndex !== eventIndex + 1) {
        return `trade ${tradeIndex} begins at event ${eventIndex}, so that it must be trade ${
          eventIndex + 1
        }`;
      }
      this.#half = { orderId, instrumentId, side, lastPxTicks, lastQtyLots, tradeIndex };
      return null;
    }
    this.#half = null;
    this.trades++;
    const what = `trade ${first.tradeIndex}`;
    if (tradeIndex !== first.tradeIndex) return `${what} has its second side in trade ${tradeIndex}`;
    if (lastQtyLots !== first.lastQtyLots) {
      return `${what} is of ${first.lastQtyLots} lots for one side and ${lastQtyLots} for the other`;
    }
    if (lastPxTicks !== first.lastPxTicks) {
      return `${what} is at ${first.lastPxTicks} ticks for one side and ${lastPxTicks} for the other`;
    }
    if (instrumentId !== first.instrumentId) {
      return `${what} is in instruments ${first.instrumentId} and ${instrumentId}`;
    }
    if (side === first.side || orderId === first.orderId) return `${what} has the same side twice`;
    return null;
  }

  #takeQuantities(event: Event): string | null {
    const { orderId, kind, ordStatus, orderQtyLots, cumQtyLots, leavesQtyLots, lastQtyLots } = event;
    const order = `order ${formatOrderId(this.#shard, orderId)}`;
    const isOpen = OPEN.has(ordStatus);
    if (isOpen && cumQtyLots + leavesQtyLots !== orderQtyLots) {
      return `${order} is open with CumQty ${cumQtyLots} and LeavesQty ${leavesQtyLots} of OrderQty ${orderQtyLots}`;
    }
    if (orderQtyLots < 1 || cumQtyLots > orderQtyLots) {
      return `${order} has OrderQty ${orderQtyLots} and CumQty ${cumQtyLots}`;
    }
    if (!isOpen && leavesQtyLots !== 0) return `${order} is done with LeavesQty ${leavesQtyLots}`;
    const before = this.#cumQty.get(orderId);
    const lastQty = kind === EventKind.OrderExecuted ? lastQtyLots : 0;
    if (before !== undefined && cumQtyLots !== before + lastQty) {
      return `${order} goes from CumQty ${before} to ${cumQtyLots} by ${lastQty}`;
    }
    if (cumQtyLots < lastQty) return `${order} has CumQty ${cumQtyLots} after a fill of ${lastQty}`;
    if (kind !== EventKind.OrderStatusReported && this.#done.has(orderId)) return `${order} had ended before`;
    if (isOpen) this.#cumQty.set(orderId, cumQtyLots);
    else this.#end(orderId);
    return null;
  }

  #end(orderId: number): void {
    this.#cumQty.delete(orderId);
    this.#done.add(orderId);
    if (this.#done.size <= REMEMBERED) return;
    for (const oldest of this.#done) {
      this.#done.delete(oldest);
      return;
    }
  }
}
