/** The rules that hold of any flow can fail: each is broken once. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { Phase } from "../../../shared/protocol/mod.ts";
import { Event } from "../../../shared/codec/wire/mod.ts";
import { ReferenceEngine } from "../reference/mod.ts";
import { FlowChecks } from "./flow_checks.ts";
import { differingFields, sameEvent } from "../engine/event_fields.ts";
import { formatCommand } from "../engine/test_command_lines.ts";
import { parseCommand, testInstrument } from "../engine/test_ledger.ts";

const INSTRUMENTS = [testInstrument(1)];
const FLOW = [
  "new s1 A sell 5@100",
  "new s2 B sell 5@100",
  "new s3 C buy 3@100",
  "new s3 D buy 4@99",
  "cancel s3 E D buy",
];

/** The events of each command of a flow. */
function eventsOf(lines: readonly string[]): Event[][] {
  const engine = new ReferenceEngine({
    shard: 0,
    instruments: INSTRUMENTS,
    maxOpenOrders: 10,
    clOrdIdHistory: 10,
  });
  return lines.map((line, i) => {
    const events: Event[] = [];
    engine.apply(i + 1, 0, i + 1, parseCommand(line), {
      commandStarts() {},
      event: (event) => void events.push(event),
    });
    return events;
  });
}

/** Checks the flow after `change` has been at the events of command `at`, from 0. */
function check(at: number, change: (events: Event[]) => void): void {
  const flow = eventsOf(FLOW);
  change(flow[at]);
  const checks = new FlowChecks(INSTRUMENTS);
  for (const events of flow) checks.command(events);
}

describe("the rules of a flow", () => {
  it("hold of a flow as it is", () => check(0, () => {}));

  const faults: [name: string, at: number, change: (events: Event[]) => void][] = [
    ["quantities add up", 0, ([accepted]) => accepted.leavesQtyLots++],
    ["no quantity is negative", 0, ([accepted]) => accepted.leavesQtyLots = -1],
    ["CumQty grows by LastQty", 2, ([, first, second]) => first.lastQtyLots = second.lastQtyLots = 2],
    ["notional", 2, ([, first]) => first.notionalLow++],
    ["no more executes than is open", 2, (events) => inflate(events)],
    ["a limit holds", 2, ([, first]) => first.lastPxTicks = 101],
    ["a trade has two sides", 2, (events) => events.splice(2, 1)],
    ["the oldest at a price trades first", 2, ([, , resting]) => resting.orderId = 2 * 4096],
    ["nothing is left of what is done", 4, ([canceled]) => canceled.leavesQtyLots = 1],
    ["every order has a quantity", 4, ([canceled]) => canceled.orderQtyLots = 0],
    ["who ends keeps OrderQty", 4, ([canceled]) => canceled.orderQtyLots = 3],
    ["only executions change CumQty", 4, ([canceled]) => canceled.cumQtyLots = 1],
    ["instrument 1 is crossed", 3, (events) => events[1].priceTicks = 100],
    ["each order at a level shows something", 3, (events) => events[1].levelQtyLots = 0],
    ["the phase before is the last one told", 3, (events) => events.push(phaseChanged(Phase.Halt))],
  ];
  for (const [rule, at, change] of faults) {
    it(`${rule}, or it is told`, () => assert.throws(() => check(at, change), new RegExp(rule)));
  }
});

/** The resting order executes more than it had. */
function inflate(events: Event[]): void {
  for (const event of events.slice(1, 3)) {
    event.lastQtyLots = event.cumQtyLots = event.orderQtyLots = 6;
    event.leavesQtyLots = 0;
    event.ordStatus = 2;
    event.notionalLow = 600;
  }
}

function phaseChanged(previousPhase: number): Event {
  const event = new Event();
  event.kind = 17;
  event.instrumentId = 1;
  event.previousPhase = previousPhase;
  event.phase = Phase.Continuous;
  return event;
}

describe("two events", () => {
  it("are the same only when every field of their kind is", () => {
    const [[, , executed]] = [eventsOf(FLOW)[2]];
    for (const field of ["ordStatus", "lastQtyLots", "tradeIndex", "stopPxTicks", "msgSeqNum"] as const) {
      const [, , other] = eventsOf(FLOW)[2];
      assert.ok(sameEvent(executed, other));
      other[field]++;
      assert.ok(!sameEvent(executed, other), field);
      assert.deepEqual(differingFields(executed, other), [field]);
    }
    const [, , renamed] = eventsOf(FLOW)[2];
    renamed.clOrdId.setText("other");
    assert.deepEqual(differingFields(executed, renamed), ["clOrdId"]);
  });
});

describe("a command as a line", () => {
  it("is read back as the same command", () => {
    const lines = [
      "new s1 A buy 10@100 gtc floor=3 min=2 exec=1 group=2 acct=7 smp=both",
      "new s1 A sell 10@stop95/94 gtd i2 until=9000 f9 m7 n2",
      "new s1 A sell 10@mtl day",
      "new s1 A sell 10@mkt ioc dup",
      "cancel s1 B A sell id=1.2 resend",
      "quote s1 Q 1:10@99/5@101 2:-/7@50 3:-/-!UnknownSymbol smp=decrement level=1",
      "cancel-quotes s1 Q i1",
      "mass-cancel s1 Q firm buy i2",
      "mass-status s1 Q session both",
      "phase Halt i2 from=Continuous due=5000",
      "algorithm C i2",
      "expire 9000",
    ];
    for (const line of lines) assert.equal(formatCommand(parseCommand(line)), line);
  });
});
