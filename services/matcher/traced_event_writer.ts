/**
 * An event writer that lets the trace of a traced command travel on with every order event it causes. A traced
 * command's bytes decide it alone, so the events stay a function of the stream. Pure.
 */
import { type CommandBatchReader, type Event, EventBatchWriter } from "../../shared/codec/wire/mod.ts";
import { CommandFlag, EventKind } from "../../shared/protocol/mod.ts";

/** Writes events of the batch that `batch` reads; relies on the engine's order (EnginePort.apply). */
export class TracedEventWriter extends EventBatchWriter {
  readonly #batch: CommandBatchReader;

  constructor(maxBytes: number, batch: CommandBatchReader) {
    super(maxBytes);
    this.#batch = batch;
  }

  override append(event: Event): number {
    const index = super.append(event);
    const { command } = this.#batch;
    if ((command.flags & CommandFlag.Traced) !== 0 && event.kind !== EventKind.LevelChanged) {
      this.addTrace(index, command.trace);
    }
    return index;
  }
}
