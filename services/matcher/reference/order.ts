/** The naive order: every attribute a plain field, and the questions asked of one. Pure. */
import {
  MAX_PRICE_TICKS,
  OrdStatus,
  OrdType,
  Side,
  SmpAction,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";

/** Where an order waits: nowhere before it rests and once it is done. */
export type Place = "nowhere" | "book" | "stops" | "parked";

/** An order as plain as can be. Prices in ticks, quantities in lots. */
export interface RefOrder {
  readonly orderId: number;
  readonly session: number;
  readonly firm: number;
  readonly instrument: number;
  readonly side: number;
  readonly isQuote: boolean;
  ordType: number;
  timeInForce: number;
  /** 0 for a market order. */
  price: number;
  stopPx: number;
  maxFloor: number;
  /** Only until it has first been matched. */
  minQty: number;
  expireUs: number;
  execInst: number;
  smpId: number;
  smpAction: number;
  account: number;
  qty: number;
  cum: number;
  notional: bigint;
  status: number;
  /** The ClOrdID that it goes by, or went by last; of a quote its QuoteID. */
  clOrdId: string;
  place: Place;
  /** What the book displays of it; 0 outside the book. */
  shown: number;
  /** Whether it was a stop. */
  triggered: boolean;
}

/** The terms that a new order and a replacement carry alike. */
export type Terms = Pick<
  RefOrder,
  | "ordType"
  | "timeInForce"
  | "price"
  | "stopPx"
  | "maxFloor"
  | "expireUs"
  | "execInst"
  | "smpId"
  | "smpAction"
  | "account"
>;

/** A command's terms. */
export function termsOf(command: Command): Terms {
  return {
    ordType: command.ordType,
    timeInForce: command.timeInForce,
    price: command.priceTicks,
    stopPx: command.stopPxTicks,
    maxFloor: command.maxFloorLots,
    expireUs: command.expireUs,
    execInst: command.execInst,
    ...selfMatchTermsOf(command),
  };
}

/** The terms that a quote takes from its command; an unknown action is none. */
export function selfMatchTermsOf(command: Command): Pick<Terms, "smpId" | "smpAction" | "account"> {
  const known: number[] = Object.values(SmpAction);
  return {
    smpId: command.smpId,
    smpAction: known.includes(command.smpAction) ? command.smpAction : SmpAction.None,
    account: command.account,
  };
}

/** An order that nothing has happened to. */
export function newRefOrder(
  command: Command,
  own: Pick<RefOrder, "orderId" | "instrument" | "side" | "isQuote" | "qty" | "minQty"> & Terms,
): RefOrder {
  return {
    ...own,
    session: command.sessionId,
    firm: command.firmId,
    cum: 0,
    notional: 0n,
    status: OrdStatus.New,
    clOrdId: command.clOrdId.toString(),
    place: "nowhere",
    shown: 0,
    triggered: false,
  };
}

/** Whether an order may still trade. */
export function isOpen(order: RefOrder): boolean {
  return order.status === OrdStatus.New || order.status === OrdStatus.PartiallyFilled;
}

/** LeavesQty, what is hidden included. */
export function leavesOf(order: RefOrder): number {
  return isOpen(order) ? order.qty - order.cum : 0;
}

/** What the book shows of an order that enters it or is shown anew. */
export function freshlyShown(order: RefOrder): number {
  return order.maxFloor === 0 ? leavesOf(order) : Math.min(order.maxFloor, leavesOf(order));
}

/** The worst price that an order takes; a market order takes any. */
export function limitOf({ ordType, side, price }: RefOrder): number {
  const unlimited = ordType === OrdType.Market || ordType === OrdType.MarketToLimit;
  if (!unlimited) return price;
  return side === Side.Buy ? MAX_PRICE_TICKS : 1;
}

/** Whether a resting order at `price` stands before one at `other`: higher to buy, lower to sell. */
export function isBetter(side: number, price: number, other: number): boolean {
  return side === Side.Buy ? price > other : price < other;
}

/** Whether it waits for a price: Stop or stop limit, not triggered. */
export function isStop({ ordType }: Pick<RefOrder, "ordType">): boolean {
  return ordType === OrdType.Stop || ordType === OrdType.StopLimit;
}

/** Day, good till cancel or good till date: what can stay in the book from one phase to the next. */
export function isLasting(timeInForce: number): boolean {
  const lasting: number[] = [TimeInForce.Day, TimeInForce.GoodTillCancel, TimeInForce.GoodTillDate];
  return lasting.includes(timeInForce);
}

/** The other side. */
export function opposite(side: number): Side {
  return side === Side.Buy ? Side.Sell : Side.Buy;
}
