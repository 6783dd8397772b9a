/** Which fields an event of each kind has, and whether two events say the same. Pure. */
import { EventKind } from "../../../shared/protocol/mod.ts";
import { type ByteSlice, Event } from "../../../shared/codec/wire/mod.ts";

type NumberField = Exclude<keyof Event, SliceField>;
type SliceField = "clOrdId" | "origClOrdId" | "symbol" | "text";

const SLICES: readonly SliceField[] = ["clOrdId", "origClOrdId", "symbol", "text"];
const MARKET_FIELDS: readonly NumberField[] = [
  "instrumentId",
  "side",
  "priceTicks",
  "levelQtyLots",
  "levelOrders",
  "phase",
  "previousPhase",
  "cause",
  "surplusLots",
  "algorithm",
];
const ORDER_FIELDS: readonly NumberField[] = [
  "ordStatus",
  "sessionId",
  "firmId",
  "instrumentId",
  "orderId",
  "side",
  "ordType",
  "timeInForce",
  "liquidity",
  "priceTicks",
  "orderQtyLots",
  "cumQtyLots",
  "leavesQtyLots",
  "notionalHigh",
  "notionalLow",
  "lastPxTicks",
  "reason",
  "detail",
  "stopPxTicks",
  "maxFloorLots",
  "expireUs",
  "execInst",
  "msgSeqNum",
  "flags",
  "commandIndex",
];
const FIELDS_OF: Readonly<Record<number, readonly NumberField[]>> = {
  [EventKind.LevelChanged]: ["instrumentId", "side", "priceTicks", "levelQtyLots", "levelOrders"],
  [EventKind.PhaseChanged]: ["instrumentId", "priceTicks", "phase", "previousPhase", "cause"],
  [EventKind.AuctionIndicated]: ["instrumentId", "priceTicks", "levelQtyLots", "surplusLots"],
  [EventKind.AlgorithmChanged]: ["instrumentId", "algorithm"],
  [EventKind.OrderExecuted]: [...ORDER_FIELDS, "tradeIndex", "lastQtyLots"],
};
const OTHER_ORDER_FIELDS: readonly NumberField[] = [...ORDER_FIELDS, "index", "total"];

/** Whether an event is about an instrument, not an order or a request. */
export function isMarketEvent({ kind }: Event): boolean {
  return kind >= EventKind.LevelChanged;
}

/** The fields of `a` that say something else in `b`; `missing` when there is no `b`. */
export function differingFields(a: Event, b: Event | undefined): string[] {
  if (b === undefined) return ["missing"];
  if (a.kind !== b.kind) return ["kind"];
  const fields: string[] = (FIELDS_OF[a.kind] ?? OTHER_ORDER_FIELDS).filter((field) =>
    !Object.is(a[field], b[field])
  );
  if (isMarketEvent(a)) return fields;
  return [...fields, ...SLICES.filter((field) => !sameBytes(a[field], b[field]))];
}

/** Whether two events say the same. */
export function sameEvent(a: Event, b: Event): boolean {
  if (a.kind !== b.kind) return false;
  for (const field of FIELDS_OF[a.kind] ?? OTHER_ORDER_FIELDS) {
    if (a[field] !== b[field] && !Object.is(a[field], b[field])) return false;
  }
  return isMarketEvent(a) || SLICES.every((field) => sameBytes(a[field], b[field]));
}

/** A copy that borrows nothing. */
export function copyOf(event: Event): Event {
  const copy = new Event();
  copy.kind = event.kind;
  const fields = new Set(
    [...MARKET_FIELDS, ...OTHER_ORDER_FIELDS, "tradeIndex", "lastQtyLots"] as NumberField[],
  );
  for (const field of fields) copy[field] = event[field];
  for (const field of SLICES) {
    const { buffer, start, length } = event[field];
    copy[field].set(buffer.slice(start, start + length), 0, length);
  }
  return copy;
}

function sameBytes(a: ByteSlice, b: ByteSlice): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (a.buffer[a.start + i] !== b.buffer[b.start + i]) return false;
  }
  return true;
}
