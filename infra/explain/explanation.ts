/** Makes the explanation of one execution out of what was recorded of its command message. Pure. */
import { EventKind, Reason } from "../../shared/protocol/mod.ts";
import type { ExecId } from "./exec_id.ts";
import type { AuctionStage, LevelStage, RecordedEvent, Recording, RestingOrder } from "./recording.ts";

/** What an order at the level came to. */
export interface Outcome {
  readonly order: RestingOrder;
  readonly receivedLots: number;
  /** In how many trades. */
  readonly trades: number;
  /** What self-match prevention did to it. */
  readonly prevented: "canceled" | "reduced" | null;
}

/** One side's part of an auction. */
export interface AuctionPart {
  readonly orderId: number;
  readonly clOrdId: string;
  readonly sessionId: number;
  /** 0 for a market order. */
  readonly priceTicks: number;
  /** LeavesQty before the auction, hidden quantity included. */
  readonly leavesLots: number;
  readonly receivedLots: number;
}

/** Why an execution had its quantity. */
export type Explanation =
  & {
    readonly execId: ExecId;
    readonly timestampUs: number;
    readonly execution: RecordedEvent;
    /** The other side of the trade. */
    readonly counter: RecordedEvent;
  }
  & (
    | {
      readonly kind: "level";
      readonly stage: LevelStage;
      /** What of the aggressor self-match prevention took at the level: its end or a part of it. */
      readonly aggressorPrevented: "canceled" | "reduced" | null;
      readonly outcomes: readonly Outcome[];
    }
    | {
      readonly kind: "auction";
      readonly stage: AuctionStage;
      /** Orders of the execution's side, in the order in which they traded. */
      readonly parts: readonly AuctionPart[];
    }
  );

/** An ExecID that names no execution; the message is one sentence. */
export class NoExecutionError extends Error {
  override readonly name = "NoExecutionError";
}

const KIND_NAMES = new Map<number, string>(Object.entries(EventKind).map(([name, code]) => [code, name]));

/** Explains the execution at `execId`. Throws {@link NoExecutionError} when it is none. */
export function explain(recording: Recording, execId: ExecId, timestampUs: number): Explanation {
  const { events } = recording;
  const execution = events[execId.index];
  if (execution === undefined) {
    const has = events.length === 0 ? "caused no event" : `caused events 0 to ${events.length - 1}`;
    throw new NoExecutionError(
      `Cannot explain ${textOf(execId)}: there is no such execution; command message ${execId.cmdSeq} ${has}`,
    );
  }
  if (execution.kind !== EventKind.OrderExecuted) {
    throw new NoExecutionError(
      `Cannot explain ${textOf(execId)}: it is no execution but ${KIND_NAMES.get(execution.kind)}${
        execution.orderId === 0 ? "" : ` of the order with ClOrdID(11) "${execution.clOrdId}"`
      }`,
    );
  }
  const place = recording.stages.findLastIndex(({ firstEvent }) => firstEvent <= execId.index);
  const stage = recording.stages[place];
  const end = recording.stages[place + 1]?.firstEvent ?? events.length;
  const own = events.slice(stage.firstEvent, end)
    .filter(({ commandIndex }) => commandIndex === execution.commandIndex);
  const first = execution.tradeIndex - 1;
  const counter = events[first === execId.index ? first + 1 : first];
  const head = { execId, timestampUs, execution, counter };
  if (stage.kind === "auction") {
    return { ...head, kind: "auction", stage, parts: partsOf(own, execution.side) };
  }
  return {
    ...head,
    kind: "level",
    stage,
    aggressorPrevented: preventedOf(own, stage.aggressorId),
    outcomes: stage.orders.map((order) => outcomeOf(own, order)),
  };
}

/** An ExecID as FIX text. */
export function textOf({ shard, cmdSeq, index }: ExecId): string {
  return `${shard}-${cmdSeq}-${index}`;
}

function outcomeOf(events: readonly RecordedEvent[], order: RestingOrder): Outcome {
  const fills = events.filter(({ kind, orderId }) =>
    kind === EventKind.OrderExecuted && orderId === order.orderId
  );
  return {
    order,
    receivedLots: fills.reduce((sum, { lastQtyLots }) => sum + lastQtyLots, 0),
    trades: fills.length,
    prevented: preventedOf(events, order.orderId),
  };
}

function preventedOf(events: readonly RecordedEvent[], of: number): "canceled" | "reduced" | null {
  const told = events.findLast(({ orderId, reason, kind }) =>
    orderId === of && reason === Reason.SelfMatchPrevented && kind !== EventKind.OrderExecuted
  );
  return told === undefined ? null : told.kind === EventKind.OrderCanceled ? "canceled" : "reduced";
}

function partsOf(events: readonly RecordedEvent[], of: number): AuctionPart[] {
  const parts = new Map<number, AuctionPart>();
  for (const event of events) {
    if (event.kind !== EventKind.OrderExecuted || event.side !== of) continue;
    const { orderId, clOrdId, sessionId, priceTicks, leavesQtyLots, lastQtyLots } = event;
    const before = parts.get(orderId);
    parts.set(orderId, {
      orderId,
      clOrdId,
      sessionId,
      priceTicks,
      leavesLots: before?.leavesLots ?? leavesQtyLots + lastQtyLots,
      receivedLots: (before?.receivedLots ?? 0) + lastQtyLots,
    });
  }
  return [...parts.values()];
}
