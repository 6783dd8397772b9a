/**
 * An engine for tests of the service shell: no book, but events, levels and a hash that are functions of the command
 * stream. Test code only. Pure.
 */
import { type CommandBatchReader, Event, type EventBatchWriter } from "../../shared/codec/wire/mod.ts";
import { CommandFlag, EventKind, orderIdOf, Side } from "../../shared/protocol/mod.ts";
import type { EnginePort, LevelVisitor } from "./engine_port.ts";

/** Accepts every command, `qtyLots` times each, and keeps one level per instrument. */
export class TestEngine implements EnginePort {
  readonly #event = new Event();
  readonly #orders = new Map<number, number>();
  #hash = 0;

  apply(cmdSeq: number, timestampUs: number, batch: CommandBatchReader, out: EventBatchWriter): void {
    const event = this.#event;
    while (batch.next()) {
      const { command } = batch;
      this.#hash = (Math.imul(this.#hash, 31) + cmdSeq + timestampUs % 65536 + command.qtyLots) >>> 0;
      const orders = (this.#orders.get(command.instrumentId) ?? 0) + 1;
      this.#orders.set(command.instrumentId, orders);
      for (let i = 0; i < command.qtyLots; i++) {
        event.kind = EventKind.OrderAccepted;
        event.orderId = orderIdOf(cmdSeq, batch.index);
        event.sessionId = command.sessionId;
        event.instrumentId = command.instrumentId;
        event.msgSeqNum = this.#hash;
        event.commandIndex = batch.index;
        event.flags = command.flags & ~CommandFlag.Traced;
        event.clOrdId.set(command.clOrdId.buffer, command.clOrdId.start, command.clOrdId.length);
        out.append(event);
      }
      event.kind = EventKind.LevelChanged;
      event.side = Side.Buy;
      event.priceTicks = 100;
      event.levelQtyLots = event.levelOrders = orders;
      out.append(event);
    }
  }

  stateHash(): string {
    return this.#hash.toString(16).padStart(8, "0");
  }

  visitLevels(visit: LevelVisitor): void {
    for (const [instrumentId, orders] of this.#orders) visit(instrumentId, Side.Buy, 100, orders, orders);
  }
}
