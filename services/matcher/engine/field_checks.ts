/**
 * Whether a command's own fields make sense for its instrument. The gateway has checked the same; the engine checks
 * again, since a command may come from anywhere. Pure. Values in, Reason out; nothing is thrown.
 */
import { MAX_CL_ORD_ID_BYTES, MAX_PRICE_TICKS, OrdType, Reason, Side } from "../../../shared/protocol/mod.ts";
import type { ByteSlice, Command } from "../../../shared/codec/wire/mod.ts";
import type { InstrumentTable } from "./instrument_table.ts";

const { Market } = OrdType;
const {
  ClOrdIdTooLong,
  FieldUnsupported,
  None: NO_REASON,
  PriceForbidden,
  PriceNotPositive,
  PriceOffTick,
  PriceOverLimit,
  QtyNotPositive,
  QtyOffLot,
  QtyOverLimit,
  UnknownSymbol,
} = Reason;
const { Buy, Sell } = Side;

/** Why a ClOrdID cannot be used, or None. An absent one could never be named again. */
export function clOrdIdFault(id: ByteSlice): Reason {
  if (id.length > MAX_CL_ORD_ID_BYTES) return ClOrdIdTooLong;
  return id.length > 0 ? NO_REASON : FieldUnsupported;
}

/** Why the terms of a plain order, Limit or Market, are refused, or None: what order_terms.ts says of such a one. */
export function plainFault(command: Command, instruments: InstrumentTable): Reason {
  const { side } = command;
  if (!instruments.has(command.instrumentId)) return UnknownSymbol;
  if (side !== Buy && side !== Sell) return FieldUnsupported;
  if (command.ordType === Market) {
    if (command.priceTicks !== 0) return PriceForbidden;
  } else {
    const fault = priceFault(command.priceTicks);
    if (fault !== NO_REASON) return fault;
  }
  return qtyFault(command.qtyLots, instruments.maxOrderQty[command.instrumentId]);
}

/** Whether a number is a price in ticks. */
export function ticksFit(priceTicks: number): boolean {
  return (priceTicks | 0) === priceTicks && priceTicks > 0;
}

/** Why a limit price is refused, or None. */
export function priceFault(priceTicks: number): Reason {
  if (!(priceTicks > 0)) return PriceNotPositive;
  if (priceTicks > MAX_PRICE_TICKS) return PriceOverLimit;
  return (priceTicks | 0) === priceTicks ? NO_REASON : PriceOffTick;
}

/** Why an OrderQty is refused, or None. */
export function qtyFault(qtyLots: number, maxOrderQty: number): Reason {
  if (!(qtyLots > 0)) return QtyNotPositive;
  if (qtyLots > maxOrderQty) return QtyOverLimit;
  return (qtyLots | 0) === qtyLots ? NO_REASON : QtyOffLot;
}
