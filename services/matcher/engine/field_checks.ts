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

const { Limit, Market } = OrdType;
const {
  ClOrdIdTooLong,
  FieldUnsupported,
  None: NO_REASON,
  OrdTypeUnsupported,
  PriceForbidden,
  PriceNotPositive,
  PriceOffTick,
  PriceOverLimit,
  QtyNotPositive,
  QtyOffLot,
  QtyOverLimit,
  TimeInForceUnsupported,
  UnknownSymbol,
} = Reason;
const { Buy, Sell } = Side;
const { Day, FillOrKill, ImmediateOrCancel } = TimeInForce;

/** Why a ClOrdID cannot be used, or None. An absent one could never be named again. */
export function clOrdIdFault(id: ByteSlice): Reason {
  if (id.length > MAX_CL_ORD_ID_BYTES) return ClOrdIdTooLong;
  return id.length > 0 ? NO_REASON : FieldUnsupported;
}

/** Why a new order's terms are refused, or None. */
export function newOrderFault(command: Command, instruments: InstrumentTable): Reason {
  const { side, ordType, timeInForce } = command;
  if (!instruments.has(command.instrumentId)) return UnknownSymbol;
  if (side !== Buy && side !== Sell) return FieldUnsupported;
  if (ordType !== Limit && ordType !== Market) return OrdTypeUnsupported;
  if (
    timeInForce !== Day && timeInForce !== ImmediateOrCancel &&
    timeInForce !== FillOrKill
  ) return TimeInForceUnsupported;
  if (ordType === Market) {
    if (command.priceTicks !== 0) return PriceForbidden;
  } else {
    const fault = priceFault(command.priceTicks);
    if (fault !== NO_REASON) return fault;
  }
  return qtyFault(command.qtyLots, instruments.maxOrderQty[command.instrumentId]);
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
