/**
 * What a comparison of engines runs with, all of it from a seed: limits, instruments with their rules, which features the
 * flow has, and the flow itself. Test support only. Pure.
 */
import {
  CommandKind,
  type Instrument,
  MassScope,
  MatchAlgorithm,
  orderIdOf,
  Phase,
  type TradingRules,
} from "../../../shared/protocol/mod.ts";
import { Command, type Event } from "../../../shared/codec/wire/mod.ts";
import type { EngineOptions } from "../engine/engine.ts";
import { SeededRandom } from "../../../shared/testing/seeded_random.ts";
import { RandomFlow } from "./random_flow.ts";
import { FEATURES, featuresOf, type FlowFeatures } from "./random_terms.ts";
import { testInstrument } from "../engine/test_ledger.ts";

/** One command where it stands in the stream. */
export interface Step {
  readonly sequence: number;
  readonly index: number;
  readonly timestampUs: number;
  readonly command: Command;
}

/** What two engines are made for, and what they are fed. */
export interface Setup {
  readonly seed: number;
  readonly options: EngineOptions;
  readonly features: FlowFeatures;
}

/** The names of the features, any of which a seed may choose. */
export type FeatureNames = readonly (keyof FlowFeatures)[];

/**
 * The setup of a seed. Every third seed has all `features`, the others each with even odds, so that rare meetings of few
 * features are found as well as all of them at once.
 */
export function setupOf(seed: number, features: FeatureNames = FEATURES): Setup {
  const random = new SeededRandom(seed ^ 0x5eed);
  const names = features.filter(() => random.oneIn(2) || seed % 3 === 0);
  const chosen = featuresOf(names);
  const maxOrderQtyLots = seed % 2 === 0 ? 500 : 2 ** 31 - 1;
  const instrument = (id: number, algorithms: readonly MatchAlgorithm[]) =>
    testInstrument(id, {
      maxOrderQtyLots,
      algorithm: random.pick(algorithms),
      proRataMin: random.pick([1, 1, 2, 3]),
      rules: rulesFor(random, chosen),
    });
  const instruments: Instrument[] = [
    instrument(1, [MatchAlgorithm.Fifo]),
    instrument(7, [MatchAlgorithm.ProRata]),
    instrument(8, Object.values(MatchAlgorithm)),
    testInstrument(9, { shard: 1 }),
    instrument(11, Object.values(MatchAlgorithm)),
  ];
  return {
    seed,
    features: chosen,
    options: {
      shard: 0,
      instruments,
      maxOpenOrders: 20 + seed % 150,
      clOrdIdHistory: 1 + seed % 50,
      hashSeed: seed,
    },
  };
}

function rulesFor(random: SeededRandom, features: FlowFeatures): Partial<TradingRules> {
  return {
    topMinLots: random.pick([0, 0, 3, 10]),
    topMaxLots: random.pick([0, 0, 5, 20]),
    fifoPercent: random.pick([0, 25, 50, 67, 100]),
    leadMarketMakers: random.pick(MAKERS),
    protectionTicks: features.phases ? random.pick([0, 0, 1, 4]) : 0,
    bandTicks: features.phases ? random.pick([0, 3, 8]) : 0,
    referencePriceTicks: features.phases ? random.pick([0, 100]) : 0,
    postOnly: random.pick(["reject", "reprice"]),
    initialPhase: features.phases
      ? random.pick([Phase.Continuous, Phase.PreOpen, Phase.Closed])
      : Phase.Continuous,
  };
}

/** The commands of a setup, one after the other, and at the end the cancel of everything in every instrument. */
export class Feed {
  readonly #flow: RandomFlow;
  readonly #perMessage: number;
  readonly #last = [haltAll(), cancelAll()];
  #left: number;
  #count = 0;
  #sequence = 1;
  #index = 0;

  constructor({ seed, options, features }: Setup, commands: number) {
    const own = options.instruments.filter(({ shard }) => shard === options.shard);
    const ids = [...own, ...own, ...own, ...options.instruments].map(({ id }) => id);
    this.#flow = new RandomFlow(seed, ids, features);
    this.#perMessage = 1 + (seed >>> 3) % 3;
    this.#left = commands;
  }

  /** The next one, or null at the end. */
  next(): Step | null {
    const sequence = this.#sequence;
    const index = this.#index;
    const isLast = this.#left-- <= 0;
    const command = isLast
      ? this.#last.shift()
      : this.#flow.next(orderIdOf(sequence, index), sequence * 1000);
    if (command === undefined) return null;
    // A reader takes a MassQuote only as the last command of its message: its orders use up the numbers behind it.
    const ends = index + 1 === this.#perMessage || command.kind === CommandKind.MassQuote || isLast;
    this.#sequence += ends ? 1 : 0;
    this.#index = ends ? 0 : index + 1;
    return { sequence, index, timestampUs: sequence * 1000 - (this.#count++ % 7) * 3000, command };
  }

  /** What the last one caused. */
  heard(events: readonly Event[]): void {
    this.#flow.heard(events);
  }
}

function haltAll(): Command {
  const command = new Command();
  command.kind = CommandKind.SetPhase;
  command.target = Phase.Halt;
  return command;
}

function cancelAll(): Command {
  const command = new Command();
  command.kind = CommandKind.MassCancel;
  command.scope = MassScope.All;
  command.clOrdId.setText("ALL");
  return command;
}

const MAKERS: readonly TradingRules["leadMarketMakers"][] = [
  [],
  [{ firmId: 1, percent: 40 }],
  [{ firmId: 2, percent: 20 }, { firmId: 1, percent: 10 }],
  [{ firmId: 1, percent: 60 }, { firmId: 3, percent: 40 }],
];
