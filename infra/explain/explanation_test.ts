/** Explanations of executions: commands through the engine, the last one recorded, one event of it explained. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { type Instrument, MatchAlgorithm, Phase, type TradingRules } from "../../shared/protocol/mod.ts";
import { Engine } from "../../services/matcher/engine/mod.ts";
import { parseCommand, testInstrument } from "../../services/matcher/engine/test_ledger.ts";
import { explain, type Explanation } from "./explanation.ts";
import { outcomeReasons } from "./outcome_text.ts";
import { Recording } from "./recording.ts";

/** Applies the lines, each a message of its own with time 1000 × its number, and records the last. */
function recorded(instrument: Instrument, ...lines: string[]): Recording {
  const engine = new Engine({ shard: 0, instruments: [instrument], maxOpenOrders: 100, clOrdIdHistory: 100 });
  const recording = new Recording(engine);
  lines.forEach((line, i) => {
    const isLast = i === lines.length - 1;
    if (isLast) engine.books.matching.listener = recording;
    const sink = isLast ? recording : { commandStarts() {}, event() {} };
    engine.apply(i + 1, 0, (i + 1) * 1000, parseCommand(line), sink);
  });
  return recording;
}

/** Explains the first execution of the order with this ClOrdID in the last command. */
function explained(recording: Recording, clOrdId: string): Explanation {
  const index = recording.events.findIndex((event) => event.lastQtyLots > 0 && event.clOrdId === clOrdId);
  return explain(recording, { shard: 0, cmdSeq: 9, index }, 9000);
}

const algorithm = (code: MatchAlgorithm, rules: Partial<TradingRules> = {}, proRataMin = 1) =>
  testInstrument(1, { algorithm: code, rules, proRataMin });

/** What each order of the level received. */
function received(explanation: Explanation): [name: string, lots: number][] {
  assert.ok(explanation.kind === "level");
  return explanation.outcomes.map(({ order, receivedLots }) => [order.clOrdId, receivedLots]);
}

/** Each step's shares. */
function gave(explanation: Explanation): [step: string, ...shares: number[]][] {
  assert.ok(explanation.kind === "level");
  return explanation.stage.steps.map(({ step, shares }) => [step, ...shares.map(({ gave }) => gave)]);
}

