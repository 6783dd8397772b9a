/**
 * Events onto the wire: an EventSink over EventBatchWriter. Owns which events carry a traced command's trace: its
 * first event (for the gateway that answers) and its first LevelChanged (for market data). Pure.
 */
import { EventKind } from "../../../shared/protocol/mod.ts";
import {
  ByteSlice,
  type Command,
  type Event,
  EventBatchWriter,
  TRACE_BYTES,
} from "../../../shared/codec/wire/mod.ts";
import type { EventSink } from "./event_sink.ts";

/** `begin`, then hand it to the engine, then `end`. */
export class EventEncoder implements EventSink {
  readonly records: EventBatchWriter;
  readonly #trace = new ByteSlice();
  #traceFirst = false;
  #traceLevel = false;

  /** Messages stay at or below `maxBytes` (≥ 4096). */
  constructor(maxBytes: number) {
    this.records = new EventBatchWriter(maxBytes);
  }

  /** Events of the current command message so far. */
  get eventCount(): number {
    return this.records.eventCount;
  }

  /** Starts the events of a command message. */
  begin(shard: number, epoch: number, cmdSeq: number, timestampUs: number): void {
    this.records.begin(shard, epoch, cmdSeq, timestampUs);
  }

  /** Says that the command message was refused whole; it has no events then. */
  refuse(): void {
    this.records.refuse();
  }

  /** Says that commands of the message had been applied before. */
  repeat(): void {
    this.records.repeat();
  }

  /** Completes them: one message, or several when one is too small. The caller owns what is returned. */
  end(): Uint8Array[] {
    return this.records.end();
  }

  commandStarts(command: Command): void {
    const { buffer, start, length } = command.trace;
    const traced = length === TRACE_BYTES;
    this.#traceFirst = traced;
    this.#traceLevel = traced;
    if (traced) this.#trace.set(buffer, start, length);
  }

  event(event: Event): void {
    this.records.append(event);
    if (this.#traceLevel) this.recorded(event.kind as EventKind);
  }

  /** Traces the event last written when it is one that carries the trace. */
  recorded(kind: EventKind): void {
    const last = this.records.eventCount - 1;
    if (this.#traceFirst) {
      this.#traceFirst = false;
      this.records.addTrace(last, this.#trace);
    } else if (this.#traceLevel && kind === EventKind.LevelChanged) {
      this.#traceLevel = false;
      this.records.addTrace(last, this.#trace);
    }
  }
}
