/**
 * One OpenTelemetry trace per sampled order: the root span in the gateway, children in matcher, gateway and market
 * data. Owns the 24 bytes that carry the trace through commands and events; knows no exporter (Deno's own sends what
 * @opentelemetry/api records when OTEL_DENO is set).
 *
 * Every child hangs on the root span and not on the span before it: the bytes in an event must be a function of the
 * command alone, so a matcher's span id, which differs from run to run, cannot travel on.
 * Source: W3C Trace Context, trace-id and parent-id.
 */
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  trace,
  TraceFlags,
  type Tracer,
} from "@opentelemetry/api";
import type { ByteSlice } from "../codec/wire/mod.ts";
import { TRACE_BYTES } from "../codec/wire/mod.ts";

/** The spans of an order, in the order in which they start. */
export const SpanName = {
  /** Root, gateway: from the message's validation until its command lies in the batch of this socket read. */
  Order: "gateway.order",
  /** Matcher: from the command's arrival until its events have been sent to the gateways. */
  Match: "matcher.match",
  /** Gateway: one ExecutionReport, from its event's arrival until it is handed to the connection. */
  Report: "gateway.report",
  /** Market data: one stored event, until what it leads to has been published. */
  Publish: "market-data.publish",
} as const;

/** A sampled order's root span and the {@link TRACE_BYTES} that name it. */
export interface OrderTrace {
  readonly bytes: Uint8Array;
  readonly span: Span;
}

/** Starts the spans of one service. */
export class OrderTracer {
  readonly #tracer: Tracer;
  readonly #sampleEvery: number;
  #untilSample = 1;

  /**
   * @param service the service's name, also the tracer's
   * @param sampleEvery 1 traces every order, n every n-th; 0 none
   */
  constructor(service: string, sampleEvery: number) {
    this.#tracer = trace.getTracer(service);
    this.#sampleEvery = sampleEvery;
  }

  /** The root span of this order when its turn has come, else null. The caller ends the span. */
  startOrder(name: string, attributes: Attributes): OrderTrace | null {
    if (this.#sampleEvery === 0 || --this.#untilSample > 0) return null;
    this.#untilSample = this.#sampleEvery;
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT);
    const { traceId, spanId } = span.spanContext();
    const bytes = new Uint8Array(TRACE_BYTES);
    putHex(bytes, 0, traceId);
    putHex(bytes, 16, spanId);
    return { bytes, span };
  }

  /** A child of the order's root span. The caller ends it. */
  startChild(
    name: string,
    traceBytes: ByteSlice,
    attributes: Attributes,
    kind: SpanKind = SpanKind.CONSUMER,
  ): Span {
    const hex = hexOf(traceBytes);
    const parent = trace.setSpanContext(ROOT_CONTEXT, {
      traceId: hex.slice(0, 32),
      spanId: hex.slice(32),
      traceFlags: TraceFlags.SAMPLED,
      isRemote: true,
    });
    return this.#tracer.startSpan(name, { kind, attributes }, parent);
  }
}

/**
 * The sampling rate that the environment asks for: PITWIRE_TRACE_SAMPLE when OTEL_DENO is on (default 100), else 0.
 * Throws on a value that is no whole number from 1 up.
 */
export function sampleEveryFromEnvironment(env: { get(name: string): string | undefined }): number {
  if (env.get("OTEL_DENO") !== "true") return 0;
  const text = env.get("PITWIRE_TRACE_SAMPLE") ?? "100";
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new RangeError(
      `Cannot sample traces: PITWIRE_TRACE_SAMPLE must be a whole number from 1 up, got "${text}"`,
    );
  }
  return Number(text);
}

function putHex(bytes: Uint8Array, at: number, hex: string): void {
  for (let i = 0; i < hex.length; i += 2) bytes[at + i / 2] = parseInt(hex.slice(i, i + 2), 16);
}

function hexOf(slice: ByteSlice): string {
  let hex = "";
  for (let i = slice.start; i < slice.start + slice.length; i++) {
    hex += slice.buffer[i].toString(16).padStart(2, "0");
  }
  return hex;
}
