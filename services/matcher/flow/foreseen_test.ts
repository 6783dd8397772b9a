/**
 * MinQty and fill or kill foresee exactly what would trade: each order that asks for it stands against its twin that does
 * not, before the same book, in the fast engine and in the reference.
 */
import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";
import { MatchAlgorithm } from "../../../shared/protocol/mod.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import { Engine, type EngineOptions } from "../engine/engine.ts";
import { runLedger } from "../engine/run_ledger.ts";
import { testInstrument } from "../engine/test_ledger.ts";
import { ReferenceEngine } from "../reference/mod.ts";

const BOOKS = 500;
const ALGORITHMS = Object.values(MatchAlgorithm);
const ACTIONS = ["none", "resting", "aggressor", "both", "decrement", "decrement"];

/** An order, its twin, and what is there before them. */
interface Trial {
  readonly options: EngineOptions;
  /** Resting orders, some of them traded in part. */
  readonly book: readonly string[];
  /** What the order asks to trade at least, lots. */
  readonly wanted: number;
  readonly asking: string;
  readonly twin: string;
}

function trialOf(seed: number): Trial {
  const random = new SeededRandom(seed);
  const rules = {
    topMinLots: random.pick([0, 3]),
    topMaxLots: random.pick([0, 5]),
    fifoPercent: random.pick([0, 40, 100]),
    leadMarketMakers: random.pick([[], [{ firmId: 1, percent: 40 }, { firmId: 3, percent: 20 }]]),
    protectionTicks: random.pick([0, 0, 1]),
    bandTicks: random.pick([0, 0, 1]),
    referencePriceTicks: 100,
  };
  const algorithm = random.oneIn(2) ? MatchAlgorithm.Fifo : random.pick(ALGORITHMS);
  const instrument = testInstrument(1, { algorithm, proRataMin: random.between(1, 2), rules });
  const book = Array.from({ length: random.between(1, 10) }, (_, i) => restingOf(random, i));
  for (let i = random.below(3); i > 0; i--) book.push(`new s9 T${i} buy ${random.between(1, 4)}@100 ioc`);
  const qty = random.between(1, random.pick([10, 40]));
  const terms = ` smp=${random.pick(ACTIONS)} group=${random.below(2)}`;
  const price = random.pick(["100", "101", "102", "mkt", "mtl"]);
  const kills = price !== "mtl" && random.oneIn(3);
  const wanted = kills ? qty : random.between(1, qty);
  const order = `new s1 X buy ${qty}@${price}`;
  const time = price === "mtl" || random.oneIn(2) ? "" : " ioc";
  return {
    options: { shard: 0, instruments: [instrument], maxOpenOrders: 20, clOrdIdHistory: 20, hashSeed: 1 },
    book,
    wanted,
    asking: kills ? `${order} fok${terms}` : `${order}${time}${terms} min=${wanted}`,
    twin: kills ? `${order} ioc${terms}` : `${order}${time}${terms}`,
  };
}

function restingOf(random: SeededRandom, i: number): string {
  const qty = random.between(1, 12);
  const floor = random.oneIn(2) ? ` floor=${random.between(1, qty)}` : "";
  const group = random.below(2);
  return `new s${random.between(1, 6)} R${i} sell ${qty}@${
    random.pick([100, 100, 101, 102])
  }${floor} group=${group}`;
}

/** The events of an order behind a book, the lines of its kind alike for a twin. */
function eventsOf(engine: Engine | ReferenceEngine, book: readonly string[], order: string): string[] {
  const lines = runLedger(engine, [...book, order].map((line) => `> ${line}`));
  const at = lines.lastIndexOf(`> ${order}`);
  return lines.slice(at + 1).map((line) => line.replace(" fok ", " ioc "));
}

/** What the aggressor has traded, by its last event. */
function tradedOf(events: readonly string[]): number {
  const last = events.findLast((line) => line.includes(" s1 X "))!;
  return Number(/ (\d+)\+\d+/.exec(last)![1]);
}

/** Whether an order with a condition did what its twin says that it must; in words when it did not. */
function problemOf(engineOf: () => Engine | ReferenceEngine, { book, wanted, asking, twin }: Trial): string {
  const free = eventsOf(engineOf(), book, twin);
  const got = eventsOf(engineOf(), book, asking);
  const traded = tradedOf(free);
  const isMet = traded >= wanted;
  const expired = free[0].replace("accepted", "expired").replace(/New 0\+\d+/, "Expired 0+0");
  const want = isMet ? free : [free[0], expired];
  if (got.join() === want.join()) return "";
  return ["", ...book, asking, `the twin trades ${traded} of ${wanted}:`, ...free, "this one:", ...got].join(
    "\n",
  );
}

describe("an order that trades so much or nothing", () => {
  const engines: [name: string, make: (options: EngineOptions) => Engine | ReferenceEngine][] = [
    ["the fast engine", (options) => new Engine(options)],
    ["the reference", (options) => new ReferenceEngine(options)],
  ];
  for (const [name, make] of engines) {
    it(`trades in ${name} exactly when one that asks for nothing would trade as much`, () => {
      const first = Math.floor(Math.random() * 2 ** 31);
      console.error(`seeds ${first} to ${first + BOOKS - 1}`);
      for (let seed = first; seed < first + BOOKS; seed++) {
        const trial = trialOf(seed);
        assert.equal(problemOf(() => make(trial.options), trial), "", `seed ${seed}`);
      }
    });
  }
});
