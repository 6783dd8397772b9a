/** Receives spans over OTLP/HTTP with JSON bodies, as a collector would. Test code only. */
import { until } from "../../shared/testing/awaited.ts";

/** What a test looks at of a span. Times are nanoseconds since 1970. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root span. */
  readonly parentSpanId: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
}

interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** A listening receiver. */
export class OtlpReceiver implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  readonly url: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
      const body = await request.json();
      if (new URL(request.url).pathname === "/v1/traces") this.#take(body);
      return Response.json({});
    });
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Waits until `count` spans have come, and returns them in the order of their starts. */
  async received(count: number): Promise<ReceivedSpan[]> {
    await until(`${count} spans`, () => this.spans.length >= count);
    return this.spans.toSorted((a, b) => a.startNs < b.startNs ? -1 : a.startNs > b.startNs ? 1 : 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  #take({ resourceSpans }: OtlpTraces): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue ?? "";
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const { name, traceId, spanId, parentSpanId = "", startTimeUnixNano, endTimeUnixNano } = span;
        const startNs = BigInt(startTimeUnixNano);
        this.spans.push({
          service,
          name,
          traceId,
          spanId,
          parentSpanId,
          startNs,
          endNs: BigInt(endTimeUnixNano),
        });
      }
    }
  }
}
