/** The worked examples of docs/matching-examples.md are ledgers: both engines do what they say. */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { MatchAlgorithm, Phase, type TradingRules } from "../../../shared/protocol/mod.ts";
import { ledger } from "./run_ledger.ts";
import { testInstrument } from "./test_ledger.ts";

interface Example {
  readonly title: string;
  /** What the first line of the block says of the instrument. */
  readonly instrument: string;
  readonly ledger: string;
}

const TEXT = Deno.readTextFileSync(new URL("../../../docs/matching-examples.md", import.meta.url));

/** Headings of the third level, each with its block. */
function examplesIn(text: string): Example[] {
  return text.split("\n### ").slice(1).map((section) => {
    const block = /```text\n(instrument.*)\n([^]*?)```/.exec(section);
    assert.ok(block !== null, `no ledger in: ${section.slice(0, 60)}`);
    return { title: section.split("\n")[0], instrument: block[1], ledger: block[2] };
  });
}

const RULES: Readonly<Record<string, keyof TradingRules>> = {
  topMin: "topMinLots",
  topMax: "topMaxLots",
  fifo: "fifoPercent",
  protection: "protectionTicks",
  band: "bandTicks",
  reference: "referencePriceTicks",
};

/** `instrument Q topMin=25 makers=firm3:40% phase=PreOpen`. */
function instrumentOf(line: string) {
  const [, algorithm, ...options] = line.split(" ");
  const rules: Record<string, unknown> = {};
  let proRataMin = 1;
  for (const option of options) {
    const [key, value] = option.split("=");
    if (key === "proRataMin") proRataMin = Number(value);
    else if (key === "postOnly") rules.postOnly = value;
    else if (key === "phase") rules.initialPhase = Phase[value as keyof typeof Phase];
    else if (key === "makers") {
      rules.leadMarketMakers = value.split(",").map((maker) => {
        const [firmId, percent] = maker.replace("firm", "").replace("%", "").split(":").map(Number);
        return { firmId, percent };
      });
    } else {
      assert.ok(key in RULES, `unknown rule in: ${line}`);
      rules[RULES[key]] = Number(value);
    }
  }
  return testInstrument(1, { algorithm: algorithm as MatchAlgorithm, proRataMin, rules });
}

describe("the worked examples", () => {
  const examples = examplesIn(TEXT);
  for (const { title, instrument, ledger: lines } of examples) {
    it(title, () => void ledger(lines, { instruments: [instrumentOf(instrument)] }));
  }

  it("are one for each algorithm and one for each phase", () => {
    const words = examples.map(({ title }) => title.split(":")[0]);
    const wanted = [...Object.values(MatchAlgorithm), ...Object.keys(Phase)];
    assert.deepEqual(words.toSorted(), wanted.toSorted());
  });
});
