/**
 * An engine for tests of the service shell: no book, but events, levels and a hash that are functions of the command
 * stream. Test code only. Pure.
 */
import { type CommandBatchReader, Event } from "../../shared/codec/wire/mod.ts";
import { EventKind, orderIdOf, Side } from "../../shared/protocol/mod.ts";
import { BatchOutcome, type EventSink, type LevelVisitor } from "./engine/mod.ts";
import type { EnginePort } from "./engine_port.ts";

/** Accepts every command, `qtyLots` times each, and keeps one level per instrument. */
export class TestEngine implements EnginePort {
  readonly #event = new Event();
  readonly #orders = new Map<number, number>();
  #hash = 0;

  applyBatch(cmdSeq: number, timestampUs: number, batch: CommandBatchReader, sink: EventSink): BatchOutcome {
    const event = this.#event;
    while (batch.next()) {
      const { command } = batch;
      this.#hash = (Math.imul(this.#hash, 31) + cmdSeq + timestampUs % 65536 + command.qtyLots) >>> 0;
      const orders = (this.#orders.get(command.instrumentId) ?? 0) + 1;
      this.#orders.set(command.instrumentId, orders);
      sink.commandStarts(command);
      for (let i = 0; i < command.qtyLots; i++) {
        event.kind = EventKind.OrderAccepted;
        event.orderId = orderIdOf(cmdSeq, batch.index);
        event.sessionId = command.sessionId;
        event.instrumentId = command.instrumentId;
        event.msgSeqNum = this.#hash;
        event.commandIndex = batch.index;
        event.clOrdId.set(command.clOrdId.buffer, command.clOrdId.start, command.clOrdId.length);
        sink.event(event);
      }
      event.kind = EventKind.LevelChanged;
      event.side = Side.Buy;
      event.priceTicks = 100;
      event.levelQtyLots = event.levelOrders = orders;
      sink.event(event);
    }
    return BatchOutcome.Applied;
  }

  begin(): void {}

  stateHash(): string {
    return this.#hash.toString(16).padStart(8, "0");
  }

  *stateHashSteps(): Generator<void, string> {
    yield;
    return this.stateHash();
  }

  gateway(): { bootId: number; lastSeq: number } {
    return { bootId: 0, lastSeq: 0 };
  }

  session(): { incarnation: number; highest: number } {
    return { incarnation: 0, highest: 0 };
  }

  levels(instrumentId: number, side: Side, visit: LevelVisitor): void {
    const orders = this.#orders.get(instrumentId) ?? 0;
    if (orders > 0 && side === Side.Buy) visit(100, orders, orders);
  }

  instrumentState(): null {
    return null;
  }

  volatilitySinceUs(): number {
    return 0;
  }

  nextExpiryUs(): number {
    return 0;
  }
}