describe("an explanation at a level", () => {
  it("has every step's shares, both sides of the trade and what stood there before", () => {
    const recording = recorded(
      algorithm("C"),
      "new s1 A sell 100@50",
      "new s3 B sell 200@50",
      "new s1 C sell 300@50",
      "new s5 X buy 500@51",
    );
    const explanation = explained(recording, "B");
    assert.ok(explanation.kind === "level");
    assert.deepEqual(received(explanation), [["A", 84], ["B", 166], ["C", 250]]);
    assert.deepEqual(gave(explanation), [["proRata", 83, 166, 250], ["fifo", 1, 0, 0]]);
    const { stage, execution, counter } = explanation;
    assert.deepEqual([execution.clOrdId, execution.lastQtyLots, counter.clOrdId], ["B", 166, "X"]);
    assert.deepEqual([stage.priceTicks, stage.leftLots, stage.side, stage.aggressorSide, stage.algorithm], [
      50,
      500,
      2,
      1,
      "C",
    ]);
    assert.deepEqual(
      stage.orders.map((
        { shownLots, hiddenLots, isTop, makerPercent },
      ) => [shownLots, hiddenLots, isTop, makerPercent]),
      [
        [100, 0, true, null],
        [200, 0, false, null],
        [300, 0, false, null],
      ],
    );
    const aggressor = explained(recording, "X");
    assert.deepEqual([aggressor.execution.clOrdId, aggressor.counter.clOrdId], ["X", "A"]);
  });

  it("knows the top order and lead market makers", () => {
    const leadMarketMakers = [{ firmId: 3, percent: 40 }];
    const recording = recorded(
      algorithm("Q", { topMinLots: 25, topMaxLots: 250, leadMarketMakers }),
      "new s1 A buy 300@50",
      "new s3 B buy 15@50",
      "new s5 C buy 160@50",
      "new s7 X sell 400@50",
    );
    const explanation = explained(recording, "C");
    assert.ok(explanation.kind === "level");
    assert.deepEqual(received(explanation), [["A", 278], ["B", 8], ["C", 114]]);
    assert.deepEqual(gave(explanation), [["top", 250, 0, 0], ["lmm", 0, 0, 60], ["proRata", 27, 8, 54], [
      "fifo",
      1,
      0,
      0,
    ]]);
    assert.deepEqual(explanation.stage.orders.map(({ makerPercent }) => makerPercent), [null, null, 40]);
  });

  it("has no steps where the whole level goes, or the algorithm is FIFO, but reasons", () => {
    for (const code of ["C", "F"] as const) {
      const recording = recorded(
        algorithm(code),
        "new s1 A sell 10@50",
        "new s3 B sell 20@50",
        "new s5 X buy 40@50",
      );
      const explanation = explained(recording, "B");
      assert.ok(explanation.kind === "level");
      assert.deepEqual([received(explanation), gave(explanation)], [[["A", 10], ["B", 20]], []]);
      assert.deepEqual(outcomeReasons(explanation), ["its turn: all of it", "its turn: all of it"]);
    }
    const some = explained(
      recorded(
        algorithm("F"),
        "new s1 A sell 10@50",
        "new s3 B sell 20@50",
        "new s3 C sell 5@50",
        "new s5 X buy 15@50",
      ),
      "B",
    );
    assert.ok(some.kind === "level");
    assert.deepEqual(outcomeReasons(some), [
      "its turn: all of it",
      "its turn: the last 5",
      "older orders took everything",
    ]);
  });

  it("is that of the level where the execution was", () => {
    const recording = recorded(
      algorithm("C"),
      "new s1 A sell 10@50",
      "new s1 B sell 30@51",
      "new s3 C sell 10@51",
      "new s5 X buy 30@51",
    );
    assert.deepEqual(received(explained(recording, "A")), [["A", 10]]);
    assert.deepEqual(received(explained(recording, "C")), [["B", 15], ["C", 5]]);
  });

  it("counts an iceberg's slices, and rounds", () => {
    const lines = ["new s1 A sell 30@50 floor=10", "new s3 B sell 10@50", "new s5 X buy 25@50"];
    const byTime = explained(recorded(algorithm("F"), ...lines), "A");
    assert.ok(byTime.kind === "level");
    assert.deepEqual(byTime.outcomes.map(({ receivedLots, trades }) => [receivedLots, trades]), [[15, 2], [
      10,
      1,
    ]]);
    assert.deepEqual(
      outcomeReasons(byTime)[0],
      "its turn, in 2 slices, after each of which it went behind the others",
    );
    const rounds = explained(recorded(algorithm("C"), ...lines), "A");
    assert.deepEqual(gave(rounds), [["proRata", 10, 10], ["fifo", 0, 0], ["proRata", 5], ["fifo", 0]]);
    assert.ok(rounds.kind === "level");
    assert.deepEqual([rounds.stage.orders[0].shownLots, rounds.stage.orders[0].hiddenLots], [10, 20]);
  });

  it("says what self-match prevention did before the shares", () => {
    const lines = [
      "new s1 A sell 10@50",
      "new s3 B sell 10@50",
      "new s4 C sell 10@50",
      "new s1 D sell 10@50",
    ];
    const explanation = explained(recorded(algorithm("C"), ...lines, "new s2 X buy 10@50 smp=resting"), "B");
    assert.ok(explanation.kind === "level");
    assert.deepEqual(
      explanation.outcomes.map(({ receivedLots, prevented }) => [receivedLots, prevented]),
      [[0, "canceled"], [5, null], [5, null], [0, "canceled"]],
    );
    const shares = explanation.stage.steps[0].shares.map(({ order }) =>
      explanation.stage.orders[order].clOrdId
    );
    assert.deepEqual(shares, ["B", "C"]);
  });

  it("says that self-match prevention ended the aggressor", () => {
    const lines = ["new s3 A sell 10@50", "new s1 B sell 10@50", "new s3 C sell 10@50"];
    const explanation = explained(
      recorded(algorithm("F"), ...lines, "new s2 X buy 30@50 smp=aggressor"),
      "A",
    );
    assert.ok(explanation.kind === "level");
    assert.equal(explanation.aggressorPrevented, "canceled");
    assert.deepEqual(outcomeReasons(explanation), [
      "its turn: all of it",
      "self-match prevention ended the aggressor before its turn",
      "self-match prevention ended the aggressor before its turn",
    ]);
  });

  it("is about a stop that the command triggered when that was the aggressor", () => {
    const recording = recorded(
      algorithm("F"),
      "new s1 A sell 5@50",
      "new s1 B sell 5@51",
      "new s3 S buy 4@stop50",
      "new s5 X buy 5@50",
    );
    const explanation = explained(recording, "B");
    assert.ok(explanation.kind === "level");
    assert.deepEqual([explanation.counter.clOrdId, explanation.stage.leftLots], ["S", 4]);
  });
});

