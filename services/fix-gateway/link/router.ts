/**
 * Brings events to the FIX sessions that are to hear of them. Owns nothing but the scratch of one report; what a
 * report says is order entry's, how it is numbered and sent the session's. Reads no stream. A session's reports leave
 * in event order; its transport writes those of one turn, and so of one NATS message, at once. Spec: design §4.
 */
import type { Span } from "@opentelemetry/api";
import { ByteSlice, type EventBatchReader } from "../../../shared/codec/wire/mod.ts";
import type { Logger } from "../../../shared/cli/log.ts";
import type { Venue } from "../../../shared/config/mod.ts";
import { type OrderTracer, SpanName } from "../../../shared/otel/mod.ts";
import { EventKind } from "../../../shared/protocol/mod.ts";
import type { ReportPort } from "../durable/mod.ts";
import { report } from "../order_entry/mod.ts";
import type { EventReceiver } from "./event_sequence.ts";

/** What a router needs. */
export interface RouterOptions {
  readonly shard: number;
  readonly venue: Venue;
  /**
   * Where a report of an event of session `id` goes: null when it is not this gateway's to send now, undefined when the
   * venue has no such session.
   */
  readonly recipient: (id: number, cmdSeq: number, eventIndex: number) => ReportPort | null | undefined;
  readonly tracer: OrderTracer;
  readonly log: Logger;
}

/** Writes reports for the events of one shard. */
export class Router implements EventReceiver {
  readonly #options: RouterOptions;
  readonly #position: { shard: number; cmdSeq: number; eventIndex: number; timestampUs: number };
  readonly #trace = new ByteSlice();

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#position = { shard: options.shard, cmdSeq: 0, eventIndex: 0, timestampUs: 0 };
  }

  /** Sends the reports of one group's events from `fromIndex` on. */
  group(reader: EventBatchReader, fromIndex: number): void {
    const position = this.#position;
    position.cmdSeq = reader.cmdSeq;
    position.timestampUs = reader.timestampUs;
    while (reader.nextEvent()) {
      if (reader.eventIndex < fromIndex || reader.event.kind === EventKind.LevelChanged) continue;
      position.eventIndex = reader.eventIndex;
      const span = reader.traceCount > 0 ? this.#startSpan(reader) : null;
      this.#send(reader);
      span?.end();
    }
  }

  #send(reader: EventBatchReader): void {
    const { recipient, venue, log } = this.#options;
    const { event } = reader;
    const port = recipient(event.sessionId, reader.cmdSeq, reader.eventIndex);
    if (port === null) return;
    if (port === undefined) {
      log.error("an event names a session that the venue does not have", {
        sessionId: event.sessionId,
        cmdSeq: reader.cmdSeq,
        eventIndex: reader.eventIndex,
      });
      return;
    }
    const msgType = report(event, this.#position, venue, port.compose());
    if (msgType !== null) port.send(msgType);
  }

  #startSpan(reader: EventBatchReader): Span | null {
    if (!reader.traceOf(reader.eventIndex, this.#trace)) return null;
    const { shard, cmdSeq, eventIndex } = this.#position;
    return this.#options.tracer.startChild(SpanName.Report, this.#trace, {
      "pitwire.shard": shard,
      "pitwire.cmd_seq": cmdSeq,
      "pitwire.event_index": eventIndex,
    });
  }
}
