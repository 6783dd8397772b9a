/**
 * Brings events to the FIX sessions that are to hear of them. Owns nothing but the scratch of one report; what a
 * report says is order entry's, how it is numbered and sent the session's. Reads no stream. A session's reports leave
 * in event order; its transport writes those of one turn, and so of one NATS message, at once. docs/architecture.md.
 */
import type { Span } from "@opentelemetry/api";
import { ByteSlice, type Event, type EventBatchReader } from "../../../shared/codec/wire/mod.ts";
import type { Logger } from "../../../shared/cli/log.ts";
import type { Venue } from "../../../shared/config/mod.ts";
import { type OrderTracer, SpanName } from "../../../shared/otel/mod.ts";
import type { ReportPort } from "../durable/mod.ts";
import { QuoteAcks } from "../order_entry/mod.ts";
import { isMarketEvent, isReported, writeReport } from "./event_report.ts";
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
  /** Hears of every event that concerns no session, each once and in order; `event` is borrowed. */
  readonly onMarketEvent?: (event: Event, cmdSeq: number) => void;
  readonly tracer: OrderTracer;
  readonly log: Logger;
}

/** Writes reports for the events of one shard. */
export class Router implements EventReceiver {
  readonly #options: RouterOptions;
  readonly #position: { shard: number; cmdSeq: number; eventIndex: number; timestampUs: number };
  readonly #trace = new ByteSlice();
  readonly #acks = new QuoteAcks();

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
      const isNew = reader.eventIndex >= fromIndex;
      if (isMarketEvent(reader.event)) {
        if (isNew) this.#options.onMarketEvent?.(reader.event, reader.cmdSeq);
        continue;
      }
      if (!isReported(reader, this.#acks, this.#options.venue) || !isNew) continue;
      position.eventIndex = reader.eventIndex;
      const span = reader.traceCount > 0 ? this.#startSpan(reader) : null;
      this.#send(reader);
      span?.end();
    }
  }

  #send(reader: EventBatchReader): void {
    const { recipient, venue, log } = this.#options;
    const { event } = reader;
    // An operator's or the timekeeper's: no FIX session is to hear of it.
    if (event.sessionId === 0) return;
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
    const msgType = writeReport(event, this.#position, venue, this.#acks, port.compose());
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
