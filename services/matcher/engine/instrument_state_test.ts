/** What others ask the engine about its instruments: phase, algorithm, last price, indication, next expiry. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { codeOfChar, Phase } from "../../../shared/protocol/mod.ts";
import { ledgerEngine } from "./run_ledger.ts";
import { parseCommand, RecordingSink, testInstrument } from "./test_ledger.ts";

function engineAfter(...lines: string[]) {
  const engine = ledgerEngine({
    instruments: [testInstrument(1), testInstrument(2, { rules: { initialPhase: Phase.Closed } })],
  });
  const sink = new RecordingSink();
  lines.forEach((line, i) => engine.apply(i + 1, 0, (i + 1) * 1000, parseCommand(line), sink));
  return engine;
}

describe("an instrument's state", () => {
  it("begins with the venue's phase and algorithm, and is none for an instrument of nobody's", () => {
    const engine = engineAfter();
    assert.deepEqual(engine.instrumentState(2), {
      phase: Phase.Closed,
      algorithm: codeOfChar("F".charCodeAt(0)),
      lastPxTicks: 0,
      lastScheduledUs: 0,
      indicativePriceTicks: 0,
      indicativeQtyLots: 0,
      surplusLots: 0,
    });
    assert.equal(engine.phaseOf(1), Phase.Continuous);
    assert.equal(engine.algorithmOf(1), codeOfChar("F".charCodeAt(0)));
    assert.equal(engine.instrumentState(3), null);
    assert.equal(engine.phaseOf(3), 0);
    assert.equal(engine.algorithmOf(3), 0);
  });

  it("follows trades, phases, orders in an auction and changes of the algorithm", () => {
    const engine = engineAfter(
      "new s1 A buy 1@100",
      "new s3 B sell 1@100",
      "phase PreOpen i1 due=7",
      "new s1 C buy 5@105",
      "new s3 D sell 3@103",
      "algorithm K i1",
    );
    assert.deepEqual(engine.instrumentState(1), {
      phase: Phase.PreOpen,
      algorithm: codeOfChar("K".charCodeAt(0)),
      lastPxTicks: 100,
      lastScheduledUs: 7,
      indicativePriceTicks: 105,
      indicativeQtyLots: 3,
      surplusLots: 2,
    });
  });
});

describe("the next expiry", () => {
  it("is the earliest of open orders, stops included, and none without any", () => {
    const lines = [
      "new s1 A buy 1@100 gtd until=90000",
      "new s1 B buy 1@stop120 gtd until=80000",
      "replace s1 C A buy 1@100 gtd until=70000",
      "cancel s1 D C buy",
      "cancel s1 E B buy",
    ];
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5].map((count) => engineAfter(...lines.slice(0, count)).nextExpiryUs()),
      [0, 90000, 80000, 70000, 80000, 0],
    );
  });
});
