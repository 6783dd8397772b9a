/** The command that caused an execution, copied out of its batch. Pure. */
import type { CommandBatchReader } from "../../shared/codec/wire/mod.ts";
import { charOfCode, CommandKind } from "../../shared/protocol/mod.ts";

/** What explanations say of a command; 0 and "" for what it does not have. */
export interface CausingCommand {
  /** Index in its message. */
  readonly index: number;
  readonly kind: CommandKind;
  readonly sessionId: number;
  readonly instrumentId: number;
  readonly side: number;
  /** OrdType(40) and TimeInForce(59) as FIX characters. */
  readonly ordType: string;
  readonly timeInForce: string;
  readonly priceTicks: number;
  readonly stopPxTicks: number;
  readonly qtyLots: number;
  readonly maxFloorLots: number;
  readonly minQtyLots: number;
  readonly target: number;
  readonly scope: number;
  readonly expireUs: number;
  readonly clOrdId: string;
  readonly origClOrdId: string;
}

/** The command at `index` of an opened batch, which is used up. */
export function commandAt(batch: CommandBatchReader, index: number): CausingCommand {
  while (batch.next()) {
    if (batch.index !== index) continue;
    const { kind, sessionId, instrumentId, side, ordType, timeInForce, priceTicks, stopPxTicks } =
      batch.command;
    const { qtyLots, maxFloorLots, minQtyLots, target, scope, expireUs, clOrdId, origClOrdId } =
      batch.command;
    return {
      index,
      kind: kind as CommandKind,
      sessionId,
      instrumentId,
      side,
      ordType: String.fromCharCode(charOfCode(ordType)),
      timeInForce: String.fromCharCode(charOfCode(timeInForce)),
      priceTicks,
      stopPxTicks,
      qtyLots,
      maxFloorLots,
      minQtyLots,
      target,
      scope,
      expireUs,
      clOrdId: clOrdId.toString(),
      origClOrdId: origClOrdId.toString(),
    };
  }
  throw new Error(`Cannot find command ${index}: the message has ${batch.count}`);
}

/** What a command is called. */
export function kindName(kind: CommandKind): string {
  return Object.entries(CommandKind).find(([, code]) => code === kind)?.[0] ?? String(kind);
}
