/** One OpenTelemetry trace per sampled order, received over OTLP as a collector would. */
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { OtlpReceiver, type ReceivedSpan } from "./otlp_receiver.ts";
import { TestVenue } from "./running.ts";

/** Deno's exporter speaks JSON and sends at once; the services inherit this. */
const EXPORTER = { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_BSP_SCHEDULE_DELAY: "50" };
/** A resting order leads to one report, and to two market-data messages: the drop copy and the book. */
const SPANS_PER_ORDER = 5;

async function tracedVenue(otlp: string, traceSample: number): Promise<TestVenue> {
  for (const [name, value] of Object.entries(EXPORTER)) Deno.env.set(name, value);
  try {
    return await TestVenue.start({ otlp, traceSample });
  } finally {
    for (const name of Object.keys(EXPORTER)) Deno.env.delete(name);
  }
}

describe("tracing", () => {
  it("makes one trace across gateway, matcher and market data, parents and order right", async () => {
    await using receiver = new OtlpReceiver();
    await using venue = await tracedVenue(receiver.url, 1);
    const [trader] = await venue.logon("A1");
    trader.order("t1", { price: "10.00", side: "buy" });
    await trader.next(1);
    const spans = await receiver.received(SPANS_PER_ORDER);

    const [root] = spans;
    assert.deepEqual([root.name, root.service, root.parentSpanId], ["gateway.order", "pitwire-gateway", ""]);
    assert.deepEqual(new Set(spans.map(({ traceId }) => traceId)), new Set([root.traceId]));
    assert.deepEqual(spans.slice(1).map(({ parentSpanId }) => parentSpanId), Array(4).fill(root.spanId));
    assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, SPANS_PER_ORDER);
    assert.deepEqual(
      spans.slice(1).map(({ service, name }) => `${service} ${name}`).toSorted(),
      [
        "pitwire-gateway gateway.report",
        "pitwire-market-data market-data.publish",
        "pitwire-market-data market-data.publish",
        "pitwire-matcher-0 matcher.match",
      ],
    );
    const named = (name: string): ReceivedSpan[] => spans.filter((span) => span.name === name);
    const [match] = named("matcher.match");
    assert.ok(root.startNs < match.startNs, "matched after it was received");
    assert.ok(match.startNs < named("gateway.report")[0].startNs, "reported after it was matched");
    for (const publish of named("market-data.publish")) assert.ok(match.startNs < publish.startNs);
    for (const span of spans) assert.ok(span.startNs <= span.endNs, span.name);
  });

  it("traces one order in as many as the sampling rate says, from the first on", async () => {
    await using receiver = new OtlpReceiver();
    await using venue = await tracedVenue(receiver.url, 3);
    const [trader] = await venue.logon("A1");
    for (let i = 1; i <= 7; i++) trader.order(`t${i}`, { price: "10.00", side: "buy" });
    await trader.next(7);
    await receiver.received(3 * SPANS_PER_ORDER);
    await venue.running.stop();
    const roots = receiver.spans.filter(({ name }) => name === "gateway.order");
    assert.equal(roots.length, 3, "orders 1, 4 and 7");
    assert.equal(receiver.spans.length, 3 * SPANS_PER_ORDER);
  });
});
