/** What the simulated traders ask for and hear back, and the FIX bodies of what they ask for. Pure. */
import type { FixWriter } from "../../shared/codec/fix/mod.ts";
import type { Instrument } from "../../shared/protocol/mod.ts";
import { OrdType, type Side, TimeInForce } from "../../shared/protocol/mod.ts";

/** An order message. */
export type DemoRequest =
  | {
    readonly kind: "new";
    readonly instrument: Instrument;
    readonly clOrdId: string;
    readonly side: Side;
    /** 0: a market order. */
    readonly priceTicks: number;
    readonly qtyLots: number;
    readonly timeInForce: TimeInForce;
  }
  | {
    readonly kind: "replace";
    readonly instrument: Instrument;
    readonly clOrdId: string;
    readonly origClOrdId: string;
    readonly side: Side;
    readonly priceTicks: number;
    readonly qtyLots: number;
  }
  | {
    readonly kind: "cancel";
    readonly instrument: Instrument;
    readonly clOrdId: string;
    /** The order that is meant. */
    readonly origClOrdId: string;
    readonly side: Side;
  }
  | {
    readonly kind: "status";
    readonly instrument: Instrument;
    /** The order that is meant. */
    readonly origClOrdId: string;
    readonly side: Side;
  };

/** What an ExecutionReport(8) or OrderCancelReject(9) says of an order. */
export interface DemoReply {
  readonly clOrdId: string;
  readonly origClOrdId: string;
  /** OrdStatus(39). */
  readonly ordStatus: string;
  /** ExecType(150); empty in an OrderCancelReject. */
  readonly execType: string;
}

/** A trader of the simulation; asked again and again what to do next. */
export interface DemoTrader {
  /** The next message at `nowMs`, or null to wait. */
  next(nowMs: number): DemoRequest | null;
  /** Hears of its orders. */
  heard(reply: DemoReply): void;
  /** What to ask after a lost connection, for every order whose fate is unknown. */
  recall(): DemoRequest[];
  /** What to send before leaving: cancels for everything that rests. */
  leave(): DemoRequest[];
}

/** Writes the body of a request (begin() already called) and returns its MsgType(35). */
export function writeRequest(request: DemoRequest, nowMs: number, writer: FixWriter): string {
  const { instrument, side } = request;
  if (request.kind === "status") {
    writer.text(11, request.origClOrdId);
    writer.text(55, instrument.symbol);
    writer.int(54, side);
    return "H";
  }
  if (request.kind !== "new") writer.text(41, request.origClOrdId);
  writer.text(11, request.clOrdId);
  writer.text(55, instrument.symbol);
  writer.int(54, side);
  writer.utcTimestamp(60, nowMs);
  if (request.kind === "cancel") return "F";
  writer.decimal(38, request.qtyLots * instrument.lotUnits, instrument.qtyScale);
  writer.int(40, request.priceTicks === 0 ? OrdType.Market : OrdType.Limit);
  if (request.priceTicks > 0) {
    writer.decimal(44, request.priceTicks * instrument.tickUnits, instrument.priceScale);
  }
  writer.int(59, request.kind === "new" ? request.timeInForce : TimeInForce.Day);
  return request.kind === "new" ? "D" : "G";
}
