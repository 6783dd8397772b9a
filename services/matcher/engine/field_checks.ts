/**
 * Whether a command's own fields make sense for its instrument. The gateway has checked the same; the engine checks
 * again, since a command may come from anywhere. Pure. Values in, Reason out; nothing is thrown.
 */
import {
  MAX_CL_ORD_ID_BYTES,
  MAX_PRICE_TICKS,
  OrdType,
  Reason,
  Side,
  TimeInForce,
} from "../../../shared/protocol/mod.ts";
import type { ByteSlice, Command } from "../../../shared/codec/wire/mod.ts";
import type { InstrumentTable } from "./instrument_table.ts";

/** Why a ClOrdID cannot be used, or None. An absent one could never be named again. */
export function clOrdIdFault(id: ByteSlice): Reason {
  if (id.length > MAX_CL_ORD_ID_BYTES) return Reason.ClOrdIdTooLong;
  return id.length > 0 ? Reason.None : Reason.FieldUnsupported;
}

/** Why a new order's terms are refused, or None. */
export function newOrderFault(command: Command, instruments: InstrumentTable): Reason {
  const { side, ordType, timeInForce } = command;
  if (!instruments.has(command.instrumentId)) return Reason.UnknownSymbol;
  if (side !== Side.Buy && side !== Side.Sell) return Reason.FieldUnsupported;
  if (ordType !== OrdType.Limit && ordType !== OrdType.Market) return Reason.OrdTypeUnsupported;
  if (
    timeInForce !== TimeInForce.Day && timeInForce !== TimeInForce.ImmediateOrCancel &&
    timeInForce !== TimeInForce.FillOrKill
  ) return Reason.TimeInForceUnsupported;
  if (ordType === OrdType.Market) {
    if (command.priceTicks !== 0) return Reason.PriceForbidden;
  } else {
    const fault = priceFault(command.priceTicks);
    if (fault !== Reason.None) return fault;
  }
  return qtyFault(command.qtyLots, instruments.maxOrderQty[command.instrumentId]);
}

/** Why a limit price is refused, or None. */
export function priceFault(priceTicks: number): Reason {
  if (!(priceTicks > 0)) return Reason.PriceNotPositive;
  if (priceTicks > MAX_PRICE_TICKS) return Reason.PriceOverLimit;
  return (priceTicks | 0) === priceTicks ? Reason.None : Reason.PriceOffTick;
}

/** Why an OrderQty is refused, or None. */
export function qtyFault(qtyLots: number, maxOrderQty: number): Reason {
  if (!(qtyLots > 0)) return Reason.QtyNotPositive;
  if (qtyLots > maxOrderQty) return Reason.QtyOverLimit;
  return (qtyLots | 0) === qtyLots ? Reason.None : Reason.QtyOffLot;
}
