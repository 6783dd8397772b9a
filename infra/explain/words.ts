/** Names, prices and quantities of an explanation, as the venue file has them. Pure. */
import type { Venue } from "../../shared/config/venue.ts";
import { priceText, qtyText } from "../../shared/protocol/execution.ts";
import { formatOrderId, type Instrument, Side } from "../../shared/protocol/mod.ts";

/** Words for one instrument of a venue. */
export class Words {
  readonly instrument: Instrument;
  readonly #venue: Venue;
  readonly #shard: number;

  /** `instrumentId` is one of the venue's: the engine has traded it. */
  constructor(venue: Venue, shard: number, instrumentId: number) {
    this.#venue = venue;
    this.#shard = shard;
    this.instrument = venue.instrumentById.get(instrumentId)!;
  }

  /** A session's CompID, or its number when the venue file does not list it. */
  session(id: number): string {
    const session = this.#venue.sessions.find((each) => each.id === id);
    return session?.senderCompId ?? (id === 0 ? "the venue" : `session ${id}`);
  }

  /** A firm's name. */
  firm(id: number): string {
    return this.#venue.firmById.get(id)?.name ?? `firm ${id}`;
  }

  /** OrderID(37). */
  order(id: number): string {
    return formatOrderId(this.#shard, id);
  }

  /** An order and whose it is. */
  owned({ orderId, clOrdId, sessionId }: { orderId: number; clOrdId: string; sessionId: number }): string {
    const name = clOrdId === "" ? "" : ` ${clOrdId}`;
    return `${this.order(orderId)} (${this.session(sessionId)}${name})`;
  }

  /** Decimal text of ticks. */
  price(ticks: number): string {
    return priceText(ticks, this.instrument);
  }

  /** Decimal text of lots. */
  qty(lots: number): string {
    return qtyText(lots, this.instrument);
  }
}

const ORD_TYPES: ReadonlyMap<string, string> = new Map([
  ["1", "market"],
  ["2", "limit"],
  ["3", "stop"],
  ["4", "stop limit"],
  ["K", "market to limit"],
]);
const TIMES_IN_FORCE: ReadonlyMap<string, string> = new Map([
  ["0", "day"],
  ["1", "good till cancel"],
  ["2", "at the opening"],
  ["3", "immediate or cancel"],
  ["4", "fill or kill"],
  ["6", "good till date"],
  ["7", "at the close"],
]);

/** OrdType(40), given as its character. */
export function ordTypeText(character: string): string {
  return ORD_TYPES.get(character) ?? `OrdType ${character}`;
}

/** TimeInForce(59), given as its character. */
export function timeInForceText(character: string): string {
  return TIMES_IN_FORCE.get(character) ?? `TimeInForce ${character}`;
}

/** Side(54) as a verb. */
export function sideText(side: number): string {
  return side === Side.Buy ? "buy" : "sell";
}

/** Time with microseconds, UTC. */
export function timeText(us: number): string {
  const iso = new Date(Math.floor(us / 1e6) * 1000).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}.${String(us % 1e6).padStart(6, "0")} UTC`;
}