describe("an explanation of an auction", () => {
  it("has the candidates, the price and the orders of the execution's side", () => {
    const recording = recorded(
      algorithm("F", { initialPhase: Phase.PreOpen, referencePriceTicks: 198 }),
      "new s1 A buy 600@200",
      "new s1 B buy 200@197",
      "new s3 C sell 300@197",
      "new s3 D sell 100@198",
      "new s3 E sell 100@199",
      "new s3 F sell 400@201",
      "phase Continuous",
    );
    const explanation = explained(recording, "D");
    assert.ok(explanation.kind === "auction");
    const { stage, parts } = explanation;
    assert.deepEqual([stage.priceTicks, stage.qtyLots, stage.surplusLots, stage.referenceTicks], [
      200,
      500,
      100,
      198,
    ]);
    assert.deepEqual(stage.rows.map(({ priceTicks, buyLots, sellLots }) => [priceTicks, buyLots, sellLots]), [
      [197, 800, 300],
      [198, 600, 400],
      [199, 600, 500],
      [200, 600, 500],
    ]);
    assert.deepEqual(
      parts.map(({ clOrdId, leavesLots, receivedLots }) => [clOrdId, leavesLots, receivedLots]),
      [
        ["C", 300, 300],
        ["D", 100, 100],
        ["E", 100, 100],
      ],
    );
    const buyer = explained(recording, "A");
    assert.ok(buyer.kind === "auction");
    assert.deepEqual(
      buyer.parts.map(({ clOrdId, leavesLots, receivedLots }) => [clOrdId, leavesLots, receivedLots]),
      [
        ["A", 600, 500],
      ],
    );
  });
});

describe("an ExecID that names no execution", () => {
  const recording = recorded(algorithm("F"), "new s1 A sell 5@50", "new s3 X buy 2@50");
  const faultAt = (index: number): string => {
    try {
      explain(recording, { shard: 0, cmdSeq: 2, index }, 0);
    } catch (error) {
      return (error as Error).message;
    }
    return "explained";
  };

  it("is refused with what it is", () => {
    assert.equal(
      faultAt(0),
      'Cannot explain 0-2-0: it is no execution but OrderAccepted of the order with ClOrdID(11) "X"',
    );
    assert.equal(faultAt(1), "explained");
    assert.equal(faultAt(3), "Cannot explain 0-2-3: it is no execution but LevelChanged");
    assert.equal(
      faultAt(4),
      "Cannot explain 0-2-4: there is no such execution; command message 2 caused events 0 to 3",
    );
  });
});
