/** The naive checks of a command's fields: first fault wins. Pure. */
import {
  type Instrument,
  MAX_CL_ORD_ID_BYTES,
  MAX_PRICE_TICKS,
  OrdType,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import type { Command } from "../../../shared/codec/wire/mod.ts";
import type { RefOrder } from "./book.ts";

/** The first rule that is broken, in order, or None. */
function first(rules: readonly (readonly [boolean, Reason])[]): Reason {
  return rules.find(([broken]) => broken)?.[1] ?? Reason.None;
}

/** What is wrong with a ClOrdID(11), or None. */
export function clOrdIdFault(text: string): Reason {
  return first([
    [text.length > MAX_CL_ORD_ID_BYTES, Reason.ClOrdIdTooLong],
    [text.length === 0, Reason.FieldUnsupported],
  ]);
}

/** What is wrong with a new order by itself, or None. */
export function newOrderFault(command: Command, instrument: Instrument | undefined): Reason {
  if (instrument === undefined) return Reason.UnknownSymbol;
  const sides: number[] = Object.values(Side);
  const types: number[] = Object.values(OrdType);
  const times: number[] = Object.values(TimeInForce);
  const market = command.ordType === OrdType.Market;
  return first([
    [!sides.includes(command.side), Reason.FieldUnsupported],
    [!types.includes(command.ordType), Reason.OrdTypeUnsupported],
    [!times.includes(command.timeInForce), Reason.TimeInForceUnsupported],
    [market && command.priceTicks !== 0, Reason.PriceForbidden],
  ]) || (market ? Reason.None : priceFault(command.priceTicks)) || qtyFault(command.qtyLots, instrument);
}

/** What is wrong with a replacement of `order`, or None. */
export function replaceFault(command: Command, order: RefOrder, instrument: Instrument): Reason {
  return first([
    [command.ordType !== order.ordType, Reason.OrdTypeChanged],
    [command.timeInForce !== TimeInForce.Day, Reason.TimeInForceUnsupported],
  ]) || priceFault(command.priceTicks) || qtyFault(command.qtyLots, instrument);
}

function priceFault(price: number): Reason {
  return first([
    [Number.isNaN(price) || price <= 0, Reason.PriceNotPositive],
    [price > MAX_PRICE_TICKS, Reason.PriceOverLimit],
    [!Number.isInteger(price), Reason.PriceOffTick],
  ]);
}

function qtyFault(qty: number, instrument: Instrument): Reason {
  return first([
    [Number.isNaN(qty) || qty <= 0, Reason.QtyNotPositive],
    [qty > instrument.maxOrderQtyLots, Reason.QtyOverLimit],
    [!Number.isInteger(qty), Reason.QtyOffLot],
  ]);
}
