/** Hand-made events, instruments and sessions for the tests of this service. Test code only. */
import { type ByteSlice, Event, EventBatchWriter } from "../../shared/codec/wire/mod.ts";
import {
  EventKind,
  type Firm,
  type FixSession,
  type Instrument,
  PhaseCause,
} from "../../shared/protocol/mod.ts";
import { testInstrument } from "../../shared/testing/instrument.ts";
import type { FeedVenue } from "./feed.ts";

/** FIFO, tick 0.01, lot 1. */
export const ACME: Instrument = testInstrument(1, { symbol: "ACME" });
/** Pro rata, tick 0.25, lot 10. */
export const TULIP: Instrument = {
  ...ACME,
  id: 4,
  symbol: "TULIP-DEC",
  tickUnits: 25,
  lotUnits: 10,
  algorithm: "C",
  tick: "0.25",
  lot: "10",
};

/** TRADER1's firm. */
export const ALPHA: Firm = { id: 1, name: "ALPHA" };
/** TRADER2's firm. */
export const BETA: Firm = { id: 2, name: "BETA" };
const session = (id: number, senderCompId: string, firm: Firm): FixSession => ({
  id,
  senderCompId,
  firm,
  role: "trading",
  username: "u",
  password: "p",
});
/** Session 1. */
export const TRADER1 = session(1, "TRADER1", ALPHA);
/** Session 2. */
export const TRADER2 = session(2, "TRADER2", BETA);

/** Both instruments and both sessions. */
export const VENUE: FeedVenue = {
  instruments: [ACME, TULIP],
  sessionById: new Map([[1, TRADER1], [2, TRADER2]]),
};

/** 2026-03-02T09:30:00.000123Z, µs. */
export const OPEN_US = Date.UTC(2026, 2, 2, 9, 30) * 1000 + 123;

type Numbers = Partial<Omit<Event, "clOrdId" | "origClOrdId" | "symbol" | "text">>;
interface Texts {
  readonly clOrdId?: string;
  readonly origClOrdId?: string;
  readonly symbol?: string;
  readonly text?: string;
}
/** Fields of an event; those left out are 0 or empty. */
export type EventFields = Numbers & Texts;

/** An event with these fields, the others 0 or empty. */
export function eventOf({ clOrdId, origClOrdId, symbol, text, ...numbers }: EventFields): Event {
  const event = Object.assign(new Event(), numbers);
  event.clOrdId.setText(clOrdId ?? "");
  event.origClOrdId.setText(origClOrdId ?? "");
  event.symbol.setText(symbol ?? "");
  event.text.setText(text ?? "");
  return event;
}

/** A LevelChanged of ACME or another instrument. */
export function levelOf(
  side: number,
  priceTicks: number,
  qtyLots: number,
  orders: number,
  instrumentId = 1,
): Event {
  return eventOf({
    kind: EventKind.LevelChanged,
    instrumentId,
    side,
    priceTicks,
    levelQtyLots: qtyLots,
    levelOrders: orders,
  });
}

/** A PhaseChanged of ACME. */
export function phaseOf(previousPhase: number, phase: number, more: EventFields = {}): Event {
  const fields = { kind: EventKind.PhaseChanged, instrumentId: 1, previousPhase, phase };
  return eventOf({ cause: PhaseCause.Command, ...fields, ...more });
}

/** An AuctionIndicated of ACME. */
export function indicatedOf(priceTicks: number, levelQtyLots: number, surplusLots: number): Event {
  return eventOf({
    kind: EventKind.AuctionIndicated,
    instrumentId: 1,
    priceTicks,
    levelQtyLots,
    surplusLots,
  });
}

/** An OrderAccepted of TRADER1 for a limit order of 5 at 10.00. */
export function acceptedOf(clOrdId: string, orderId: number, more: EventFields = {}): Event {
  return eventOf({
    kind: EventKind.OrderAccepted,
    sessionId: 1,
    firmId: 1,
    instrumentId: 1,
    orderId,
    side: 1,
    ordType: 2,
    priceTicks: 1000,
    orderQtyLots: 5,
    leavesQtyLots: 5,
    clOrdId,
    ...more,
  });
}

/** The messages of one command: one, or several when `maxBytes` cuts it. `traces` by event index; `timeUs` is its time. */
export function batchesOf(
  cmdSeq: number,
  events: readonly Event[],
  options: { epoch?: number; maxBytes?: number; timeUs?: number; traces?: ReadonlyMap<number, ByteSlice> } =
    {},
): Uint8Array[] {
  const writer = new EventBatchWriter(options.maxBytes ?? 65536);
  writer.begin(0, options.epoch ?? 1, cmdSeq, options.timeUs ?? OPEN_US + cmdSeq);
  for (const event of events) {
    const index = writer.append(event);
    const trace = options.traces?.get(index);
    if (trace !== undefined) writer.addTrace(index, trace);
  }
  return writer.end();
}

/** Where the events of the drop copies' tests stand. */
export const AT = { shard: 0, cmdSeq: 12, eventIndex: 3, timestampUs: OPEN_US };
/** A sell of nine lots of TULIP-DEC by TRADER1. */
export const ORDER: EventFields = {
  sessionId: 1,
  firmId: 1,
  instrumentId: 4,
  orderId: 12 * 4096 + 1,
  side: 2,
  ordType: 2,
  timeInForce: 0,
  priceTicks: 41,
  orderQtyLots: 9,
  clOrdId: "A1",
};
