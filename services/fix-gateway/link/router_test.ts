import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type Logger, nullLogger } from "../../../shared/cli/log.ts";
import { Event, EventBatchWriter } from "../../../shared/codec/wire/mod.ts";
import { OrderTracer } from "../../../shared/otel/mod.ts";
import { EventKind, OrdStatus, Side } from "../../../shared/protocol/mod.ts";
import { ACME, fillEvent, session, venue } from "../order_entry/fixture.ts";
import { EventSequence } from "./event_sequence.ts";
import { RecordedSession } from "./recorded_session.ts";
import { Router } from "./router.ts";

function setUp(log: Logger = nullLogger) {
  const known = new RecordedSession(session());
  const market: number[][] = [];
  const router = new Router({
    shard: 0,
    venue: venue(),
    recipient: (id) => id === known.config.id ? known : undefined,
    tracer: new OrderTracer("test", 0),
    onMarketEvent: (event, cmdSeq) => market.push([cmdSeq, event.kind, event.instrumentId]),
    log,
  });
  return { market, sequence: new EventSequence(0, 1 << 20, router), known };
}

/** One message of command 1 with these events. */
function messageOf(...events: Record<string, number | string>[]): Uint8Array {
  return messagesOf(1 << 16, ...events)[0];
}

/** The messages of command 1 with these events, of at most `maxBytes` each. */
function messagesOf(maxBytes: number, ...events: Record<string, number | string>[]): Uint8Array[] {
  const writer = new EventBatchWriter(maxBytes);
  writer.begin(0, 1, 1, Date.UTC(2026, 0, 2, 3, 4, 5, 6) * 1000);
  for (const fields of events) writer.append(fillEvent(new Event(), fields));
  return writer.end();
}

const ORDER = {
  sessionId: 7,
  firmId: 9,
  instrumentId: ACME.id,
  orderId: 4096,
  side: Side.Buy,
  ordType: 2,
  priceTicks: 200,
  orderQtyLots: 3,
};

describe("Router", () => {
  it("sends each session its reports in event order and leaves market data out", () => {
    const { sequence, known } = setUp();
    sequence.live(messageOf(
      { ...ORDER, kind: EventKind.OrderAccepted, leavesQtyLots: 3, clOrdId: "a" },
      {
        kind: EventKind.LevelChanged,
        instrumentId: ACME.id,
        side: Side.Buy,
        priceTicks: 200,
        levelOrders: 1,
      },
      {
        ...ORDER,
        kind: EventKind.OrderCanceled,
        ordStatus: OrdStatus.Canceled,
        clOrdId: "b",
        origClOrdId: "a",
      },
    ));
    assert.deepEqual(known.sent.map((line) => line.replace(/54=.*$/, "…")), [
      "8 37=0-1-0|11=a|17=0-1-0|150=0|39=0|55=ACME|…",
      "8 37=0-1-0|11=b|41=a|17=0-1-2|150=4|39=4|55=ACME|…",
    ]);
  });

  it("goes on behind an event of a session that it does not know, and says so", () => {
    const errors: unknown[] = [];
    const { sequence, known } = setUp({ ...nullLogger, error: (_message, fields) => errors.push(fields) });
    sequence.live(messageOf(
      { ...ORDER, kind: EventKind.OrderAccepted, sessionId: 99, clOrdId: "a" },
      { ...ORDER, kind: EventKind.OrderAccepted, clOrdId: "b" },
    ));
    assert.deepEqual(errors, [{ sessionId: 99, cmdSeq: 1, eventIndex: 0 }]);
    assert.deepEqual(known.sent.length, 1);
  });

  it("hands on what concerns no session, each once", () => {
    const { sequence, known, market } = setUp();
    const bytes = messageOf(
      { kind: EventKind.PhaseChanged, instrumentId: ACME.id, phase: 6, previousPhase: 5, cause: 1 },
      { kind: EventKind.AlgorithmChanged, instrumentId: ACME.id, algorithm: 20 },
    );
    sequence.live(bytes);
    sequence.live(bytes);
    assert.deepEqual(market, [[1, EventKind.PhaseChanged, ACME.id], [
      1,
      EventKind.AlgorithmChanged,
      ACME.id,
    ]]);
    assert.deepEqual(known.sent, []);
  });

  it("tells an operator's request to nobody", () => {
    const errors: unknown[] = [];
    const { sequence, known } = setUp({ ...nullLogger, error: (message) => errors.push(message) });
    const report = { kind: EventKind.MassCancelReported, clOrdId: "ADMIN", total: 3 };
    sequence.live(messageOf({ ...report, sessionId: 0 }, { ...report, sessionId: 7 }));
    assert.deepEqual([known.sent, errors], [[], []]);
  });

  it("tells what a mass quote met with its last entry, behind the executions before", () => {
    const { sequence, known } = setUp();
    const ack = {
      kind: EventKind.QuoteAcknowledged,
      sessionId: 7,
      clOrdId: "q",
      total: 2,
      detail: 2,
      text: "s",
    };
    const bytes = messageOf(
      { ...ack, index: 1, origClOrdId: "e1", instrumentId: ACME.id },
      {
        ...ORDER,
        kind: EventKind.OrderExecuted,
        clOrdId: "q",
        lastQtyLots: 3,
        lastPxTicks: 200,
        tradeIndex: 2,
      },
      { ...ack, index: 2, origClOrdId: "e2", instrumentId: 3 },
      { kind: EventKind.QuotesCanceled, sessionId: 7, clOrdId: "q2", total: 1 },
    );
    sequence.live(bytes);
    assert.deepEqual(known.sent.map((line) => line.replace(/(54|60)=.*$/, "…")), [
      "8 37=0-1-0|527=0-1-1|11=q|17=0-1-1|150=F|39=0|55=ACME|…",
      "b 117=q|297=0|301=2|296=1|302=s|304=2|295=2|299=e1|55=ACME|299=e2|55=COIN|",
      "AI 117=q2|55=[N/A]|…",
    ]);
  });

  it("passes over what it was handed before, in a group that comes cut and then whole", () => {
    const { sequence, known, market } = setUp();
    const events: Record<string, number | string>[] = [
      { kind: EventKind.PhaseChanged, instrumentId: ACME.id, phase: 6, previousPhase: 5, cause: 1 },
      { ...ORDER, kind: EventKind.OrderAccepted, leavesQtyLots: 3, clOrdId: "a" },
      { ...ORDER, kind: EventKind.OrderAccepted, leavesQtyLots: 3, clOrdId: "b" },
      { ...ORDER, kind: EventKind.OrderAccepted, leavesQtyLots: 3, clOrdId: "c" },
    ];
    const [first, ...rest] = messagesOf(600, ...events);
    assert.ok(rest.length > 0);
    assert.equal(sequence.live(first), "taken");
    assert.ok(known.sent.length > 0 && known.sent.length < 3);
    sequence.interrupted();
    sequence.stored(1, messageOf(...events));
    assert.deepEqual(known.sent.map((line) => /11=(\w)/.exec(line)![1]), ["a", "b", "c"]);
    assert.equal(market.length, 1);
  });
});
