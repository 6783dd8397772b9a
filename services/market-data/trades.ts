/** From executions to trade messages: one per trade, though both sides are told of it. Pure. */
import type { Event } from "../../shared/codec/wire/mod.ts";
import { priceText, qtyText, tradeIdText } from "../../shared/protocol/execution.ts";
import { isoTimeText, type TradeMessage } from "../../shared/protocol/market_data.ts";
import {
  EventKind,
  type EventPosition,
  type Instrument,
  Liquidity,
  Side,
} from "../../shared/protocol/mod.ts";

/** The trade that this event is the first of its two executions of; null for any other event. */
export function tradeOf(event: Event, at: EventPosition, instrument: Instrument): TradeMessage | null {
  if (event.kind !== EventKind.OrderExecuted || event.tradeIndex !== at.eventIndex + 1) return null;
  return {
    type: "trade",
    symbol: instrument.symbol,
    tradeId: tradeIdText(at.shard, at.cmdSeq, event.tradeIndex),
    price: priceText(event.lastPxTicks, instrument),
    qty: qtyText(event.lastQtyLots, instrument),
    aggressor: aggressorOf(event),
    cmdSeq: at.cmdSeq,
    time: isoTimeText(at.timestampUs),
  };
}

function aggressorOf({ side, liquidity }: Event): TradeMessage["aggressor"] {
  if (liquidity === Liquidity.None) return null;
  return (side === Side.Buy) === (liquidity === Liquidity.Removed) ? "buy" : "sell";
}
