import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Phase } from "./kinds.ts";
import { isCallPhase, PHASE_NAMES, phaseName, phaseOfName } from "./phase_names.ts";

describe("phase names", () => {
  it("are the code's words in kebab case, each for one phase", () => {
    for (const [word, phase] of Object.entries(Phase)) {
      const name = word.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
      assert.equal(phaseName(phase), name);
      assert.equal(phaseOfName(name), phase);
    }
    assert.equal(PHASE_NAMES.length, Object.keys(Phase).length);
  });

  it("are unknown where there is none", () => {
    for (const name of ["", "open", "Halt", "unknown", "constructor"]) assert.equal(phaseOfName(name), null);
    for (const code of [0, 9, 255]) assert.equal(phaseName(code), "unknown");
  });

  it("tell the phases in which orders wait for one price", () => {
    const calls = Object.values(Phase).filter(isCallPhase).map(phaseName);
    assert.deepEqual(calls, [
      "pre-open",
      "no-cancel",
      "opening-auction",
      "volatility-auction",
      "closing-auction",
    ]);
  });
});
