/**
 * The engine on one core, over recorded flow (book_flow.ts): full commands with ClOrdIDs in, every event out
 * (book_replay.ts has the two ways). FIFO and pro rata; the time of single commands; large books and many symbols; what
 * a resting order takes in memory. Reading commands from bytes is not in it (engine.ts has that).
 *
 * A flow is measured in slices, each by its best round (slices.ts): what other processes take of the machine is not
 * counted, what the engine itself does now and then is.
 */
import { Command } from "../../shared/codec/wire/mod.ts";
import { MatchAlgorithm } from "../../shared/protocol/mod.ts";
import { print } from "../../shared/cli/output.ts";
import type { BenchResult } from "../result.ts";
import { type Flow, type FlowOptions, load, MOVING_MIX, recordFlow, TRADING_MIX } from "./book_flow.ts";
import { latency } from "./book_latency.ts";
import { type Output, playerOf } from "./book_replay.ts";
import { sweeps } from "./book_sweep.ts";
import { memoryPerOrder } from "./engine.ts";
import { Slices } from "./slices.ts";

/** The seed of every flow here. */
export const FLOW_SEED = 20_240_607;

/** The flow of the FIFO figures; also what the peers get (bench/peers). */
export const TRADING: FlowOptions = {
  mix: TRADING_MIX,
  algorithm: MatchAlgorithm.Fifo,
  symbols: 1,
  resting: 1000,
  depth: 500,
  commands: 200_000,
  history: 1000,
};
/** The flow of exchange-core's own throughput test: mostly moves, about 1,000 orders at about 750 prices. */
export const MOVING: FlowOptions = { ...TRADING, mix: MOVING_MIX, depth: 2000 };
const PRO_RATA: FlowOptions = {
  ...TRADING,
  algorithm: MatchAlgorithm.ProRata,
  resting: 10_000,
  depth: 100,
  history: 2500,
};

interface Case {
  readonly name: string;
  readonly flow: FlowOptions;
  readonly output: Output;
  readonly bar?: number;
  readonly rounds: number;
}

const CASES: readonly Case[] = [
  { name: "book: FIFO, event messages", flow: TRADING, output: "messages", bar: 10e6, rounds: 12 },
  { name: "book: FIFO, event views", flow: TRADING, output: "views", bar: 10e6, rounds: 12 },
  { name: "book: FIFO, mostly moves, event messages", flow: MOVING, output: "messages", rounds: 12 },
  {
    name: "book: pro rata, 50 orders per level, event messages",
    flow: PRO_RATA,
    output: "messages",
    bar: 3e6,
    rounds: 6,
  },
  {
    name: "book: pro rata, 50 orders per level, event views",
    flow: PRO_RATA,
    output: "views",
    bar: 3e6,
    rounds: 6,
  },
];
/** Most that a command may take in 99 of 100 cases, ns. */
const P99_BAR_NS = 1000;

/** All figures of the suite; `scale` shrinks the runs for tests. */
export function run(scale = 1): BenchResult[] {
  return [
    ...CASES.map((each) => throughput(each, scale)),
    latency("book: FIFO, single commands", record(TRADING, scale), P99_BAR_NS),
    latency("book: pro rata, single commands", record(PRO_RATA, scale), P99_BAR_NS),
    ...sweeps(scale),
    memoryPerOrder(scale),
  ];
}

/** Records one of the flows above. */
export function record(options: FlowOptions, scale = 1): Flow {
  return recordFlow({
    ...options,
    commands: Math.max(100, Math.round(options.commands * scale)),
    resting: Math.max(100, Math.round(options.resting * scale)),
  }, FLOW_SEED);
}

function throughput({ name, flow: options, output, bar, rounds }: Case, scale: number): BenchResult {
  const flow = record(options, scale);
  const slices = new Slices(flow.fill, flow.total);
  let hash = "";
  let events = 0;
  for (let round = 0; round < rounds; round++) {
    const player = playerOf(flow, output);
    slices.run((from, to) => player.play(from, to));
    hash = player.digest();
    events = player.eventCount / (flow.total - flow.fill);
  }
  const note = `${events.toFixed(2)} events per command; ${loadNs(flow)} ns of each fill the Command`;
  return { name, unit: "ops/s", value: slices.perSecond, bar, hash, note };
}

/** What filling the Command alone takes, ns per command. */
function loadNs(flow: Flow): number {
  const command = new Command();
  const slices = new Slices(flow.fill, flow.total);
  for (let round = 0; round < 5; round++) {
    slices.run((from, to) => {
      for (let i = from; i < to; i++) load(flow, i, command);
    });
  }
  return Math.round(1e9 / slices.perSecond);
}

if (import.meta.main) {
  for (const result of run()) {
    print(`${JSON.stringify(result)}\n`);
  }
}
